"""People who do not use the pages: odd requests, requests too early and too late, and races."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select, update

pytest.importorskip("fastapi", reason="needs the extra serve")

from disputed import DONE, DisputedHall, disputed_hall
from halls import add_member, add_person, hall_in, signed_in
from organised import add_annotators, answered, answers_project, chinese_test, town_test, work_on
from readmark.core.errors import UsageError
from readmark.server import training
from readmark.server.classes import open_class
from readmark.server.clock import close_overdue
from readmark.server.disputes import decided_work
from readmark.server.erasure import erase_class
from readmark.server.gold import freeze_gold, make_gold
from readmark.server.handing_out import hand_out, top_up
from readmark.server.items import ItemSource
from readmark.server.joining import accept_as_member
from readmark.server.projects import prepare_project, store_project
from readmark.server.pupils import join_class
from readmark.server.routes import work_api
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import (
    Assignment,
    AuditEntry,
    FrozenGold,
    Item,
    Person,
    Project,
    ProjectFile,
)
from readmark.server.training import is_right
from readmark.server.views import work_named
from readmark.works import HallBusy

DAY = 86400.0


def sat_project(app: Any, file: Path, options: str, *logins: str) -> tuple[Project, dict[str, str]]:
    """A project in which people sit a test, with participants and all items."""
    text = shipped_configuration("sitting").replace("shuffle = false", options, 1)
    with hall_in(app).database.writing() as session:
        project = store_project(session, prepare_project(text, [ItemSource(file)]), slug="sat")
    people = {login: add_person(app, login) for login in logins}
    for person in people.values():
        add_member(app, project.id, person, "participant")
    with hall_in(app).database.writing() as session:
        hand_out(session, project)
    return project, people


def answers_hall(app: Any, tmp_path: Path, count: int = 1) -> DisputedHall:
    """Passages whose first questions two people have answered differently."""
    file = town_test(tmp_path / "towns.jsonl", count=count)
    hall = disputed_hall(app, "second_answers", file, "ann", "bob")
    for number in range(count):
        for login, quote in (("ann", "brothers"), ("bob", "mill")):
            hall.hand_in(login, f"p{number}", fields_of(number, quote))
    return hall


def fields_of(number: int, *quotes: str) -> dict[str, Any]:
    forms = answered(number, *quotes)
    return {id: value["fields"] for id, value in forms.items() if "fields" in value}


# Sitting.


def test_nothing_of_a_timed_sitting_is_checked_or_saved_before_its_clock_runs(
    hall_app: Any, tmp_path: Path
) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=1)
    _, people = sat_project(hall_app, file, "minutes = 10", "ann")
    client, own = signed_in(hall_app, people["ann"]), work_on(hall_app, people["ann"])["p0"]
    # A quote is compared with the text, so that a check would tell what the text is.
    objects = {"q-1": answered(0, "mill")["q-1"]}
    change = {"sequence": 1, "object": "q-1", "value": objects["q-1"]}
    body = {"client": "0123456789", "events": [change]}
    address = f"/api/assignments/{own}"
    assert client.post(f"{address}/check", json={"objects": objects}).status_code == 409
    assert client.post(f"{address}/events", json=body).status_code == 409
    assert client.get(f"{address}/events").json()["events"] == []
    assert client.post(f"/assignments/{own}/sitting/start").status_code == 303
    assert client.post(f"{address}/check", json={"objects": objects}).status_code == 200
    assert client.post(f"{address}/events", json=body).status_code == 200


def test_nobody_types_answers_for_somebody_whose_clock_runs(hall_app: Any, tmp_path: Path) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=1)
    project, people = sat_project(hall_app, file, "minutes = 10", "ann", "bob")
    own = work_on(hall_app, people["ann"])["p0"]
    signed_in(hall_app, people["ann"]).post(f"/assignments/{own}/sitting/start")
    organiser = add_person(hall_app, "olga")
    add_member(hall_app, project.id, organiser, "organiser")
    owner = signed_in(hall_app, organiser)
    typed = {login: {"person": person, "q1": "Oxford"} for login, person in people.items()}
    assert owner.post("/projects/sat/typing", data=typed["ann"]).status_code == 422
    assert owner.post("/projects/sat/typing", data=typed["bob"]).status_code == 200
    # A second form that was opened before takes nothing away.
    late = owner.post("/projects/sat/typing", data={**typed["bob"], "q1": "", "q2": "1800"})
    assert late.status_code == 422
    page = owner.get("/projects/sat/typing", params={"person": people["bob"]}).text
    assert 'value="Oxford"' in page


def test_no_clock_starts_in_a_closed_project_and_the_end_is_handed_in_once(
    hall_app: Any, tmp_path: Path
) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=4)
    project, people = sat_project(hall_app, file, "minutes = 10", "ann")
    own, database = work_on(hall_app, people["ann"])["p0"], hall_in(hall_app).database
    client = signed_in(hall_app, people["ann"])
    for is_open in (False, True):
        with database.writing() as session:
            session.get_one(Project, project.id).is_open = is_open
        assert client.post(f"/assignments/{own}/sitting/start").status_code == 303
        with database.reading() as session:
            ends = session.get_one(Assignment, own).ends
        assert (ends is not None) == is_open
    statements: list[str] = []
    event.listen(
        database.engine, "before_cursor_execute", lambda *about: statements.append(about[2])
    )
    for handed_in in (4, 0):
        statements.clear()
        with database.writing() as session:
            assert close_overdue(session, project.id, now=time.time() + DAY) == handed_in
    assert len(statements) <= 4  # not some for each item of each person


# Adjudication.


ODD: tuple[Any, ...] = ([], ["a", "b"], 7, True, "zzz", "ab", "", "other", None, "h")


def odd_fields(view: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fields that no page sends: of each name one odd value after the other."""
    text = view["texts"][0]
    span = {"text": text["id"], "start": 0, "end": 1, "quote": text["text"][:1]}
    others = cycle(([7], 1.5, [], True, None, [span, 7]))
    for odd in (*ODD, span):
        fields = {name: next(others) for name in ("other", "reason", "label", "cause")}
        yield {"decision": odd, **fields}


