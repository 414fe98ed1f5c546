"""Dates and times in rules: with a zone in UTC, and undetermined where one lacks it and it matters.

By "XML Schema Definition Language 1.1 Part 2: Datatypes"; its examples, those of "XML Schema Part
2" and of "XPath and XQuery Functions and Operators" are among the rows.
"""

from __future__ import annotations

import datetime
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.reasoning.dates import canonical_text
from reasoning_files import derived, inferred

SIGNS = {
    "before": "<",
    "after": ">",
    "lessThan": "<",
    "lessThanOrEqualTo": "<=",
    "greaterThan": ">",
    "greaterThanOrEqualTo": ">=",
    "equalTo": "=",
    "notEqualTo": "!",
}
HOLDING = {
    "<": {"<", "<=", "!"},
    "=": {"=", "<=", ">="},
    ">": {">", ">=", "!"},
    "?": {"!"},
    "~": {"<=", ">=", "!"},
}
"""How the first is to the second, and which comparisons then hold; ? is undetermined, ~ of two
kinds that are at the same time."""
TABLE = [
    ("2000-01-15T00:00:00", "<", "2000-02-15T00:00:00"),
    ("2000-01-15T12:00:00", "<", "2000-01-16T12:00:00Z"),
    ("2000-01-01T12:00:00", "?", "1999-12-31T23:00:00Z"),
    ("2000-01-16T12:00:00", "?", "2000-01-16T12:00:00Z"),
    ("2000-01-16T00:00:00", "?", "2000-01-16T12:00:00Z"),
    # 14 hours are within the reach of a zone, a second more is beyond.
    ("2000-01-16T00:00:00", "?", "2000-01-16T14:00:00Z"),
    ("2000-01-16T00:00:00", "<", "2000-01-16T14:00:01Z"),
    ("2000-01-16T14:00:00", "?", "2000-01-16T00:00:00Z"),
    ("2000-01-16T14:00:01", ">", "2000-01-16T00:00:00Z"),
    ("2002-04-02T12:00:00-01:00", "=", "2002-04-02T17:00:00+04:00"),
    ("2002-04-02T23:00:00-04:00", "=", "2002-04-03T02:00:00-01:00"),
    ("1999-12-31T24:00:00", "=", "2000-01-01T00:00:00"),
    ("2005-04-04T00:00:00", ">", "2005-04-03T23:59:59.9"),
    ("2004-12-25Z", ">", "2004-12-25+07:00"),
    ("2004-12-25-12:00", "=", "2004-12-26+12:00"),
    ("2004-12-25Z", "<", "2004-12-25-05:00"),
    ("2011-09-04Z", "=", "2011-09-04+00:00"),
    ("2011-09-04", "=", "2011-09-04"),
    ("2011-09-04", "?", "2011-09-04Z"),
    ("2011-09-04", "?", "2011-09-04+02:00"),
    ("2011-09-04", "<", "2011-09-05Z"),
    # Midnight of the 5th at +10:00 is 14:00 of the 4th in UTC, at +09:59 a minute later.
    ("2011-09-04", "?", "2011-09-05+10:00"),
    ("2011-09-04", "<", "2011-09-05+09:59"),
    ("2011-09-06", ">", "2011-09-05Z"),
    ("0001-01-01+05:00", "<", "0001-01-01Z"),
    ("9999-12-31T23:00:00-05:00", ">", "9999-12-31T23:30:00Z"),
    # No comparison is there between a time and something else.
    ("2011-09-04Z", "?", "5"),
    ("2011-09-04Z", "?", '"2011-09-04Z"'),
]
MIXED = [
    # A date beside a time is its midnight, and equal to none.
    ("2011-09-04Z", "<", "2011-09-04T00:00:01Z"),
    ("2011-09-04+02:00", ">", "2011-09-03T21:59:59Z"),
    ("2011-09-04", "<", "2011-09-04T00:00:01"),
    ("2011-09-04Z", "~", "2011-09-04T00:00:00Z"),
    ("2011-09-04", "~", "2011-09-04T00:00:00"),
    ("2011-09-04", "?", "2011-09-04T14:00:00Z"),
    ("2011-09-04", "<", "2011-09-04T14:00:01Z"),
]
BACK = {"<": ">", ">": "<"}
ROWS = [
    *TABLE,
    *MIXED,
    *((second, BACK.get(order, order), first) for first, order, second in [*TABLE, *MIXED]),
]


