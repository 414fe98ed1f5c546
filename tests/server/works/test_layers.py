"""Annotating layers in the hall: BRCC files and word segmentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from readmark.core.test import Test
from readmark.formats.registry import open_languages, open_test
from readmark.making.hall.layer_decisions import LayerDecisions
from readmark.making.hall.layer_findings import marks_by_quote, quoted_mark
from readmark.making.hall.layers import WORK
from readmark.server.pages import ASSETS
from readmark.works import Configuration, PersonsWork, ProjectWork, WorkItem, read_configuration

KITE = Path(__file__).parents[3] / "docs" / "examples" / "kite.brcc"


def configuration(name: str, **options: Any) -> Configuration:
    text = (ASSETS / "projects" / f"{name}.toml").read_text("utf-8")
    read = read_configuration(text)
    read.options.update(options)
    return read


def kite(**options: Any) -> tuple[list[Test], Configuration, WorkItem]:
    made = configuration("brcc", **{"start": "nothing", **options})
    tests = open_languages(KITE)
    [item] = WORK.divide(tests, made)
    return tests, made, item


def annotated() -> dict[str, dict[str, Any]]:
    """What the file of the documentation has, as one person's marks."""
    _, made, item = kite()
    [(person, name, objects)] = WORK.read(KITE, {item.name: item}, made)
    assert (person, name) == ("kite", "kite")
    return dict(objects)


@pytest.mark.parametrize("name", ["brcc", "segmentation"])
def test_the_shipped_configurations_are_sound(name: str) -> None:
    assert [*WORK.faults(configuration(name))] == []


def test_a_category_without_a_layer_and_unknown_options_are_faults() -> None:
    text = (
        '[project]\nname="x"\nwork="layers"\n[options]\nformat="xml"\nstart="here"\n[category.A]\n'
    )
    found = dict(WORK.faults(read_configuration(text)))
    assert set(found) == {("category", "A"), ("options", "format"), ("options", "start")}


def test_an_item_has_both_sides_and_nothing_of_the_key() -> None:
    _, made, item = kite()
    view = WORK.view(item, made)
    assert [text.id for text in view.texts] == [
        "en",
        "en:kite-1",
        "en:kite-2",
        "zh",
        "zh:kite-1",
        "zh:kite-2",
    ]
    assert view.objects == {}
    assert "PERSON" not in str(item.paper)


def test_what_people_marked_is_written_as_the_same_file(tmp_path: Path) -> None:
    tests, made, item = kite()
    work = PersonsWork("ann", {"kite": annotated()})
    project = ProjectWork(made, [test.header for test in tests], [item], [work])
    [path, *_] = WORK.write(project, tmp_path)
    assert path == tmp_path / "people" / "ann.brcc"
    assert path.read_text("utf-8") == KITE.read_text("utf-8")
    [(_, _, again)] = WORK.read(path, {"kite": item}, made)
    assert again == annotated()


def test_sentences_are_written_next_to_a_format_that_cannot_hold_them(tmp_path: Path) -> None:
    tests, made, item = kite()
    text = WORK.view(item, made).texts[0].text
    sentence = {"type": "mark", "text": "en", "category": "Sentence", "start": 0, "end": 65}
    objects = {**annotated(), "s": {**sentence, "quote": text[:65], "attributes": {}}}
    work = PersonsWork("ann", {"kite": objects})
    project = ProjectWork(made, [test.header for test in tests], [item], [work])
    WORK.write(project, tmp_path)
    [record] = open_test(tmp_path / "layers" / "ann.en.jsonl").records()
    assert record.layers["sentence"].spans == ((0, 65),)


def test_the_rules_of_the_corpus_are_checked_while_people_work() -> None:
    _, made, item = kite()
    objects = annotated()
    assert [*WORK.check(item, objects, made)] == []
    first = next(id for id, mark in objects.items() if mark["quote"] == "Lin Bo")
    objects["m"] = {**objects[first], "start": 0, "end": 3, "quote": "Lin"}
    found = {finding.code: finding for finding in WORK.check(item, objects, made)}
    assert found["np_overlap"].severity == "error"
    assert found["np_overlap"].object in (first, "m")