@pytest.mark.parametrize("name", ["second_answers", "levels", "segmentation"])
def test_decisions_that_no_page_sends_are_none_and_stop_nothing(
    hall_app: Any, tmp_path: Path, name: str
) -> None:
    make = chinese_test if name == "segmentation" else town_test
    file = make(tmp_path / "towns.jsonl", count=1)
    hall = disputed_hall(hall_app, name, file, "ann", "bob", **{"overlap = 1": "overlap = 2"})
    differ(hall, name)
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    slug = hall.project.slug
    assert hall.open().handed_out == 1
    page = hall.page("judge", "p0", "adjudication")
    judge = signed_in(hall_app, hall.people["judge"])
    address = f"/api/assignments/{page['assignment']['id']}"
    forms = {id: own["value"] for id, own in page["objects"].items()}
    for fields in odd_fields(page):
        objects = {id: {**form, "fields": fields} for id, form in forms.items()}
        checked = judge.post(f"{address}/check", json={"objects": objects})
        assert checked.status_code == 200, fields
        hall.save("judge", hall.page("judge", "p0", "adjudication"), {**objects, **DONE})
        states = owner.get(f"/api/projects/{slug}/adjudication").json()
        assert [(one["state"], one["decided"]) for one in states] == [("open", 0)], fields
        with hall_in(hall_app).database.reading() as session:
            assert not decided_work(session, hall.project).items, fields
    assert owner.post(f"/api/projects/{slug}/gold").status_code == 422  # nothing is decided
    assert owner.get(f"/api/projects/{slug}/export").status_code == 200
    differ(hall, name, again=True)
    assert hall.open().superseded == 1
    renewed = hall.page("judge", "p0 (2)", "adjudication")["objects"]
    assert not any(own["value"].get("fields") for own in renewed.values())


def differ(hall: DisputedHall, name: str, again: bool = False) -> None:
    """Two versions of the first passage; another second one if it is done again."""
    if again:
        hall.reopen("bob", "p0")
    for login in ("bob",) if again else ("ann", "bob"):
        view = hall.page(login, "p0")
        if name == "second_answers":
            quote = "Oxford" if again else {"ann": "brothers", "bob": "mill"}[login]
            hall.hand_in(login, "p0", fields_of(0, quote))
        elif name == "levels":
            level = "4" if again else {"ann": "1", "bob": "2"}[login]
            hall.hand_in(login, "p0", {"q-1": {"level": level}})
        else:
            marks = {id: own["value"] for id, own in view["objects"].items()}
            gone = sorted(marks)[: 3 if again else {"ann": 0, "bob": 1}[login]]
            hall.save(login, view, {**dict.fromkeys(gone), **DONE})


