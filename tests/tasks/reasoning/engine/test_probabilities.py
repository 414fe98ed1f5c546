"""Probabilities: what several annotators say, long chains, a statement that is matched twice."""

from __future__ import annotations

import pytest

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


def weighed(rules: str, *told: tuple[str, float]) -> Inference:
    """Statements of one graph with their probabilities."""
    asserted = [
        Asserted("g", one, probability=chance)
        for text, chance in told
        for one in read_statements(text)
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
    assert [one.probability for one in stated] == [expected]
    assert [one.probability for one in derived] == [expected / 2]


def test_a_long_chain_loses_nothing() -> None:
    rules = "(:rule step :probability 0.1 :if (?x p ?y) (?x next ?z) :then (?z p ?y))"
    chain = " ".join(f"(x{at} next x{at + 1})" for at in range(400))
    with weighed(rules, (f"((x0 p y) {chain})", 1.0)) as inference:
        derived = {one.statement.subject.text: one.probability for one in inference.derived()}
        wanted = Statement(Name("x399"), Name("p"), Name("y"))
        (tree,) = explain(inference, [("g", wanted)])
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
        found = answer(inference, read_graph(query))
    assert [one.probability for one in found] == expected


def test_different_statements_are_all_weighed() -> None:
    with weighed("(:theory T)", ("((a q b))", 0.5), ("((a q c))", 0.25)) as inference:
        found = answer(inference, read_graph("((?x q ?y) (?x q ?z))"))
    assert [one.probability for one in found] == [0.5, 0.125, 0.125, 0.25]


def test_a_rule_weighs_a_statement_once() -> None:
    rules = "(:if (?x q ?y) (?x q ?z) :then (?y with ?z))"
    with weighed(rules, ("((a q b))", 0.5), ("((a q c))", 0.25)) as inference:
        found = {write_triple(one.statement): one.probability for one in inference.derived()}
    assert found == {
        "(b with b)": 0.5,
        "(b with c)": 0.125,
        "(c with b)": 0.125,
        "(c with c)": 0.25,
    }
