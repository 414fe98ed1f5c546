"""Golds of question series: drafts, guidelines, practice, and files that commands take."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import msgspec
import pytest

from halls import add_member, add_person, hall_in, signed_in
from organised import add_annotators, send, work_on
from readmark.core.errors import DataError
from readmark.core.records import Answer
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.gold_sheet import write_gold_sheet
from readmark.making.hall.gold_decisions import GOLDS
from readmark.making.hall.rewriting import REWRITING
from readmark.marking import score
from readmark.series.guidelines import gold_explanation
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.server.adjudication import open_disputes
from readmark.server.gold import freeze_gold
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.work_export import export_project
from readmark.server.work_import import read_work, store_work
from readmark.works import Objects, PersonsWork, ProjectWork, WorkItem
from shipped_projects import shipped, work_of
from work_pages import browser_of, open_work, serving, stored, wait_saved

Run = Callable[..., CompletedProcess[str]]

HEADER = Header(kind="series", name="lights", language="en")
CONFIGURATION = shipped("rewriting")
BOARD = "Harbour Lights Board (HLB)"
BORN = "Where was the person who built the Skerry lighthouse born?"
BOARDS = [
    f"When was the {BOARD} founded?",
    "When was the Harbour Lights Board founded?",
    "When was the HLB founded?",
]


def asked(id: str, text: str, *golds: str, by: str | None = None, **more: Any) -> SeriesQuestion:
    rewrites = tuple(Answer(text=gold, annotator=by) for gold in golds)
    key = SeriesQuestionKey(rewrites=rewrites) if golds else None
    return SeriesQuestion(id=id, text=text, key=key, **more)


LIGHT = Series(
    id="light",
    target="Skerry lighthouse",
    questions=(
        asked("l1", "Who built it?", "Who built the Skerry lighthouse?", by="Eve"),
        asked("l2", "Where was he born?", "Where was PREVIOUS_ANSWER born?", BORN,
              by="Eve", previous=("Ida Lund",), previous_of="l1"),
        asked("lo", "Provide any other details.", category="OTHER"),
    ),
)  # fmt: skip
HARBOUR = Series(id="board", target=BOARD, questions=(asked("b1", "When was it founded?"),))
TEST = in_memory(HEADER, [LIGHT, HARBOUR])
ITEMS = list(REWRITING.divide([TEST], CONFIGURATION))


def golds(item: WorkItem, *texts: str) -> dict[str, Any]:
    """The objects of an item with the golds of each question, a line each."""
    view = REWRITING.view(item, CONFIGURATION).objects
    return {
        id: {**value, "fields": {"golds": text}}
        for (id, value), text in zip(view.items(), texts, strict=True)
        if text
    }


ANN: Mapping[str, Objects] = {
    "light": golds(
        ITEMS[0],
        "Who built the Skerry lighthouse?",
        f" Where was {PREVIOUS_ANSWER}  born?\n\n{BORN}\n",
    ),
    "board": golds(ITEMS[1], "\n".join(BOARDS)),
}
BO: Mapping[str, Objects] = {
    "light": golds(ITEMS[0], "Who was the builder of the Skerry lighthouse?", BORN),
    "board": {**golds(ITEMS[1], "\n".join(BOARDS)), "note": {"type": "note", "value": "see l1"}},
}


def project_of(**people: Mapping[str, Objects]) -> ProjectWork:
    return work_of(CONFIGURATION, HEADER, ITEMS, **people)


def test_a_series_is_shown_with_known_answers_and_drafts_and_without_its_key() -> None:
    light, board = (REWRITING.view(item, CONFIGURATION) for item in ITEMS)
    [text] = light.texts
    assert (text.title, text.language) == ("Target: Skerry lighthouse", "en")
    assert text.text.split("\n") == [
        "1. Who built it?",
        "2. Where was he born?",
        "    known answer: Ida Lund",
        "3. Provide any other details.",
    ]
    assert [value["prompt"] for value in light.objects.values()] == [
        "Who built it?",
        "Where was he born?",
    ]
    [place] = light.objects["q-2"]["places"]
    assert text.text[place["start"] : place["end"]] == "2. Where was he born?"
    drafts = {id: [draft.text for draft in drafts] for id, drafts in light.drafts.items()}
    assert drafts["q-2"] == [f"Where was {PREVIOUS_ANSWER} born?", BORN]
    assert [draft.text for draft in board.drafts["q-1"]] == [
        gold.replace("the ", "") for gold in BOARDS
    ]
    sent = json.dumps([ITEMS[0].paper, light.objects])
    assert "Eve" not in sent
    assert "rewrites" not in sent
    assert all(value["fields"] == {} for value in light.objects.values())
    assert ITEMS[0].key["known_by"] == ["Eve"]


def test_training_has_no_drafts_nor_has_a_project_that_leaves_them_out() -> None:
    without = msgspec.structs.replace(CONFIGURATION, options={"drafts": False})
    for configuration, purpose in (
        (CONFIGURATION, "practice"),
        (CONFIGURATION, "qualifying"),
        (without, "work"),
    ):
        for item in REWRITING.divide([TEST], configuration, purpose=purpose):
            assert REWRITING.view(item, configuration).drafts == {}


@pytest.mark.parametrize(
    ("item", "texts", "expected"),
    [
        (0, ["Who built the Skerry lighthouse?", f"Where was PREVIOUS_ANSWER born?\n{BORN}"], []),
        (0, ["Who built it?", BORN], [("unresolved_pronoun", "q-1", "warning", "“it”")]),
        (
            0,
            ["Who erected the Skerry lighthouse?", BORN],
            [("foreign_word", "q-1", "warning", "“erected”")],
        ),
        (
            0,
            ["Who built Skerry?", BORN],
            [("short_target", "q-1", "warning", "“Skerry lighthouse”")],
        ),
        (0, ["Who built PREVIOUS_ANSWER?", BORN], [("no_earlier_question", "q-1", "error", "")]),
        (
            0,
            ["Who built the Skerry lighthouse?", "Where was PREVIOUS_ANSWER born?"],
            [("no_embedding_gold", "q-2", "error", "")],
        ),
        (
            0,
            ["Who built the Skerry lighthouse?", f"Where was Previous Answer born?\n{BORN}"],
            [
                ("misspelt_variable", "q-2", "error", "“Previous Answer”"),
                ("foreign_word", "q-2", "warning", "“Answer”"),
            ],
        ),
        (0, ["", BORN], [("missing", "q-1", "hint", "")]),
        (1, [BOARDS[0]], [("bracket_variants", "q-1", "error", "“HLB”")]),
        (
            1,
            ["\n".join([*BOARDS, "When was the HLB established?"])],
            [
                ("too_many_golds", "q-1", "error", ""),
                ("foreign_word", "q-1", "warning", "“established”"),
            ],
        ),
    ],
)
def test_the_guidelines_are_checked_and_explained_in_both_languages(
    item: int, texts: list[str], expected: list[tuple[str, str, str, str]]
) -> None:
    findings = list(REWRITING.check(ITEMS[item], golds(ITEMS[item], *texts), CONFIGURATION))
    wanted = {(code, object, severity) for code, object, severity, _ in expected}
    assert {(finding.code, finding.object, finding.severity) for finding in findings} == wanted
    for code, _, _, quoted in expected:
        documents = [finding.as_json("zh") for finding in findings if finding.code == code]
        assert any(quoted in finding["message"] for finding in documents)
        if code != "missing":
            for language in ("en", "zh"):
                title, why = gold_explanation(code, language) or ("", "")
                [first, *_] = [f.as_json(language) for f in findings if f.code == code]
                assert first["message"].startswith(title)
                assert first["detail"] == why


def test_practice_compares_with_the_golds_of_the_key_by_the_metric_of_series() -> None:
    def grade(*texts: str) -> list[tuple[str, str | None]]:
        findings = REWRITING.grade(ITEMS[0], golds(ITEMS[0], *texts), CONFIGURATION)
        return [(finding.code, finding.object) for finding in findings]

    right = f"Where was {PREVIOUS_ANSWER} born?\n{BORN}"
    assert grade("Who built the Skerry lighthouse", right) == []
    assert grade("", right) == [("no_gold", "q-1")]
    assert grade("Who built the Skerry lighthouse?", BORN) == [("previous", "q-2")]
    assert grade("Who built it?", right) == [("golds", "q-1")]
    [finding] = REWRITING.grade(ITEMS[0], golds(ITEMS[0], "Who built it?", right), CONFIGURATION)
    value = score("jaccard", "Who built it?", ["Who built the Skerry lighthouse?"], language="en")
    assert finding.as_json("en")["message"] == f"similarity {value:.3f}: Who built it?"
    assert finding.as_json("zh")["detail"] == "参考改写：Who built the Skerry lighthouse?"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.jsonl"
    save_test(TEST, path)
    return path


def test_set_merge_makes_the_same_test_and_set_agree_compares_it(
    tmp_path: Path, source: Path, readmark_cli: Run
) -> None:
    files = REWRITING.write(project_of(Ann=ANN, Bo=BO, Cy={}), tmp_path)
    assert [path.name for path in files] == ["Ann.jsonl", "Bo.jsonl", "golds.jsonl"]
    records = {record.id: record for record in open_test(files[-1]).records()}
    given = [(gold.annotator, gold.text) for gold in records["light"].questions[1].key.rewrites]
    assert given == [
        ("Eve", "Where was PREVIOUS_ANSWER born?"),
        ("Eve", BORN),
        ("Ann", "Where was PREVIOUS_ANSWER born?"),
        ("Ann", BORN),
        ("Bo", BORN),
    ]
    merged = tmp_path / "merged.jsonl"
    done = readmark_cli("set", "merge", source, *files[:2], "-o", merged, "--json")
    assert done.returncode == 0, done.stderr
    assert merged.read_bytes() == files[-1].read_bytes()
    agreed = json.loads(readmark_cli("set", "agree", *files[:2], "--json").stdout)
    assert set(agreed["what"]) == {"rewrites"}


def test_who_wrote_golds_before_has_only_the_new_ones(tmp_path: Path) -> None:
    *_, path = REWRITING.write(project_of(Eve=BO), tmp_path)
    light, _ = open_test(path).records()
    assert [gold.text for gold in light.questions[1].key.rewrites] == [BORN]


def filled(path: Path, rows: Mapping[str, list[str]], note: str) -> Path:
    """A sheet of `set sheet`, filled in."""
    write_gold_sheet(TEST, path, person="Dee")
    cells = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    head = next(row for row in cells if row[0] == "id")
    for row in cells:
        for number, gold in enumerate(rows.get(row[0], ()), 1):
            row[head.index(f"gold_{number}")] = gold
            row[head.index("note")] = note
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(cells)
    return path


def test_files_are_read_back(tmp_path: Path) -> None:
    items = {item.name: item for item in ITEMS}

    def read(path: Path) -> Iterator[tuple[str, str, Objects]]:
        return REWRITING.read(path, items, CONFIGURATION)

    files = REWRITING.write(project_of(Ann=ANN, Bo=BO), tmp_path)
    assert {(person, item): dict(objects) for person, item, objects in read(files[1])} == {
        ("Bo", name): dict(objects) for name, objects in BO.items()
    }
    everybody = {(person, item) for person, item, _ in read(files[2])}
    assert everybody == {(name, item) for name in ("Ann", "Bo") for item in items} | {
        ("Eve", "light")
    }
    sheet = filled(tmp_path / "Dee.csv", {"l1": ["Who built the Skerry lighthouse?"]}, "hard")
    [(person, item, objects)] = read(sheet)
    assert (person, item) == ("Dee", "light")
    assert objects["q-1"]["fields"] == {"golds": "Who built the Skerry lighthouse?"}
    assert objects["q-1"]["prompt"] == "Who built it?"
    assert objects["note"]["value"] == "hard"
    sitting = tmp_path / "Fay.json"
    sitting.write_text(json.dumps({"l1": "Who built the Skerry lighthouse?"}))
    assert [(person, item) for person, item, _ in read(sitting)] == [("Fay", "light")]
    text = sheet.read_text("utf-8")
    for before, after, message in (
        ("Who built it?", "Who made it?", "has another question"),
        ("l1,", "l7,", "the project has no question 'l7'"),
    ):
        sheet.write_text(text.replace(before, after), "utf-8")
        with pytest.raises(DataError, match=message):
            list(read(sheet))


@pytest.mark.parametrize(
    "fields",
    [None, {}, {"golds": 3}, {"golds": ["a"]}, {"golds": " \n "}, {"golds": "\u2028 (\n[" * 40}],
)
def test_any_objects_are_checked_graded_and_written(tmp_path: Path, fields: Any) -> None:
    objects: Any = {
        "q-1": {"type": "entry", "entry": "gold", "fields": fields},
        "q-9": None,
        "x": {},
    }
    for find in (REWRITING.check, REWRITING.grade):
        assert all(f.as_json("zh")["message"] for f in find(ITEMS[0], objects, CONFIGURATION))
    REWRITING.write(project_of(Ann={"light": objects}), tmp_path)


def test_a_chinese_series_is_shown_and_explained_in_chinese() -> None:
    tea = Series(
        id="t", target="陆羽", questions=(asked("t1", "他写了什么书？", previous=("甲", "乙")),)
    )
    test: Test = in_memory(Header(kind="series", language="zh"), [tea])
    [item] = REWRITING.divide([test], CONFIGURATION)
    view = REWRITING.view(item, CONFIGURATION)
    assert view.texts[0].title == "对象：陆羽"
    assert view.texts[0].text.endswith("已知答案：甲、乙")
    [finding] = REWRITING.check(item, golds(item, "他写了什么书？"), CONFIGURATION)
    assert finding.as_json("zh")["message"].startswith("代词可能不清楚：“他”")


# Adjudication, and a whole project in a hall.


def finished(**people: Mapping[str, Objects]) -> ProjectWork:
    project = project_of(**people)
    handed_in = [replace(person, finished=frozenset(person.objects)) for person in project.people]
    return replace(project, people=handed_in)


def decided(dispute: WorkItem, **fields: Mapping[str, Any]) -> ProjectWork:
    """An adjudicator's item, and what Jo decided; ``d1`` is its first form."""
    objects = {
        f"d-{id[1:]}": {"type": "entry", "entry": "decision", "fields": decision}
        for id, decision in fields.items()
    }
    person = PersonsWork("Jo", {dispute.name: objects}, finished=frozenset([dispute.name]))
    return ProjectWork(CONFIGURATION, [HEADER], [dispute], [person])


