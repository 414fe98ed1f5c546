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
    a: Passage, b: Passage, check: CrossCheck, rows: list[Disagreement], **more: Any
) -> AdjudicatedTest:
    return adjudicate(a_test(a), a_test(b), check.header, rows, file="decisions", **more)


def decided(check: CrossCheck, decision: Literal["a", "b"]) -> list[Disagreement]:
    return [msgspec.structs.replace(row, decision=decision, by="chen") for row in check.rows]


def held(passage: Passage) -> dict[str, Any]:
    """What a passage's annotation says; a layer without spans is none."""
    layers: dict[str, Any] = {part.id: _full(part.layers) for part in parts_of(passage)}
    for question in passage.questions:
        layers[f"{question.id} sentences"] = question.key.sentences if question.key else ()
    return layers


def _full(layers: Layers) -> dict[str, Any]:
    return {
        name: (layer.spans, layer.columns, layer.source)
        for name, layer in layers.items()
        if layer.spans
    }


@given(ANN)
def test_one_annotator_twice_agrees_and_stays(a: Passage) -> None:
    check = checked(a, a)
    assert check.rows == []
    gold = golden(a, a, check, [])
    assert list(gold.test.records()) == [a]
    assert all(counts.f1 in (1.0, None) for counts in check.counts.values())


@given(ANN, BO)
def test_all_decisions_for_one_give_that_one(a: Passage, b: Passage) -> None:
    check = checked(a, b)
    for decision, whole in (("a", a), ("b", b)):
        gold = golden(a, b, check, decided(check, decision))  # type: ignore[arg-type]
        assert gold.undecided == []
        assert gold.conflicts == []
        [passage] = gold.test.records()
        for id, layers in held(whole).items():
            layers_of_part = held(passage)[id]
            if isinstance(layers, dict):
                assert _but_sources(layers_of_part) == _but_sources(layers), id
            else:
                assert layers_of_part == layers, id


def _but_sources(layers: dict[str, Any]) -> dict[str, Any]:
    """Two who agree on a layer: the gold's is A's, so only the maker's name is A's too."""
    return {name: layer[:2] for name, layer in layers.items()}


UNMARKED = st.sampled_from(["", "key", "question key"]).map(lambda names: set(names.split()))
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
    sentences = {
        question.id: question.key.sentences for question in passage.questions if question.key
    }
    return with_layers(passage, layers, sentences)


def links(passage: Passage) -> dict[str, dict[Any, Any]]:
    """Who means whom, by part."""
    mentions = mentions_of(list(parts_of(passage))).items
    return {
        id: {item.span: antecedent_of(item) for item in items if antecedent_of(item)}
        for id, items in mentions.items()
    }


@given(ANN, BO, UNMARKED, UNMARKED, st.booleans())
def test_references_that_one_alone_has_stay(
    a: Passage, b: Passage, not_a: set[str], not_b: set[str], only_words: bool
) -> None:
    a, b = without_mentions(a, not_a), without_mentions(b, not_b)
    layers = ["token"] if only_words else []
    check = cross_check(a_test(a), a_test(b), names=("ann", "bo"), layers=layers)
    for decision, whole in (("a", a), ("b", b)):
        gold = golden(a, b, check, decided(check, decision))  # type: ignore[arg-type]
        [passage] = gold.test.records()
        for part in parts_of(a):
            compared = part.sort in check.header.fields["layers"].get("mention", ())
            side = whole if compared else b if part.sort in not_a else a
            assert links(passage)[part.id] == links(side)[part.id], part.id


@given(ANN, BO)
def test_undecided_takes_a_side_without_decisions(a: Passage, b: Passage) -> None:
    check = checked(a, b)
    gold = golden(a, b, check, check.rows)
    assert gold.undecided == to_decide(check.rows)
    assert gold.undecided == [item.id for item in check.rows if "follows" not in item.beside]
    for otherwise in ("a", "b"):
        whole = golden(a, b, check, check.rows, otherwise=otherwise)
        same = golden(a, b, check, decided(check, otherwise))
        assert [held(item) for item in whole.test.records()] == [
            held(item) for item in same.test.records()
        ]
    dropped = golden(a, b, check, check.rows, otherwise="drop")
    whats = {
        check.rows[at].what for at, item in enumerate(check.rows) if item.id in dropped.undecided
    }
    assert whats <= {"token"}


@given(ANN, BO, st.data())
def test_any_decisions_are_sound_or_named(a: Passage, b: Passage, data: st.DataObject) -> None:
    check = checked(a, b)
    sides = {entry.id: data.draw(st.sampled_from(["a", "b"])) for entry in check.rows}
    rows = [
        msgspec.structs.replace(entry, decision=sides[entry.id], by="chen") for entry in check.rows
    ]
    gold = golden(a, b, check, rows)
    [passage] = gold.test.records()
    named = {id for entry in gold.conflicts for id in entry.decisions}
    assert named <= sides.keys()
    assert all(entry.decisions for entry in gold.conflicts)
    assert bool(gold.conflicts) == bool(list(faults(passage)))
    # Every layer is what both have, and what was decided.
    pairs = {(pair.part.id, pair.what): pair for pair in layer_pairs(a, passage, ALL_LAYERS)}
    for pair in layer_pairs(a, b, ALL_LAYERS):
        # Whether an antecedent has anaphors changes with the decisions about those.
        columns = [name for name in pair.columns if name != NUMBERED]
        agreed = [item for item in pair.a if item.key(pair.columns) in shared_keys(pair)]
        expected = Counter(item.key(columns) for item in agreed)
        for adopted in gold.adopted:
            entry = adopted.difference
            if (entry.part.id, entry.what) == (pair.part.id, pair.what):
                if entry.what == "answer_sentence":
                    expected = Counter()
                expected += Counter(item.key(columns) for item in adopted.items)
        pair_of_part = pairs[pair.part.id, pair.what]
        marked = Counter(item.key(columns) for item in pair_of_part.b)
        if pair.what == "mention":
            marked = Counter(key for key in marked.elements() if b"span" in key[1])
            expected = Counter(key for key in expected.elements() if b"span" in key[1])
        assert marked == expected, (pair.part.id, pair.what)


@given(a=ANN, b=BO)
def test_the_file_brings_decisions_back(
    tmp_path_factory: pytest.TempPathFactory, a: Passage, b: Passage
) -> None:
    path = tmp_path_factory.mktemp("adjudication") / "it.jsonl"
    check = checked(a, b)
    written = decided(check, "b")
    write_adjudication(path, check.header, written)
    header, rows = read_decisions(path, check.header, written)
    gold = adjudicate(a_test(a), a_test(b), header, rows, file=str(path))
    assert gold.people == ({"chen": len(rows)} if rows else {})
    recorded = gold.test.header.fields[FIELD]["decided"]
    assert list(recorded) == [item.difference.id for item in gold.adopted]
    assert {item["by"] for item in recorded.values()} <= {"chen"}
    sentences = {item.id: item.key.sentences for item in b.questions if item.key}
    if sentences == {item.id: item.key.sentences for item in a.questions if item.key}:
        assert gold.test.facts.key == a_test(a).facts.key


@given(ANN, BO)
def test_ids_are_the_same_whoever_comes_first(a: Passage, b: Passage) -> None:
    check, swapped = checked(a, b), checked(b, a)
    assert [row.id for row in check.rows] == [row.id for row in swapped.rows]
    turned = {"only_a": "only_b", "only_b": "only_a"}
    assert [turned.get(str(row.cause), row.cause) for row in check.rows] == [
        row.cause for row in swapped.rows
    ]
    assert len({row.id for row in check.rows}) == len(check.rows)
