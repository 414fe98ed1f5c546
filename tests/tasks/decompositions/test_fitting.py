"""A prior fitted to totals."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from training.score_prior import Scores, as_toml, fit, likelihood

TEXT = """
[quantity.big]
worth = 7
[quantity.bonus]
worth = 1
follows = "big"
[quantity.small]
worth = 3
[prior.plays]
chances = [0.2, 0.3, 0.3, 0.1]
tail = 0.3
[prior.shares]
big = 0.5
small = 0.5
[prior.following.big]
bonus = 0.5
"""


def played(
    scheme: Scheme, shares: list[float], n: int, *, seed: int, parts: int
) -> Counter[Scores]:
    """Games made by the model: numbers of plays by the scheme's table, plays by shares."""
    draw = np.random.default_rng(seed)
    numbers = [float(scheme.prior.numbers.chance(one)) for one in range(12)]
    numbers = [one / sum(numbers) for one in numbers]
    found: Counter[Scores] = Counter()
    for _ in range(n):
        worth = [0] * parts
        for play in draw.choice(3, size=draw.choice(12, p=numbers), p=shares):
            worth[draw.integers(parts)] += scheme.plays[play].worth
        found[tuple(int(one) for one in np.cumsum(worth))] += 1
    return found


@pytest.mark.parametrize("parts", [1, 4])
def test_what_made_the_totals_is_found_again(parts: int) -> None:
    scheme = read_scheme(TEXT)
    shares = [0.1, 0.2, 0.7]
    observed = played(scheme, shares, 8_000, seed=7, parts=parts)
    fitted = fit(scheme, observed, pseudo=1)
    assert fitted.left_out == {}
    assert fitted.plays == pytest.approx(shares, abs=0.02)
    assert fitted.numbers[:4] == pytest.approx([0.21, 0.31, 0.31, 0.1], abs=0.03)
    assert likelihood(scheme, fitted, observed) == pytest.approx(fitted.likelihood, abs=1e-9)


def test_a_step_never_makes_the_observations_less_likely() -> None:
    scheme = read_scheme(TEXT)
    observed = played(scheme, [0.1, 0.2, 0.7], 300, seed=3, parts=2)
    steps = [fit(scheme, observed, pseudo=0, most_steps=n).likelihood for n in range(12)]
    assert all(b >= a - 1e-12 for a, b in itertools.pairwise(steps))
    assert steps[-1] > steps[0]


def test_totals_that_nothing_explains_are_left_out() -> None:
    fitted = fit(read_scheme(TEXT), {(3,): 5, (1,): 2, (7, 5): 1})
    assert fitted.left_out == {(1,): 2, (7, 5): 1}


def test_what_followed_is_learnt_from_observations_of_it() -> None:
    """7 is big alone for certain; one in ten was followed elsewhere."""
    scheme = read_scheme(TEXT)
    fitted = fit(scheme, {(7,): 90}, followed={"big": {"bonus": 10, None: 0}}, pseudo=0)
    alone, with_bonus, _ = fitted.plays
    assert with_bonus / (alone + with_bonus) == pytest.approx(0.1, abs=1e-6)


def test_the_likelihood_of_one_total_by_hand() -> None:
    """3 is one small play: chance of one play, times its share."""
    scheme = read_scheme(TEXT)
    start = fit(scheme, {(3,): 1}, most_steps=0)
    assert start.likelihood == pytest.approx(math.log(0.3 * 0.5))
    halves = fit(scheme, {(0, 3): 1}, most_steps=0)
    assert halves.likelihood == pytest.approx(math.log(0.3 * 0.5 / 2))


def test_a_fit_is_written_as_a_scheme_reads_it() -> None:
    scheme = read_scheme(TEXT)
    fitted = fit(scheme, {(3,): 5, (7,): 3, (11,): 2, (10,): 4})
    text = TEXT[: TEXT.index("[prior.plays]")] + as_toml(scheme, fitted)
    prior = read_scheme(text).prior
    assert sum(prior.shares.values()) == 1
    read = [float(prior.play(one.quantity, one.follower)) for one in scheme.plays]
    assert read == pytest.approx(list(fitted.plays), rel=1e-3)
    assert float(prior.numbers.chance(1)) == pytest.approx(fitted.numbers[1], rel=1e-3)
    assert isinstance(prior.numbers.chance(40), Fraction)
