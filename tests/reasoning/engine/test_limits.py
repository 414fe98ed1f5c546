"""Time limits: what is stopped is told in a line, and what runs apart gives the same."""

from __future__ import annotations

import pytest

from readmark.corpus.errors import DataError
from readmark.reasoning.engine import Inference, infer
from readmark.reasoning.engine.limits import run_limited
from readmark.reasoning.graphs import write_triple
from readmark.reasoning.rules import parse_rules
from reasoning_files import asserted

RULES = """
(:rule near :if (?a edge ?b) :then (?a path ?b))
(:rule far :if (?a path ?b) (?b edge ?c) :then (?a path ?c))
(:rule half :if (?a v ?x) (?n mrq:quotient ?x 2) :if-not (?a path a) :then (?a half ?n))
(:rule round :if (?a path ?a) :then (?g contradicts T))
"""
TOLD = "((a edge b) (b edge c) (c edge d) (e edge e) (d v 3) (a v 5))"
ENDLESS = "(:rule more :if (?a v ?n) (?m mrq:sum ?n 1) :then (?a v ?m))"
CROSS = "(:rule all :if (?a v ?x) (?b v ?y) (?c v ?z) :then (?a q ?b))"


def found(inference: Inference) -> tuple[set[str], list[str]]:
    with inference:
        return (
            {write_triple(one.statement) for one in inference.statements()},
            [str(one.bindings) for one in inference.contradictions()],
        )


def test_rules_that_run_apart_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = parse_rules(RULES)
    expected = found(infer(asserted(TOLD), theory))
    assert "(d half 1.5)" in expected[0]
    assert expected[1]
    assert found(infer(asserted(TOLD), theory, seconds=60)) == expected
    monkeypatch.setattr("readmark.reasoning.engine.running.LARGE", 0)
    assert found(infer(asserted(TOLD), theory, seconds=60)) == expected


def test_a_rule_that_holds_too_often_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readmark.reasoning.engine.running.LARGE", 0)
    monkeypatch.setattr("readmark.reasoning.engine.limits.MOST", 2)
    with pytest.raises(DataError, match=r"^f:1: near: it holds more than 2 times$"):
        infer(asserted(TOLD), parse_rules(RULES.strip(), "f"), seconds=60)


def test_an_endless_recursion_is_stopped() -> None:
    with pytest.raises(DataError, match=r"^f:1: more: the rules took more than 0\.3 s"):
        infer(asserted("((a v 1))"), parse_rules(ENDLESS, "f"), seconds=0.3)


def test_a_cross_product_is_stopped() -> None:
    told = "".join(f"(a{number} v {number})" for number in range(10_000))
    with pytest.raises(DataError, match=r"^f:1: all: the rules took more than 0\.5 s"):
        infer(asserted(f"({told})"), parse_rules(CROSS, "f"), seconds=0.5)


def test_a_query_can_be_stopped() -> None:
    with infer(asserted("((a v 1))"), parse_rules("")) as inference:
        sql = "SELECT count(*) FROM range(3000000000) t(x) WHERE x % 7 = 3"
        with pytest.raises(DataError, match=r"^the query took more than 0\.2 s and was stopped$"):
            run_limited(inference.store, sql, 0.2)
        assert run_limited(inference.store, "SELECT 1", 5.0) == [(1,)]
