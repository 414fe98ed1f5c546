"""Contradictions: the inputs that none can be left out of, and the order they come in."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.graphs import write_triple
from reasoning_files import inferred

STEP = "(:rule step :if (?x p ?y) (?x next ?z) :then (?z p ?y))"
UNLESS_OK = "(:rule bad :if (?x p ?y) :if-not (?x ok true) :then (?inputGraph contradicts T))"


@pytest.mark.parametrize(
    ("rules", "graph", "expected"),
    [
        # Without (x1 ok true) the rule would be broken by x1 alone: another contradiction.
        (
            STEP + UNLESS_OK,
            "((x1 p y) (x1 next x2) (x1 ok true))",
            ["(x1 p y)", "(x1 next x2)"],
        ),
        # The blocker is no part of the derivation, yet without it q would hold and nothing break.
        (
            "(:rule q :if (?x p ?y) :if-not (?x off true) :then (?x q ?y))"
            "(:rule bad :if (?x p ?y) (?x more ?z) :if-not (?x q ?y) "
            ":then (?inputGraph contradicts T))",
            "((x p y) (x more z) (x off true))",
            ["(x p y)", "(x more z)"],
        ),
        # Two proofs of (a r c): each by itself is enough, the other is not listed with it.
        (
            "(:rule one :if (?x p ?y) (?y p ?z) :then (?x r ?z))"
            "(:rule two :if (?x q ?y) (?x w ?y) :then (?x r ?y))"
            "(:rule bad :if (?x r ?y) :then (?inputGraph contradicts T))",
            "((a p b) (b p c) (a q c) (a w c))",
            ["(a q c)", "(a w c)"],
        ),
        # (a p b) is derived too, from what the rule needs anyway: it can be left out.
        (
            "(:rule more :if (?x q ?y) :then (?x p ?y))"
            "(:rule bad :if (?x p ?y) (?x q ?y) :then (?inputGraph contradicts T))",
            "((a p b) (a q b))",
            ["(a q b)"],
        ),
        # Alone, without (f flag true), guess would give (a p b) again; in the graph it cannot.
        (
            "(:rule guess :if (?x q ?y) :if-not (?f flag true) :then (?x p ?y))"
            "(:rule bad :if (?x p ?y) (?x q ?y) :then (?inputGraph contradicts T))",
            "((a p b) (a q b) (f flag true))",
            ["(a p b)", "(a q b)"],
        ),
    ],
)
def test_none_of_the_inputs_can_be_left_out(rules: str, graph: str, expected: list[str]) -> None:
    with inferred(f"(:theory T){rules}", graph) as inference:
        [contradiction] = contradictions(inference)
    assert [write_triple(statement) for statement in contradiction.inputs] == expected


def test_contradictions_come_in_the_order_of_names() -> None:
    rules = "(:theory T)(:rule bad :if (?x p ?y) :then (?inputGraph contradicts T))"
    graph = "((n10 p 3) (n9 p z) (n9 p a) (n1 p 20) (n1 p 3))"
    with inferred(rules, graph) as inference:
        listed = contradictions(inference, most=4)
    first_inputs = [write_triple(contradiction.inputs[0]) for contradiction in listed]
    assert first_inputs == ["(n1 p 3)", "(n1 p 20)", "(n9 p a)", "(n9 p z)"]
