"""Quality of people's work: controls and repeats that look like work, findings, and notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from halls import add_person, hall_in, signed_in
from made import comprehension
from organised import (
    add_annotators,
    answered,
    answers_project,
    send,
    town_passage,
    town_test,
    work_on,
)
from readmark.core.errors import DataError
from readmark.formats.registry import save_test
from readmark.server.handing_out import hand_out
from readmark.server.projects import project_named
from readmark.server.tables import Assignment, AuditEntry, Item
from readmark.server.work_export import export_project
from readmark.works import read_configuration

ITEMS, CONTROLS = 20, 8


def controls(path: Path) -> Path:
    passages = [town_passage(number) for number in range(100, 100 + CONTROLS)]
    save_test(comprehension(*passages, language="en"), path)
    return path


def checked_project(app: Any, folder: Path) -> dict[str, str]:
    """Two people with twenty passages each, four of them a second time, and eight controls."""
    project = answers_project(
        app,
        town_test(folder / "towns.jsonl", count=ITEMS),
        settings="overlap = 2\nrepeat = 0.2",
        control=controls(folder / "controls.jsonl"),
    )
    return add_annotators(app, project, "ann", "bob")


def purposes(app: Any, person: str) -> list[tuple[str, str]]:
    """The purpose and the name of a person's items, in their order."""
    with hall_in(app).database.reading() as session:
        rows = session.execute(
            select(Item.purpose, Item.name)
            .join(Assignment, Assignment.item_id == Item.id)
            .where(Assignment.person_id == person, Assignment.withdrawn.is_(None))
            .order_by(Assignment.position, Assignment.id)
        )
        return [(row.purpose, row.name) for row in rows]


