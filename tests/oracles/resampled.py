"""Resampling written out plainly: a loop a draw over lists, no matrices, nothing of the package.

Draws are raw words of PCG64, the clusters numbered by the order of their ids: an index is the
upper half of a word times the number of clusters, shifted back; a flip is a bit, lowest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

Clusters = Mapping[str, Sequence[float]]


def draws_of_clusters(names: Sequence[str], *, seed: int, draws: int) -> Iterator[list[str]]:
    """The clusters of every bootstrap draw."""
    ordered = sorted(names)
    words = [int(word) for word in np.random.PCG64(seed).random_raw(draws * len(ordered))]
    for at in range(0, len(words), len(ordered)):
        chosen = ((word >> 32) * len(ordered) >> 32 for word in words[at : at + len(ordered)])
        yield [ordered[one] for one in chosen]


def mean(values: Sequence[float]) -> float:
    return float(sum(map(Fraction, values)) / len(values))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, linear between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    under = min(int(place), len(ordered) - 2)
    return ordered[under] + (place - under) * (ordered[under + 1] - ordered[under])


def percentiles(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Both ends of the percentile interval."""
    return quantile(values, (1 - level) / 2), quantile(values, 1 - (1 - level) / 2)


def drawn_statistics(
    columns: Sequence[Clusters],
    statistic: Callable[..., float],
    *,
    seed: int = 1,
    draws: int = 1000,
) -> list[float]:
    """A statistic of one or more columns of values, on every draw of whole clusters."""
    found = []
    for names in draws_of_clusters(list(columns[0]), seed=seed, draws=draws):
        lists = [[value for name in names for value in column[name]] for column in columns]
        found.append(statistic(*lists))
    return found


def exact_p(a: Clusters, b: Clusters) -> Fraction:
    """The share of all ways to swap whole clusters that are at least as far apart in the mean."""
    names = sorted(a)
    units = sum(len(a[name]) for name in names)
    gaps = [sum(map(Fraction, b[name])) - sum(map(Fraction, a[name])) for name in names]
    observed = abs(sum(gaps)) / units
    ways = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True))) / units
        for signs in product((1, -1), repeat=len(names))
    ]
    return Fraction(sum(way >= observed for way in ways), len(ways))


def randomised_p(a: Clusters, b: Clusters, *, seed: int = 1, trials: int = 10_000) -> float:
    """(trials at least as far apart + 1) / (trials + 1), trial by trial."""
    names = sorted(a)
    units = sum(len(a[name]) for name in names)
    gaps = [sum(map(Fraction, b[name])) - sum(map(Fraction, a[name])) for name in names]
    observed = abs(sum(gaps)) / units
    width = -(-len(names) // 64)
    words = [int(word) for word in np.random.PCG64(seed).random_raw(trials * width)]
    far = 0
    for trial in range(trials):
        bits = sum(words[trial * width + at] << 64 * at for at in range(width))
        moved = sum(-gap if bits >> at & 1 else gap for at, gap in enumerate(gaps))
        far += abs(moved) / units >= observed
    return (far + 1) / (trials + 1)