def letter_of(dispute: WorkItem, number: int, text: str) -> str:
    """What the page calls the version with a text."""
    choices = dispute.paper["objects"][f"d-{number}"]["choices"]["decision"]
    return str(next(letter for letter, label in choices.items() if text in label))


@pytest.mark.parametrize("way", ["first", "second", "both", "other"])
def test_set_merge_with_the_decisions_makes_the_same_gold(
    tmp_path: Path, source: Path, readmark_cli: Run, way: str
) -> None:
    project = finished(Ann=ANN, Bo=BO)
    [dispute] = GOLDS.disputes(project)
    assert (dispute.name, len(dispute.paper["objects"])) == ("light", 2)
    sent = json.dumps(dispute.paper)
    assert not {name for name in ("Ann", "Bo", "Eve") if f'"{name}"' in sent}
    builder = "Who was the builder of the Skerry lighthouse?"
    choice: dict[str, Any] = {
        "first": {"decision": letter_of(dispute, 1, "Who built the Skerry")},
        "second": {"decision": letter_of(dispute, 1, builder), "reason": "clearer"},
        "both": {"decision": "both"},
        "other": {"decision": "other", "other": "Who built Skerry lighthouse?\n\n Who built it? "},
    }[way]
    second = {"decision": letter_of(dispute, 2, PREVIOUS_ANSWER)}
    files = REWRITING.write(project, tmp_path)[:2]
    gold, decisions = GOLDS.write(project, decided(dispute, d1=choice, d2=second), tmp_path)
    light, board = open_test(gold).records()
    texts = [[rewrite.text for rewrite in q.key.rewrites] for q in light.questions[:2]]
    built = "Who built the Skerry lighthouse?"
    expected = {
        "first": [built],
        "second": [builder],
        "both": [built, builder],
        "other": ["Who built Skerry lighthouse?", "Who built it?"],
    }[way]
    # Eve's golds are the key's own.
    assert [text for text in texts[0][1:] if text] == expected
    assert texts[1][2:] == [f"Where was {PREVIOUS_ANSWER} born?", BORN]
    assert [rewrite.text for rewrite in board.questions[0].key.rewrites] == BOARDS
    merged = tmp_path / "merged.jsonl"
    keep = ("--decisions", decisions, "--keep-faults")
    done = readmark_cli("set", "merge", source, *files, "-o", merged, *keep)
    assert done.returncode == 0, done.stderr
    assert merged.read_bytes() == gold.read_bytes()
    lines = [json.loads(line) for line in decisions.read_text("utf-8").splitlines()]
    assert (lines[0]["a"], lines[0]["b"], lines[1]["by"]) == ("Ann", "Bo", "Jo")
    assert lines[1].get("reason") == choice.get("reason")


