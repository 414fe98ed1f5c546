"""Several documents as one graph: whose a name is, what links names, which documents say what."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import in_process
from readmark.core.errors import DataError
from readmark.tasks.explaining import explain_statements
from readmark.tasks.inferring import run_rules
from readmark.tasks.knowledge_base import Reasoning
from readmark.tasks.names import OWL, RM
from readmark.tasks.querying import answer_query
from readmark.tasks.reasoning.corpus import CORPUS, Corpus, documents_of, gather
from readmark.tasks.reasoning.derivation_text import derivation_text
from readmark.tasks.reasoning.derivations import explain
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Statement,
    read_statements,
    write_triple,
)
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory

SAME_DATE = "(:theory T)(:rule same-day :if (?a date ?d) (?b date ?d) :then (?a sameAs ?b))"


def stated(**documents: str) -> list[Asserted]:
    """Statements of documents; ``p 0.5`` after one is its probability."""
    asserted = []
    for document, text in documents.items():
        for line in text.split("\n"):
            triple, _, chance = line.partition(" p ")
            asserted.append(Asserted(document, statement(triple), probability=float(chance or 1)))
    return asserted


def statements(corpus: Corpus) -> dict[str, float]:
    with corpus.inference as inference:
        return {
            write_triple(derived.statement): derived.probability
            for derived in inference.statements()
        }


def statement(text: str) -> Statement:
    return read_statements(text)[0]


def ontology(text: str) -> Ontology:
    prefixes = (
        f"@prefix : <http://x.org/t#> . @prefix owl: <{OWL}> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f"@prefix rm: <{RM}> .\n"
    )
    return read_ontology(f"{prefixes}{text}".encode(), file="t.ttl")


def test_the_same_name_in_two_documents_is_two_entities() -> None:
    corpus = gather(stated(a="(G winner X)", b="(G winner Y)"), Theory("T"))
    assert statements(corpus) == {"(G@a winner X@a)": 1.0, "(G@b winner Y@b)": 1.0}
    assert corpus.links == {}


def test_a_rule_links_and_one_name_stands_for_all() -> None:
    inputs = stated(a="(G date 1)\n(G score 3)", b="(H date 1)\n(H score 7)", c="(I date 2)")
    corpus = gather(inputs, parse_rules(SAME_DATE))
    assert {name.text: link.entity.text for name, link in corpus.links.items()} == {"H@b": "G@a"}
    assert corpus.documents[statement("(G@a date 1)")] == ("a", "b")
    (tree,) = explain(corpus.inference, [(CORPUS, statement("(G@a score 7)"))])
    assert derivation_text(tree).splitlines() == [
        "(G@a score 7)  asserted in b",
        "  (G@a sameAs H@b)  by same-day",
        "    (G@a date 1)  asserted in a",
        "    (H@b date 1)  asserted in b",
    ]
    assert documents_of([tree]) == ("b", "a")
    assert statements(corpus) == dict.fromkeys(
        ["(G@a date 1)", "(G@a score 3)", "(G@a score 7)", "(I@c date 2)"], 1.0
    )


def test_links_lead_to_links() -> None:
    """The games are one only once their teams are; the leagues only once their games are."""
    rules = """(:theory T)
    (:rule team :if (?a name ?n) (?b name ?n) :then (?a sameAs ?b))
    (:rule game :if (?a home ?t) (?b home ?t) :then (?a sameAs ?b))
    (:rule league :if (?a opens ?g) (?b opens ?g) :then (?a sameAs ?b))"""
    inputs = stated(
        a='(T name "x")\n(G home T)\n(L opens G)\n(L size 1)',
        b='(S name "x")\n(H home S)\n(M opens H)\n(M year 2)',
    )
    corpus = gather(inputs, parse_rules(rules))
    assert {name.text: link.entity.text for name, link in corpus.links.items()} == {
        "S@b": "T@a",
        "H@b": "G@a",
        "M@b": "L@a",
    }
    (tree,) = explain(corpus.inference, [(CORPUS, statement("(L@a year 2)"))])
    assert [line.strip().split("  ")[1] for line in derivation_text(tree).splitlines()] == [
        "asserted in b",
        "by league",
        "asserted in a",
        "asserted in b",
        "by game",
        "asserted in a",
        "asserted in b",
        "by team",
        "asserted in a",
        "asserted in b",
    ]
    corpus.inference.close()


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8))
def test_links_are_the_closure_of_what_is_the_same(pairs: list[tuple[int, int]]) -> None:
    text = "\n".join([f"(n{number} value {number})" for number in range(8)])
    text += "".join(f"\n(n{a} sameAs n{b})" for a, b in pairs)
    corpus = gather(stated(a=text), Theory("T"))
    corpus.inference.close()
    groups = [{number} for number in range(8)]
    for a, b in pairs:  # Independently: sets that are merged one by one.
        first = next(group for group in groups if a in group)
        second = next(group for group in groups if b in group)
        if first is not second:
            first |= second
            groups.remove(second)
    expected = {
        f"n{number}@a": f"n{min(group)}@a" for group in groups for number in group - {min(group)}
    }
    assert {name.text: link.entity.text for name, link in corpus.links.items()} == expected


def test_keys_and_inverse_functional_properties_of_an_ontology_link() -> None:
    league = ontology("""
    :Game a owl:Class ; owl:hasKey ( :date :home ) .
    :date a owl:DatatypeProperty . :size a owl:DatatypeProperty .
    :home a owl:ObjectProperty .
    :code a owl:DatatypeProperty , owl:InverseFunctionalProperty .""")
    inputs = stated(
        a="(G type Game)\n(G date 1)\n(G home T)\n(T code 5)",
        b="(H type Game)\n(H date 1)\n(H home S)\n(S code 5)\n(X date 1)\n(X home S)",
    )
    corpus = gather(inputs, Theory("T"), league)
    corpus.inference.close()
    rules = {name.text: link.steps[0].rule for name, link in corpus.links.items()}
    assert {name: rule.name for name, rule in rules.items() if rule is not None} == {
        "H@b": "identity: Game has the key date, home",
        "S@b": "identity: code is inverse functional",
    }


def test_names_are_shared_only_where_the_ontology_says_so() -> None:
    league = ontology("""
    :Team a owl:Class ; rm:sameName true . :Club a owl:Class ; rdfs:subClassOf :Team .
    :winner a owl:ObjectProperty ; rdfs:range :Team . :Cup a owl:Class . :Final a :Cup .""")
    inputs = stated(a="(G winner Jets)\n(Bears type Club)\n(Final year 1)", b="(Jets size 1)")
    names = statements(gather(inputs, Theory("T"), league))
    assert {name for name in names if "type Team" not in name} == {
        "(G@a winner Jets)",
        "(Bears type Club)",
        "(Final year 1)",
        "(Jets@b size 1)",
    }


@pytest.mark.parametrize(
    ("axiom", "message"),
    [
        (":C a owl:Class ; owl:hasKey ( :gone ) .", "a key of C names gone, which is no property"),
        (":C a owl:Class ; owl:hasKey () .", "a key of C is no list of properties"),
        (":C a owl:Class ; rm:sameName 3 .", "rm:sameName of C is neither true nor false"),
    ],
)
def test_bad_identities_of_an_ontology_are_one_line(axiom: str, message: str) -> None:
    with pytest.raises(DataError) as wrong:
        ontology(axiom)
    assert str(wrong.value).startswith("t.ttl:4: ")
    assert str(wrong.value).endswith(message)


def test_an_identity_may_not_rest_on_a_denial() -> None:
    rules = "(:theory T)\n(:rule r :if (?a r ?b) :if-not (?a q ?b) :then (?a sameAs ?b))"
    with pytest.raises(DataError) as wrong:
        gather(stated(a="(x r y)"), parse_rules(rules, "f.dsrs"))
    message = "f.dsrs:2: r: what is concluded to be the same may not rest on :if-not"
    assert str(wrong.value) == message


def test_documents_are_independent_evidence_and_repetition_is_none() -> None:
    """Document a says 0.5 twice, b 0.4: 1 - 0.5 · 0.6."""
    rules = parse_rules(SAME_DATE + "(:rule r :if (?x score ?y) :then (?x scored true))")
    inputs = stated(
        a="(G date 1)\n(G score 3) p 0.5\n(G score 3) p 0.5", b="(H date 1)\n(H score 3) p 0.4"
    )
    probabilities = statements(gather(inputs, rules))
    assert probabilities["(G@a score 3)"] == pytest.approx(0.7)
    assert probabilities["(G@a scored true)"] == pytest.approx(0.7)


RULES = """(:theory T)
(:rule same-day :if (?a date ?d) (?b date ?d) :then (?a sameAs ?b))
(:rule one-score :if (?g score ?x) (?g score ?y) (?x mrq:lessThan ?y) :then (?i contradicts T))
(:rule high :if (?g score ?x) (?g least ?y) (?y mrq:lessThan ?x) :then (?g high true))
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    texts = {
        "one.statements": "-> (G date 1)\n-> (G score 3) p=0.6\n-> (G least 2)\n",
        "two.statements": "-> (H date 1)\n-> (H score 7) p=0.7\n",
        "rules.dsrs": RULES,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tuple(tmp_path / name for name in texts)


def test_contradictions_and_contexts_reach_across_documents(files: tuple[Path, ...]) -> None:
    *inputs, rules = map(str, files)
    assert not run_rules(inputs, Reasoning(rules=[rules])).failed
    across = run_rules(inputs, Reasoning(rules=[rules], across=True), contexts=True)
    assert across.failed
    (contradiction,) = across.contradictions
    assert documents_of(contradiction.antecedents) == ("one", "two")
    assert across.contexts is not None
    assert str(across.contexts).splitlines() == [
        "1 conflict, contexts by probability",
        "corpus: conflict 1, probability 0.6087",
        "  keep (G@one score 7) in two",
        "  drop (G@one score 3) in one: contradicts (G@one score 7) by one-score",
        "corpus: conflict 1, probability 0.3913",
        "  keep (G@one score 3) in one",
        "  drop (G@one score 7) in two: contradicts (G@one score 3) by one-score",
    ]
    document = json.loads(json.dumps(across.as_json()))
    assert document["contexts"]["documents"] == {
        "(G@one score 3)": ["one"],
        "(G@one score 7)": ["two"],
    }
    assert document["statements"][0]["documents"] == ["two", "one"]
    assert document["statements"][0]["probability"] == pytest.approx(1 - 0.4 * 0.3)
    assert document["links"][0]["rules"] == ["same-day"]


def test_answers_and_explanations_name_documents(files: tuple[Path, ...], tmp_path: Path) -> None:
    *inputs, rules = map(str, files)
    across = Reasoning(rules=[rules], across=True)
    answers = answer_query(inputs, "((?g score ?x) (?g least ?y))", across)
    assert str(answers).splitlines() == [
        "2 answers",
        "one: ?g = G@one, ?x = 3, ?y = 2 (stated, probability 0.6)",
        "two, one: ?g = G@one, ?x = 7, ?y = 2 (stated, probability 0.7)",
    ]
    assert answers.as_json()["answers"][1]["documents"] == ["two", "one"]
    page, triples = tmp_path / "page.html", tmp_path / "page.nt"
    explained = explain_statements(inputs, "(?g high true)", across, output=str(page))
    nodes = explained.as_json()["derivations"]
    assert any(node.get("links") for node in nodes)
    assert "by same-day" in page.read_text(encoding="utf-8")
    explain_statements(inputs, "(?g high true)", across, output=str(triples))
    assert "wasDerivedFrom" in triples.read_text(encoding="utf-8")


def test_a_graph_cannot_be_chosen_across(files: tuple[Path, ...]) -> None:
    first, second, rules = map(str, files)
    command = ["task", "query", first, second, "--rules", rules, "--across", "-q", "(?g date ?d)"]
    done = in_process(*command, "--graph", "one")
    assert done.returncode == 2
    assert "--graph chooses documents, which --across makes one graph" in done.stderr
    assert "one, two: ?d = 1, ?g = G@one (stated)" in in_process(*command).stdout


def test_an_uncertain_link_gives_bounds() -> None:
    """The score of b is of the game of a only if (H date 1) is right: 0.5 to all of it."""
    rules = parse_rules(SAME_DATE + "(:rule r :if (?x score ?y) :then (?x scored true))")
    inputs = stated(a="(G date 1)", b="(H date 1) p 0.5\n(H score 3)\n(H goals 2) p 0.4")
    with gather(inputs, rules).inference as inference:
        derived = {write_triple(each.statement): each for each in inference.statements()}
    expected = {"score 3": (0.5, 1.0), "scored true": (0.5, 1.0), "goals 2": (0.2, 0.4)}
    for text, (low, high) in expected.items():
        each = derived[f"(G@a {text})"]
        assert (each.probability, each.bound) == (pytest.approx(low), pytest.approx(high))
    assert derived["(G@a date 1)"].probability == 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([0.3, 0.6, 1.0]), min_size=5, max_size=5))
