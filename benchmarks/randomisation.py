"""Seconds of one core for randomisation and bootstrap, and the ratio to a plain loop.

Run: python benchmarks/randomisation.py
"""

from __future__ import annotations

import os

# One core, whatever the machine has: read by the BLAS when numpy is first imported.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import time
from collections.abc import Callable

import numpy as np
from figures import Figure
from numpy.typing import NDArray

from readmark.statistics.grid import to_grid
from readmark.statistics.randomisation import paired_p
from readmark.statistics.resampling import bootstrap

Floats = NDArray[np.float64]

UNITS = TRIALS = 10_000
CLUSTERS, COLUMNS, DRAWS = 25_000, 20, 1_000
MOST_SECONDS = 1.0


def ratio(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def plain_p(sums_a: Floats, sums_b: Floats, *, seed: int, trials: int) -> float:
    """A trial at a time, as one would write it first: swap, sum, compare."""
    random = np.random.default_rng(seed)
    observed = abs(ratio(sums_b.sum(axis=0)) - ratio(sums_a.sum(axis=0)))
    count = 0
    for _ in range(trials):
        swapped = random.integers(0, 2, size=len(sums_a), dtype=np.uint8).astype(bool)[:, None]
        a = np.where(swapped, sums_b, sums_a).sum(axis=0)
        b = np.where(swapped, sums_a, sums_b).sum(axis=0)
        count += int(abs(ratio(b) - ratio(a)) >= observed - 1e-12)
    return (count + 1) / (trials + 1)


def careful_p(sums_a: Floats, sums_b: Floats, *, seed: int, trials: int) -> float:
    """Still a trial at a time, but one product with the gap in place of the swapping."""
    random = np.random.default_rng(seed)
    gap, total_a, total_b = sums_a - sums_b, sums_a.sum(axis=0), sums_b.sum(axis=0)
    observed = abs(ratio(total_b) - ratio(total_a))
    count = 0
    for _ in range(trials):
        moved = random.integers(0, 2, size=len(gap), dtype=np.uint8) @ gap
        apart = abs(ratio(total_b + moved) - ratio(total_a - moved))
        count += int(apart >= observed - 1e-12)
    return (count + 1) / (trials + 1)


def best(task: Callable[[], object], *, of: int = 3) -> float:
    """The least seconds of a few runs."""
    seconds = []
    for _ in range(of):
        start = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure() -> list[Figure]:
    """Print what was measured; the figure that is wanted comes back."""
    random = np.random.default_rng(1)
    ones = np.ones(UNITS)
    a = np.column_stack([to_grid(random.random(UNITS)), ones])
    b = np.column_stack([to_grid(random.random(UNITS)), ones])
    fast = best(lambda: paired_p(a, b, ratio, seed=1, trials=TRIALS))
    what = f"randomisation, {TRIALS:,} trials on {UNITS:,} units, one core"
    figure = Figure(what, fast, "s", most=MOST_SECONDS)
    print(figure)
    for name, loop in (("plain", plain_p), ("careful", careful_p)):
        start = time.perf_counter()
        loop(a, b, seed=1, trials=TRIALS)
        took = time.perf_counter() - start
        print(f"{name} loop, a trial at a time: {took:.3f} s, {took / fast:.1f} times as long")

    sums = to_grid(random.random((CLUSTERS, COLUMNS)))
    took = best(lambda: bootstrap(sums, ratio, seed=1, draws=DRAWS))
    print(
        f"bootstrap, {DRAWS:,} draws of {COLUMNS} columns over {CLUSTERS:,} clusters: {took:.3f} s"
    )
    return [figure]


if __name__ == "__main__":
    raise SystemExit(0 if all(figure.ok for figure in measure()) else 1)
