"""Handing in: final work, locks, and work that is closed or withdrawn."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest
from sqlalchemy import select

from halls import add_member, add_person, hall_in, signed_in
from readmark.server.assignment import reopen
from readmark.server.tables import Assignment, AuditEntry, Event, Item, Project
from saving_browser import DONE, NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def test_closed_and_withdrawn_work_is_refused_and_stays_readable_until_withdrawn(
    hall_app: Any,
) -> None:
    project, person, (first, _) = add_stub_project(hall_app)
    browser = SavingBrowser(hall_app, person, first)
    browser.results("client-a", change(1, "n1", NOTE))
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Project, project).is_open = False
    assert browser.post("client-a", change(2, "n1", None)).status_code == 409
    assert browser.objects() == {"n1": NOTE}
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Assignment, first).withdrawn = 1.0
    gone = browser.post("client-a", change(2, "n1", None))
    assert (gone.status_code, "withdrawn" in gone.json()["detail"]) == (410, True)


def test_final_work_stays_handed_in_until_an_organiser_reopens_it(either_app: Any) -> None:
    project, person, (first, second) = add_stub_project(either_app, settings="final = true")
    organiser = add_person(either_app, "olga")
    add_member(either_app, project, organiser, "organiser")
    browser, office = SavingBrowser(either_app, person, first), signed_in(either_app, organiser)
    sent = (change(1, "n1", NOTE), change(2, "status", DONE))
    saved = browser.results("client-a", *sent)
    assert browser.view()["assignment"]["lock"] == "handed_in"

    for late in (change(3, "n1", note("no")), change(3, "status", {**DONE, "done": False})):
        refused = browser.post("client-a", late)
        assert (refused.status_code, refused.json()["reason"]) == (409, "handed_in")
        assert "organiser" in refused.json()["detail"]
    assert browser.results("client-a", *sent) == [("repeated", number) for _, number in saved]
    assert browser.post("client-a", *sent, change(3, "n1", None)).status_code == 409
    assert browser.objects() == {"n1": NOTE, "status": DONE}

    path = "/api/projects/capitals-ann/reopenings"
    assert office.post(path, json={"assignment": second}).status_code == 422
    assert office.post(path, json={"assignment": first}).status_code == 200
    assert browser.view()["assignment"]["lock"] is None
    (news,) = browser.http.get(f"{browser.path}/events?after={saved[-1][1]}").json()["events"]
    assert (news["client"], news["value"]) == ("hall", {**DONE, "done": False})
    with hall_in(either_app).database.reading() as session:
        assert session.get_one(Event, news["event"]).person_id == organiser
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "reopened")).one()
        assert (entry.person_id, json.loads(entry.detail)["person"]) == (organiser, person)
    again = (change(3, "n1", note("yes")), change(4, "status", DONE, news["event"]))
    assert [status for status, _ in browser.results("client-a", *again)] == ["saved", "saved"]
    form = {"action": "reopen", "assignment": first}
    assert office.post("/projects/capitals-ann/assignments", data=form).status_code == 303
    assert browser.view()["assignment"]["lock"] is None
    assert browser.post("client-a", change(5, "n1", None)).status_code == 200


@pytest.mark.parametrize(
    ("purpose", "settings", "lock"),
    [
        ("work", "", None),
        ("qualifying", "", "handed_in"),
        ("practice", "final = true", None),
    ],
)
def test_qualifying_items_are_final_and_practice_never_is(
    hall_app: Any, purpose: str, settings: str, lock: str | None
) -> None:
    _, person, (first, _) = add_stub_project(hall_app, settings=settings)
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Item, session.get_one(Assignment, first).item_id).purpose = purpose
    browser = SavingBrowser(hall_app, person, first)
    browser.results("client-a", change(1, "status", DONE))
    assert browser.view()["assignment"]["lock"] == lock
    later = browser.post("client-a", change(2, "status", None))
    assert later.status_code == (409 if lock else 200)


@pytest.mark.parametrize(
    ("column", "value", "reason"), [("locked", "disputed", "disputed"), ("ends", 1.0, "time_over")]
)
def test_locked_work_is_read_and_not_changed(
    stub_hall: Any, column: str, value: Any, reason: str
) -> None:
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    sent = change(1, "n1", NOTE)
    ((_, number),) = browser.results("client-a", sent)
    with hall_in(stub_hall).database.writing() as session:
        setattr(session.get_one(Assignment, first), column, value)
    assert browser.results("client-a", sent) == [("repeated", number)]
    refused = browser.post("client-a", change(2, "n1", None))
    assert (refused.status_code, refused.json()["reason"]) == (409, reason)
    assert browser.view()["assignment"]["lock"] == reason
    with hall_in(stub_hall).database.writing() as session:
        reopen(session, session.get_one(Assignment, first), by=person)
    assert browser.post("client-a", change(2, "n1", None)).status_code == 200
