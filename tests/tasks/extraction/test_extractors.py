"""Extractors as candidates: what they may see, what they answer, `task extract`, statements."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from readmark.cli.main import cli
from readmark.formats.registry import open_test
from readmark.sitting.runner import sit
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.extraction.materials import Materials, shown_files
from readmark.tasks.extraction.statement_marks import compare_statements
from readmark.tasks.new_task import new_task
from readmark.tasks.reasoning.graphs import Asserted, read_statements
from readmark.tasks.records import Document
from readmark.tasks.task_folder import open_task

PATTERNS = """
[words]
strike = ["struck", "hit"]
[type.Storm]
category = "Storm"
names = true
title = "(Hurricane | Storm | storm)"
never = ["Hurricane", "Storm", "September", "Tropical"]
[type.Place]
category = "Place"
names = true
[scope.storm]
[[pattern]]
find = "(Hurricane | storm) {storm:Storm}"
set = { storm = "{storm}" }
[[pattern]]
find = "{storm:Storm} <strike>"
set = { storm = "{storm}" }
[[pattern]]
find = "<strike> {place:Place}"
mark = "Landfall"
[[pattern]]
find = ["winds of {speed:Number} km \\\\/ h", "above {speed:Number} km \\\\/ h"]
mark = "Wind"
"""


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    new_task(tmp_path / "storms")
    (tmp_path / "storms/patterns.toml").write_text(PATTERNS, encoding="utf-8")
    return tmp_path / "storms"


def run(*args: str) -> Any:
    return CliRunner().invoke(cli, args)


def test_an_extractor_sees_the_train_split_and_no_answers(storms: Path) -> None:
    (storms / "answers.train.jsonl").write_text("", encoding="utf-8")
    (storms / "notes.txt").write_text("the answers are", encoding="utf-8")
    files = shown_files(open_task(storms))
    assert sorted(files) == [
        "annotations/train/delia.statements",
        "categories.toml",
        "documents/train/delia.txt",
        "guidelines.md",
        "ontology.ttl",
        "patterns.toml",
        "rules.dsrs",
    ]
    [(id, text, asserted)] = Materials(files).training()
    assert (id, text[:15], len(asserted)) == ("delia", "Hurricane Delia", 5)


def test_a_hidden_train_split_is_not_shown(storms: Path) -> None:
    about = storms / "task.toml"
    about.write_text('name = "storms"\nhidden = ["train"]\n', encoding="utf-8")
    assert not any("train" in path for path in shown_files(open_task(storms)))


def test_a_sitting_by_patterns_has_excerpts_and_derivations(storms: Path, tmp_path: Path) -> None:
    sitting = tmp_path / "s.jsonl"
    assert run("sit", str(storms), "-r", "patterns", "-o", str(sitting)).exit_code == 0
    rows = {row["id"]: row for row in map(json.loads, sitting.read_text("utf-8").splitlines()[1:])}
    [wind] = rows["delia:windSpeed"]["bindings"]
    assert wind["values"] == {"storm": "Delia", "value": 190}
    assert [one["quote"] for one in wind["excerpts"]] == ["Delia", "winds of 190 km/h"]
    [inferred] = rows["delia:wasHurricane"]["bindings"]
    assert inferred["inferred"]
    assert "fast-winds-make-a-hurricane" in inferred["derivation"]
    marks = run("mark", str(storms), str(sitting), "--json", "--split", "train")
    assert marks.exit_code in (0, 1)


def test_without_reasoning_nothing_follows(storms: Path) -> None:
    test = open_test(storms)
    rows = sit(test, "patterns(reason=false)").rows
    assert [row.answer for row in rows.values() if row.id == "delia:wasHurricane"] == [[]]


def test_workers_see_the_materials_too(storms: Path, tmp_path: Path) -> None:
    sitting = tmp_path / "s.jsonl"
    result = run("sit", str(storms), "-r", "patterns", "-o", str(sitting), "--workers", "2")
    assert result.exit_code == 0, result.output
    assert "Delia" in sitting.read_text("utf-8")


@dataclass
class Broken(Extractor):
    def read(self, document: Document) -> list[Asserted]:
        if document.id == "egon":
            raise ValueError("no storm")
        return [Asserted(document.id, one) for one in read_statements("((Delia windSpeed 190))")]


def test_a_document_that_cannot_be_read_is_its_rows(storms: Path) -> None:
    sitting = sit(open_test(storms), Broken())
    errors = {row.id for row in sitting.rows.values() if row.error}
    assert errors
    assert all(id.startswith("egon:") for id in errors)


def test_a_test_without_an_ontology_is_refused_in_one_line(storms: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.jsonl"
    assert run("convert", str(storms), str(plain)).exit_code == 0
    result = run("sit", str(plain), "-r", "patterns", "-o", str(tmp_path / "s.jsonl"))
    assert result.exit_code != 0
    assert "an extractor reads a task's folder or zip" in str(result.output) + str(result.exception)


def test_extract_by_the_command(storms: Path, tmp_path: Path) -> None:
    text = tmp_path / "fay.txt"
    text.write_text("Hurricane Fay struck Oldport with winds of 150 km/h.", encoding="utf-8")
    more = tmp_path / "more.jsonl"
    more.write_text('{"id": "g", "text": "Hurricane Gil hit Newport."}\n', encoding="utf-8")
    command = [sys.executable, "-m", "readmark", "task", "extract", str(storms)]
    done = subprocess.run(
        [*command, str(text), str(more), "--json"], capture_output=True, check=True, timeout=120
    )
    documents = json.loads(done.stdout)["documents"]
    assert set(documents) == {"fay", "g"}
    found = {one["id"]: one for one in documents["fay"]["entities"]}
    assert found["Fay"]["class"] == "Storm"
    assert found["Fay"]["properties"] == {
        "struck": ["Oldport"],
        "wasHurricane": [True],
        "windSpeed": [150],
    }
    assert found["Fay"]["excerpts"] == [[10, 13]]
    assert documents["fay"]["contexts"] == []
    assert documents["fay"]["contradictions"] == []
    listed = run("task", "extract", str(storms), str(more))
    assert "struck: Newport" in listed.output


def test_the_least_sure_of_what_contradicts_is_dropped(storms: Path, tmp_path: Path) -> None:
    more = """
