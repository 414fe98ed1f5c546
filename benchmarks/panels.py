"""Seconds of one core for the null distribution of a panel, and the ratio to a direct loop.

Run: python benchmarks/panels.py; with --inflation, how often one more novice passes the test; with
--equivalence, how often ``panel mark --no-experts`` errs at the edge of its margin, and its power.
"""

from __future__ import annotations

import os

# One core, whatever the machine has: read by the BLAS when numpy is first imported.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from figures import Figure

from readmark.core.records import Unit
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import Rating
from readmark.readability.panels.equivalence import MARGIN, PeerVerdict, judge_machine
from readmark.readability.panels.novices import METRICS, NovicePanel, stand_ins, verdicts, worth
from readmark.readability.panels.peer_ratings import PeerRatings
from readmark.readability.panels.simulation import Design, Simulation, hits, passing
from readmark.readability.panels.synthetic_judges import (
    EXPERTS,
    Draws,
    JudgeTraits,
    qualities,
    rate,
)
from readmark.readability.scale import MIDDLE
from readmark.statistics.equivalence import clusters_needed

PASSAGES, JUDGES, DRAWS = 1_000, 20, 10_000
MOST_SECONDS = 1.0
LEAST_RATIO = 100.0
LOOP_DRAWS = 40
"""Draws of the loop that are timed; its time is taken to grow with them."""


def example() -> tuple[NovicePanel, list[tuple[float, ...]], list[list[float]], list[float]]:
    """A panel, and the same as plain lists: experts' ratings, novices', the machine's."""
    draws = Draws(1)
    quality = qualities(PASSAGES, draws)
    experts = rate(quality, 3, EXPERTS, draws)
    novices = rate(quality, JUDGES, JudgeTraits(), draws)
    machine = rate(quality, 1, JudgeTraits(bias=0, noise=0.65), draws)
    rated = np.ones_like(novices.rated)
    panel = NovicePanel.of(
        experts.ratings.mean(axis=1) - MIDDLE,
        rated,
        novices.ratings - MIDDLE,
        hits(experts, novices.ratings),
    )
    lists = [tuple(row) for row in experts.ratings.tolist()]
    return panel, lists, novices.ratings.tolist(), machine.ratings[:, 0].tolist()


def fast(
    panel: NovicePanel, experts: Sequence[Sequence[float]], ratings: Sequence[float]
) -> list[float]:
    """The p-values of all three metrics."""
    low, high = (np.array([end(expert) for expert in experts]) for end in (min, max))
    machine = np.array(ratings)
    hit = np.where((low <= machine) & (machine <= high), 1 / (1 + high - low), 0.0)
    own = worth(panel.gold, machine - MIDDLE, hit)
    return [verdict.p for verdict in verdicts(panel, own, panel.null(seed=1, draws=DRAWS))]


def direct(
    experts: Sequence[Sequence[float]], novices: Sequence[Sequence[float]], ratings: Sequence[float]
) -> tuple[float, float, float]:
    """The three metrics as the document has them, passage by passage."""
    gold = [sum(expert) / len(expert) for expert in experts]
    difference = statistics.fmean(
        statistics.fmean(abs(e - person) for person in people) - abs(e - m)
        for e, people, m in zip(gold, novices, ratings, strict=True)
    )
    target = sum(
        1 / (1 + max(one) - min(one))
        for one, m in zip(experts, ratings, strict=True)
        if min(one) <= m <= max(one)
    )
    return difference, target, statistics.correlation(gold, ratings)


def loop(
    experts: Sequence[Sequence[float]], novices: Sequence[Sequence[float]], *, draws: int
) -> Iterator[tuple[float, float, float]]:
    """A draw at a time, from the same random words as the fast one."""
    flat = [rating for several in novices for rating in several]
    for block in stand_ins(1, draws, np.full(len(novices), JUDGES)):
        for drawn in block.tolist():
            yield direct(experts, novices, [flat[cell] for cell in drawn])


