"""What a Ray cluster costs and gives: against local workers, two nodes against one, recovery.

The nodes are real and on this machine, with one CPU each; the candidates sleep, so that two do not
share a processor. Time per unit is that between the first and the last row: the start of the
cluster and of the workers does not count, and is printed by itself.

What an engine costs is the time per unit outside the candidate: without the rows' own seconds. On a
busy machine the same sleep takes longer in one process than in another (100 ms took 100 in Ray's
and 104 to 110 in local workers, neither by niceness nor by session): that would pass for a gain.

Run: python benchmarks/cluster.py [--quick] [--gpu READER --test FILE [--few N]]

--gpu 'hf(model="FOLDER")' has a reader sit a test on one CPU core (its first questions) and with a
GPU worker, and prints the questions a second of each and how far the scores differ. It needs a GPU
and a test of thousands of questions: a GPU answers 512 at a time.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from figures import Figure

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests")]

from made import asked, comprehension, passage  # noqa: E402
from misbehaving_candidates import plug_in  # noqa: E402
from ray_nodes import Nodes  # noqa: E402

ROUNDS = 3
"""Local and Ray in turn; the median of each counts."""
MOST_COST = 10.0
"""Per cent that Ray may add to a candidate that takes 100 ms."""
LEAST_GAIN = 1.6
"""Times that two nodes are faster than one."""
TOLERANCE = 1e-3
"""By how much probabilities may differ between a GPU and a CPU."""


def paper(units: int) -> Any:
    """That many units, two a record."""
    return comprehension(
        *(
            passage(f"p{at}", asked(f"q{at}a", "x"), asked(f"q{at}b", "x"))
            for at in range(units // 2)
        )
    )


def timed(units: int, candidate: str, folder: Path, **how: Any) -> tuple[float, float, float]:
    """Seconds to the first row; milliseconds a unit after it, and those outside the candidate."""
    from readmark.sitting.runner import sit

    moments: list[float] = []
    journal = folder / f"{time.monotonic_ns()}.jsonl"
    begun = time.perf_counter()
    done = sit(
        paper(units), candidate, journal, watch=lambda _: moments.append(time.perf_counter()), **how
    )
    if done.errors or done.unanswered:
        raise RuntimeError(f"{journal}: {done.errors} errors, {done.unanswered} unanswered")
    rows = [json.loads(line) for line in journal.read_text("utf-8").splitlines()[2:]]
    each = (moments[-1] - moments[0]) / len(rows) * 1000
    inside = sum(row["seconds"] for row in rows) / len(rows) * 1000
    return moments[0] - begun, each, each - inside


def recovery(nodes: Nodes, folder: Path) -> tuple[float, float]:
    """Seconds from the loss of a node to the next row of it elsewhere, and to the end of all."""
    from readmark.sitting.runner import sit

    moments: list[float] = []
    seen = folder / "seen.jsonl"

    def watch(progress: Any) -> None:
        moments.append(time.perf_counter())
        if progress.answered == 40:
            nodes.kill("second")
            lost.append(time.perf_counter())

    lost: list[float] = []
    # Units of the lost worker are answered last: until then the other one has its own to do.
    candidate = f'local(file="{seen}",nodes=2)'
    done = sit(paper(80), candidate, folder / "lost.jsonl", engine="ray", workers=2, watch=watch)
    if done.errors or done.unanswered:
        raise RuntimeError(f"{done.errors} errors, {done.unanswered} unanswered after a lost node")
    asked_again = [json.loads(line)["id"] for line in seen.read_text().splitlines()]
    print(f"units asked twice after a lost node: {len(asked_again) - len(set(asked_again))}")
    gaps = [late - early for early, late in pairwise(moments[39:])]
    return max(gaps, default=0.0), moments[-1] - lost[0]


def measure(*, quick: bool = False) -> list[Figure]:
    """Every figure; those without a bound are only printed."""
    import ray

    from readmark import Cluster
    from readmark.sitting.workers import AHEAD

    figures = []
    with tempfile.TemporaryDirectory() as name, Nodes(Path(name)) as nodes:
        folder = Path(name)
        sys.path.insert(0, str(plug_in(folder / "plugged")))
        begun = time.perf_counter()
        nodes.start(head={"READMARK_NODE_MS": "25"})
        print(f"a node starts in {time.perf_counter() - begun:.1f} s")
        ray.init(nodes.address, log_to_driver=False, logging_level="ERROR")
        for milliseconds, units in ((1, 1000 if quick else 4000), (100, 80 if quick else 200)):
            candidate = f"slow(ms={milliseconds})"
            # As many records ahead as a local worker has, so that like is compared with like.
            engines = {"local": "local", "ray, as many ahead": Cluster(batch=AHEAD), "ray": "ray"}
            found: dict[str, list[float]] = {name: [] for name in engines}
            for engine in [*found] * ROUNDS:
                # A time limit, so that the local candidate is in a process of its own too.
                how = {"engine": engines[engine], "workers": 1, "unit_timeout": 60}
                first, each, outside = timed(units, candidate, folder, **how)
                found[engine].append(outside)
                print(
                    f"{candidate}, one worker, {engine}: {each:.3f} ms a unit, "
                    f"{outside:.3f} outside the candidate; first row after {first:.1f} s"
                )
            local, distant, _ = (median(found[engine]) for engine in found)
            cost = (distant - local) / milliseconds * 100
            print(f"Ray adds {(distant - local) * 1000:.0f} µs a unit, {cost:.1f}%")
            if milliseconds == 100:
                title = "Ray against a local worker, 100 ms a unit"
                figures.append(Figure(title, cost, "%", most=MOST_COST))
        _, alone, _ = timed(80 if quick else 200, "slow(ms=50)", folder, engine="ray", workers=1)
        nodes.start(second={"READMARK_NODE_MS": "25"})
        _, both, _ = timed(160 if quick else 400, "slow(ms=50)", folder, engine="ray", workers=2)
        print(f"50 ms a unit: one node {alone:.2f} ms, two nodes {both:.2f} ms")
        figures.append(Figure("two nodes against one", alone / both, "times", least=LEAST_GAIN))
        gap, rest = recovery(nodes, folder)
        print(f"a node lost: longest wait for a row {gap:.1f} s, all done {rest:.1f} s after it")
        ray.shutdown()
    return figures


def measure_gpu(candidate: str, file: str, few: int) -> list[Figure]:
    """Questions a second of a GPU worker against one CPU core, and how far their scores differ."""
    import readmark
    from readmark.comprehension.span.reader import GPU_BATCH
    from readmark.sitting.runner import sit

    test = readmark.load(file)
    if len(list(test.units())) < 2 * GPU_BATCH:
        raise SystemExit(f"{file}: has fewer than {2 * GPU_BATCH} questions")
    opening = candidate.removesuffix(")")
    with tempfile.TemporaryDirectory() as name:
        cpu, gpu = Path(name) / "cpu.jsonl", Path(name) / "gpu.jsonl"
        done = sit(test, f"{opening},device=cpu,threads=1)", cpu, limit=few)
        slow = done.progress.answered / done.progress.seconds
        print(f"one CPU core: {done.progress.answered} questions, {slow:.2f} a second")
        moments: list[float] = []
        begun = time.perf_counter()
        sit(
            test,
            candidate,
            gpu,
            engine=readmark.Cluster(gpus=1),
            workers=1,
            watch=lambda _: moments.append(time.perf_counter()),
        )
        # So many rows come at once; with the first of them the GPU is still warming up.
        rate = (len(moments) - GPU_BATCH) / (moments[-1] - moments[GPU_BATCH - 1])
        print(
            f"GPU worker on Ray: {len(moments)} questions, {rate:.1f} a second after the first "
            f"{GPU_BATCH} ({moments[0] - begun:.1f} s to those): {rate / slow:.0f} times one core"
        )
        slowly, fast = rows(test, cpu, few), rows(test, gpu, few)
    apart = [abs((slowly[id].score or 0) - (fast[id].score or 0)) for id in slowly]
    same = sum(slowly[id].text == fast[id].text for id in slowly)
    print(f"the same answer to {same} of {len(slowly)}, scores up to {max(apart):.1e} apart")
    return [Figure("scores on a GPU against a CPU", max(apart), "apart", most=TOLERANCE)]


def rows(test: Any, journal: Path, few: int) -> dict[str, Any]:
    """The last row of each of the first units."""
    from readmark.formats.registry import open_sitting

    sitting = open_sitting(str(journal), test.kind)
    return {unit.id: sitting.of(unit.id)[-1] for unit in islice(test.units(), few)}


def main() -> int:
    """Print every figure; status 1 if one misses its bound."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer units")
    parser.add_argument("--gpu", metavar="READER", help="measure a GPU worker with this reader")
    parser.add_argument("--test", help="what it reads")
    parser.add_argument("--few", type=int, default=100, help="questions for the CPU (default: 100)")
    given = parser.parse_args()
    if given.gpu:
        figures = measure_gpu(given.gpu, given.test, given.few)
    else:
        figures = measure(quick=given.quick)
    for figure in figures:
        print(figure)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
