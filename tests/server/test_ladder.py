"""The ladder: a pure function against sequences worked by hand."""

from __future__ import annotations

import itertools
import random

import pytest

from readmark.server.boards.ladder import Attempt, Gain, Pair, climb


def attempts(*names: str) -> list[Attempt]:
    """Attempts of teams: ``a1`` is the first of team a; ``?`` not marked yet, ``-`` no mark."""
    return [
        Attempt(
            name.rstrip("?-"), name[0], is_marked=not name.endswith("?"), has_mark="-" not in name
        )
        for name in names
    ]


def gains(**given: tuple[float, float]) -> dict[Pair, Gain]:
    """Gains by pair, ``a1a2``: the difference and one standard error, of 50 differing units."""
    return {(name[:2], name[2:]): Gain(*numbers, differing=50) for name, numbers in given.items()}


# The first is released. a2 gains 1 against a noise of 2: no. a3 gains 3 of 2: released, and from
# then on the best. a4 is compared with a3, not with a1.
SEQUENCE = gains(a1a2=(1, 2), a1a3=(3, 2), a3a4=(1, 2), a3a5=(2.1, 2))


@pytest.mark.parametrize(
    ("given", "known", "released", "queued", "missing"),
    [
        (["a1"], {}, ["a1"], [], []),
        (["a1", "a2", "a3", "a4", "a5"], SEQUENCE, ["a1", "a3", "a5"], [], []),
        (["a1", "a2"], gains(a1a2=(2, 2)), ["a1"], [], []),  # exactly the noise is not more
        (["a1", "a2"], gains(a1a2=(-9, 2)), ["a1"], [], []),
        (["a1", "a2"], {("a1", "a2"): Gain(5, 1, differing=3)}, ["a1"], [], []),  # too few units
        (["a1", "a2"], {("a1", "a2"): Gain(None, None, 0)}, ["a1"], [], []),
        (["a1", "a2?", "a3"], SEQUENCE, ["a1"], ["a2", "a3"], []),
        (["a1?", "b1", "a2"], {}, ["b1"], ["a1", "a2"], []),  # teams do not wait for each other
        (["a1-", "a2"], {}, ["a2"], [], []),  # without a mark there is nothing to release
        (["a1", "b1", "a2", "b2", "a3"], {}, ["a1", "b1"], ["a2", "b2", "a3"], ["a1a2", "b1b2"]),
    ],
)
def test_the_ladder(
    given: list[str],
    known: dict[Pair, Gain],
    released: list[str],
    queued: list[str],
    missing: list[str],
) -> None:
    result = climb(attempts(*given), known, fewest=20)
    by_release = {
        word: [id for id, release in result.releases.items() if release == word]
        for word in ("released", "queued", "not_better")
    }
    assert by_release["released"] == released
    assert by_release["queued"] == queued
    assert sum(map(len, by_release.values())) == len(given)
    assert ["".join(pair) for pair in result.missing] == missing


def test_what_was_decided_is_not_changed_by_later_attempts() -> None:
    """Any sequence: the decisions of a beginning of it are those of the whole."""
    chance = random.Random(3)
    for _ in range(50):
        given = [f"{chance.choice('ab')}{number}" for number in range(8)]
        known = {
            pair: Gain(chance.uniform(-3, 4), 1.0, chance.choice((5, 40)))
            for pair in itertools.permutations(given, 2)
        }
        whole = climb(attempts(*given), known, fewest=20).releases
        for length in range(8):
            part = climb(attempts(*given[:length]), known, fewest=20).releases
            assert part == {id: whole[id] for id in given[:length]}


@pytest.mark.parametrize(
    ("difference", "detectable", "lower", "gain", "noise"),
    [(3.0, 5.6, False, 3.0, 2.0), (3.0, 5.6, True, -3.0, 2.0), (None, None, False, None, None)],
)
def test_a_gain_is_read_from_a_comparison(
    difference: float | None,
    detectable: float | None,
    lower: bool,
    gain: float | None,
    noise: float | None,
) -> None:
    """2.80 standard errors are detectable; less of an error is a gain."""
    entry = {
        "difference": difference,
        "detectable": detectable,
        "discordant": 7,
        "lower_is_better": lower,
    }
    read = Gain.of(entry)
    assert (read.gain, read.differing) == (gain, 7)
    assert read.noise == (None if noise is None else pytest.approx(noise))
