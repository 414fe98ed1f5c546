"""Derivations: down to the text, never through themselves, the same in bulk as one by one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.derivation_rdf import write_derivations
from readmark.tasks.reasoning.derivation_text import derivation_text
from readmark.tasks.reasoning.derivations import Derivation, explain, leaves
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Statement,
    Support,
    read_statements,
    write_graph,
    write_triple,
)
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import parse, read_rdf
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.terms import Literal, Name
from reasoning_files import OVERTIME, inferred

PATHS = """
(:rule base :if (?a edge ?b) :then (?a path ?b))
(:rule step :if (?a path ?b) (?b path ?c) :then (?a path ?c))
"""
LIKELY = PATHS.replace(":rule step", ":rule step :probability 0.9")


def check(tree: Derivation, above: frozenset[Statement] = frozenset()) -> None:
    """No statement rests on itself, and every inner node is what its rule concludes."""
    assert tree.statement not in above
    if tree.rule is None:
        assert tree.antecedents == ()
        return
    assert len(tree.antecedents) == len(tree.rule.positive)
    product = tree.rule.probability
    for antecedent in tree.antecedents:
        check(antecedent, above | {tree.statement})
        product *= antecedent.probability
    highest = tree.probability if tree.bound is None else tree.bound
    assert highest >= product * (1 - 1e-9)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([PATHS, LIKELY]))
def test_recursive_derivations_are_trees(seed: int, rules: str) -> None:
    draw = random.Random(seed)
    nodes = [f"n{number}" for number in range(6)]
    edges = {(draw.choice(nodes), draw.choice(nodes)) for _ in range(9)}
    graph = "(" + " ".join(f"({a} edge {b})" for a, b in sorted(edges)) + ")"
    with inferred(rules, graph) as inference:
        derived = [(each.graph, each.statement) for each in inference.derived()]
        chances = [each.probability for each in inference.derived()]
        trees = explain(inference, derived)
        alone = [explain(inference, [each])[0] for each in derived[:3]]
    assert [tree.statement for tree in trees] == [statement for _, statement in derived]
    assert [tree.probability for tree in trees] == pytest.approx(chances)
    assert alone == trees[:3]
    for tree in trees:
        check(tree)
        assert all(leaf.statement.predicate == Name("edge") for leaf in leaves([tree]))


def test_a_long_chain_is_followed_to_its_start() -> None:
    rules = """(:rule base :if (?a next ?b) (?a type Start) :then (?b reached true))
    (:rule step :if (?a reached true) (?a next ?b) :then (?b reached true))"""
    chain = " ".join(f"(n{number} next n{number + 1})" for number in range(30))
    with inferred(rules, f"((n0 type Start) {chain})") as inference:
        [reached] = read_statements("((n30 reached true))")
        [tree] = explain(inference, [("g0", reached)])
    assert len(derivation_text(tree).splitlines()) == 61
    assert len(leaves([tree])) == 31


def test_deep_trees_need_no_deep_stack() -> None:
    rule = parse_rules("(:rule step :if (?a p ?b) :then (?b p ?a))").rules[0]
    statements = [Statement(Name(f"n{number}"), Name("p"), Name("x")) for number in range(5000)]
    tree = Derivation("g0", statements[0])
    for statement in statements[1:]:
        tree = Derivation("g0", statement, rule=rule, antecedents=(tree,))
    assert len(derivation_text(tree).splitlines()) == 5000
    assert [leaf.statement for leaf in leaves([tree])] == statements[:1]
    assert (
        write_derivations([tree], namespaces=Namespaces(), format="N_TRIPLES").count(b"used")
        == 4999
    )


def excerpt(quote: str, start: int) -> Excerpt:
    return Excerpt("report", start, start + len(quote), quote)


OVERTIME_PLAYED = Asserted(
    "report",
    Statement(Name("Game-1"), Name("hasOvertimePlay"), Literal(True)),
    Support((excerpt("won in overtime", 10),), (), (excerpt("overtime", 17),)),
    annotator="ann",
)


def test_text_goes_down_to_the_words() -> None:
    with infer([OVERTIME_PLAYED], parse_rules(OVERTIME)) as inference:
        [five_periods] = read_statements("((Game-1 numberOfPeriods 5))")
        [tree] = explain(inference, [("report", five_periods)])
    assert derivation_text(tree).splitlines() == [
        "(Game-1 numberOfPeriods 5)  by overtime (a default): "
        "If overtime is mentioned but no period count, assume 5.",
        "  (Game-1 hasOvertimePlay true)  asserted by ann",
        "    statement “won in overtime” report:10-25",
        "    predicate “overtime” report:17-25",
        "  no (Game-1 numberOfPeriods ?n)",
    ]


def test_provenance_as_rdf_xml() -> None:
    with infer([OVERTIME_PLAYED], parse_rules(OVERTIME)) as inference:
        [five_periods] = read_statements("((Game-1 numberOfPeriods 5))")
        trees = explain(inference, [("report", five_periods)])
    names = Namespaces()
    data = write_derivations(trees, namespaces=names)
    assert data.startswith(b"<?xml")
    assert parse(data, file="why.rdf").quads
    read_back = read_rdf(data, file="why.rdf", namespaces=names)
    triples = {write_triple(statement) for _, _, statement in read_back}
    assert "(Game-1 numberOfPeriods 5)" in triples
    assert "(Game-1 hasOvertimePlay true)" in triples
    assert sum(" prov:used " in triple for triple in triples) == 1
    assert any('rm:rule "overtime"' in triple for triple in triples)
    assert any('rm:denied "(Game-1 numberOfPeriods ?n)"' in triple for triple in triples)
    assert any('oa:exact "won in overtime"' in triple for triple in triples)


@pytest.mark.parametrize(
    ("graph", "statement", "message"),
    [
        ("g0", "(a path z)", "(a path z) does not hold in g0"),
        ("g0", "(a unheard z)", "(a unheard z) does not hold in g0"),
        ("g9", "(a path b)", "there is no graph g9"),
    ],
)
def test_what_does_not_hold_has_no_derivation(graph: str, statement: str, message: str) -> None:
    with inferred(PATHS, "((a edge b))") as inference, pytest.raises(DataError) as caught:
        explain(inference, [(graph, triple) for triple in read_statements(f"({statement})")])
    assert str(caught.value) == message


def test_without_provenance_there_is_no_derivation() -> None:
    with (
        inferred(PATHS, "((a edge b))", provenance=False) as inference,
        pytest.raises(DataError, match="infer with provenance"),
    ):
        explain(inference, [("g0", triple) for triple in read_statements("((a path b))")])


def test_contradictions_rest_on_the_fewest_inputs() -> None:
    rules = """(:theory T)
    (:rule both :if (?g home ?t) (?g away ?t) :then (?i contradicts T))
    (:rule known :if (?g site ?s) (?s of ?t) (?g type Game) :then (?g home ?t))
    (:rule loop :if (?x p ?y) (?y p ?z) :then (?i contradicts T))"""
    graph = """((G type Game) (G site S) (S of Otters) (G away Otters) (G away Herons)
    (a p a) (a p b))"""
    with inferred(rules, graph) as inference:
        listed = contradictions(inference)
    assert {(each.rule.name, write_graph(each.inputs)) for each in listed} == {
        ("both", "((G site S) (S of Otters) (G type Game) (G away Otters))"),
        ("loop", "((a p a))"),
        ("loop", "((a p a) (a p b))"),
    }
    assert {each.graph for each in listed} == {"g0"}


def test_contradictions_under_negation_keep_their_inputs() -> None:
    rules = """(:theory T)
    (:rule five :if (?g overtime true) :if-not (?g periods ?n) :then (?g periods 5))
    (:rule odd :if (?g periods 5) (?g season 1950) :then (?i contradicts T))"""
    with inferred(rules, "((G overtime true) (G season 1950))") as inference:
        [contradiction] = contradictions(inference)
    assert write_graph(contradiction.inputs) == "((G overtime true) (G season 1950))"
    assert contradiction.antecedents[0].rule is not None


CHAIN = "(:rule step :if (?x p ?y) (?x next ?z) :then (?z p ?y))"


@pytest.mark.parametrize("rules", [CHAIN, CHAIN.replace("step", "step :probability 0.9")])
@pytest.mark.parametrize("fetched", [0, 500_000], ids=["by levels", "at once"])
def test_a_deep_derivation_is_whole(
    rules: str, fetched: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readmark.tasks.reasoning.derivations.MOST_FETCHED", fetched)
    chain = " ".join(f"(x{number} next x{number + 1})" for number in range(40))
    last = Statement(Name("x40"), Name("p"), Name("y"))
    with inferred(rules, f"((x0 p y) (x0 p other) {chain})") as inference:
        (tree,) = explain(inference, [("g0", last)])
    check(tree)
    # x40 to x1 are derived; (x0 p y) and the 40 statements of next are asserted.
    assert len(leaves([tree])) == 41
    assert derivation_text(tree).count("by step") == 40


def test_explaining_is_limited() -> None:
    with inferred(CHAIN, "((x0 p y) (x0 next x1))") as inference, pytest.raises(DataError) as wrong:
        explain(inference, [("g0", Statement(Name("x1"), Name("p"), Name("y")))], seconds=1e-9)
    assert str(wrong.value) == "explaining took more than 1e-09 s and was stopped"
