"""Contexts of statements and rules: tables worked by hand, and every subset looked at."""

from __future__ import annotations

import json
import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.tasks.reasoning.context_results import Contexts
from readmark.tasks.reasoning.contexts import contexts
from readmark.tasks.reasoning.graphs import Asserted, Statement, read_statements, write_triple
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Name
from reasoning_files import OVERTIME

ONE_VALUE = """(:theory T)
(:rule one-value :if (?x p ?y) (?x p ?z) (?y mrq:lessThan ?z) :then (?i contradicts T))"""


def asserted(*pairs: tuple[str, float], graph: str = "g") -> list[Asserted]:
    return [
        Asserted(graph, statement, probability=chance)
        for text, chance in pairs
        for statement in read_statements(text)
    ]


def table(listed: Contexts) -> list[tuple[int, list[str], float]]:
    """Of each context, its conflict, what it keeps and its probability."""
    return [
        (group.conflict, list(map(write_triple, group.kept)), round(group.probability, 4))
        for group in listed.groups
    ]


def test_two_values_exclude_each_other() -> None:
    """0.6 · 0.3 = 0.18 against 0.4 · 0.7 = 0.28: 0.18 and 0.28 of 0.46."""
    inputs = asserted(("(a p 1)", 0.6), ("(a p 2)", 0.7), ("(b p 1)", 0.2))
    listed = contexts(inputs, parse_rules(ONE_VALUE))
    assert table(listed) == [(1, ["(a p 2)"], 0.6087), (1, ["(a p 1)"], 0.3913)]
    assert listed.best.kept == (inputs[1], inputs[2])
    (dropped,) = listed.best.dropped
    assert (dropped.probability, dropped.reason) == (0.6, "contradicts (a p 2) by one-value")
    assert (listed.exact, listed.bound, listed.undecided, listed.conflicts) == (True, 0.0, False, 1)


def test_unlikely_statements_are_still_kept_where_they_can_be() -> None:
    """Three values of 1/3 each: one of them is right, and none is likelier than another."""
    listed = contexts(
        asserted(("(a p 1)", 1 / 3), ("(a p 2)", 1 / 3), ("(a p 3)", 1 / 3)), parse_rules(ONE_VALUE)
    )
    assert [(kept, chance) for _, kept, chance in table(listed)] == [
        (["(a p 1)"], 0.3333),
        (["(a p 2)"], 0.3333),
        (["(a p 3)"], 0.3333),
    ]
    assert listed.undecided


def test_certain_statements_are_kept_first() -> None:
    listed = contexts(
        asserted(("(a p 1)", 0.99), ("(a p 2)", 1.0), ("(b p 1)", 1.0), ("(b p 2)", 1.0)),
        parse_rules(ONE_VALUE),
    )
    assert table(listed) == [(1, [], 1.0), (2, ["(b p 1)"], 0.5), (2, ["(b p 2)"], 0.5)]
    assert [group.undecided for group in listed.groups] == [False, True, True]


def test_a_chain_keeps_both_ends() -> None:
    """x–y–z: {x, z} weighs 0.5 · 0.1 · 0.5, {y} 0.5 · 0.9 · 0.5: 0.1 and 0.9."""
    rules = "(:theory T)(:rule r :if (?a on true) (?a by ?b) (?b on true) :then (?i contradicts T))"
    inputs = asserted(
        ("(x on true)", 0.5), ("(y on true)", 0.9), ("(z on true)", 0.5), ("((x by y) (y by z))", 1)
    )
    assert table(contexts(inputs, parse_rules(rules))) == [
        (1, ["(y on true)"], 0.9),
        (1, ["(x on true)", "(z on true)"], 0.1),
    ]