def test_the_mark_of_a_finding_is_the_longest_that_its_message_quotes() -> None:
    marks = {
        id: {"type": "mark", "text": text, "quote": quote}
        for id, text, quote in (
            ("a", "en", "it"),
            ("b", "en", 'it\'s "late"'),
            ("c", "en", "late"),
            ("d", "zh", "风筝 上 升"),
            ("e", "en:q1", "late"),
        )
    }
    quotes = marks_by_quote("en", marks)
    for message, id in (
        ("the noun phrases 'it' at 0–2 and 'late' at 6–10 overlap", "e"),
        (f"the noun phrase {marks['b']['quote']!r} ends in 'late'", "b"),
        ("question 1's answer isn't 'here'", None),
        ("the noun phrase '风筝 上 升' ends in a verb", None),
    ):
        assert quoted_mark(message, quotes) == id


def test_many_findings_look_at_many_marks_only_once() -> None:
    class Marks(dict[str, Any]):
        looks = 0

        def items(self) -> Any:
            type(self).looks += 1
            return super().items()

    _, made, item = kite()
    first = next(mark for mark in annotated().values() if mark["quote"] == "Lin Bo")
    looks = []
    for count in (3, 30):
        marks = Marks({f"m{number}": first for number in range(count)})
        found = [one for one in WORK.check(item, marks, made) if one.code == "np_overlap"]
        assert len(found) == count - 1
        looks.append(Marks.looks)
        Marks.looks = 0
    assert looks[0] == looks[1]


def test_practice_names_each_place_that_differs_from_the_key() -> None:
    _, made, item = kite()
    objects = annotated()
    assert [*WORK.grade(item, objects, made)] == []
    weifang = next(id for id, mark in objects.items() if mark["quote"] == "Weifang")
    objects[weifang] = {**objects[weifang], "attributes": {"entity": "PERSON"}}
    [finding] = WORK.grade(item, objects, made)
    assert finding.code == "ne"
    assert finding.message["en"] == "“Weifang” (PERSON): the key has “Weifang” (LOCATION)."
    assert finding.object == weifang


def test_practice_does_not_start_from_the_key() -> None:
    tests, made, _ = kite(start="all")
    [work] = WORK.divide(tests, made)
    [practice] = WORK.divide(tests, made, purpose="practice")
    assert len(work.paper["objects"]) == 29
    assert practice.paper["objects"] == {}


def test_words_are_proposed_and_gaps_are_found() -> None:
    made = configuration("segmentation")
    test = open_test(Path(__file__).parents[3] / "src/readmark/bundle/reading.zh.jsonl")
    item = next(WORK.divide([test], made))
    words = dict(item.paper["objects"])
    text = "".join(text.text for text in WORK.view(item, made).texts)
    assert "".join(mark["quote"] for mark in words.values()) == "".join(text.split())
    assert [*WORK.check(item, words, made)] == []
    removed = words.pop(next(iter(words)))
    [finding] = WORK.check(item, words, made)
    assert (finding.code, finding.message["zh"]) == ("gap", f"“{removed['quote']}”不属于任何词。")


def segmented_kite() -> tuple[list[Test], Configuration, WorkItem]:
    made = configuration("segmentation")
    tests = open_languages(KITE)
    [item] = WORK.divide(tests, made)
    return tests, made, item


