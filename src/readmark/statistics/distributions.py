"""Probabilities: Student's t, beta, chi-square, binomial and Poisson binomial.

They are written out because scipy's last digits change between versions, and marks must not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

_TINY = 1e-300
_CLOSE = 1e-15
_MOST_EXPONENT = 700.0
_MOST_STEPS = 100_000


def t_tail(value: float, freedom: int) -> float:
    """The probability that Student's t exceeds a value."""
    beyond = beta_cdf(freedom / (freedom + value * value), freedom / 2, 0.5) / 2
    return beyond if value >= 0 else 1 - beyond


@lru_cache(maxsize=1024)
def t_quantile(tail: float, freedom: int) -> float:
    """The value that Student's t exceeds with the probability ``tail``, at most one half."""
    below = beta_quantile(2 * tail, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - below) / below)


def chi_square_survival(value: float, freedom: int) -> float:
    """The chance of so large a chi-square or a larger one, by the sums for whole degrees.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    if freedom < 1 or value <= 0:
        return 1.0
    half = value / 2
    if freedom % 2:
        term = math.sqrt(half) * math.exp(-half) * 2 / math.sqrt(math.pi)
        total, step = math.erfc(math.sqrt(half)), 1.5
    else:
        term, total, step = math.exp(-half), 0.0, 1.0
    for _ in range(freedom // 2):
        total += term
        term *= half / step
        step += 1
    return min(1.0, total)


def binomial_at_least(count: int, total: int, chance: float) -> float:
    """The chance of ``count`` or more of ``total``, each with the same chance."""
    if count <= 0:
        return 1.0
    if count > total:
        return 0.0
    return beta_cdf(chance, count, total - count + 1)


def binomial_at_most(count: int, total: int, chance: float) -> float:
    """The chance of ``count`` or fewer of ``total``, each with the same chance."""
    if count >= total:
        return 1.0
    if count < 0:
        return 0.0
    return beta_cdf(1 - chance, total - count, count + 1)


def sum_at_least(count: int, chances: Sequence[float]) -> float:
    """The chance that ``count`` or more happen, where each has a chance of its own.

    The exact distribution of the sum (Poisson binomial), one event added after the other.
    """
    if count <= 0:
        return 1.0
    if count > len(chances):
        return 0.0
    # Cell k holds the chance of k so far; the last cell that of `count` or more.
    cells = np.zeros(count + 1)
    cells[0] = 1.0
    for chance in chances:
        happens = cells[:-1] * chance
        reached = cells[-1] + happens[-1]
        cells[:-1] -= happens
        cells[1:-1] += happens[:-1]
        cells[-1] = reached
    return float(min(1.0, cells[-1]))


def beta_quantile(share: float, a: float, b: float) -> float:
    """The value that a beta variable is below with the probability ``share``.

    By Newton's steps, and by halves wherever one leads out of what is known to hold the value.
    """
    low, high, x = 0.0, 1.0, a / (a + b)
    while low < x < high:
        above = beta_cdf(x, a, b) - share
        low, high = (x, high) if above < 0 else (low, x)
        density = _log_beta(a, b) + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)
        step = x - above * math.exp(min(-density, _MOST_EXPONENT))
        before, x = x, step if low < step < high else (low + high) / 2
        if abs(x - before) <= _CLOSE * x:
            break
    return x


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction.

    NIST Digital Library of Mathematical Functions, 8.17.22, evaluated by Lentz's method.
    """
    if not 0 < x < 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction of the other tail converges faster
        return 1 - beta_cdf(1 - x, b, a)
    front = math.exp(_log_beta(a, b) + a * math.log(x) + b * math.log1p(-x)) / a
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        if step % 2:
            part = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            part = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        below = 1 / ((1 + part * below) or _TINY)
        above = (1 + part / above) or _TINY
        value *= above * below
        if abs(above * below - 1) < _CLOSE:
            break
    return front / value


def _log_beta(a: float, b: float) -> float:
    """The logarithm of one over the beta function."""
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