def test_marks_of_versions_do_not_say_whose_they_are(hall_app: Any, tmp_path: Path) -> None:
    """The letters are drawn for each item; ids, orders and places must not undo it."""
    hall = answers_hall(hall_app, tmp_path, count=4)
    hall.open()
    first_is_first, scrolled = set(), set()
    for number in range(4):
        page = hall.page("judge", f"p{number}", "adjudication")
        marks = page["texts"][0]["marks"]
        assert [mark["label"] for mark in marks] == sorted(mark["label"] for mark in marks)
        quotes = [page["texts"][0]["text"][mark["start"] : mark["end"]] for mark in marks]
        first_is_first.add(quotes.index("brothers") < quotes.index("mill"))
        place = page["objects"]["d-1"]["value"]["places"][0]
        scrolled.add(place["start"] == min(mark["start"] for mark in marks))
    assert first_is_first == {True, False}  # Ann is not always before Bob
    assert scrolled == {True}  # the first in the text, and not what most people have


def test_an_item_may_be_called_as_a_second_version_of_another(
    hall_app: Any, tmp_path: Path
) -> None:
    hall = answers_hall(hall_app, tmp_path, count=2)
    with hall_in(hall_app).database.writing() as session:
        own = Item.project_id == hall.project.id, Item.name == "p1"
        session.execute(update(Item).where(*own).values(name="p0 (2)"))
    assert hall.open().added == 2
    hall.reopen("bob", "p0")
    hall.hand_in("bob", "p0", fields_of(0, "built"))
    opened = hall.open()
    assert (opened.added, opened.superseded) == (1, 1)
    names = [*work_on(hall_app, hall.people["judge"], "adjudication")]
    assert sorted(names) == ["p0", "p0 (2)", "p0 (3)"]


def test_of_two_adjudicators_the_one_who_decided_counts(hall_app: Any, tmp_path: Path) -> None:
    hall = answers_hall(hall_app, tmp_path)
    hall.open()
    hall.decide("p0")  # handed in without a decision
    other = add_person(hall_app, "zoe")
    add_member(hall_app, hall.project.id, other, "adjudicator")
    hall.people["zoe"] = other
    with hall_in(hall_app).database.writing() as session:
        item = session.scalars(select(Item).where(Item.purpose == "adjudication")).one()
        project, position = hall.project.id, 0
        session.add(
            Assignment(project_id=project, item_id=item.id, person_id=other, position=position)
        )
    view = hall.page("zoe", "p0", "adjudication")
    form = view["objects"]["d-1"]["value"]
    fields = {"decision": next(iter(form["choices"]["decision"]))}
    hall.save("zoe", view, {"d-1": {**form, "fields": fields}, **DONE})
    gold = hall.export(tmp_path / "out")
    assert '"by":"Zoe"' in (gold / "decisions.jsonl").read_text("utf-8")


# Classes.


def test_gold_that_was_being_frozen_when_a_class_was_erased_is_not_stored(
    either_app: Any, tmp_path: Path
) -> None:
    """Its files have the pupils' work; so have versions of a task that pupils have judged."""
    app, hall = either_app, hall_in(either_app)
    disputed = answers_hall(app, tmp_path)
    project = disputed.project
    with hall.database.writing() as session:
        settings: dict[str, Any] = {"role": "participant", "most": 9}
        settings |= {"until": time.time() + DAY, "erase": time.time() + 2 * DAY}
        made, codes = open_class(session, hall, project, name="7b", **settings)
        session.add(ProjectFile(project_id=project.id, role="gold", name="g", content=b"zip"))
        session.add(ProjectFile(project_id=project.id, role="task", name="t", content=b"zip"))
    pupil, _ = join_class(
        hall, codes.link, codes.code, "Brave Otter", language="en", address="192.0.2.9"
    )
    with hall.database.writing() as session:
        own = session.execute(
            update(Assignment)
            .where(
                Assignment.project_id == project.id, Assignment.person_id == disputed.people["bob"]
            )
            .values(person_id=pupil.id)
        )
        assert own.rowcount == 1
        detail = json.dumps({"items": 3, "person": pupil.id})
        session.add(AuditEntry(action="assigned", project_id=project.id, detail=detail))
    disputed.open()
    disputed.decide("p0", {"decision": "a"})
    with hall.database.reading() as session:
        version = make_gold(session, project)
    assert "Brave Otter" in version.summary
    erase_class(hall.database, made.id)
    with pytest.raises(UsageError, match="erased"), hall.database.writing() as session:
        freeze_gold(session, project, version=version)
    with hall.database.reading() as session:
        assert session.scalars(select(FrozenGold)).all() == []
        assert session.scalars(select(ProjectFile.role)).all() == ["task"]
        details = session.scalars(select(AuditEntry.detail)).all()
        assert details
        assert not [one for one in details if pupil.id in one]
        assert session.get(Person, pupil.id) is None


