"""Minimal sets of inputs, found in neighbourhoods as by trying the whole graph."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.tasks.reasoning.contradictions import Contradiction, contradictions
from readmark.tasks.reasoning.derivations import leaves
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, Statement, read_statements
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory

BAD = "(:rule bad :if {} :then (?inputGraph contradicts T))"
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
    st.tuples(NAMES, st.sampled_from("pq"), NAMES).map(lambda parts: f"({' '.join(parts)})"),
    NAMES.map(lambda name: f"({name} off true)"),
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.sampled_from(RULES), min_size=2, unique=True),
    st.sampled_from(CONTRADICTIONS),
    st.lists(TRIPLES, min_size=3, max_size=9, unique=True),
)
def test_minimal_sets_are_those_of_one_trial_after_another(
    rules: list[str], bad: str, triples: list[str]
) -> None:
    theory = parse_rules("(:theory T)" + "".join(sorted(rules)) + bad)
    inputs = read_statements(f"({' '.join(triples)})")
    with infer([Asserted("g", statement) for statement in inputs], theory) as inference:
        listed = contradictions(inference, most=2)
    for contradiction in listed:
        assert contradiction.inputs == _one_by_one(contradiction, inputs, theory)


def _one_by_one(
    contradiction: Contradiction, inputs: Sequence[Statement], theory: Theory
) -> tuple[Statement, ...]:
    """The definition: every input of the derivation is left out in turn, from the last one on."""

    def is_broken(statements: Sequence[Statement]) -> bool:
        if not statements:
            return False
        with infer([Asserted("g", each) for each in statements], theory) as inference:
            return any(
                instantiation.bindings == contradiction.bindings
                for instantiation in inference.instantiations(contradiction.rule.name)
            )

    leaf_statements = (leaf.statement for leaf in leaves(contradiction.antecedents))
    kept = tuple(dict.fromkeys(leaf_statements))
    others = [statement for statement in inputs if statement not in kept]
    usable = ((is_broken(kept), []), (not is_broken(others), others))
    bases = [base for is_usable, base in usable if is_usable]
    for statement in reversed(kept):
        fewer = tuple(other for other in kept if other != statement)
        if bases and fewer and all(is_broken([*base, *fewer]) for base in bases):
            kept = fewer
    return kept
