"""The bundled annotation: spans and their quotes, phrases, entities, references, sentences."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from readmark.formats.inputs import load

Json = dict[str, Any]

BUNDLE = files("readmark") / "bundle"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "bundle.md"
LANGUAGES = ("en", "zh")
TYPES = {"PERSON", "LOCATION", "TIME", "NUM"}
APART = 1.5
FAR_APART = {"wok"}
"""The Chinese recipe leaves the pan unnamed where the English must say "it"."""


def passages(language: str) -> list[Json]:
    text = (BUNDLE / f"reading.{language}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()][1:]


def annotated(language: str) -> Iterator[tuple[str, str, Json]]:
    """Every passage and question: its id, its text, and its layers with its key's."""
    for passage in passages(language):
        for one in (passage, *passage["questions"]):
            key = one.get("key", {}).get("layers", {})
            assert set(one["layers"]) <= {"sentence", "token", "np", "ne"}
            assert set(key) <= {"mention"}
            yield one["id"], one["text"], {**one["layers"], **key}


def spans(layers: Json, name: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in layers.get(name, {"spans": []})["spans"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_span_says_what_it_quotes(language: str) -> None:
    for id, text, layers in annotated(language):
        assert {"token", "np"} <= set(layers), id
        for name, layer in layers.items():
            assert layer["source"] == "by hand", id
            assert [text[start:end] for start, end in layer["spans"]] == layer["quotes"], id
            assert all(quote == quote.strip() != "" for quote in layer["quotes"]), (id, name)
            for cells in layer.get("columns", {}).values():
                assert len(cells) == len(layer["spans"]), (id, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_layer_overlaps_itself(language: str) -> None:
    for id, _, layers in annotated(language):
        for name in layers:
            found = spans(layers, name)
            assert all(a[1] <= b[0] for a, b in pairwise(found)), (id, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_cover_the_text_and_phrases_are_made_of_words(language: str) -> None:
    for id, text, layers in annotated(language):
        words = spans(layers, "token")
        assert "".join(text[a:b] for a, b in words) == "".join(text.split()), id
        starts, ends = {a for a, _ in words}, {b for _, b in words}
        for start, end in spans(layers, "np"):
            assert start in starts, (id, text[start:end])
            assert end in ends, (id, text[start:end])


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_end_in_a_word_of_content(language: str) -> None:
    for id, text, layers in annotated(language):
        words = {end: text[start:end] for start, end in spans(layers, "token")}
        for _, end in spans(layers, "np"):
            assert re.fullmatch(r"[\w·-]+", words[end]), (id, words[end])
            assert words[end] not in ("的", "了", "着", "a", "the", "of", "and"), (id, words[end])


@pytest.mark.parametrize("language", LANGUAGES)
def test_entities_and_mentions_are_noun_phrases(language: str) -> None:
    for id, _, layers in annotated(language):
        phrases = set(spans(layers, "np"))
        assert set(spans(layers, "ne")) <= phrases, id
        assert set(spans(layers, "mention")) <= phrases, id
        if "ne" in layers:
            assert set(layers["ne"]["columns"]["type"]) <= TYPES, id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reference_has_its_antecedent_earlier(language: str) -> None:
    for id, _, layers in annotated(language):
        columns = layers.get("mention", {}).get("columns", {"id": [], "ref": []})
        known: list[int] = []
        for number, ref in zip(columns["id"], columns["ref"], strict=True):
            assert (number, ref) != (None, None), id
            assert ref is None or ref in known, (id, ref)
            if number is not None:
                known.append(number)
        assert known == list(range(1, len(known) + 1)), id
        assert set(known) == {ref for ref in columns["ref"] if ref is not None}, id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_a_whole_answer_sentence(language: str) -> None:
    for passage in passages(language):
        whole = set(spans(passage["layers"], "sentence"))
        covered = "".join(passage["layers"]["sentence"]["quotes"])
        assert "".join(covered.split()) == "".join(passage["text"].split())
        for question in passage["questions"]:
            marked = {(start, end) for start, end in question["key"]["sentences"]}
            assert marked, question["id"]
            assert marked <= whole, question["id"]


def test_the_two_sides_have_about_as_many_phrases() -> None:
    far = set()
    totals: Counter[str] = Counter()
    for english, chinese in zip(passages("en"), passages("zh"), strict=True):
        sides = [len(one["layers"]["np"]["spans"]) for one in (english, chinese)]
        totals.update(en=sides[0], zh=sides[1])
        if max(sides) > APART * min(sides):
            far.add(english["id"])
    assert far == FAR_APART
    assert max(totals.values()) <= 1.2 * min(totals.values())


def counts(items: list[Json]) -> Counter[str]:
    """How many annotations of each sort passages or questions have, as Table 8 counts them."""
    found: Counter[str] = Counter()
    for one in items:
        layers = {**one["layers"], **one.get("key", {}).get("layers", {})}
        types = layers.get("ne", {}).get("columns", {}).get("type", [])
        refs = layers.get("mention", {}).get("columns", {}).get("ref", [])
        found["Noun phrase"] += len(spans(layers, "np"))
        found.update(f"Named entity {type}" for type in types)
        found["Anaphora co-reference"] += sum(ref is not None for ref in refs)
    return found


def test_the_page_states_the_counts() -> None:
    columns = []
    for language in LANGUAGES:
        found = passages(language)
        asked = [question for passage in found for question in passage["questions"]]
        columns += [counts(found), counts(asked)]
    rows = re.findall(
        r"^\| ([A-Z][\w -]+?) \| ([\d |]+) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    stated = {name: [int(cell) for cell in cells.split("|")] for name, cells in rows}
    assert stated == {name: [column[name] for column in columns] for name in columns[0]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_layers_are_in_neither_fingerprint(language: str, tmp_path: Path) -> None:
    whole = (BUNDLE / f"reading.{language}.jsonl").read_text("utf-8").splitlines()
    bare = [json.loads(line) for line in whole]
    for passage in bare[1:]:
        del passage["layers"]
        passage.pop("key", None)
        for question in passage["questions"]:
            del question["layers"]
            question["key"].pop("layers", None)
    copies = [tmp_path / "whole.jsonl", tmp_path / "bare.jsonl"]
    copies[0].write_text("\n".join(whole), "utf-8")
    copies[1].write_text("\n".join(json.dumps(one) for one in bare), "utf-8")
    facts = [load(str(copy)).facts for copy in copies]
    assert (facts[0].paper, facts[0].key) == (facts[1].paper, facts[1].key)