def test_the_guidelines_suggest_a_version_and_check_what_is_decided() -> None:
    pronoun = {"light": golds(ITEMS[0], "Who built it?", BORN)}
    [dispute] = GOLDS.disputes(finished(Ann=ANN, Bo=pronoun))
    form = dispute.paper["objects"]["d-1"]
    right = letter_of(dispute, 1, "Skerry")
    assert form["suggestion"]["value"] == right
    assert "“it”" in form["suggestion"]["why"]["zh"]
    view = GOLDS.view(dispute, CONFIGURATION)
    assert {draft.text for draft in view.drafts["d-1"]} == {
        "Who built it?",
        "Who built the Skerry lighthouse?",
    }

    def codes(**fields: Any) -> set[tuple[str, str | None]]:
        objects = {"d-1": {**form, "fields": fields}}
        findings = GOLDS.check(replace(dispute, key=None), objects, CONFIGURATION)
        return {(finding.code, finding.object) for finding in findings}

    assert codes(decision=right) == set()
    assert codes(decision="both") == {("unresolved_pronoun", "d-1")}
    assert codes(decision="other", other="Who erected the Skerry lighthouse?") == {
        ("foreign_word", "d-1")
    }
    assert codes(decision="other", other=" ") == {("no_other", "d-1")}
    assert codes() == set()  # the page itself says what is not decided yet


