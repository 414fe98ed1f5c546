"""Slices that may be shown together: worked by hand, and against exact elimination."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from readmark.statistics.disclosure import safe_slices


def labelled(**fields: str) -> tuple[dict[tuple[str, str], list[str]], list[str]]:
    """Slices of units: a field's letters are the values of unit 0, 1, 2 and so on."""
    members: dict[tuple[str, str], list[str]] = {}
    for name, values in fields.items():
        for index, value in enumerate(values):
            members.setdefault((name, value), []).append(str(index))
    count = len(next(iter(fields.values())))
    return members, [str(index) for index in range(count)]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"level": "aaabbb"}, {"a", "b"}),
        ({"level": "aaabb"}, set()),  # b is too small, and a is the whole without b
        ({"level": "aaabbbccc"}, {"a", "b", "c"}),
        ({"level": "aaabbbcc"}, {"a"}),  # with b, c would follow; a and not b leaves five others
        ({"level": "aaaabbbcc"}, {"a"}),
        ({"level": "aaabbbccdd"}, {"a", "b"}),  # c and d are four units together
        # Each field is safe by itself; b of level and y of type differ in one unit.
        ({"level": "aaaabbbb", "type": "xxxyyyyy"}, {"a", "b"}),
        ({"level": "aaabbb", "type": "xxxyyy"}, {"a", "b", "x", "y"}),
        ({"level": "aa"}, set()),
    ],
)
def test_slices_that_would_show_fewer_than_three_units(
    fields: dict[str, str], shown: set[str]
) -> None:
    members, units = labelled(**fields)
    assert {value for _, value in safe_slices(members, units, fewest=3)} == shown


def test_no_few_units_follow_from_what_is_shown() -> None:
    """Against exact elimination over fractions, for every sum and difference of few units."""
    chance = random.Random(5)
    fewest, refused = 3, 0
    for _ in range(60):
        count = chance.randint(6, 9)
        fields = {
            name: "".join(chance.choice("abc"[: chance.randint(2, 3)]) for _ in range(count))
            for name in ("one", "two")
        }
        members, units = labelled(**fields)
        shown = safe_slices(members, units, fewest=fewest)
        refused += len(shown) < len(members)
        rows = [[1] * count, *([int(unit in members[name]) for unit in units] for name in shown)]
        for size in range(1, fewest):
            for few in itertools.combinations(range(count), size):
                for signs in itertools.product((1, -1), repeat=size):
                    target = [0] * count
                    for index, sign in zip(few, signs, strict=True):
                        target[index] = sign
                    assert not _is_combination(rows, target), (fields, shown, few)
    assert refused > 30


def _is_combination(rows: list[list[int]], target: list[int]) -> bool:
    """Whether a vector is a linear combination of rows."""
    basis: list[list[Fraction]] = []

    def reduced(vector: list[int]) -> list[Fraction]:
        rest = [Fraction(number) for number in vector]
        for row in basis:
            pivot = next(index for index, number in enumerate(row) if number)
            if rest[pivot]:
                factor = rest[pivot] / row[pivot]
                rest = [number - factor * other for number, other in zip(rest, row, strict=True)]
        return rest

    for row in rows:
        rest = reduced(row)
        if any(rest):
            basis.append(rest)
    return not any(reduced(target))
