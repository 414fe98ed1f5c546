"""Totals in statements taken apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from readmark.core.errors import DataError
from readmark.tasks.decompositions.scheme import read_scheme
from readmark.tasks.decompositions.stated_totals import explain_totals
from readmark.tasks.reasoning.graphs import read_statements

TEXT = """
total = "points"
[quantity.big]
worth = 5
property = "bigCount"
[quantity.small]
worth = 1
property = "smallCount"
[prior.plays]
chances = [0.1, 0.3, 0.3, 0.1]
tail = 0.5
[prior.shares]
big = 0.5
small = 0.5
"""


def test_counts_that_a_total_leaves_possible() -> None:
    """6: big and small, 2 orders of 2 plays, or six small ones."""
    statements = read_statements("((S points 6) (S of Team) (T points 2))")
    found: Counter[str] = Counter()
    for subject, _, explanation in explain_totals(read_scheme(TEXT), statements):
        for combination in explanation.combinations:
            for quantity, count in combination.counts[subject.text].items():
                found[f"({subject.text} {quantity}Count {count})"] += combination.probability
    two, six = Fraction(3, 10) / 4 * 2, Fraction(1, 10) / 8 / 64
    assert found == {
        "(S bigCount 1)": two / (two + six),
        "(S bigCount 0)": six / (two + six),
        "(S smallCount 1)": two / (two + six),
        "(S smallCount 6)": six / (two + six),
        "(T bigCount 0)": 1,
        "(T smallCount 2)": 1,
    }


def test_stated_counts_are_kept_to() -> None:
    statements = read_statements("((S points 6) (S bigCount 0) (T points 6) (T bigCount 2))")
    first, second = explain_totals(read_scheme(TEXT), statements)
    assert [one.counts["S"] for one in first.explanation.combinations] == [{"big": 0, "small": 6}]
    assert not second.explanation.possible


def test_a_scheme_without_a_total_takes_nothing_apart() -> None:
    with pytest.raises(DataError, match="no property of their total"):
        explain_totals(read_scheme(TEXT.replace("total", "# total")), [])