def test_a_third_version_can_be_chosen_and_pairs_have_files_of_their_own(tmp_path: Path) -> None:
    third = "Which person built the Skerry lighthouse?"
    cy = {"light": golds(ITEMS[0], third, BORN)}
    project = finished(Ann=ANN, Bo=BO, Cy=cy)
    [dispute] = GOLDS.disputes(project)
    assert set(dispute.paper["objects"]["d-1"]["choices"]["decision"]) == {"a", "b", "c", "other"}
    first = {"decision": letter_of(dispute, 1, third)}
    second = {"decision": letter_of(dispute, 2, PREVIOUS_ANSWER)}
    gold, *files = GOLDS.write(project, decided(dispute, d1=first, d2=second), tmp_path)
    light, _ = open_test(gold).records()
    assert [rewrite.text for rewrite in light.questions[0].key.rewrites][1:] == [third]
    assert [path.name for path in files] == ["decisions.jsonl"]
    only = finished(Ann={"light": ANN["light"]}, Bo=BO, Cy={"board": golds(ITEMS[1], BOARDS[0])})
    disputes = {item.name: item for item in GOLDS.disputes(only)}
    assert set(disputes) == {"light", "board"}
    choices = [
        decided(item, d1={"decision": "a"}, d2={"decision": "a"}) for item in disputes.values()
    ]
    both = ProjectWork(
        CONFIGURATION,
        [HEADER],
        [item for project in choices for item in project.items],
        [
            PersonsWork(
                "Jo",
                {k: v for project in choices for k, v in project.people[0].objects.items()},
                finished=frozenset(disputes),
            )
        ],
    )
    names = {path.name for path in GOLDS.write(only, both, tmp_path)}
    assert names == {"gold.jsonl", "decisions Ann+Bo.jsonl", "decisions Bo+Cy.jsonl"}