def test_words_of_questions_and_keys_are_segmented_with_the_english_beside() -> None:
    _, made, item = segmented_kite()
    texts = WORK.view(item, made).texts
    assert [text.id for text in texts if not text.is_editable] == [
        "en",
        "en:kite-1",
        "en:kite-1:key1",
        "en:kite-1:key2",
        "en:kite-2",
        "en:kite-2:key1",
    ]
    assert [text.id for text in texts if text.is_editable] == [
        "zh",
        "zh:kite-1",
        "zh:kite-1:key1",
        "zh:kite-2",
        "zh:kite-2:key1",
    ]
    objects = item.paper["objects"]
    for text in texts:
        own = [mark["quote"] for mark in objects.values() if mark["text"] == text.id]
        assert "".join(own) == ("".join(text.text.split()) if text.is_editable else "")
    assert [*WORK.check(item, objects, made)] == []


def test_segmented_words_are_written_and_read_back(tmp_path: Path) -> None:
    tests, made, item = segmented_kite()
    words = dict(item.paper["objects"])
    key = [id for id, mark in words.items() if mark["text"] == "zh:kite-2:key1"]
    first, second = words[key[0]], words[key[1]]
    joined = {**first, "end": second["end"], "quote": first["quote"] + second["quote"]}
    words = {id: mark for id, mark in words.items() if id != key[1]} | {key[0]: joined}
    work = PersonsWork("ann", {"kite": words})
    project = ProjectWork(made, [test.header for test in tests], [item], [work])
    [path] = WORK.write(project, tmp_path)
    assert path == tmp_path / "people" / "ann.jsonl"
    test = open_test(path)
    assert test.language == "zh"
    [passage] = test.records()
    [phrase] = passage.questions[1].key.published
    start, end = phrase.layers["token"].spans[0]
    assert phrase.text[start:end] == joined["quote"]
    assert passage.questions[0].layers["token"].spans
    [(_, _, again)] = WORK.read(path, {"kite": item}, made)
    assert sorted((mark["text"], mark["start"], mark["end"]) for mark in again.values()) == sorted(
        (mark["text"], mark["start"], mark["end"]) for mark in words.values()
    )


def test_a_gap_in_a_key_is_found() -> None:
    _, made, item = segmented_kite()
    words = dict(item.paper["objects"])
    gone = next(id for id, mark in words.items() if mark["text"] == "zh:kite-1:key1")
    removed = words.pop(gone)
    [finding] = WORK.check(item, words, made)
    assert finding.message["zh"] == f"“{removed['quote']}”不属于任何词。"


def test_two_annotators_of_a_key_are_compared_in_it() -> None:
    tests, made, item = segmented_kite()
    words = dict(item.paper["objects"])
    key = [id for id, mark in words.items() if mark["text"] == "zh:kite-2:key1"]
    first, second = words[key[0]], words[key[1]]
    joined = {**first, "end": second["end"], "quote": first["quote"] + second["quote"]}
    other = {id: mark for id, mark in words.items() if id != key[1]} | {key[0]: joined}
    people = [
        PersonsWork("ann", {"kite": words}, finished=frozenset({"kite"})),
        PersonsWork("bob", {"kite": other}, finished=frozenset({"kite"})),
    ]
    project = ProjectWork(made, [test.header for test in tests], [item], people)
    [dispute] = LayerDecisions().disputes(project)
    [form] = dispute.paper["objects"].values()
    assert form["what"] == "token"
    assert "zh:kite-2:key1" in str(dispute.paper)


def test_layers_of_questions_that_nobody_saw_stay(tmp_path: Path) -> None:
    tests = open_languages(KITE)
    made = configuration("segmentation", questions=False, keys=False)
    [item] = WORK.divide(tests, made)
    work = PersonsWork("ann", {"kite": item.paper["objects"]})
    project = ProjectWork(made, [test.header for test in tests], [item], [work])
    [path] = WORK.write(project, tmp_path)
    [before] = tests[1].records()
    [after] = open_test(path).records()
    assert after.questions == before.questions


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"side": "fr"}, "side is 'fr', expected en or zh"),
        ({"keys": "yes"}, "keys is true or false"),
    ],
)
def test_an_option_that_cannot_be_is_a_fault(options: dict[str, Any], fault: str) -> None:
    assert [said for _, said in WORK.faults(configuration("segmentation", **options))] == [fault]
