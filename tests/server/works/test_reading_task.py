"""Annotating documents of a reading task in the hall."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

import readmark
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.records import Passage
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.server.pages import ASSETS
from readmark.tasks.categories.mapping import CategoryMapping
from readmark.tasks.hall import mark_findings
from readmark.tasks.hall.mark_objects import marked_text
from readmark.tasks.hall.reading_task import WORK
from readmark.works import Configuration, PersonsWork, ProjectWork, WorkItem, read_configuration

BUNDLE = Path(__file__).parents[3] / "src" / "readmark" / "bundle" / "task.en.zip"
TEXT = "Ada Moor was born in 1850. She died in 1840."


@cache
def configuration(name: str = "lives") -> Configuration:
    text = (ASSETS / "projects" / f"{name}.toml").read_text("utf-8")
    return read_configuration(WORK.complete(text, (), read_configuration(text)))


def item() -> WorkItem:
    test = in_memory(Header(language="en"), [Passage(id="moor", text=TEXT)])
    return next(WORK.divide([test], configuration()))


def mark(category: str, quote: str, **more: Any) -> dict[str, Any]:
    start = TEXT.index(quote)
    place = {"start": start, "end": start + len(quote), "quote": quote}
    return {"type": "mark", "text": "document", "category": category, **place, **more}


def life(died: str = "died in 1840") -> dict[str, dict[str, Any]]:
    person = {"relations": {"person": "p"}}
    return {
        "p": mark("Person", "Ada Moor"),
        "b": mark("Birth", "born in 1850", attributes={"year": 1850}, **person),
        "d": mark("Death", died, attributes={"year": 1840}, **person),
    }


@pytest.mark.parametrize("name", ["lives", "nfl_scoring"])
def test_the_shipped_configurations_are_completed_by_their_domains(name: str) -> None:
    made = configuration(name)
    assert [*WORK.faults(made)] == []
    for category in made.category.values():
        assert "same" in category.relations


def test_a_task_with_categories_of_its_own_is_not_of_another_domain() -> None:
    text = (ASSETS / "projects" / "nfl_scoring.toml").read_text("utf-8")
    with pytest.raises(DataError, match="that the domain nfl_scoring lacks: use reading_task"):
        WORK.complete(text, [open_test(BUNDLE)], read_configuration(text))


def test_a_contradiction_is_shown_with_its_derivation() -> None:
    [finding] = WORK.check(item(), life(), configuration())
    assert (finding.code, finding.severity) == ("contradiction", "error")
    assert finding.object in ("b", "d")
    assert "1850" in finding.message["en"]
    assert "1840" in finding.message["en"]
    assert "birthYear" in finding.detail


def test_a_mark_that_states_nothing_yet_is_named_and_the_rest_is_checked() -> None:
    objects = life()
    objects["d"] = {**objects["d"], "relations": {}}
    [finding] = WORK.check(item(), objects, configuration())
    assert (finding.code, finding.object) == ("incomplete", "d")


def test_a_mark_that_needs_an_incomplete_one_is_incomplete_too() -> None:
    objects = life()
    objects["p"] = mark("Person", "Ada Moor", attributes={"entity": "two words"})
    findings = {one.object: one for one in WORK.check(item(), objects, configuration())}
    assert {one.code for one in findings.values()} == {"incomplete"}
    assert set(findings) == {"p", "b", "d"}
    assert "expected a name such as" in findings["p"].message
    assert "needs a relation person" in findings["b"].message


@pytest.mark.parametrize(
    ("fragments", "pieces"),
    [
        ([[0, 8], [13, 17]], [(0, 8), (13, 17)]),
        ([[1, 8], [13, 17]], [(0, 8)]),  # the first was moved
        *((junk, [(0, 8)]) for junk in (0, None, "ab", [[0, 8, 9]], [["0", 8]], [[0, 8], [1, 99]])),
    ],
)
def test_pieces_of_a_mark_are_places_in_the_text(fragments: Any, pieces: Any) -> None:
    value = mark("Person", "Ada Moor", fragments=fragments)
    [marked] = marked_text(item(), {"p": value}).marks
    assert marked.fragments == tuple(pieces)
    assert [*WORK.check(item(), {"p": value}, configuration())] == []


def test_incomplete_marks_are_found_in_few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []
    one_mark = CategoryMapping._of_mark

    def count(*arguments: Any) -> Any:
        tried.append(arguments)
        return one_mark(*arguments)

    monkeypatch.setattr(CategoryMapping, "_of_mark", count)
    objects = life()
    for number in range(300):
        objects[f"x{number}"] = mark("Birth", "born in 1850", attributes={"year": 1850})
        entity = {"entity": f"two words {number}"}
        objects[f"y{number}"] = mark("Person", "Ada Moor", attributes=entity)
    findings = [*mark_findings.check_here(item(), objects, configuration())]
    assert sum(one.code == "incomplete" for one in findings) == 600
    assert len(tried) <= 2 * len(objects)  # one after the other, it was 90,000


def test_a_statement_that_contradicts_a_faulty_configuration_is_a_fault() -> None:
    text = (
        '[project]\nname="x"\nwork="reading_task"\n[category.A]\nstatements=["({id} type {x})"]\n'
    )
    [(path, message)] = WORK.faults(read_configuration(text))
    assert path == ("options",)
    assert "there is no {x}" in message


def test_files_are_those_of_the_command_line_and_come_back_the_same(tmp_path: Path) -> None:
    tests, made = [open_test(BUNDLE)], configuration()
    items = {one.name: one for one in WORK.divide(tests, made)}
    read = [*WORK.read(BUNDLE, items, made)]
    ida = {name: objects for person, name, objects in read if person == "ida"}
    assert len(ida) == len(items)
    some = dict(list(ida.items())[:3])
    bo = {name: dict(list(objects.items())[:-1]) for name, objects in some.items()}
    workers = [PersonsWork("ida", some), PersonsWork("bo", bo)]
    project = ProjectWork(made, [tests[0].header], [*items.values()], workers)
    WORK.write(project, tmp_path)
    again = {
        name: objects for _, name, objects in WORK.read(tmp_path / "marks/ida.jsonl", items, made)
    }
    assert again == some
    assert readmark.check(tmp_path / "task").is_sound
    people = open_annotators([str(tmp_path / "people" / name) for name in ("ida", "bo")])
    compared = {one.what: one for one in agree(people).comparisons}
    assert 0.9 < compared["statements"].all_figures[0].value < 1


def test_practice_compares_statements_with_the_key() -> None:
    tests, made = [open_test(BUNDLE)], configuration()
    items = {one.name: one for one in WORK.divide(tests, made)}
    _, name, objects = next(one for one in WORK.read(BUNDLE, items, made))
    assert [*WORK.grade(items[name], objects, made)] == []
    without = {id: value for id, value in objects.items() if value["category"] != "Person"}
    codes = {finding.code for finding in WORK.grade(items[name], without, made)}
    assert "missing" in codes
    assert "statements" not in str(items[name].paper)


@pytest.mark.parametrize(
    "name", ["../out.ttl", "/tmp/out.ttl", "a/../../out.ttl", "C:/x", "a\\\\..\\\\x", "", "a//b"]
)
def test_a_task_file_outside_the_task_is_refused(name: str) -> None:
    text = f'[project]\nname="x"\nwork="reading_task"\n[options.task]\n"{name}" = "x"\n'
    [(path, message)] = WORK.faults(read_configuration(text))
    assert path == ("options", "task")
    assert "not the name of a file" in message


def test_options_of_the_wrong_type_are_faults() -> None:
    for options in ("task = 5", "domain = 5", "task = { a = 1 }"):
        text = f'[project]\nname="x"\nwork="reading_task"\n[options]\n{options}\n'
        assert len([*WORK.faults(read_configuration(text))]) == 1


def test_a_domain_is_one_that_ships_and_never_a_folder_of_the_server(tmp_path: Path) -> None:
    text = f'[project]\nname="x"\nwork="reading_task"\n[options]\ndomain = "{tmp_path}"\n'
    with pytest.raises(ReadmarkError, match="no domain"):
        WORK.complete(text, (), read_configuration(text))


def test_a_document_whose_id_leads_out_of_the_export_is_refused() -> None:
    test = in_memory(Header(language="en"), [Passage(id="../../moor", text=TEXT)])
    with pytest.raises(DataError, match="cannot be a file's name"):
        next(WORK.divide([test], configuration()))


@pytest.mark.process
def test_many_marks_are_checked_in_a_process_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = life()
    for number in range(mark_findings.FEW_MARKS):
        objects[f"x{number}"] = mark("Birth", "born in 1850", attributes={"year": 1850})
    here = [*mark_findings.check_here(item(), objects, configuration())]
    assert {finding.code for finding in here} == {"contradiction", "incomplete"}
    monkeypatch.setattr(mark_findings, "check_here", None)  # it is not called in this one
    assert [*WORK.check(item(), objects, configuration())] == here
    few = dict(list(objects.items())[: mark_findings.FEW_MARKS])
    with pytest.raises(TypeError):
        [*WORK.check(item(), few, configuration())]


def test_a_check_shows_only_so_many_contradictions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mark_findings, "MOST_CONTRADICTIONS", 2)
    objects = life()
    for year in range(1851, 1861):
        relations = {"person": "p"}
        objects[f"b{year}"] = mark(
            "Birth", "born in 1850", attributes={"year": year}, relations=relations
        )
    assert len([*WORK.check(item(), objects, configuration())]) == 2