def fields_sent(app: Any, person: str, assignment: str, **fields: Any) -> Any:
    """Fill in forms of an assignment as a browser does, and hand it in."""
    document = signed_in(app, person).get(f"/api/assignments/{assignment}").json()
    values = {id: kept["value"] for id, kept in document["objects"].items()}
    objects = {
        id: {**values[id], "fields": entered}
        for name, entered in fields.items()
        for id in [f"{name[0]}-{name[1:]}"]
    }
    send(app, person, assignment, {**objects, "status": {"type": "status", "done": True}})
    return document


def test_a_project_from_two_people_to_gold(
    either_app: Any, tmp_path: Path, source: Path, readmark_cli: Run
) -> None:
    database = hall_in(either_app).database
    new = prepare_project(shipped_configuration("rewriting"), [ItemSource(source)])
    with database.writing() as session:
        project = store_project(session, new, slug="lights")
    people = add_annotators(either_app, project, "ann", "bo")
    owner = signed_in(either_app, add_person(either_app, "owner", is_owner=True))
    for person, work in (("ann", ANN), ("bo", BO)):
        for name, assignment in work_on(either_app, people[person]).items():
            fields = {
                f"q{id[2:]}": entry["fields"]
                for id, entry in work[name].items()
                if "fields" in entry
            }
            document = fields_sent(either_app, people[person], assignment, **fields)
            assert {id: len(drafts) for id, drafts in document["drafts"].items()} == (
                {"q-1": 1, "q-2": 2} if name == "light" else {"q-1": 3}
            )
    agreement = owner.get("/api/projects/lights/agreement").json()
    with database.writing() as session:
        export_project(session, project, tmp_path / "out")
    files = sorted((tmp_path / "out" / "people").iterdir())
    printed = json.loads(readmark_cli("set", "agree", *files, "--json").stdout)
    [report] = agreement["reports"]
    assert report["what"] == printed["what"]
    assert report["what"].keys() == {"rewrites"}
    judge = add_person(either_app, "jo")
    add_member(either_app, project.id, judge, "adjudicator")
    with database.writing() as session:
        opened = open_disputes(session, project)
    assert (opened.added, opened.handed_out) == (1, 1)
    [(name, assignment)] = work_on(either_app, judge, "adjudication").items()
    fields_sent(either_app, judge, assignment, d1={"decision": "both"}, d2={"decision": "both"})
    with database.writing() as session:
        version = freeze_gold(session, project)
        archive, summary = version.content, json.loads(version.summary)
    with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
        zipped.extractall(tmp_path / "gold")
    gold = tmp_path / "gold"
    merged = tmp_path / "merged.jsonl"
    files = sorted((gold / "people").iterdir())
    done = readmark_cli(
        *("set", "merge", source, *files, "-o", merged),
        *("--decisions", gold / "decisions.jsonl", "--keep-faults"),
    )
    assert done.returncode == 0, done.stderr
    assert merged.read_bytes() == (gold / "gold.jsonl").read_bytes()
    assert summary["problem"] == ""
    assert [list(report["what"]) for report in summary["after"]] == [["rewrites"], ["rewrites"]]
    with database.writing() as session:
        again = store_work(
            session, project, read_work(session, project, gold / "people" / "Bo.jsonl")
        )
    assert again.changed == 0


