"""A prior fitted to observed totals: expectation-maximisation over the plays behind them.

After "Maximum Likelihood from Incomplete Data via the EM Algorithm": the plays are the missing
data; a side's score, or its scores at the ends of equal parts, is what is observed.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.ways import Plays, ways

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

Scores = tuple[int, ...]
"""A side's totals at the ends of equal parts, or the last of them alone."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Chances of 0, 1, 2, ... plays, of each play, and how the fitting went.

    ``likelihood`` is the mean log-likelihood of an observation.
    """

    numbers: Floats
    plays: Floats
    likelihood: float
    steps: int
    left_out: Mapping[Scores, int]
    """Observations that nothing explains."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """All the plays behind all the observations, those of one observation in a run."""

    plays: Integers
    fixed: Floats
    """Logarithms of what does not depend on the prior."""
    starts: Integers
    times: Floats


def fit(
    scheme: Scheme,
    observed: Mapping[Scores, int],
    *,
    followed: Mapping[str, Mapping[str | None, int]] | None = None,
    pseudo: float = 50.0,
    tolerance: float = 1e-10,
    most_steps: int = 20_000,
) -> Fit:
    """The chances that make the observations likeliest, starting from the scheme's own.

    ``followed`` are further observations: how often what followed what. ``pseudo`` is how many
    observations the Poisson distribution of the same mean counts for, so that no number of plays
    is impossible.
    """
    rows, left_out = _rows(scheme, observed)
    most = int(rows.plays.sum(axis=1).max())
    numbers = np.array([float(scheme.prior.numbers.chance(n)) for n in range(most + 1)])
    plays = np.array(
        [float(scheme.prior.play(play.quantity, play.follower)) for play in scheme.plays]
    )
    total, before, steps = float(rows.times.sum()), -math.inf, 0
    while True:
        weights, found = _expected(rows, numbers, plays)
        if abs(found - before) < tolerance or steps == most_steps:
            return Fit(numbers, plays, found, steps, left_out)
        steps, before = steps + 1, found
        sums = np.bincount(rows.plays.sum(axis=1), weights, minlength=most + 1)
        mean = float(sums @ np.arange(most + 1)) / total
        numbers = (sums + pseudo * _poisson(mean, most)) / (total + pseudo)
        plays = _shares(scheme, weights @ rows.plays, followed or {})


def likelihood(scheme: Scheme, fitted: Fit, observed: Mapping[Scores, int]) -> float:
    """The mean log-likelihood of observations by a fit; what nothing explains does not count."""
    rows, _ = _rows(scheme, observed)
    most = max(int(rows.plays.sum(axis=1).max()), len(fitted.numbers) - 1)
    tail = float(fitted.numbers @ np.arange(len(fitted.numbers))) / len(fitted.numbers)
    beyond = tail ** np.arange(1, most + 2 - len(fitted.numbers)) * fitted.numbers[-1]
    return _expected(rows, np.append(fitted.numbers, beyond), fitted.plays)[1]


def as_toml(scheme: Scheme, fitted: Fit, digits: int = 4) -> str:
    """The tables ``[prior.…]`` of a fit, as a scheme's file holds them.

    Chances too small to matter are left to the tail, which falls as Poisson's of the same mean do.
    """
    kept = fitted.numbers[: int(np.flatnonzero(fitted.numbers > 1e-6).max()) + 1]
    mean = float(fitted.numbers @ np.arange(len(fitted.numbers)))
    told = ", ".join(f"{one:.{digits}g}" for one in kept)
    lines = ["[prior.plays]", f"chances = [{told}]", f"tail = {mean / len(kept):.{digits}g}", ""]
    shares: defaultdict[str, float] = defaultdict(float)
    for play, share in zip(scheme.plays, fitted.plays, strict=True):
        shares[play.quantity] += float(share)
    lines += ["[prior.shares]", *(f"{name} = {one:.{digits}g}" for name, one in shares.items())]
    for name in shares:
        own = zip(scheme.plays, fitted.plays, strict=True)
        after = [(play.follower, one) for play, one in own if play.quantity == name]
        if len(after) > 1:
            lines += ["", f"[prior.following.{name}]"]
            lines += [f"{what} = {one / shares[name]:.{digits}g}" for what, one in after if what]
    return "\n".join(lines) + "\n"


def _rows(scheme: Scheme, observed: Mapping[Scores, int]) -> tuple[_Rows, dict[Scores, int]]:
    plays: list[Plays] = []
    fixed: list[float] = []
    starts: list[int] = []
    times: list[int] = []
    left_out: dict[Scores, int] = {}
    for scores, number in sorted(observed.items()):
        found = {
            one: each
            for one, each in _in_parts(scheme, scores).items()
            if scheme.allows(scheme.counts(one))
        }
        if not found:
            left_out[scores] = number
            continue
        starts.append(len(plays))
        times.append(number)
        plays += found
        fixed += map(math.log, found.values())
    table = np.array(plays, dtype=np.int64).reshape(-1, len(scheme.plays))
    return _Rows(table, np.array(fixed), np.array(starts), np.array(times, dtype=float)), left_out


def _in_parts(scheme: Scheme, scores: Scores) -> dict[Plays, float]:
    """All plays behind the scores, and in how many orders they fall on equal parts like these."""
    worths = tuple(play.worth for play in scheme.plays)
    found: dict[Plays, float] = {(0,) * len(worths): 1.0}
    for before, after in itertools.pairwise((0, *scores)):
        further: defaultdict[Plays, float] = defaultdict(float)
        for plays, chance in found.items():
            for more in ways(after - before, worths) if after >= before else ():
                share = math.prod(map(math.factorial, more)) * len(scores) ** sum(more)
                further[tuple(map(int.__add__, plays, more))] += chance / share
        found = further
    return {one: each * math.factorial(sum(one)) for one, each in found.items()}


@np.errstate(divide="ignore")
def _expected(rows: _Rows, numbers: Floats, plays: Floats) -> tuple[Floats, float]:
    """Each row's share of its observations, and the mean log-likelihood."""
    logs = rows.fixed + rows.plays @ np.log(plays) + np.log(numbers)[rows.plays.sum(axis=1)]
    sizes = np.diff(np.append(rows.starts, len(logs)))
    peaks = np.maximum.reduceat(logs, rows.starts)
    parts = np.exp(logs - np.repeat(peaks, sizes))
    sums = np.add.reduceat(parts, rows.starts)
    found = float(rows.times @ (peaks + np.log(sums)) / rows.times.sum())
    return parts * np.repeat(rows.times / sums, sizes), found


def _shares(
    scheme: Scheme, played: Floats, followed: Mapping[str, Mapping[str | None, int]]
) -> Floats:
    """The chance of each play; what follows what is learnt from both kinds of observations."""
    found = np.maximum(played, 1e-9)  # nothing is impossible
    for name in {play.quantity for play in scheme.plays}:
        own = np.array([play.quantity == name for play in scheme.plays])
        said = followed.get(name, {})
        seen = np.array([said.get(play.follower, 0) for play in scheme.plays])[own]
        found[own] = (found[own] + seen) * found[own].sum() / (found[own] + seen).sum()
    return np.asarray(found / found.sum())


def _poisson(mean: float, most: int) -> Floats:
    """The Poisson chances of 0 to the most."""
    return np.exp([n * math.log(mean) - mean - math.lgamma(n + 1) for n in range(most + 1)])
