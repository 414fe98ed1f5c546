"""Facts about counts."""

from __future__ import annotations

import pytest

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.count_facts import read_fact

QUANTITIES = ("goal", "try", "kick")
COUNTS = {"A": {"goal": 2, "try": 1, "kick": 1}, "B": {"goal": 0, "try": 3, "kick": 2}}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("goal >= 2", True),
        ("goal == 2", True),
        ("goal = 2", True),
        ("goal > 2", False),
        ("goal != 2", False),
        ("try == 4", True),  # both sides together
        ("A.try == 1", True),
        ("B.goal < 1", True),
        ("A.goal + B.kick <= 4", True),
        ("A.kick + 1 <= A.goal", True),
        ("2 goal == 4", True),
        ("2*goal + 3 == 7", True),
        ("kick <= try", True),
        ("try <= kick", False),
    ],
)
def test_a_fact_holds(text: str, holds: bool) -> None:
    assert read_fact(text, QUANTITIES, ("A", "B")).holds(COUNTS) is holds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("goal", "not a fact"),
        ("1 < goal < 3", "not a fact"),
        ("gaol >= 1", "no quantity 'gaol'"),
        ("C.goal >= 1", "no side 'C'"),
        ("goal >= ", "is not a count"),
        ("goal >= -1", "is not a count"),
        ("goal >= 1.5", "no quantity|is not a count"),
    ],
)
def test_what_is_no_fact_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_fact(text, QUANTITIES, ("A", "B"))