@pytest.mark.browser
def test_golds_are_written_and_decided_with_the_keyboard_alone(
    hall_app: Any, chromium: Any, tmp_path: Path
) -> None:
    target = 'The <img src=x onerror="alert``"> Board (מגדלור)'
    hostile = Series(id="<b>", target=target, questions=(asked("x1", "When was it founded?"),))
    path = tmp_path / "series.jsonl"
    save_test(in_memory(HEADER, [LIGHT, hostile]), path)
    new = prepare_project(shipped_configuration("rewriting"), [ItemSource(path)])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="lights")
    people = add_annotators(hall_app, project, "ann", "bo")
    assignments = {name: work_on(hall_app, person) for name, person in people.items()}
    with serving(hall_app) as address:
        browser = browser_of(chromium, hall_app, address, people["ann"])
        page = open_work(browser, address, assignments["ann"]["light"])

        def press(*keys: str) -> None:
            for key in keys:
                page.keyboard.press(key)

        press("w", "Alt+1", "Alt+1", "Alt+ArrowDown", "Alt+2", "Alt+1", "Enter")
        page.keyboard.insert_text("Where was he born?")
        wait_saved(page)
        objects = stored(hall_app, assignments["ann"]["light"])
        assert {id: value["fields"]["golds"] for id, value in objects.items()} == {
            "q-1": "Who built the Skerry lighthouse?",
            "q-2": f"{BORN}\nWhere was PREVIOUS_ANSWER born?\nWhere was he born?",
        }
        assert "drafts" not in objects["q-1"]
        page.wait_for_selector(".card.active .finding:has-text('A pronoun may be unclear')")
        press("Shift+Home", "Backspace", "Backspace")
        page.wait_for_selector(".card.active .finding", state="detached")
        press("Control+Enter")
        page.wait_for_selector("#go-on")
        wait_saved(page)
        page.goto(f"{address}/assignments/{assignments['ann']['<b>']}")
        page.wait_for_selector("body.ready")
        assert page.locator(".text-pane h2").inner_text() == f"Target: {target}"
        press("w", "Alt+3")
        wait_saved(page)
        [entry] = stored(hall_app, assignments["ann"]["<b>"]).values()
        assert entry["fields"] == {"golds": "When was מגדלור founded?"}
        assert page.locator("img").count() == 0
        fields_sent(
            *(hall_app, people["bo"], assignments["bo"]["light"]),
            q1={"golds": "Who built it?"},
            q2=objects["q-2"]["fields"],
        )
        judge = add_person(hall_app, "jo")
        add_member(hall_app, project.id, judge, "adjudicator")
        with hall_in(hall_app).database.writing() as session:
            open_disputes(session, project)
        [assignment] = work_on(hall_app, judge, "adjudication").values()
        decider = browser_of(chromium, hall_app, address, judge)
        page = open_work(decider, address, assignment)
        press("4", "Alt+1", "Alt+2", "Escape")
        wait_saved(page)
        decision = stored(hall_app, assignment)["d-1"]["fields"]
        assert decision["decision"] == "other"
        assert set(decision["other"].split("\n")) == {
            "Who built it?",
            "Who built the Skerry lighthouse?",
        }
        for context in (browser, decider):
            assert context.complaints == []
            context.close()