def test_bounds_of_links_hold_in_every_world(chances: list[float]) -> None:
    """Two documents; in each world the games are one if both dates are right."""
    rules = parse_rules(
        SAME_DATE + "(:rule r :if (?x home ?y) (?x away ?z) :then (?x teams true))"
        "(:rule s :if (?x teams true) (?x date 1) :then (?x full true))"
        "(:rule t :if (?x date 1) :then (?x known true))"
        "(:rule u :if (?x away 6) :then (?x known true))"
    )
    texts = ("(G date 1)", "(G home 5)", "(H date 1)", "(H away 6)", "(G away 6)")
    first, second = (0, 1, 4), (2, 3)
    inputs = stated(
        **{
            name: "\n".join(f"{texts[number]} p {chances[number]}" for number in numbers)
            for name, numbers in (("a", first), ("b", second))
        }
    )
    with gather(inputs, rules).inference as inference:
        bounds = {
            write_triple(each.statement): (each.probability, each.bound or each.probability)
            for each in inference.statements()
        }
    true: dict[str, float] = {}
    for world in product([True, False], repeat=5):
        weight = 1.0
        for there, chance in zip(world, chances, strict=True):
            weight *= chance if there else 1 - chance
        date, home, other_date, away, first_away = world
        one_game = date and other_date
        teams = home and (first_away or (away and one_game))
        for name, holds in (
            ("(G@a teams true)", teams),
            ("(G@a full true)", teams and date),
            ("(G@a known true)", date or first_away or (away and one_game)),
            ("(G@a away 6)", first_away or (away and one_game)),
        ):
            true[name] = true.get(name, 0.0) + weight * holds
    for name, chance in true.items():
        low, high = bounds[name]
        assert low <= chance + 1e-9
        assert chance <= high + 1e-9
