"""Cross-check, then adjudicate: all of A gives A, all of B gives B, whatever they hold."""

from collections import Counter
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotators import annotated_by
from readmark.core.records import Layers, Passage
from readmark.core.test import Header, Test, in_memory
from readmark.making.crosscheck.adjudicate import FIELD, AdjudicatedTest, adjudicate
from readmark.making.crosscheck.compared_layers import LAYERS
from readmark.making.crosscheck.comparison import CrossCheck, cross_check
from readmark.making.crosscheck.differences import layer_pairs, shared_keys
from readmark.making.crosscheck.disagreements import to_decide
from readmark.making.crosscheck.gold_faults import faults
from readmark.making.crosscheck.items import NUMBERED
from readmark.making.crosscheck.mentions import antecedent_of, mentions_of
from readmark.making.crosscheck.texts import SORTS_OF_TEXT, parts_of, with_layers
from readmark.settling import Disagreement, read_decisions, write_adjudication

ANN, BO = annotated_by("ann"), annotated_by("bo")

ALL_LAYERS = dict.fromkeys(LAYERS, SORTS_OF_TEXT)


def a_test(passage: Passage) -> Test:
    return in_memory(Header(name="made", language="zh"), [passage])


def checked(a: Passage, b: Passage) -> CrossCheck:
    return cross_check(a_test(a), a_test(b), names=("ann", "bo"), layers=LAYERS)


def golden(
    a: Passage, b: Passage, made: CrossCheck, rows: list[Disagreement], **more: Any
) -> AdjudicatedTest:
    return adjudicate(a_test(a), a_test(b), made.header, rows, file="decisions", **more)


def decided(made: CrossCheck, decision: Literal["a", "b"]) -> list[Disagreement]:
    return [msgspec.structs.replace(one, decision=decision, by="chen") for one in made.rows]


def held(passage: Passage) -> dict[str, Any]:
    """What a passage's annotation says; a layer without spans is none."""
    found: dict[str, Any] = {part.id: _full(part.layers) for part in parts_of(passage)}
    for question in passage.questions:
        found[f"{question.id} sentences"] = question.key.sentences if question.key else ()
    return found


def _full(layers: Layers) -> dict[str, Any]:
    return {
        name: (layer.spans, layer.columns, layer.source)
        for name, layer in layers.items()
        if layer.spans
    }


@given(ANN)
def test_one_annotator_twice_agrees_and_stays(a: Passage) -> None:
    made = checked(a, a)
    assert made.rows == []
    gold = golden(a, a, made, [])
    assert list(gold.test.records()) == [a]
    assert all(one.f1 in (1.0, None) for one in made.counts.values())


@given(ANN, BO)
def test_all_decisions_for_one_give_that_one(a: Passage, b: Passage) -> None:
    made = checked(a, b)
    for decision, whole in (("a", a), ("b", b)):
        gold = golden(a, b, made, decided(made, decision))  # type: ignore[arg-type]
        assert gold.undecided == []
        assert gold.conflicts == []
        [passage] = gold.test.records()
        for id, layers in held(whole).items():
            got = held(passage)[id]
            if isinstance(layers, dict):
                assert _but_sources(got) == _but_sources(layers), id
            else:
                assert got == layers, id


def _but_sources(layers: dict[str, Any]) -> dict[str, Any]:
    """Two who agree on a layer: the gold's is A's, so only the maker's name is A's too."""
    return {name: said[:2] for name, said in layers.items()}


UNMARKED = st.sampled_from(["", "key", "question key"]).map(lambda said: set(said.split()))
"""Where an annotator marked no references; keys refer to their questions."""


def without_mentions(passage: Passage, sorts: set[str]) -> Passage:
    """A passage whose annotator was not asked for references in some sorts of text."""
    layers = {
        part.id: {
            name: layer
            for name, layer in part.layers.items()
            if name != "mention" or part.sort not in sorts
        }
        for part in parts_of(passage)
    }
    sentences = {one.id: one.key.sentences for one in passage.questions if one.key}
    return with_layers(passage, layers, sentences)


def links(passage: Passage) -> dict[str, dict[Any, Any]]:
    """Who means whom, by part."""
    found = mentions_of(list(parts_of(passage))).items
    return {
        id: {item.span: antecedent_of(item) for item in items if antecedent_of(item)}
        for id, items in found.items()
    }