def test_a_contradiction_is_followed_to_what_was_asserted() -> None:
    """(a r c) follows in two ways: both must be broken, or (a p 1) dropped.

    0.9 · 0.8 · 0.7 · 0.4 keeps all three; of those that keep (a p 1), one drops (a q c), 0.1, and
    the better of (a s b) and (b s c): 0.8 · 0.3 or 0.2 · 0.7.
    """
    rules = """(:theory T)
    (:rule direct :if (?x q ?y) :then (?x r ?y))
    (:rule steps :if (?x s ?y) (?y s ?z) :then (?x r ?z))
    (:rule bad :if (?x r ?y) (?x p ?z) :then (?i contradicts T))"""
    inputs = asserted(("(a q c)", 0.9), ("(a s b)", 0.8), ("(b s c)", 0.7), ("(a p 1)", 0.6))
    weights = {
        "(a q c) (a s b) (b s c)": 0.9 * 0.8 * 0.7 * 0.4,
        "(a s b) (a p 1)": 0.1 * 0.8 * 0.3 * 0.6,
        "(b s c) (a p 1)": 0.1 * 0.2 * 0.7 * 0.6,
    }
    total = sum(weights.values())
    assert table(contexts(inputs, parse_rules(rules))) == [
        (1, [f"({triple.strip('()')})" for triple in kept.split(") (")], round(weight / total, 4))
        for kept, weight in weights.items()
    ]


def test_table_3_of_the_document() -> None:
    """Without the period count the rule assumes 5, which overtime does not contradict."""
    listed = contexts(
        asserted(("(G hasOvertimePlay true)", 0.9), ("(G numberOfPeriods 4)", 0.6)),
        parse_rules(OVERTIME),
    )
    assert table(listed) == [
        (1, ["(G hasOvertimePlay true)"], round(0.36 / 0.42, 4)),
        (1, ["(G numberOfPeriods 4)"], round(0.06 / 0.42, 4)),
    ]
    assert listed.exact


def test_what_a_drop_brings_about_is_tried() -> None:
    """Without (a type Game) the domain of date is broken: (a type Team) cannot stay with it."""
    game, team, date = Name("Game"), Name("Team"), Name("date")
    ontology = Ontology(
        {game: OwlClass(game, disjoint=(team,)), team: OwlClass(team)},
        {date: Property(date, domain=game)},
    )
    inputs = asserted(("(a type Game)", 0.6), ("(a type Team)", 0.7), ("(a date 1)", 0.9))
    listed = contexts(inputs, Theory("T"), ontology)
    assert [write_triple(each.statement) for each in listed.best.kept] == [
        "(a type Game)",
        "(a date 1)",
    ]
    assert not listed.exact
    assert listed.notes == ("rules deny what contexts drop: some contexts may be missing",)


def test_denials_of_denials_are_not_called_exact() -> None:
    """Without (a off true) c would hold, and e not: a context that no conflict shows."""
    rules = """(:theory T)
    (:rule c :if (?x on true) :if-not (?x off true) :then (?x c true))
    (:rule e :if (?x on true) :if-not (?x c true) :then (?x e true))
    (:rule bad :if (?x e true) (?x f true) :then (?i contradicts T))"""
    inputs = asserted(("(a on true)", 0.9), ("(a off true)", 0.1), ("(a f true)", 0.6))
    listed = contexts(inputs, parse_rules(rules))
    assert not listed.exact
    assert listed.notes == ("rules deny what rests on denials: some contexts may be missing",)


def test_cardinality_is_broken_by_every_choice() -> None:
    """At most two values: of four, any two. The likeliest two are kept."""
    prop = Name("p")
    ontology = Ontology({}, {prop: Property(prop, most=2)})
    inputs = asserted(*((f"(a p {number})", number / 10) for number in (6, 7, 8, 9)))
    listed = contexts(inputs, Theory("T"), ontology)
    assert len(listed.groups) == math.comb(4, 2)
    assert table(listed)[0][1] == ["(a p 8)", "(a p 9)"]
    assert sum(group.probability for group in listed.groups) == pytest.approx(1)


def test_graphs_are_apart_and_what_is_said_twice_is_one_statement() -> None:
    inputs = [
        *asserted(("(a p 1)", 0.6), ("(a p 1)", 0.2), ("(a p 2)", 0.5), graph="one"),
        *asserted(("(a p 2)", 0.9), graph="two"),
    ]
    listed = contexts(inputs, parse_rules(ONE_VALUE))
    assert [each.graph for each in listed.best.kept] == ["one", "one", "two"]
    assert table(listed) == [(1, ["(a p 1)"], 0.6), (1, ["(a p 2)"], 0.4)]


