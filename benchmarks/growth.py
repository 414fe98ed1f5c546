"""What a unit costs, constant by constant, and what that makes of a million, 10^8 and 10^10 units.

Each constant is measured on an English test of passages of four questions: processor seconds, so
that a busy machine counts little, bytes on disk, and bytes held. The marking of one file by one
process is compared with that of parts by one and two processes, in the same run.

Run: python benchmarks/growth.py [--units N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from figures import Figure
from synthetic import EnglishWriter, Shape

from readmark import convert, load
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.compression import zstd
from readmark.core.json_lines import json_line
from readmark.core.parts import part_name
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row, SittingHeader
from readmark.core.test import Test
from readmark.marking.part_rows import deal_rows
from readmark.marking.part_survey import survey_parts
from readmark.sitting.journal import open_journal
from readmark.statistics.resampling import resampled_sums

UNITS, QUESTIONS, CHARACTERS, PARTS = 100_000, 4, 240, 8
WRITTEN = 20_000
SCALES = (10**6, 10**8, 10**10)
DRAWS = 1000
MOST_SHARE = 45 / 61.6
"""How much of the processor time of one file by one process the busier of two may take."""
OPTIONS = ("-m", "em", "-m", "f1", "--no-classes", "--json", "--no-units")
ROWS = row_lines(COMPREHENSION)
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Cost:
    """What a command took: all its processes, the busiest of them, and their memory together.

    The time on the clock says something on an idle machine alone.
    """

    clock: float = 0.0
    seconds: float = 0.0
    busiest: float = 0.0
    megabytes: float = 0.0


def write(folder: Path, units: int) -> tuple[Path, Path]:
    """A test and a sitting of it, the sitting also in parts with the rows of the test's parts."""
    writer = EnglishWriter(seed=units)
    test, sitting = folder / "test.jsonl", folder / "sitting.jsonl"
    header = {"readmark": 1, "file": "test", "kind": "comprehension", "name": "n", "language": "en"}
    with test.open("wb") as papers, sitting.open("wb") as rows:
        papers.write(json_line(header))
        rows.write(json_line({"readmark": 1, "file": "sitting", "candidate": "synthetic"}))
        shape = Shape(units // QUESTIONS, QUESTIONS, CHARACTERS, answers=1)
        for passage in writer.passages(shape):
            papers.write(json_line(passage))
            for unit in COMPREHENSION.units(passage):
                said = writer.prediction(passage.text, unit.key.answers[0])
                if said is not None:
                    rows.write(ROWS.line(Row(id=unit.id, answer=said)))
    return test, sitting


def cut(test: Path, sitting: Path, parts: int = PARTS) -> tuple[Path, Path]:
    """Both in parts, the rows of a part's units in the part of the same number."""
    folder, sat = test.with_suffix(""), sitting.with_suffix("")
    convert(test, folder, parts=parts)
    sat.mkdir()
    lines = sitting.read_bytes().splitlines(keepends=True)
    rows = {json.loads(row)["id"]: row for row in lines[1:]}
    for index, file in enumerate(load(folder).parts):
        own = (rows.get(unit.id, b"") for unit in load(file).units())
        (sat / part_name(index, parts, ".jsonl")).write_bytes(b"".join((lines[0], *own)))
    return folder, sat


def mark(test: Path, sitting: Path, *more: str) -> Cost:
    """Run `readmark mark` and watch its processes."""
    command = [sys.executable, "-m", "readmark", "mark", str(test), str(sitting), *OPTIONS, *more]
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | threads
    )
    cost, busy, stop = Cost(), dict[int, float](), threading.Event()

    def watch() -> None:
        while not stop.wait(0.1):
            pids = list(_tree(child.pid))
            for pid in pids:
                with suppress(OSError, IndexError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    busy[pid] = (int(fields[11]) + int(fields[12])) / TICK
            cost.megabytes = max(cost.megabytes, sum(map(_proportional, pids)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert child.stdout is not None
    marks = child.stdout.read()
    stop.set()
    watcher.join()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode or not json.loads(marks)["marks"]["f1"]["low"]:
        raise SystemExit(f"readmark mark ended with status {child.returncode}")
    cost.clock = time.perf_counter() - begun
    cost.seconds = usage.ru_utime + usage.ru_stime
    # Workers of the two readings are processes of their own, and at most one runs at a time.
    main = busy.pop(child.pid, 0.0)
    cost.busiest = max(main, sum(busy.values()))
    return cost


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _tree(int(child))


def _proportional(pid: int) -> float:
    """Megabytes of a process, what it shares counted in part."""
    with suppress(OSError, IndexError):
        rolled = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(rolled.partition("\nPss:")[2].split()[0]) / 1024
    return 0.0


def constants(test: Path, sitting: Path, parts: Path, units: int) -> dict[str, float]:
    """Bytes and processor seconds of a unit, and of a cluster's draw."""
    packed = {path: len(zstd().compress(path.read_bytes())) for path in (test, sitting)}
    parted: Test = load(parts)
    start = time.process_time()
    digests = survey_parts(parted, workers=1)
    survey = time.process_time() - start
    assert digests is not None
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        assert deal_rows([str(sitting)], Path(folder), digests) is not None
        deal = time.process_time() - start
        start = time.process_time()
        with open_journal(Path(folder) / "rows.jsonl", SittingHeader(candidate="c")) as journal:
            for number in range(WRITTEN):
                journal.write(Row(id=f"P{number}Q0", answer="so many words", seconds=0.001))
        journalled = time.process_time() - start
    sums = np.random.default_rng(1).random((units // QUESTIONS, 4))
    start = time.process_time()
    resampled_sums(sums, seed=1, draws=100)
    draw = time.process_time() - start
    return {
        "test, bytes": test.stat().st_size / units,
        "test, bytes in zstd": packed[test] / units,
        "sitting, bytes": sitting.stat().st_size / units,
        "sitting, bytes in zstd": packed[sitting] / units,
        "survey, s": survey / units,
        "dealing rows to parts, s": deal / units,
        "journalling, s": journalled / WRITTEN,
        "draw of a cluster, s": draw / 100 / len(sums),
    }


def measure(units: int) -> list[Figure]:
    """Print the constants, the comparison, and what they make of larger tests."""
    print(f"load {os.getloadavg()[0]:.1f}; {units:,} units, {QUESTIONS} a passage, {PARTS} parts")
    with tempfile.TemporaryDirectory() as name:
        test, sitting = write(Path(name), units)
        parts, sat = cut(test, sitting)
        tiny = mark(*write(_made(Path(name) / "tiny"), 400))
        fewer = mark(*cut(*write(_made(Path(name) / "fewer"), units // 4), PARTS // 4))
        found = constants(test, sitting, parts, units)
        whole = mark(test, sitting)
        alone = mark(parts, sat)
        two = mark(parts, sat, "--workers", "2")
    found["marking, s"] = (alone.seconds - tiny.seconds) / units
    # Parts of one size: what differs is what is held of all of them.
    found["held at the end, bytes"] = 1e6 * (alone.megabytes - fewer.megabytes) / (units * 3 / 4)
    for what, value in found.items():
        shown = f"{value * 1e6:.3f} µs" if what.endswith(", s") else f"{value:.0f}"
        print(f"  {what.removesuffix(', s')}: {shown}{'' if 'draw' in what else ' a unit'}")
    for what, cost in (("one file", whole), ("parts", alone), ("parts, two workers", two)):
        print(
            f"  {what}: {cost.seconds:.1f} s of processors, busiest process {cost.busiest:.1f} s, "
            f"{cost.megabytes:.0f} MB together, {cost.clock:.1f} s by the clock"
        )
    print(table(found))
    figures = [
        Figure(
            "busier of two workers against one process",
            two.busiest / whole.seconds,
            "times",
            most=MOST_SHARE,
        ),
        Figure("memory of two workers", two.megabytes, "MB", most=1000.0),
    ]
    print(*(f"  {figure}" for figure in figures), sep="\n")
    return figures


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def table(found: dict[str, float]) -> str:
    """What is stored and computed at each scale."""
    rows = [("", *(f"10^{len(str(scale)) - 1}" for scale in SCALES))]
    for what in ("test, bytes", "test, bytes in zstd", "sitting, bytes", "sitting, bytes in zstd"):
        rows.append((what, *(f"{found[what] * scale / 1e9:,.2f} GB" for scale in SCALES)))
    hours = found["marking, s"] / 3600
    rows.append(("marking, core hours", *(f"{hours * scale:,.2f}" for scale in SCALES)))
    draws = found["draw of a cluster, s"] * DRAWS / QUESTIONS / 3600
    rows.append(("intervals, core hours", *(f"{draws * scale:,.3f}" for scale in SCALES)))
    journal = found["journalling, s"] / 3600
    rows.append(("journalling, core hours", *(f"{journal * scale:,.2f}" for scale in SCALES)))
    deals = found["dealing rows to parts, s"] / 3600
    rows.append(("dealing, core hours", *(f"{deals * scale:,.3f}" for scale in SCALES)))
    held = found["held at the end, bytes"]
    rows.append(("held at the end, GB", *(f"{held * scale / 1e9:,.2f}" for scale in SCALES)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=UNITS, help="units of the test")
    wanted = measure(parser.parse_args().units)
    raise SystemExit(0 if all(figure.ok for figure in wanted) else 1)