@given(ANN, BO, UNMARKED, UNMARKED, st.booleans())
def test_references_that_one_alone_has_stay(
    a: Passage, b: Passage, not_a: set[str], not_b: set[str], only_words: bool
) -> None:
    a, b = without_mentions(a, not_a), without_mentions(b, not_b)
    layers = ["token"] if only_words else []
    made = cross_check(a_test(a), a_test(b), names=("ann", "bo"), layers=layers)
    for decision, whole in (("a", a), ("b", b)):
        gold = golden(a, b, made, decided(made, decision))  # type: ignore[arg-type]
        [passage] = gold.test.records()
        for part in parts_of(a):
            compared = part.sort in made.header.fields["layers"].get("mention", ())
            side = whole if compared else b if part.sort in not_a else a
            assert links(passage)[part.id] == links(side)[part.id], part.id


@given(ANN, BO)
def test_undecided_takes_a_side_without_decisions(a: Passage, b: Passage) -> None:
    made = checked(a, b)
    gold = golden(a, b, made, made.rows)
    assert gold.undecided == to_decide(made.rows)
    assert gold.undecided == [one.id for one in made.rows if "follows" not in one.beside]
    for otherwise in ("a", "b"):
        whole = golden(a, b, made, made.rows, otherwise=otherwise)
        same = golden(a, b, made, decided(made, otherwise))
        assert [held(one) for one in whole.test.records()] == [
            held(one) for one in same.test.records()
        ]
    dropped = golden(a, b, made, made.rows, otherwise="drop")
    whats = {made.rows[at].what for at, one in enumerate(made.rows) if one.id in dropped.undecided}
    assert whats <= {"token"}


@given(ANN, BO, st.data())
def test_any_decisions_are_sound_or_named(a: Passage, b: Passage, data: st.DataObject) -> None:
    made = checked(a, b)
    sides = {one.id: data.draw(st.sampled_from(["a", "b"])) for one in made.rows}
    rows = [msgspec.structs.replace(one, decision=sides[one.id], by="chen") for one in made.rows]
    gold = golden(a, b, made, rows)
    [passage] = gold.test.records()
    named = {id for one in gold.conflicts for id in one.decisions}
    assert named <= sides.keys()
    assert all(one.decisions for one in gold.conflicts)
    assert bool(gold.conflicts) == bool(list(faults(passage)))
    # Every layer is what both have, and what was decided.
    pairs = {(pair.part.id, pair.what): pair for pair in layer_pairs(a, passage, ALL_LAYERS)}
    for pair in layer_pairs(a, b, ALL_LAYERS):
        # Whether an antecedent has anaphors changes with the decisions about those.
        columns = [name for name in pair.columns if name != NUMBERED]
        agreed = [item for item in pair.a if item.key(pair.columns) in shared_keys(pair)]
        wanted = Counter(item.key(columns) for item in agreed)
        for adopted in gold.adopted:
            one = adopted.difference
            if (one.part.id, one.what) == (pair.part.id, pair.what):
                if one.what == "answer_sentence":
                    wanted = Counter()
                wanted += Counter(item.key(columns) for item in adopted.items)
        got = pairs[pair.part.id, pair.what]
        found = Counter(item.key(columns) for item in got.b)
        if pair.what == "mention":
            found = Counter(key for key in found.elements() if b"span" in key[1])
            wanted = Counter(key for key in wanted.elements() if b"span" in key[1])
        assert found == wanted, (pair.part.id, pair.what)


@given(a=ANN, b=BO)
def test_the_file_brings_decisions_back(
    tmp_path_factory: pytest.TempPathFactory, a: Passage, b: Passage
) -> None:
    path = tmp_path_factory.mktemp("adjudication") / "it.jsonl"
    made = checked(a, b)
    written = decided(made, "b")
    write_adjudication(path, made.header, written)
    header, rows = read_decisions(path, made.header, written)
    gold = adjudicate(a_test(a), a_test(b), header, rows, file=str(path))
    assert gold.people == ({"chen": len(rows)} if rows else {})
    recorded = gold.test.header.fields[FIELD]["decided"]
    assert list(recorded) == [one.difference.id for one in gold.adopted]
    assert {one["by"] for one in recorded.values()} <= {"chen"}
    sentences = {one.id: one.key.sentences for one in b.questions if one.key}
    if sentences == {one.id: one.key.sentences for one in a.questions if one.key}:
        assert gold.test.facts.key == a_test(a).facts.key


@given(ANN, BO)
def test_ids_are_the_same_whoever_comes_first(a: Passage, b: Passage) -> None:
    one, other = checked(a, b), checked(b, a)
    assert [row.id for row in one.rows] == [row.id for row in other.rows]
    turned = {"only_a": "only_b", "only_b": "only_a"}
    assert [turned.get(str(row.cause), row.cause) for row in one.rows] == [
        row.cause for row in other.rows
    ]
    assert len({row.id for row in one.rows}) == len(one.rows)
