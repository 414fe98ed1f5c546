"""How often 95% intervals hold the true mark, and how often p is below 0.05 where nothing differs.

Passages are simulated: each has its own chance of a right answer (a beta variable whose variance
is the intra-cluster correlation), and as many questions as the others or a skewed number of them.

Run: python benchmarks/coverage.py [--simulations 2000] [--seed 1]; some ten minutes of a core.
"""

from __future__ import annotations

import os

# One core a process, whatever the machine has: read by the BLAS when numpy is first imported.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from readmark.statistics.grid import to_grid
from readmark.statistics.intervals import Interval, bca_interval, interval
from readmark.statistics.jackknife import (
    jackknife_values,
    leave_one_out,
    share_interval,
    t_interval,
)
from readmark.statistics.randomisation import paired_p
from readmark.statistics.resampling import resampled_sums

Floats = NDArray[np.float64]

CLUSTERS = (2, 3, 4, 6, 8, 10, 15, 30, 100)
QUESTIONS, MOST_QUESTIONS = 5, 40
"""How many a passage has, or has in the middle where sizes are skewed."""
DRAWS, TRIALS, ALPHA = 1_000, 999, 0.05
EXACT_SHARE = 0.6
"""How many of the F1-like values are 0 or 1."""
SINGLE = list(product(("em", "f1"), (0.3, 0.5, 0.8, 0.95), (0.05, 0.3), ("equal", "skewed")))
PAIRED = list(
    product(("em", "f1"), (0.5, 0.8), (0.05, 0.3), ("equal", "skewed"), (0.0, 0.1)),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one design: coverage, median width, and how many have no interval."""

    coverage: float
    width: float
    without: float


class Simulation:
    """Values of questions on simulated passages."""

    def __init__(self, seed: Sequence[int], simulations: int) -> None:
        self.random = np.random.default_rng(seed)
        self.simulations = simulations

    def sizes(self, how: str, clusters: int) -> NDArray[np.int64]:
        """Questions a passage."""
        shape = (self.simulations, clusters)
        if how == "equal":
            return np.full(shape, QUESTIONS)
        drawn = np.exp(self.random.normal(np.log(QUESTIONS), 0.9, shape))
        return np.clip(np.rint(drawn), 1, MOST_QUESTIONS).astype(np.int64)

    def chances(self, mean: float, correlation: float, clusters: int) -> Floats:
        """Each passage's chance of a right answer."""
        total = (1 - correlation) / correlation
        shape = (self.simulations, clusters)
        return self.random.beta(mean * total, (1 - mean) * total, shape)

    def totals(self, outcome: str, chances: Floats, sizes: NDArray[np.int64]) -> Floats:
        """The sum of a passage's values: 0 or 1, or F1-like, with mass at both ends."""
        most = int(sizes.max())
        each = np.broadcast_to(chances[:, :, None], (*chances.shape, most))
        values = (self.random.random(each.shape) < each).astype(np.float64)
        if outcome == "f1":
            inside = np.clip(each, 1e-6, 1 - 1e-6)
            between = self.random.beta(4 * inside, 4 * (1 - inside))
            values = np.where(self.random.random(each.shape) < EXACT_SHARE, values, between)
        asked = np.arange(most) < sizes[:, :, None]
        return np.asarray((to_grid(values) * asked).sum(axis=2))

    def single(
        self, outcome: str, mean: float, correlation: float, sizes: str, clusters: int
    ) -> tuple[Floats, Floats]:
        """Sums and sizes (simulations, clusters)."""
        counts = self.sizes(sizes, clusters)
        chances = self.chances(mean, correlation, clusters)
        return self.totals(outcome, chances, counts), counts.astype(np.float64)

    def paired(
        self, outcome: str, mean: float, correlation: float, sizes: str, gain: float, clusters: int
    ) -> tuple[Floats, Floats, Floats]:
        """Two candidates' sums; on half the passages they have the same chance, less the gain."""
        counts = self.sizes(sizes, clusters)
        first = self.chances(mean, correlation, clusters)
        shared = self.random.random(first.shape) < 0.5
        second = np.where(shared, first, self.chances(mean, correlation, clusters))
        better = second + gain * (1 - second)
        a, b = (self.totals(outcome, chances, counts) for chances in (first, better))
        return a, b, counts.astype(np.float64)


def ratio(sums: Floats) -> Floats:
    """First over second."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def drawn(values: Floats, sizes: Floats) -> Floats:
    """The bootstrap of every simulation (simulations, draws), all from the same draws."""
    sums = resampled_sums(np.vstack([values, sizes]).T, seed=1, draws=DRAWS)
    return np.ascontiguousarray((sums[:, : len(values)] / sums[:, len(values) :]).T)


def measured(intervals: Sequence[Interval], truth: float) -> Cell:
    """What became of one method's intervals."""
    known = [(low, high) for low, high in intervals if low is not None and high is not None]
    if not known:
        return Cell(np.nan, np.nan, 1.0)
    holds = [low - 1e-12 <= truth <= high + 1e-12 for low, high in known]
    widths = [high - low for low, high in known]
    return Cell(fmean(holds), median(widths), 1 - len(known) / len(intervals))


def cells(values: Floats, sizes: Floats, truth: float, *, share: bool) -> dict[str, Cell]:
    """The three methods on one design."""
    found: dict[str, list[Interval]] = {"percentile": [], "bca": [], "jackknife": []}
    for own, size, draws in zip(values, sizes, drawn(values, sizes), strict=True):
        sums = np.column_stack([own, size])
        observed = float(ratio(sums.sum(axis=0)))
        found["percentile"].append(interval(draws))
        found["bca"].append(bca_interval(draws, observed, jackknife_values(sums, ratio)))
        left_out = leave_one_out(sums, ratio)
        found["jackknife"].append(
            share_interval(min(observed, 1.0), left_out, units=int(size.sum()))
            if share
            else t_interval(observed, left_out, least=-1.0, most=1.0)
        )
    return {name: measured(several, truth) for name, several in found.items()}


def rejections(a: Floats, b: Floats, sizes: Floats) -> float:
    """How often p < 0.05 where the two could as well change places, so that nothing differs."""
    return fmean(
        paired_p(
            np.column_stack([one, size]),
            np.column_stack([other, size]),
            ratio,
            seed=1,
            trials=TRIALS,
        )
        < ALPHA
        for one, other, size in zip(a, b, sizes, strict=True)
    )


def table(title: str, by_clusters: dict[int, list[dict[str, Cell]]]) -> Iterator[str]:
    """A Markdown table: the mean over the designs, the least of them, and the median width."""
    yield f"{title}: mean coverage in % over the designs (least), mean of the median widths"
    yield "| interval | " + " | ".join(map(str, by_clusters)) + " |"
    yield "| --- |" + " --- |" * len(by_clusters)
    for name in ("percentile", "bca", "jackknife"):
        row = []
        for designs in by_clusters.values():
            own = [design[name] for design in designs if not np.isnan(design[name].coverage)]
            covers = [100 * one.coverage for one in own]
            width = fmean(one.width for one in own)
            row.append(f"{fmean(covers):.1f} ({min(covers):.0f}) {width:.2f}")
        yield f"| {name} | {' | '.join(row)} |"
    without = (
        fmean(one["jackknife"].without for one in several) for several in by_clusters.values()
    )
    yield "| jackknife: none | " + " | ".join(f"{100 * one:.1f}" for one in without) + " |"


def simulated(
    clusters: int, *, seed: int, simulations: int
) -> tuple[list[dict[str, Cell]], list[dict[str, Cell]], list[float]]:
    """Every design for a cluster count: marks, differences, and rejections of no difference."""
    simulation = Simulation([seed, clusters], simulations)
    marks = [
        cells(*simulation.single(*design, clusters), design[1], share=True) for design in SINGLE
    ]
    differences, rejected = [], []
    for outcome, mean, correlation, sizes, gain in PAIRED:
        a, b, counts = simulation.paired(outcome, mean, correlation, sizes, gain, clusters)
        differences.append(cells(b - a, counts, gain * (1 - mean), share=False))
        if not gain:
            rejected.append(rejections(a, b, counts))
    return marks, differences, rejected


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=2_000, help="of each design")
    parser.add_argument("--seed", type=int, default=1, help="of the simulated passages")
    chosen = parser.parse_args()
    one = partial(simulated, seed=chosen.seed, simulations=chosen.simulations)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(CLUSTERS, pool.map(one, CLUSTERS), strict=True))
    titles: tuple[tuple[str, Callable[[int], list[dict[str, Cell]]]], ...] = (
        (f"Marks, {len(SINGLE)} designs", lambda clusters: found[clusters][0]),
        (f"Differences, {len(PAIRED)} designs", lambda clusters: found[clusters][1]),
    )
    for title, of in titles:
        print()
        print(*table(title, {clusters: of(clusters) for clusters in CLUSTERS}), sep="\n")
    print()
    for clusters in CLUSTERS:
        rejected = found[clusters][2]
        print(f"p < {ALPHA} of no difference, {clusters} passages: {100 * fmean(rejected):.1f}%")


if __name__ == "__main__":
    main()
