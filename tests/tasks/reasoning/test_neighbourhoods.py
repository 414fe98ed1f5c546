"""Neighbourhoods of inputs, and minimal sets found in them as by trying the whole graph."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.tasks.reasoning.contradictions import (
    Contradiction,
    contradictions,
    joined_places,
    leaves,
    neighbours,
)
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, Statement, read_statements, write_triple
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory

BAD = "(:rule bad :if {} :then (?inputGraph contradicts T))"
EVERY = {"p", "q", "r", "type"}


def places(*rules: str) -> set[str] | None:
    found = joined_places(parse_rules("(:theory T)" + "".join(rules)).rules, EVERY)
    return None if found is None else {f"{name} {side}" for name, side in found}


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
    said = read_statements("((a p b) (b p c) (d p 1) (e p 1) (e q a))")
    found = neighbours(said, frozenset({("p", "subject"), ("p", "object"), ("q", "object")}))
    groups = {tuple(write_triple(one) for one in group) for group in found.values()}
    assert groups == {("(a p b)", "(b p c)", "(e q a)"), ("(d p 1)", "(e p 1)")}
    found = neighbours(said, frozenset({("p", "subject")}))
    assert all(found[one] == [one] for one in said)


NAMES = st.sampled_from(["a", "b", "c", "d"])
RULES = [
    "(:rule one :if (?x p ?y) (?y p ?z) :then (?x r ?z))",
    "(:rule two :if (?x q ?y) :if-not (?y p ?x) :then (?x r ?y))",
    "(:rule three :if (?x q ?y) :if-not (?x off true) :then (?x p ?y))",
    "(:rule four :if (?x q ?y) :if-not (?f off true) :then (?y p ?x))",
    "(:rule five :if (?x q ?y) (?x off true) :then (?y off true))",
    "(:rule six :default :if (?x r ?y) :then (?x s b))",
    "(:rule seven :if (?x q ?y) :then (?x s ?y))",
]
CONTRADICTIONS = [
    BAD.format("(?x r ?y) (?x q ?z)"),
    "(:rule worse :if (?x s ?y) (?x p ?z) :if-not (?y off true) :then (?inputGraph contradicts T))",
    "(:rule worst :if (?x s ?y) (?z r ?y) :then (?inputGraph contradicts T))",
]
TRIPLES = st.one_of(
    st.tuples(NAMES, st.sampled_from("pq"), NAMES).map(lambda one: f"({' '.join(one)})"),
    NAMES.map(lambda one: f"({one} off true)"),
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.sampled_from(RULES), min_size=2, unique=True),
    st.sampled_from(CONTRADICTIONS),
    st.lists(TRIPLES, min_size=3, max_size=9, unique=True),
)
def test_minimal_sets_are_those_of_one_trial_after_another(
    rules: list[str], contradiction: str, triples: list[str]
) -> None:
    theory = parse_rules("(:theory T)" + "".join(sorted(rules)) + contradiction)
    inputs = read_statements(f"({' '.join(triples)})")
    with infer([Asserted("g", one) for one in inputs], theory) as inference:
        found = contradictions(inference, most=2)
    for one in found:
        assert one.inputs == _one_by_one(one, inputs, theory)


def _one_by_one(one: Contradiction, inputs: Sequence[Statement], theory: Theory) -> object:
    """The definition: every input of the derivation is left out in turn, from the last one on."""

    def broken(statements: Sequence[Statement]) -> bool:
        if not statements:
            return False
        with infer([Asserted("g", each) for each in statements], theory) as inference:
            return any(
                each.bindings == one.bindings for each in inference.instantiations(one.rule.name)
            )

    own = tuple(dict.fromkeys(leaf.statement for leaf in leaves(one.antecedents)))
    others = [each for each in inputs if each not in own]
    ways = [base for base, usable in (([], broken(own)), (others, not broken(others))) if usable]
    kept = own
    for each in reversed(own):
        fewer = tuple(other for other in kept if other != each)
        if ways and fewer and all(broken([*base, *fewer]) for base in ways):
            kept = fewer
    return kept
