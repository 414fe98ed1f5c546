"""Neighbourhoods: the places that rules join on, and what is near what by them."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.graphs import read_statements, write_triple
from readmark.tasks.reasoning.neighbourhoods import joined_places, neighbours
from readmark.tasks.reasoning.rules.parser import parse_rules

BAD = "(:rule bad :if {} :then (?inputGraph contradicts T))"
EVERY = {"p", "q", "r", "type"}


def places(*rules: str) -> set[str] | None:
    joined = joined_places(parse_rules("(:theory T)" + "".join(rules)).rules, EVERY)
    return None if joined is None else {f"{name} {side}" for name, side in joined}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # The value is compared, not joined on: subjects are neighbours, equal values are not.
        ([BAD.format("(?x p ?n) (?x q ?m) (?n mrq:lessThan ?m)")], {"p subject", "q subject"}),
        # A value that two patterns share is joined on.
        (
            [BAD.format("(?x p ?n) (?x q ?n)")],
            {"p subject", "p object", "q subject", "q object"},
        ),
        # One pattern by itself: its subject; or its object, where the subject is a constant.
        ([BAD.format("(?x p ?n)")], {"p subject"}),
        ([BAD.format("(a p ?n)")], {"p object"}),
        # A class that is named joins nothing.
        ([BAD.format("(?x type A) (?x type B)")], {"type subject"}),
        # What is concluded carries the place on to where its term comes from.
        (
            ["(:rule r :if (?x q ?y) :then (?y p ?x))", BAD.format("(?x p ?y) (?z p ?x)")],
            {"p subject", "p object", "q subject", "q object"},
        ),
        (
            ["(:rule r :if (?x q ?y) :then (?x p ?y))", BAD.format("(?x p ?y)")],
            {"p subject", "q subject"},
        ),
        # A constant or a computed term is no matter where nothing is joined on ...
        (
            ["(:rule r :if (?x q ?y) :then (?x p 5))", BAD.format("(?x p ?y)")],
            {"p subject", "q subject"},
        ),
        # ... and may reach anywhere where something is.
        (["(:rule r :if (?x q ?y) :then (?x p a))", BAD.format("(?x p ?y) (?y r ?z)")], None),
        (
            [
                "(:rule r :if (?x q ?y) (?n mrq:sum ?y 1) :then (?x p ?n))",
                BAD.format("(?x p ?y) (?z r ?y)"),
            ],
            None,
        ),
        # Conditions that share no variable, or none with what is denied.
        ([BAD.format("(?x p ?n) (?y q ?m)")], None),
        ([BAD.format("(?x p ?n) :if-not (?y q ?m)")], None),
        ([BAD.format("(?x p ?n) :if-not (a q b)")], None),
        ([BAD.format("(?x p ?n) (?y q ?m) (?n mrq:lessThan ?m)")], None),
        # A variable that two denied groups have is two variables.
        ([BAD.format("(?x p ?n) :if-not (?x q ?y) :if-not (?y r b)")], None),
        (
            [BAD.format("(?x p ?n) :if-not (?x q ?y) (?y r b)")],
            {"p subject", "q subject", "q object", "r subject"},
        ),
        ([BAD.format("(a p b)")], None),
    ],
)
def test_the_places_that_rules_join_on(rules: list[str], expected: set[str] | None) -> None:
    assert places(*rules) == expected


def test_neighbours_share_terms_in_such_places_only() -> None:
    statements = read_statements("((a p b) (b p c) (d p 1) (e p 1) (e q a))")
    near = neighbours(statements, frozenset({("p", "subject"), ("p", "object"), ("q", "object")}))
    groups = {tuple(map(write_triple, group)) for group in near.values()}
    assert groups == {("(a p b)", "(b p c)", "(e q a)"), ("(d p 1)", "(e p 1)")}
    near = neighbours(statements, frozenset({("p", "subject")}))
    assert all(near[statement] == [statement] for statement in statements)