# Qualifying.


def qualifying_project(app: Any, tmp_path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Somebody's qualifying item, and the changes that hand it in with the right answers."""
    project = answers_project(
        app,
        town_test(tmp_path / "towns.jsonl", count=2),
        settings="overlap = 1\nqualify = 1.0",
        qualifying=town_test(tmp_path / "qualifying.jsonl", count=1),
    )
    ann = add_annotators(app, project, "ann")["ann"]
    with hall_in(app).database.writing() as session:
        hand_out(session, project)
    values = {**answered(0, "Oxford", "1800"), "status": {"type": "status", "done": True}}
    events = [
        {"sequence": number, "object": id, "value": value}
        for number, (id, value) in enumerate(values.items(), 1)
    ]
    return ann, events


def test_handing_in_again_hands_nothing_out_again(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, events = qualifying_project(hall_app, tmp_path)
    topped_up: list[str] = []

    def counted(session: Any, project: str, *others: Any) -> int:
        topped_up.append(project)
        return top_up(session, project, *others)

    monkeypatch.setattr(work_api, "top_up", counted)
    client, item = signed_in(hall_app, ann), work_on(hall_app, ann, "qualifying")["p0"]
    path = f"/api/assignments/{item}/events"
    undone = [{"sequence": 100, "object": "status", "value": {"type": "status", "done": False}}]
    assert client.post(path, json={"client": "first-tab", "events": undone}).status_code == 200
    assert not topped_up  # that was nothing that can make anybody qualify
    for _ in range(3):
        sent = {"client": "second-tab", "events": events}
        sent["events"][-1]["base"] = 1
        assert client.post(path, json=sent).status_code == 200
    assert len(topped_up) == 1
    assert len(work_on(hall_app, ann)) == 2


def test_others_save_while_qualifying_items_are_graded(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, events = qualifying_project(hall_app, tmp_path)
    graded = 0

    def grading(*arguments: Any) -> bool:
        nonlocal graded
        graded += 1
        with closing(sqlite3.connect(tmp_path / "hall.db", timeout=0.5)) as other:
            other.execute("BEGIN IMMEDIATE")  # "database is locked" while somebody else writes
            other.execute("ROLLBACK")
        return is_right(*arguments)

    monkeypatch.setattr(training, "is_right", grading)
    client, item = signed_in(hall_app, ann), work_on(hall_app, ann, "qualifying")["p0"]
    sent = {"client": "first-tab", "events": events}
    assert client.post(f"/api/assignments/{item}/events", json=sent).status_code == 200
    assert len(work_on(hall_app, ann)) == 2
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    assert owner.post("/api/projects/answers/hand-out").status_code == 200
    invited = owner.post("/api/projects/answers/invitations", json={"role": "annotator"}).json()
    secret = invited["link"].rpartition("/")[2]
    accept_as_member(hall_in(hall_app), secret, add_person(hall_app, "bob"))
    assert graded == 4  # ann's own, then everybody's each time something is handed out


def test_a_hall_without_time_to_grade_does_not_call_work_wrong(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, events = qualifying_project(hall_app, tmp_path)
    busy = [True, False]

    def grade(*_: Any) -> Iterator[Any]:
        if busy and busy.pop(0):
            raise HallBusy("The hall is busy with other calls.")
        yield from ()

    monkeypatch.setattr(type(work_named("second_answers")), "grade", grade)
    monkeypatch.setattr(HallBusy, "retry_after", 0)
    client, item = signed_in(hall_app, ann), work_on(hall_app, ann, "qualifying")["p0"]
    sent = {"client": "first-tab", "events": events}
    assert client.post(f"/api/assignments/{item}/events", json=sent).status_code == 200
    assert len(work_on(hall_app, ann)) == 2
