"""Equality of entities: a property like any other, and what rules that say more make of it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from readmark.tasks.reasoning.engine.inference import Derived, infer
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.terms import Name
from reasoning_files import derived

PAGE = Path(__file__).resolve().parents[4] / "docs" / "reasoning.md"
SAME = """
(:rule same-back :if (?a sameAs ?b) :then (?b sameAs ?a))
(:rule same-on :if (?a sameAs ?b) (?b sameAs ?c) :then (?a sameAs ?c))
(:rule same-winner
 :if (?a sameAs ?b) (?a gameWinner ?t)
 :then (?b gameWinner ?t))
(:rule same-team
 :if (?g gameWinner ?a) (?a sameAs ?b)
 :then (?g gameWinner ?b))
"""
SAME_GAMES = "((Jets sameAs NewYorkJets) (G gameWinner Jets) (G sameAs H))"


def test_nothing_is_copied_without_rules() -> None:
    assert derived("(:if (?g gameWinner ?t) :then (?t won ?g))", SAME_GAMES) == {"(Jets won G)"}


def test_what_is_the_same_does_not_stop_a_default() -> None:
    rules = "(:default :if (?g type Game) :then (?g numberOfPeriods 4))"
    graph = "((G type Game) (G sameAs H) (H numberOfPeriods 5))"
    assert derived(rules, graph) == {"(G numberOfPeriods 4)"}


def test_rules_can_copy() -> None:
    triples = derived(SAME, SAME_GAMES)
    assert {triple for triple in triples if "gameWinner" in triple} == {
        "(G gameWinner NewYorkJets)",
        "(H gameWinner Jets)",
        "(H gameWinner NewYorkJets)",
    }


def test_the_page_has_these_rules() -> None:
    block = re.search(r"```\n(\(:rule same-back.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert block
    assert parse_rules(block[1]) == parse_rules(SAME)


@pytest.mark.parametrize("seed", range(5))
def test_copied_statements_are_nemos(seed: int) -> None:
    pytest.importorskip("nmo_python", reason="nemo-python is not installed")
    from oracles.nemo_rules import nemo_derives

    draw = random.Random(seed)
    names = [Name(f"n{number}") for number in range(8)]
    stated = {}
    for graph in ("g0", "g1"):
        for _ in range(5):
            stated[graph, Statement(draw.choice(names), Name("sameAs"), draw.choice(names))] = None
            stated[graph, Statement(draw.choice(names), Name("gameWinner"), draw.choice(names))] = (
                None
            )
    data = [Asserted(graph, statement) for graph, statement in stated]
    theory = parse_rules(SAME)
    with infer(data, theory) as inference:
        ours = {
            (each.graph, each.statement.predicate.text, each.statement.subject.text, _text(each))
            for each in inference.statements()
        }
    assert ours == nemo_derives(theory.rules, data)


def _text(derived: Derived) -> str:
    value = derived.statement.object
    return value.text if isinstance(value, Name) else value.lexical
