"""Annotating layers in the hall: BRCC files and word segmentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from readmark.core.test import Test
from readmark.formats.registry import open_test, sides_of
from readmark.server.configuration import Configuration, read_configuration
from readmark.server.pages import ASSETS
from readmark.server.works.layers import WORK
from readmark.server.works.work import PersonsWork, ProjectWork, WorkItem

KITE = Path(__file__).parents[3] / "docs" / "examples" / "kite.brcc"


def configuration(name: str, **options: Any) -> Configuration:
    text = (ASSETS / "projects" / f"{name}.toml").read_text("utf-8")
    read = read_configuration(text)
    read.options.update(options)
    return read


def kite(**options: Any) -> tuple[list[Test], Configuration, WorkItem]:
    made = configuration("brcc", **{"start": "nothing", **options})
    tests = [open_test(KITE, format=side) for side in sides_of(KITE)]
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
        *("en", "en:kite-1", "en:kite-2"),
        *("zh", "zh:kite-1", "zh:kite-2"),
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
    text = WORK.view(item, made).texts[0].text
    assert "".join(mark["quote"] for mark in words.values()) == "".join(text.split())
    assert [*WORK.check(item, words, made)] == []
    removed = words.pop(next(iter(words)))
    [finding] = WORK.check(item, words, made)
    assert (finding.code, finding.message["zh"]) == ("gap", f"“{removed['quote']}”不属于任何词。")