def test_the_json_has_everything() -> None:
    inputs = asserted(("(a p 1)", 0.6), ("(a p 2)", 0.7))
    document = contexts(inputs, parse_rules(ONE_VALUE)).as_json()
    assert json.loads(json.dumps(document)) == document
    assert document["dropped"][0]["against"] == ["(a p 2)"]
    assert [group["kept"] for group in document["groups"]] == [["(a p 2)"], ["(a p 1)"]]


def test_rules_that_contradict_whatever_is_stated_are_named() -> None:
    rules = "(:theory T)\n(:rule never :then (?i contradicts T))"
    with pytest.raises(DataError) as wrong:
        contexts(asserted(("(a p 1)", 0.6)), parse_rules(rules, "f.dsrs"))
    assert str(wrong.value) == "f.dsrs:2: never contradicts T, whatever is stated"


def test_a_contradiction_of_rules_without_conditions_is_named_too() -> None:
    rules = """(:theory T)
    (:rule fact :then (a q c))
    (:rule also :if (a p ?x) :then (a q ?x))
    (:rule bad :if (a q ?x) :then (?i contradicts T))"""
    with pytest.raises(DataError) as wrong:
        contexts(asserted(("(a p 1)", 0.6)), parse_rules(rules, "f.dsrs"))
    assert str(wrong.value) == "f.dsrs:4: bad contradicts T, whatever is stated"


RULES = """(:theory T)
(:rule both :if (?x a ?y) (?x b ?y) :then (?x c ?y))
(:rule other :if (?x d ?y) :then (?x c ?y))
(:rule one-value :if (?x p ?y) (?x p ?z) (?y mrq:lessThan ?z) :then (?i contradicts T))
(:rule clash :if (?x c ?y) (?x p ?y) :then (?i contradicts T))"""


def contradicts(statements: set[tuple[str, int]]) -> bool:
    """The rules above, written out by hand for one subject."""
    values = {value for name, value in statements if name == "p"}
    both = {value for value in (1, 2) if {("a", value), ("b", value)} <= statements}
    return len(values) > 1 or bool(values & (both | {v for n, v in statements if n == "d"}))


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abdp"), st.sampled_from([1, 2])),
        st.sampled_from([0.2, 0.5, 0.7, 0.9]),
        min_size=2,
        max_size=8,
    )
)
def test_contexts_of_rules_are_those_of_every_subset(stated: dict[tuple[str, int], float]) -> None:
    names = list(stated)
    inputs = asserted(*((f"(x {name} {value})", stated[name, value]) for name, value in names))
    listed = contexts(inputs, parse_rules(RULES), most=100)
    consistent = [
        set(kept)
        for kept in (
            [name for name, keep in zip(names, choice, strict=True) if keep]
            for choice in product([True, False], repeat=len(names))
        )
        if not contradicts(set(kept))
    ]
    greatest = [kept for kept in consistent if not any(kept < other for other in consistent)]
    weights = [
        math.prod(stated[name] if name in kept else 1 - stated[name] for name in names)
        for kept in greatest
    ]
    best = max(weights)
    kept = {
        (each.statement.predicate.text, getattr(each.statement.object, "value", 0))
        for each in listed.best.kept
    }
    assert kept in greatest
    assert weights[greatest.index(kept)] == pytest.approx(best)
    share = math.prod(group.probability for group in listed.leading())
    assert share == pytest.approx(best / sum(weights))
    assert listed.exact


def test_a_thousand_chained_conflicts_are_exact() -> None:
    """Of a path of equal halves every second one is kept: 501 of 1,001."""
    rules = "(:theory T)(:rule r :if (?a on true) (?a by ?b) (?b on true) :then (?i contradicts T))"
    steps = [(f"(x{number} by x{number + 1})", 1.0) for number in range(1_000)]
    inputs = asserted(*((f"(x{number} on true)", 0.75) for number in range(1_001)), *steps)
    listed = contexts(inputs, parse_rules(rules))
    assert (listed.exact, listed.conflicts) == (True, 1)
    assert len(listed.best.kept) == 501 + 1_000
    assert Statement(Name("x0"), Name("on"), inputs[0].statement.object) in listed.groups[0].kept