def careful(
    experts: Sequence[Sequence[float]], novices: Sequence[Sequence[float]], *, draws: int
) -> Iterator[tuple[float, float, float]]:
    """Still a draw at a time, but all that no draw changes is worked out once before."""
    flat = [rating for several in novices for rating in several]
    gold = [sum(expert) / len(expert) for expert in experts]
    base = statistics.fmean(
        statistics.fmean(abs(e - person) for person in people)
        for e, people in zip(gold, novices, strict=True)
    )
    lows, highs = [min(expert) for expert in experts], [max(expert) for expert in experts]
    worths = [1 / (1 + high - low) for low, high in zip(lows, highs, strict=True)]
    for block in stand_ins(1, draws, np.full(len(novices), JUDGES)):
        for drawn in block.tolist():
            said = [flat[cell] for cell in drawn]
            away = statistics.fmean(abs(e - m) for e, m in zip(gold, said, strict=True))
            every = zip(lows, said, highs, worths, strict=True)
            target = sum(worth for low, m, high, worth in every if low <= m <= high)
            yield base - away, target, statistics.correlation(gold, said)


def seconds(task: Callable[[], object]) -> float:
    """Processor seconds of one run."""
    start = time.process_time()
    task()
    return time.process_time() - start


def measure() -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    panel, experts, novices, said = example()
    ours: list[float] = []
    plain: dict[str, list[float]] = {"direct": [], "careful": []}
    for _ in range(3):  # in turn, so that a busy machine is busy for both
        ours.append(seconds(lambda: fast(panel, experts, said)))
        for name, task in (("direct", loop), ("careful", careful)):
            slow = seconds(lambda task=task: list(task(experts, novices, draws=LOOP_DRAWS)))
            plain[name].append(slow * DRAWS / LOOP_DRAWS)
    what = f"{DRAWS:,} draws of three metrics, {PASSAGES:,} passages x {JUDGES} judges"
    figures = [
        Figure(f"{what}, processor seconds", min(ours), "s", most=MOST_SECONDS),
        Figure(
            "a direct loop takes so many times as long",
            min(plain["direct"]) / min(ours),
            "x",
            least=LEAST_RATIO,
        ),
    ]
    for figure in figures:
        print(figure)
    ratio = min(plain["careful"]) / min(ours)
    print(f"a careful loop, with all that no draw changes worked out before: {ratio:.0f} x")
    null = panel.null(seed=1, draws=LOOP_DRAWS)
    same = np.allclose(null, list(loop(experts, novices, draws=LOOP_DRAWS)), atol=1e-7)
    print(f"the loop's first {LOOP_DRAWS} draws are {'the same' if same else 'OTHERS'}")
    told = ", ".join(
        f"{name} {p:.4f}" for name, p in zip(METRICS, fast(panel, experts, said), strict=True)
    )
    print(f"p: {told}")
    return [*figures, Figure("draws the same as the loop's", float(same), "", least=1.0)]


def inflation() -> None:
    """How often one more novice, and a fresh draw a passage, pass the test at 2.5%."""
    print("rater    bias  passages  " + "  ".join(f"{name:>19}" for name in (*METRICS, "all")))
    for rater, bias, passages in (
        ("drawn", 0.5, 100),
        ("novice", 0.0, 100),
        ("novice", 0.25, 100),
        ("novice", 0.5, 50),
        ("novice", 0.5, 100),
        ("novice", 0.5, 400),
        ("novice", 1.0, 100),
    ):
        design = Design(passages=passages, novice_traits=JudgeTraits(bias=bias, noise=0.7))
        found = passing(design, Simulation(rater=rater, panels=2_000, draws=999, seed=1))
        shares = []
        for one in found.drawn.values():
            low, high = one.interval
            shares.append(f"{100 * one.share:5.1f}% ({100 * low:.1f}-{100 * high:.1f})")
        print(f"{rater:8} {bias:4}  {passages:8}  " + "  ".join(f"{share:>19}" for share in shares))


