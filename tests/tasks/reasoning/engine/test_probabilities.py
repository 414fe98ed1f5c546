"""Probabilities: independent and shared ways, bounds, what annotators say, long chains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.tasks.reasoning.derivations import explain
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Statement,
    read_graph,
    read_statements,
    write_triple,
)
from readmark.tasks.reasoning.queries import answer
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.terms import Name


def weighed(rules: str, *graphs: tuple[str, float]) -> Inference:
    """An inference over statements of one graph, each text with its probability."""
    asserted = [
        Asserted("g", statement, probability=chance)
        for text, chance in graphs
        for statement in read_statements(text)
    ]
    return infer(asserted, parse_rules(rules))


@pytest.mark.parametrize(
    ("chances", "expected"), [((0.4, 1.0), 1.0), ((1.0, 0.4), 1.0), ((0.4, 0.6), 0.6)]
)
def test_the_surest_annotator_counts(chances: tuple[float, float], expected: float) -> None:
    rules = "(:rule r :probability 0.5 :if (?x p ?y) :then (?x q ?y))"
    with weighed(rules, *(("((a p b))", chance) for chance in chances)) as inference:
        stated, derived = (
            answer(inference, read_graph(query)) for query in ("((?x p ?y))", "((?x q ?y))")
        )
    assert [each.probability for each in stated] == [expected]
    assert [each.probability for each in derived] == [expected / 2]


def test_a_long_chain_loses_nothing() -> None:
    rules = "(:rule step :probability 0.1 :if (?x p ?y) (?x next ?z) :then (?z p ?y))"
    chain = " ".join(f"(x{number} next x{number + 1})" for number in range(400))
    with weighed(rules, (f"((x0 p y) {chain})", 1.0)) as inference:
        derived = {each.statement.subject.text: each.probability for each in inference.derived()}
        last = Statement(Name("x399"), Name("p"), Name("y"))
        [tree] = explain(inference, [("g", last)])
    assert len(derived) == 400
    assert derived["x300"] == pytest.approx(1e-300)
    assert all(0 < chance < 1 for chance in derived.values())
    assert tree.rule is not None
    assert tree.rule.name == "step"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("((?x q ?y) (?x q ?z))", [0.7]),
        ("((?x q ?y) (?x ?p ?z))", [0.7]),
        ("((?x q ?y) (a q b))", [0.7]),
    ],
)
def test_a_query_weighs_a_statement_once(query: str, expected: list[float]) -> None:
    with weighed("(:theory T)", ("((a q b))", 0.7)) as inference:
        answers = answer(inference, read_graph(query))
    assert [each.probability for each in answers] == expected


def test_different_statements_are_all_weighed() -> None:
    with weighed("(:theory T)", ("((a q b))", 0.5), ("((a q c))", 0.25)) as inference:
        answers = answer(inference, read_graph("((?x q ?y) (?x q ?z))"))
    assert [each.probability for each in answers] == [0.5, 0.125, 0.125, 0.25]


def test_a_rule_weighs_a_statement_once() -> None:
    rules = "(:if (?x q ?y) (?x q ?z) :then (?y with ?z))"
    with weighed(rules, ("((a q b))", 0.5), ("((a q c))", 0.25)) as inference:
        derived = {write_triple(each.statement): each.probability for each in inference.derived()}
    assert derived == {
        "(b with b)": 0.5,
        "(b with c)": 0.125,
        "(c with b)": 0.125,
        "(c with c)": 0.25,
    }


def chances(inference: Inference) -> dict[str, tuple[float, float]]:
    """The bounds of every statement; both are the probability where it is known."""
    with inference:
        return {
            write_triple(each.statement): (
                each.probability,
                each.probability if each.bound is None else each.bound,
            )
            for each in inference.statements()
        }


TWO_WAYS = """
(:rule one :if (?x p ?y) :then (?x q ?y))
(:rule two :if (?x r ?y) :then (?x q ?y))
(:rule three :if (?x p ?y) (?x s ?y) :then (?x q ?y))
(:rule both :if (?x q ?y) (?x p ?y) :then (?x t ?y))
"""


@pytest.mark.parametrize(
    ("premises", "expected"),
    [
        # Independent ways: 1 - 0.6 · 0.7.
        ({"p": 0.4, "r": 0.3}, {"q": 0.58, "t": 0.4}),
        # The third way adds nothing to the first, which it shares (a p b) with.
        ({"p": 0.4, "s": 0.9}, {"q": 0.4, "t": 0.4}),
        # What is asserted and derived: 1 - 0.5 · 0.6.
        ({"p": 0.4, "q": 0.5}, {"q": 0.7, "t": 0.4}),
        # A certain way makes it certain, whatever else is said of it.
        ({"p": 1.0, "q": 0.5}, {"q": 1.0, "t": 1.0}),
    ],
)
def test_ways_are_combined_and_shared_premises_count_once(
    premises: dict[str, float], expected: dict[str, float]
) -> None:
    stated = ((f"((a {name} b))", chance) for name, chance in premises.items())
    bounds = chances(weighed(TWO_WAYS, *stated))
    for name, chance in expected.items():
        assert bounds[f"(a {name} b)"] == pytest.approx((chance, chance))


def test_an_assertion_says_what_it_was_asserted_with() -> None:
    with weighed(TWO_WAYS, ("((a p b))", 0.4), ("((a q b))", 0.5)) as inference:
        (tree,) = explain(inference, [("g", Statement(Name("a"), Name("q"), Name("b")))])
    assert (tree.probability, tree.stated) == (pytest.approx(0.7), 0.5)


# Independently: every world, one after the other.

PATHS = """
(:rule base :if (?a edge ?b) :then (?a path ?b))
(:rule step :probability STEP :if (?a path ?b) (?b edge ?c) :then (?a path ?c))
(:rule back :if (?a path ?a) :then (?a loop ?a))
"""
Edge = tuple[str, str]


def closure(edges: set[Edge], steps: set[tuple[str, str, str]]) -> set[str]:
    """What follows in one world, by hand."""
    paths = set(edges)
    while True:
        more = {
            (a, c) for a, b in paths for middle, c in edges if middle == b and (a, b, c) in steps
        }
        if more <= paths:
            break
        paths |= more
    triples = {f"({a} edge {b})" for a, b in edges} | {f"({a} path {b})" for a, b in paths}
    return triples | {f"({a} loop {a})" for a, b in paths if a == b}


def worlds(chances: list[float]) -> Iterator[tuple[tuple[bool, ...], float]]:
    for world in product([True, False], repeat=len(chances)):
        weight = 1.0
        for there, chance in zip(world, chances, strict=True):
            weight *= chance if there else 1 - chance
        yield world, weight


def shares(edges: dict[Edge, float], step: float) -> dict[str, float]:
    """The probability of every statement: the weight of the worlds in which it holds."""
    nodes = sorted({node for edge in edges for node in edge})
    uses = [(a, b, c) for a in nodes for b, c in edges] if step < 1 else []
    every = {(a, b, c) for a in nodes for b, c in edges}
    total: dict[str, float] = {}
    for kept, weight in worlds(list(edges.values())):
        there = {edge for edge, keep in zip(edges, kept, strict=True) if keep}
        for used, share in worlds([step] * len(uses)):
            steps = every if step == 1 else {u for u, keep in zip(uses, used, strict=True) if keep}
            for statement in closure(there, steps):
                total[statement] = total.get(statement, 0.0) + weight * share
    return total


def paths(edges: dict[Edge, float], step: float) -> dict[str, tuple[float, float]]:
    stated = ((f"(({a} edge {b}))", chance) for (a, b), chance in edges.items())
    return chances(weighed(PATHS.replace("STEP", str(step)), *stated))


def require_same(bounds: dict[str, tuple[float, float]], expected: dict[str, float]) -> None:
    assert {name: low for name, (low, _) in bounds.items()} == pytest.approx(expected)
    assert {name: high for name, (_, high) in bounds.items()} == pytest.approx(expected)


EDGES = st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"))
CHANCES = st.sampled_from([0.2, 0.5, 0.9, 1.0])


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(EDGES, CHANCES, min_size=2, max_size=8))
def test_probabilities_are_those_of_every_world(edges: dict[Edge, float]) -> None:
    require_same(paths(edges, 1), shares(edges, 1))


@settings(max_examples=10, deadline=None)
@given(st.dictionaries(st.tuples(*[st.sampled_from("ab")] * 2), CHANCES, max_size=3, min_size=2))
def test_every_use_of_a_rule_is_independent(edges: dict[Edge, float]) -> None:
    require_same(paths(edges, 0.5), shares(edges, 0.5))


@pytest.mark.parametrize(
    ("limit", "most"), [("worlds.EXACT", 2), ("worlds.LARGEST", 1), ("lineage.MOST_WAYS", 3)]
)
@settings(max_examples=8, deadline=None)
@given(st.dictionaries(EDGES, st.sampled_from([0.2, 0.5, 0.9]), min_size=4, max_size=8))
def test_bounds_hold(limit: str, most: int, edges: dict[Edge, float]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"readmark.tasks.reasoning.engine.{limit}", most)
        bounds = paths(edges, 1)
    expected = shares(edges, 1)
    assert bounds.keys() == expected.keys()
    for statement, (low, high) in bounds.items():
        assert low <= expected[statement] * (1 + 1e-9)
        assert expected[statement] <= high * (1 + 1e-9)


def test_what_only_has_bounds_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shared premise that may not be counted: at least the likeliest way, at most either."""
    monkeypatch.setattr("readmark.tasks.reasoning.engine.worlds.EXACT", 0)
    rules = """
    (:rule one :if (?x a ?y) (?x b ?y) :then (?x q ?y))
    (:rule two :if (?x a ?y) (?x c ?y) :then (?x q ?y))"""
    bounds = chances(weighed(rules, ("((x a y))", 0.5), ("((x b y))", 0.8), ("((x c y))", 0.6)))
    assert bounds["(x q y)"] == pytest.approx((0.4, 1 - 0.6 * 0.7))  # it is 0.5 · 0.92 = 0.46


def test_what_two_answers_share_counts_once() -> None:
    rules = "(:rule one :if (?x p ?y) :then (?x q ?y) (?x r ?y))"
    with weighed(rules, ("((a p b))", 0.5)) as inference:
        [only] = answer(inference, read_graph("((?x q ?y) (?x r ?y))"))
    assert only.probability == 0.5


def test_many_independent_ways_are_exact() -> None:
    rules = "(:rule any :if (?x p ?y) :then (?x q true))"
    stated = [(f"((a p b{number}))", 0.01) for number in range(300)]
    bounds = chances(weighed(rules, *stated))
    assert bounds["(a q true)"] == pytest.approx((1 - 0.99**300,) * 2)