def shape(value: Any) -> Any:
    """What a document is made of: its members and the types of what is in them."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(member) for member in value]
    return type(value).__name__ if not isinstance(value, (int, float)) else "number"


def test_controls_and_repeats_look_like_work(either_app: Any, tmp_path: Path) -> None:
    people = checked_project(either_app, tmp_path)
    for person in people.values():
        own = purposes(either_app, person)
        counts = {kind: sum(purpose == kind for purpose, _ in own) for kind in dict(own)}
        assert counts == {"work": ITEMS, "control": CONTROLS, "repeat": 4}
        # They are among the work, and what comes again comes later.
        places = [index for index, (kind, _) in enumerate(own) if kind == "control"]
        assert max(places) - min(places) >= CONTROLS
        for index, (kind, name) in enumerate(own):
            if kind == "repeat":
                assert own.index(("work", name)) < index
    # Handing out again changes nothing.
    before = [purposes(either_app, person) for person in people.values()]
    with hall_in(either_app).database.writing() as session:
        assert hand_out(session, project_named(session, "answers")).added == 0
    assert [purposes(either_app, person) for person in people.values()] == before
    # What the annotator gets of a control has no other shape than what they get of work.
    client = signed_in(either_app, people["ann"])
    shapes, heads, words = set(), set(), set()
    for kind in ("work", "control", "repeat"):
        id = next(iter(work_on(either_app, people["ann"], kind).values()))
        answer = client.get(f"/api/assignments/{id}")
        document = answer.json()
        words.add(document["project"]["purpose"])
        assert document["assignment"]["count"] == ITEMS + CONTROLS + 4
        document["assignment"].update(previous="", next="")  # the first has no previous one
        shapes.add(json.dumps(shape(document)))
        check = client.post(f"/api/assignments/{id}/check", json={"objects": answered(0)})
        shapes.add(json.dumps(["check", shape(check.json())]))
        heads.add((answer.status_code, *sorted(set(answer.headers) - {"content-length"})))
        page = client.get(f"/assignments/{id}").text
        shapes.add(page.replace(id, "ID"))
    assert (len(shapes), len(heads), words) == (3, 1, {"work"})
    listed = client.get("/assignments").text
    assert "control" not in listed
    assert "repeat" not in listed
    # Neither is counted or exported as work.
    owner = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    progress = owner.get("/api/projects/answers/progress").json()
    assert (progress["items"], progress["assigned"]) == (ITEMS, 2 * ITEMS)


def work_through(app: Any, people: dict[str, str]) -> None:
    """Ann answers as the key has it; Bob says "mill" to everything, in no time."""
    for login, person in people.items():
        for kind in ("work", "control", "repeat"):
            for name, id in work_on(app, person, kind).items():
                number = int(name[1:])
                town, year = town_passage(number).questions[0].key.answers[0].text, 1800 + number  # type: ignore[union-attr]
                said = (town, str(year)) if login == "ann" else ("mill", "mill")
                seconds = 6.0 if login == "ann" else 0.2
                send(app, person, id, answered(number, *said), seconds=seconds)


def test_findings_are_those_of_the_command_on_an_export(
    either_app: Any, tmp_path: Path, readmark_cli: Any
) -> None:
    people = checked_project(either_app, tmp_path)
    owner = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    early = owner.get("/projects/answers/quality")
    assert (early.status_code, "Nobody has handed in anything yet." in early.text) == (200, True)
    work_through(either_app, people)
    live = owner.get("/api/projects/answers/quality").json()
    with hall_in(either_app).database.reading() as session:
        export_project(session, project_named(session, "answers"), tmp_path / "out")
    done = readmark_cli("set", "quality", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert live["findings"] == printed["findings"]
    assert live["people"] == printed["people"]
    assert live["signature"].startswith(printed["signature"])
    found = {(each["code"], each["person"]): each for each in live["findings"]}
    assert set(found) == {
        ("known_answers", "Bob"),
        ("too_fast", "Bob"),
        ("faster_than_others", "Bob"),
        ("same_answer", "Bob"),
    }
    known = found["known_answers", "Bob"]
    # Eight controls at 0.8: none right has the chance 0.2**8, twice by Holm.
    assert (known["count"], known["total"]) == (0, CONTROLS)
    assert known["adjusted"] == pytest.approx(2 * 0.2**8)
    assert len(known["ids"]) == CONTROLS
    ann, bob = live["people"]
    assert (ann["known"]["count"], ann["repeated"][0]["count"]) == (CONTROLS, 8)
    assert bob["repeated"][0]["total"] == 8  # four passages of two questions
    # The page shows the findings, what they do not show, and keeps a note.
    page = owner.get("/projects/answers/quality").text
    assert "0 of 8 known answers are right; 80% are expected." in page
    assert "The key may be wrong" in page
    chinese = owner.get("/projects/answers/quality", headers={"accept-language": "zh"}).text
    assert "8 道核查题答对 0 道" in chinese
    link = page.split("/projects/answers/assignments?item=")[1].split('"')[0]
    rows = owner.get(f"/projects/answers/assignments?item={link}").text
    assert rows.count('<td class="id">') == 2


def test_notes_are_kept_and_audited(hall_app: Any, tmp_path: Path) -> None:
    people = checked_project(hall_app, tmp_path)
    work_through(hall_app, people)
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    note = {"person": "Bob", "code": "known_answers", "text": "<b>Asked Bob</b>, 已经沟通"}
    assert owner.post("/projects/answers/quality", data=note).status_code == 303
    more = {"person": "Ann", "code": "too_fast", "text": "None to see."}
    assert owner.post("/api/projects/answers/quality/notes", json=more).status_code == 201
    page = owner.get("/projects/answers/quality").text
    assert "&lt;b&gt;Asked Bob&lt;/b&gt;, 已经沟通" in page
    assert "None to see." in page  # a note stays when there is no such finding
    kept = owner.get("/api/projects/answers/quality/notes").json()
    assert [(each["person"], each["code"]) for each in kept] == [
        ("Bob", "known_answers"),
        ("Ann", "too_fast"),
    ]
    for bad in ({"text": " "}, {"person": "Nobody"}, {"code": "unknown"}):
        refused = owner.post("/projects/answers/quality", data={**note, **bad})
        assert refused.status_code == 422
    with hall_in(hall_app).database.reading() as session:
        rows = session.scalars(
            select(AuditEntry.detail).where(AuditEntry.action == "quality_note")
        ).all()
    assert [json.loads(row)["code"] for row in rows] == ["known_answers", "too_fast"]
    assert all("Asked" not in row for row in rows)
    # Annotators see nothing of it.
    own = signed_in(hall_app, people["bob"])
    for path in ("/projects/answers/quality", "/api/projects/answers/quality"):
        assert own.get(path).status_code == 404


def test_nobody_gets_a_control_that_they_answered_themselves(hall_app: Any, tmp_path: Path) -> None:
    file = controls(tmp_path / "controls.jsonl")
    file.write_text(file.read_text("utf-8").replace('"annotator":"r1"', '"annotator":"Ann"', 2))
    project = answers_project(hall_app, town_test(tmp_path / "towns.jsonl"), control=file)
    people = add_annotators(hall_app, project, "ann", "bob")
    counts = [len(work_on(hall_app, person, "control")) for person in people.values()]
    assert counts == [CONTROLS - 1, CONTROLS]


def test_a_share_of_repeats_is_a_share() -> None:
    with pytest.raises(DataError, match=r"repeat is 0\.9, expected a share from 0 to 0\.5"):
        read_configuration('[project]\nname = "x"\nwork = "levels"\nrepeat = 0.9\n')