PEERS, PANELS = 5, 2_000
POOR = 1.1
"""The noise of a machine that is truly worse than raters with noise 0.7."""


def among_raters(passages: int, noise: float, draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """Raters without bias, who differ by chance alone, and a machine with this noise."""
    quality = qualities(passages, draws)
    ratings = rate(quality, PEERS, JudgeTraits(bias=0.0), draws).ratings
    return ratings, rate(quality, 1, JudgeTraits(bias=0.0, noise=noise), draws).ratings[:, 0]


def judged(ratings: np.ndarray, machine: np.ndarray, metric: str, margin: float) -> PeerVerdict:
    """The verdict on a machine; no interval is wanted, so that nothing is drawn."""
    units = [Unit(f"{index}", f"{index}", None, None) for index in range(len(machine))]
    peers = PeerRatings(units, [f"{index}" for index in range(PEERS)], ratings)
    answers = [(Rating(rating=float(rating), annotator=""),) for rating in machine]
    return judge_machine(peers, answers, metric, margin=margin, settings=MarkSettings(draws=1))


def true_difference(ratings: np.ndarray, machine: np.ndarray, metric: str) -> float:
    """The machine's figure less the raters', written out."""
    gaps = []
    for rater, own in enumerate(ratings.T):
        gold = np.delete(ratings, rater, axis=1).mean(axis=1)
        if metric == "pearson":
            gaps.append(np.corrcoef(machine, gold)[0, 1] - np.corrcoef(own, gold)[0, 1])
        else:
            gaps.append(np.abs(own - gold).mean() - np.abs(machine - gold).mean())
    return float(np.mean(gaps))


def equivalence(seed: int) -> None:
    """Errors where the true difference is the margin, and the power where there is none."""
    print("metric            passages  margin  equivalent  not worse")
    for metric in ("score_difference", "pearson"):
        margin = -true_difference(*among_raters(100_000, POOR, Draws(seed)), metric)
        for passages in (12, 40, 80):
            draws = Draws(seed + passages)
            tests = [
                judged(*among_raters(passages, POOR, draws), metric, margin).test
                for _ in range(PANELS)
            ]
            called = np.mean([test is not None and test.verdict == "equivalent" for test in tests])
            safe = np.mean([test is not None and test.not_worse for test in tests])
            row = f"{metric:16}  {passages:8}  {margin:6.3f}"
            print(f"{row}  {100 * called:9.1f}%  {100 * safe:8.1f}%", flush=True)
    for metric in ("score_difference", "pearson"):
        draws = Draws(seed + 1)
        pilot = judged(*among_raters(10_000, 0.7, draws), metric, MARGIN).test
        needed = None if pilot is None else clusters_needed(pilot)
        if needed is None:
            continue
        equals = [
            judged(*among_raters(needed, 0.7, draws), metric, MARGIN).verdict
            for _ in range(PANELS // 4)
        ]
        share = np.mean([verdict == "equivalent" for verdict in equals])
        behind = np.mean([verdict in ("worse", "below average") for verdict in equals])
        print(
            f"equals, margin {MARGIN:g}, {metric}: {needed} passages for a power of 80%; "
            f"equivalent {100 * share:.1f}%, worse or below average {100 * behind:.1f}%",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--inflation", action="store_true", help="the table of benchmarks/panels.md"
    )
    parser.add_argument(
        "--equivalence", action="store_true", help="the errors and the power of panel raters"
    )
    parser.add_argument("--seed", type=int, default=1, help="of --equivalence")
    given = parser.parse_args()
    if given.inflation:
        inflation()
    elif given.equivalence:
        equivalence(given.seed)
    else:
        raise SystemExit(0 if all(figure.ok for figure in measure()) else 1)