[[pattern]]
find = "or {speed:Number} km \\\\/ h"
mark = "Wind"
probability = 0.4
"""
    (storms / "patterns.toml").write_text(PATTERNS + more, encoding="utf-8")
    text = tmp_path / "fay.txt"
    text.write_text("Hurricane Fay hit Oldport with winds of 150 km/h or 90 km/h.", "utf-8")
    found = json.loads(run("task", "extract", str(storms), str(text), "--json").output)
    document = found["documents"]["fay"]
    [fay] = [one for one in document["entities"] if one["id"] == "Fay"]
    assert fay["properties"]["windSpeed"] == [150]
    assert document["contradictions"]
    assert document["contexts"][0]["dropped"][0]["statement"] == "(Fay windSpeed 90)"


def test_a_document_reads_the_same_in_any_company(storms: Path, tmp_path: Path) -> None:
    """Alone and with others, of which two contradict and one has the same names turned round."""
    (storms / "patterns.toml").write_text(PATTERNS, encoding="utf-8")
    texts = {
        "ann": "Hurricane Fay hit Oldport. Fay struck Newport. Fay hit Midport.",
        "bob": "Hurricane Fay hit Newport. Fay struck Oldport, with winds of 150 km/h.",
        "cy": "Hurricane Fay hit Midport with winds of 150 km/h, then above 90 km/h at Oldport.",
        "dee": "Hurricane Fay hit Oldport with winds of 120 km/h, then above 80 km/h at Newport.",
    }
    for id, text in texts.items():
        (tmp_path / f"{id}.txt").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / f"{id}.txt") for id in texts]

    def documents(*paths: str) -> dict[str, Any]:
        output = run("task", "extract", str(storms), *paths, "--json").output
        found: dict[str, Any] = json.loads(output)["documents"]
        return found

    alone = {id: document for path in paths for id, document in documents(path).items()}
    assert documents(*paths) == alone
    assert documents(*reversed(paths)) == alone
    assert [id for id in alone if alone[id]["contradictions"]] == ["cy", "dee"]
    [fay] = [one for one in alone["ann"]["entities"] if one["id"] == "Fay"]
    assert fay["properties"]["struck"] == ["Oldport", "Newport", "Midport"]


@dataclass
class Doubtful(Extractor):
    def read(self, document: Document) -> list[Asserted]:
        speeds = {"delia": {190: 0.9, 90: 0.4}, "egon": {120: 1.0}}[document.id]
        return [
            Asserted(document.id, statement, probability=chance)
            for speed, chance in speeds.items()
            for statement in read_statements(f"((Kay type Storm) (Kay windSpeed {speed}))")
        ]


def test_queries_on_documents_that_contradict_are_answered_from_what_stays(storms: Path) -> None:
    rows = sit(open_test(storms), Doubtful()).rows.values()
    speeds = {
        row.id: [binding["values"]["value"] for binding in row.answer or ()]
        for row in rows
        if row.id.endswith(":windSpeed")
    }
    assert speeds == {"delia:windSpeed": [190], "egon:windSpeed": [120]}


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (("no_such", "{text}"), "no domain 'no_such'", 2),
        (("{storms}", "{folder}/none.txt"), "none.txt", 1),
        (("{storms}", "{bad}"), "not valid UTF-8", 1),
        (("{storms}", "{lines}"), "lines.jsonl:1", 1),
        (("{storms}", "{text}", "{text}"), "occurs twice", 1),
        (("{storms}", "{text}", "-r", "keyed"), "is not an extractor", 2),
        (("{storms}", "{text}", "-r", "statements"), "needs a file", 2),
        (("{text}", "{text}"), "expected a domain or a task", 1),
    ],
)
def test_bad_input_is_one_line(
    arguments: tuple[str, ...], said: str, status: int, storms: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Hurricane Fay.", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "lines.jsonl").write_text('{"id": 3}\n', encoding="utf-8")
    places = {
        "storms": storms,
        "folder": tmp_path,
        "text": tmp_path / "a.txt",
        "bad": tmp_path / "bad.txt",
        "lines": tmp_path / "lines.jsonl",
    }
    command = [argument.format(**places) for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "readmark", "task", "extract", *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_faulty_patterns_file_is_found_by_check(storms: Path) -> None:
    file = storms / "patterns.toml"
    file.write_text(file.read_text("utf-8").replace("<strike>", "<strikes>"), encoding="utf-8")
    result = run("check", str(storms))
    assert result.exit_code == 1
    assert "there is no list of words <strikes>" in result.output


def test_statements_in_a_file_are_marked_and_sat(storms: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(storms / "annotations/train", own)
    file = own / "delia.statements"
    file.write_text(file.read_text("utf-8").replace("windSpeed 190", "windSpeed 170"), "utf-8")
    result = run("task", "statements", str(storms), str(own), "--split", "train", "--json")
    marks = json.loads(result.output)["marks"]
    assert (marks["all"]["read"], marks["all"]["gold"], marks["all"]["right"]) == (5, 5, 4.0)
    assert (marks["windSpeed"]["precision"], marks["struck"]["f"]) == (0.0, 1.0)
    sitting = sit(open_test(storms), f'statements(file="{own}")')
    [row] = [row for row in sitting.rows.values() if row.id == "delia:windSpeed"]
    assert row.answer[0]["values"] == {"storm": "Delia", "value": 170}


def asserted(document: str, *graphs: str) -> list[Asserted]:
    return [Asserted(document, one) for graph in graphs for one in read_statements(f"({graph})")]


def test_marks_of_statements_worked_by_hand() -> None:
    gold = asserted(
        "a",
        "(Event-1 type Goal) (Event-1 yards 20) (Event-1 team Jets)",
        "(Event-2 type Goal) (Event-2 yards 30) (Event-2 team Bills)",
    ) + asserted("b", "(Event-1 type Goal) (Event-1 yards 7)")
    # Numbered in another order; one distance is wrong, one event is not there.
    said = asserted(
        "a",
        "(Event-9 type Goal) (Event-9 yards 30) (Event-9 team Bills)",
        "(Event-4 type Goal) (Event-4 yards 21) (Event-4 team Jets)",
        "(Event-5 type Goal) (Event-5 yards 50)",
    ) + asserted("b", "(Event-3 type Goal) (Event-3 yards 7)")
    marks = compare_statements(said, gold)
    # goals: 3 right of 4 said, 3 there; yards: 2 of 4, 3 there; team: 2 of 2, 2 there
    assert (marks["Goal"].right, marks["Goal"].read, marks["Goal"].gold) == (3, 4, 3)
    assert marks["Goal"].precision == 0.75
    assert marks["Goal"].recall == 1
    assert (marks["yards"].right, marks["yards"].f) == (2, pytest.approx(4 / 7))
    assert marks["team"].f == 1
    assert (marks["all"].right, marks["all"].read, marks["all"].gold) == (7, 10, 8)
    # Two documents: the interval is between the two when resampled, 5 of 8 and 6, and 2 of 2 and 2
    assert marks["all"].low == pytest.approx(2 * 5 / 14)
    assert marks["all"].high == 1