@cache
def compared() -> dict[tuple[int, str], set[str]]:
    """The comparisons that hold of each row, between variables and with a constant."""
    rules = [
        f"(:if (a p ?x) (a q ?y) (?x mrq:{name} ?y) :then (a variables {name}))" for name in SIGNS
    ]
    rules += [
        f"(:if (a p ?x) (a row {at}) (?x mrq:{name} {second}) :then (a constant {name}))"
        for at, (_, _, second) in enumerate(ROWS)
        for name in SIGNS
    ]
    graphs = [
        f"((a p {first}) (a q {second}) (a row {at}))" for at, (first, _, second) in enumerate(ROWS)
    ]
    values: dict[tuple[int, str], set[str]] = {}
    with inferred("\n".join(rules), *graphs) as inference:
        for derived in inference.derived():
            statement = derived.statement
            key = int(derived.graph[1:]), statement.predicate.text
            values.setdefault(key, set()).add(statement.object.text)  # type: ignore[union-attr]
    return values


@pytest.mark.parametrize("way", ["variables", "constant"])
@pytest.mark.parametrize(("at", "row"), list(enumerate(ROWS)), ids=str)
def test_comparisons(at: int, row: tuple[str, str, str], way: str) -> None:
    expected = {name for name, sign in SIGNS.items() if sign in HOLDING[row[1]]}
    assert compared()[at, way] == expected


@pytest.mark.parametrize("also", ["", "(b at 2011-09-04Z)"])
def test_dates_without_zones_compare_alike_beside_others(also: str) -> None:
    rules = "(:if (a p ?x) (?x mrq:lessThan 2011-09-05) :then (a early ?x))"
    graph = f"((a p 2011-09-04) (a p 2011-09-05) {also})"
    assert derived(rules, graph) == {"(a early 2011-09-04)"}


@pytest.mark.parametrize(
    ("computation", "expected"),
    [
        # Year, month and day are those of the value in its own zone.
        ("yearOf 1999-12-31T21:20:00-05:00", "1999"),
        ("monthOf 1999-12-31T21:20:00-05:00", "12"),
        ("dayOf 1999-12-31T21:20:00-05:00", "31"),
        ("dayOf 2011-09-04+02:00", "4"),
        ("dayOf 2011-09-04Z", "4"),
        ("yearOf 0001-01-01+05:00", "1"),
        # Days are counted in UTC where both have a zone, and not where one has.
        ("daysBetween 2011-09-04+02:00 2011-09-06+02:00", "2"),
        ("daysBetween 2011-09-04Z 2011-09-06Z", "2"),
        ("daysBetween 2011-09-04+02:00 2011-09-04Z", "1"),
        ("daysBetween 2011-09-04 2011-09-06", "2"),
        ("daysBetween 2011-09-04 2011-09-06Z", None),
        ("daysBetween 2011-09-04T10:00:00Z 2011-09-06", None),
    ],
)
def test_parts_and_days(computation: str, expected: str | None) -> None:
    name, *terms = computation.split()
    variables = " ".join(f"?x{at}" for at in range(len(terms)))
    reads = " ".join(f"(a q{at} ?x{at})" for at in range(len(terms)))
    triples = " ".join(f"(a q{number} {term})" for number, term in enumerate(terms))
    rules = (
        f"(:if {reads} (?r mrq:{name} {variables}) :then (a is ?r))"
        f"(:if (a q0 ?x) (?r mrq:{name} {' '.join(terms)}) :then (a too ?r))"
    )
    expected_triples = set() if expected is None else {f"(a is {expected})", f"(a too {expected})"}
    assert derived(rules, f"({triples})") == expected_triples


def test_kinds_of_zoned_values() -> None:
    rules = (
        "(:if (a p ?x) (?x mrq:hasKind date) :then (a date ?x))"
        "(:if (a p ?x) (?x mrq:hasKind time) :then (a time ?x))"
    )
    graph = '((a p 2011-09-04) (a p 2011-09-04Z) (a p 2011-09-04T00:00:00+01:00) (a p "x") (a p 5))'
    assert derived(rules, graph) == {
        "(a date 2011-09-04)",
        "(a date 2011-09-04Z)",
        "(a time 2011-09-04T00:00:00+01:00)",
    }


NEAR = st.datetimes().filter(lambda moment: 1 < moment.year < 9999)


@given(st.lists(st.tuples(NEAR, st.integers(-840, 840)), min_size=2, max_size=5, unique=True))
def test_order_in_time_is_pythons(moments: list[tuple[datetime.datetime, int]]) -> None:
    values = [
        moment.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=offset)))
        for moment, offset in moments
    ]
    triples = " ".join(
        f"(m{number} is {canonical_text(value)})" for number, value in enumerate(values)
    )
    rules = "(:if (?a is ?x) (?b is ?y) (?x mrq:before ?y) :then (?a before ?b))"
    expected = {
        f"(m{a} before m{b})"
        for a, one in enumerate(values)
        for b, other in enumerate(values)
        if one < other
    }
    assert derived(rules, f"({triples})") == expected
