"""Passage vetting: decisions that `set screen` reads, and a test of the passages that stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readmark.core.errors import DataError
from readmark.core.records import Passage, RecordKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.hall.vetting import VETTING
from readmark.works import Objects, read_project
from shipped_projects import PROJECTS, entry, shipped, work_of

HEADER = Header(name="shelf", language="en")
RECORDS = [
    Passage(id="mill", text="The old mill was built in 1820. Its wheel turned until 1902."),
    Passage(id="list", text="Stations: Aldham, Brook End, Carrow. Gauge: 1,435 mm."),
    Passage(id="tie", text="A short text of which people think differently."),
    Passage(id="new", text="Nobody has looked at this one."),
]
TEST = in_memory(HEADER, RECORDS)
CONFIGURATION = shipped("vetting")
ITEMS = list(VETTING.divide([TEST], CONFIGURATION))


def _decisions(**verdicts: str) -> dict[str, Objects]:
    made: dict[str, Objects] = {}
    for item, verdict in verdicts.items():
        reason = {"reason": "list"} if verdict == "discard" else {}
        made[item] = {"decision": entry("decision", 1, decision=verdict, **reason)}
    return made


ADA = _decisions(mill="keep", list="discard", tie="keep")
BO = _decisions(mill="keep", list="discard", tie="discard")


def test_decisions_go_to_set_screen_and_agree(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    made = VETTING.write(work_of(CONFIGURATION, HEADER, ITEMS, Ada=ADA, Bo=BO), tmp_path)
    assert [path.name for path in made] == ["Ada.csv", "Bo.csv", "kept.jsonl"]
    assert [record.id for record in open_test(made[-1]).records()] == ["mill", "tie"]
    source = tmp_path / "source.jsonl"
    save_test(TEST, source)
    screened = readmark_cli(
        "set", "screen", source, "-o", tmp_path / "out.jsonl", "--json",
        *("--decisions", made[0], "--decisions", made[1]),
    )  # fmt: skip
    printed = json.loads(screened.stdout)
    assert printed["people"] == {
        "Ada": {"keep": 2, "discard": 1},
        "Bo": {"keep": 1, "discard": 2},
    }
    agreed = readmark_cli("set", "agree", *made[:2], "--what", "decision", "--json")
    assert agreed.returncode == 0, agreed.stderr


def test_what_was_written_reads_back_and_is_written_the_same(tmp_path: Path) -> None:
    ada = {**ADA, "mill": {**ADA["mill"], "note": {"type": "note", "value": "a good one"}}}
    first = VETTING.write(work_of(CONFIGURATION, HEADER, ITEMS, Ada=ada, Bo=BO), tmp_path / "1")
    items = {item.name: item for item in ITEMS}
    again: dict[str, dict[str, Objects]] = {}
    for path in first[:2]:
        for person, item, objects in VETTING.read(path, items, CONFIGURATION):
            again.setdefault(person, {})[item] = objects
    assert again == {"Ada": ada, "Bo": BO}
    second = VETTING.write(work_of(CONFIGURATION, HEADER, ITEMS, **again), tmp_path / "2")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_a_form_of_another_text_is_refused(tmp_path: Path) -> None:
    form = tmp_path / "Cy.csv"
    items = {item.name: item for item in ITEMS}
    form.write_text("id,decision,text\nmill,keep,The old mill was bought\n", encoding="utf-8")
    with pytest.raises(DataError, match="another version of the text, which differs at character"):
        list(VETTING.read(form, items, CONFIGURATION))
    form.write_text("id,decision\nmil,keep\n", encoding="utf-8")
    with pytest.raises(DataError, match="the project has no passage 'mil'"):
        list(VETTING.read(form, items, CONFIGURATION))


def test_whoever_discards_says_why() -> None:
    bare = {"decision": entry("decision", 1, decision="discard")}
    assert [f.code for f in VETTING.check(ITEMS[0], bare, CONFIGURATION)] == ["no_reason"]
    empty = VETTING.view(ITEMS[0], CONFIGURATION).objects
    assert [f.code for f in VETTING.check(ITEMS[0], empty, CONFIGURATION)] == ["missing"]
    assert not list(VETTING.check(ITEMS[1], ADA["list"], CONFIGURATION))


def test_practice_compares_with_the_decision_in_the_key() -> None:
    key = RecordKey(fields={"decision": "discard", "reason": "a list of stations"})
    record = Passage(id="list", text=RECORDS[1].text, key=key)
    [item] = VETTING.divide([in_memory(HEADER, [record])], CONFIGURATION)
    assert "a list of stations" not in json.dumps(item.paper)
    assert not list(VETTING.grade(item, ADA["list"], CONFIGURATION))
    [wrong] = VETTING.grade(item, ADA["mill"], CONFIGURATION)
    assert (wrong.as_json("zh")["message"], wrong.detail) == (
        "参考答案是“不收”。",
        "a list of stations",
    )


def test_other_decisions_are_refused_with_the_line() -> None:
    text = (PROJECTS / "vetting.toml").read_text("utf-8").replace("choices.discard", "choices.drop")
    line = text.splitlines().index("[entry.decision.fields.decision]") + 1
    with pytest.raises(DataError, match=rf"project.toml:{line}: the choices of decision are keep"):
        read_project(text)
