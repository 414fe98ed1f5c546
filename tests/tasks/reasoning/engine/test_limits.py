"""Time limits: what is stopped is told in a line, and what runs apart gives the same."""

from __future__ import annotations

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.limits import LARGE, run_limited
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.terms import Literal, Name
from reasoning_files import asserted

RULES = """
(:rule near :if (?a edge ?b) :then (?a path ?b))
(:rule far :if (?a path ?b) (?b edge ?c) :then (?a path ?c))
(:rule half :if (?a v ?x) (?n mrq:quotient ?x 2) :if-not (?a path a) :then (?a half ?n))
(:rule round :if (?a path ?a) :then (?g contradicts T))
"""
EDGES = "((a edge b) (b edge c) (c edge d) (e edge e) (d v 3) (a v 5))"
ENDLESS = "(:rule more :if (?a v ?n) (?m mrq:sum ?n 1) :then (?a v ?m))"
DOUBLING = "(:rule double :if (?a v ?s) (?t mrq:concatenation ?s ?s) :then (?a v ?t))"
CROSS = "(:rule all :if (?a v ?x) (?b v ?y) (?c v ?z) :then (?a q ?b))"


def results(inference: Inference) -> tuple[set[str], list[str]]:
    with inference:
        return (
            {write_triple(each.statement) for each in inference.statements()},
            [str(each.bindings) for each in inference.contradictions()],
        )


def test_rules_that_run_apart_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = parse_rules(RULES)
    expected = results(infer(asserted(EDGES), theory))
    assert "(d half 1.5)" in expected[0]
    assert expected[1]
    assert results(infer(asserted(EDGES), theory, seconds=60)) == expected
    monkeypatch.setattr("readmark.tasks.reasoning.engine.rule_run.LARGE", 0)
    assert results(infer(asserted(EDGES), theory, seconds=60)) == expected


def test_a_rule_that_holds_too_often_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readmark.tasks.reasoning.engine.rule_run.LARGE", 0)
    monkeypatch.setattr("readmark.tasks.reasoning.engine.limits.MOST", 2)
    with pytest.raises(DataError, match=r"^f:1: near: it holds more than 2 times$"):
        infer(asserted(EDGES), parse_rules(RULES.strip(), "f"), seconds=60)


def test_an_endless_recursion_is_stopped() -> None:
    with pytest.raises(DataError, match=r"^f:1: more: the rules took more than 0\.3 s"):
        infer(asserted("((a v 1))"), parse_rules(ENDLESS, "f"), seconds=0.3)


def test_a_cross_product_is_stopped() -> None:
    values = "".join(f"(a{number} v {number})" for number in range(10_000))
    with pytest.raises(DataError, match=r"^f:1: all: the rules took more than 0\.5 s"):
        infer(asserted(f"({values})"), parse_rules(CROSS, "f"), seconds=0.5)


def test_a_text_that_doubles_is_stopped() -> None:
    with pytest.raises(DataError, match=r"^f:1: double: a text that it makes is longer than 1,04"):
        infer(asserted('((a v "x"))'), parse_rules(DOUBLING, "f"))


@pytest.mark.parametrize("large", [0, LARGE])
def test_rules_that_need_too_much_memory_are_stopped(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readmark.tasks.reasoning.engine.rule_run.LARGE", large)
    monkeypatch.setattr("readmark.core.confinement.MOST_SPILLED", "1MB")
    statements = [
        Asserted("g", Statement(Name(f"a{at}"), Name("v"), Literal(f"{at:0{1 << 16}}")))
        for at in range(200)
    ]
    with pytest.raises(
        DataError, match=r"^f:1: double: it needs more memory than the limit of 0\.0"
    ):
        infer(statements, parse_rules(DOUBLING, "f"), seconds=60, memory=48 << 20)


@pytest.mark.parametrize(("name", "value"), [("concatenation", '"x"'), ("sum", "1.5")])
def test_a_rule_that_computes_in_too_many_steps_is_refused(name: str, value: str) -> None:
    steps = " ".join(f"(?s{at + 1} mrq:{name} ?s{at} ?s{at})" for at in range(60))
    rule = f"(:rule deep :if (?a v ?s0) {steps} :then (?a w ?s60))"
    with pytest.raises(DataError, match=r"^f:1: deep: \?s\d+ is computed .* in too many steps"):
        infer(asserted(f"((a v {value}))"), parse_rules(rule, "f"))


def test_a_query_can_be_stopped() -> None:
    with infer(asserted("((a v 1))"), parse_rules("")) as inference:
        sql = "SELECT count(*) FROM range(3000000000) t(x) WHERE x % 7 = 3"
        with pytest.raises(DataError, match=r"^the query took more than 0\.2 s and was stopped$"):
            run_limited(inference.store, sql, 0.2)
        assert run_limited(inference.store, "SELECT 1", 5.0) == [(1,)]
