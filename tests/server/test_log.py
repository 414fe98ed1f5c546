"""The event log: what is stored, what it adds up to, and that nobody overwrites anybody."""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text

from halls import add_member, add_person, assign, hall_in, signed_in, statements_of
from readmark.server import log
from readmark.server.app import create_app
from readmark.server.assignment import reopen
from readmark.server.tables import Assignment, AuditEntry, Event, Item, Project
from stub_work import add_stub, add_stub_project

NOTE = {"type": "note", "value": "yes"}
MARK = {
    "type": "mark",
    "text": "passage",
    "category": "NP",
    "start": 0,
    "end": 4,
    "quote": "北京 🙂",
}


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


@pytest.fixture(scope="module")
def log_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A hall for many short tests, each with a person of its own."""
    from readmark.server.start import open_hall

    folder = tmp_path_factory.mktemp("log")
    app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
    yield app
    app.state.hall.database.close()


def note(text: str) -> dict[str, Any]:
    return {"type": "note", "value": text}


def change(sequence: int, object: str, value: Any, base: int | None = None, **more: Any) -> Any:
    return {"sequence": sequence, "object": object, "value": value, "base": base, **more}


class Browser:
    """A person's browser that sends changes of one assignment."""

    def __init__(self, app: Any, person: str, assignment: str) -> None:
        self.http = signed_in(app, person)
        self.path = f"/api/assignments/{assignment}"

    def post(self, client: str, *changes: Any) -> Any:
        return self.http.post(f"{self.path}/events", json={"client": client, "events": changes})

    def results(self, client: str, *changes: Any) -> list[tuple[str, int]]:
        response = self.post(client, *changes)
        assert response.status_code == 200, response.text
        return [(result["status"], result["event"]) for result in response.json()["results"]]

    def view(self) -> Any:
        return self.http.get(self.path).json()

    def objects(self) -> dict[str, Any]:
        return {id: kept["value"] for id, kept in self.view()["objects"].items()}


def test_work_is_saved_once_and_conflicts_wait_for_a_decision(either_app: Any) -> None:
    _, person, (first, second) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    assert browser.results(
        "client-a", change(1, "m1", MARK), change(2, "n1", NOTE, seconds=2.5)
    ) == [
        ("saved", 1),
        ("saved", 2),
    ]
    assert browser.results("client-a", change(1, "m1", MARK)) == [("repeated", 1)]
    # Another tab that has not seen event 2; then the same value, which is no conflict.
    late = browser.post("client-b", change(1, "n1", note("no"))).json()
    assert late == {
        "results": [
            {"sequence": 1, "event": 3, "status": "conflict", "current": 2, "current_value": NOTE}
        ],
        "last": 3,
    }
    assert browser.results("client-b", change(2, "n1", NOTE)) == [("saved", 4)]
    conflict = {
        "event": 3,
        "object": "n1",
        "value": note("no"),
        "base": None,
        "current": 4,
        "current_value": NOTE,
    }
    assert browser.view()["conflicts"] == [conflict]
    # The answer was lost: the same request is told of the conflict again.
    assert browser.results("client-b", change(1, "n1", note("no"))) == [("conflict", 3)]
    assert browser.objects() == {"m1": MARK, "n1": NOTE}
    settled = change(3, "n1", note("both"), base=4, resolves=3)
    assert browser.results("client-b", settled) == [("saved", 5)]
    assert browser.view()["conflicts"] == []
    assert browser.results("client-b", change(1, "n1", note("no"))) == [("repeated", 3)]
    news = browser.http.get(f"{browser.path}/events?after=2").json()
    assert [event["event"] for event in news["events"]] == [4, 5]
    assert news["events"][-1] == {
        "event": 5,
        "object": "n1",
        "value": note("both"),
        "client": "client-b",
    }
    assert news["last"] == 5
    # Removing is a change like any other, and the other item has nothing of all this.
    assert browser.results("client-a", change(3, "m1", None, base=1)) == [("saved", 6)]
    assert browser.objects() == {"n1": note("both")}
    other = Browser(either_app, person, second)
    assert other.objects() == {}
    # It counts its own events: a person cannot tell from a number when others save.
    assert other.results("client-a", change(1, "m1", note("x"))) == [("saved", 1)]


def test_a_change_that_its_own_client_has_overtaken_changes_nothing(either_app: Any) -> None:
    _, person, (first, _) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    assert browser.results("client-a", change(2, "n1", note("second"))) == [("saved", 1)]
    assert browser.results("client-a", change(1, "n1", note("first"))) == [("saved", 2)]
    assert browser.objects() == {"n1": note("second")}
    assert browser.view()["conflicts"] == []


def test_a_value_that_the_client_has_seen_may_be_replaced(log_app: Any) -> None:
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    ((_, first_event),) = browser.results("client-a", change(1, "n1", note("a")))
    browser.results("client-b", change(1, "n1", note("b"), base=first_event))
    browser.results("client-b", change(2, "n1", note("a")))
    # The state is another event than the one that client-c has seen, with the same value.
    ((status, _),) = browser.results("client-c", change(1, "n1", note("c"), base=first_event))
    assert status == "saved"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (change(1, "a b", NOTE), "cannot be an object's id"),
        (change(1, "x" * 61, NOTE), "cannot be an object's id"),
        (change(1, "__proto__", NOTE), "cannot be an object's id"),
        (change(1, "n", {"value": "no type"}), "n: the object has no known type"),
        (change(1, "n", {"type": "nota", "value": ""}), "did you mean note?"),
        (change(1, "n", {"type": ["note"]}), "n: the object has no known type"),
        (change(1, "n", note("x" * 70_000)), "n: the object is larger than 64 KB"),
        (change(1, "n", {**NOTE, "more": [[[[[[[[1]]]]]]]]}), "n: nested deeper than 6 levels"),
        (change(1, "m", {**MARK, "text": "other"}), "m: the item has no text 'other'"),
        (change(1, "m", {**MARK, "end": 13}), "m: the offsets 0 to 13 are not within the 12"),
        (change(1, "m", {**MARK, "start": 4}), "m: the offsets 4 to 4 are not within"),
        (change(1, "m", {**MARK, "end": 4.0}), "m: end is not a whole number"),
        (change(1, "m", {**MARK, "start": False}), "m: start is not a whole number"),
        # In UTF-16, as browsers count, the emoji is two.
        (change(1, "m", {**MARK, "end": 5}), "m: the quote is not the text from 0 to 5"),
        (change(1, "m", {**MARK, "attributes": {"type": {}}}), "m: the attribute type is not a"),
        (change(1, "m", {**MARK, "relations": {"to": 3}}), "m: the relation to does not lead to"),
        (change(1, "e", {"type": "entry", "entry": "q", "order": "1"}), "e: order is not a number"),
        (
            change(1, "e", {"type": "entry", "entry": "q", "fields": {"a": {"start": 0}}}),
            "e: text is not a text",
        ),
        (change(1, "status", {"type": "status", "done": 1}), "status: done is not true or false"),
        (change(1, "s", {"type": "status", "done": True}), "s: the id status and the type status"),
        (change(1, "n", NOTE, resolves=2**40), "1099511627776 is not a conflict about n"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_one_line(
    log_app: Any, changed: Any, message: str
) -> None:
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    response = browser.post("client-a", change(7, "ok", NOTE), changed)
    assert response.status_code == 422
    assert message in response.json()["detail"]
    assert "\n" not in response.json()["detail"]
    assert response.json()["sequence"] == 1
    assert browser.objects() == {}  # all or nothing


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'{"client": "client-a", "events": []}',
        b'{"client": "short", "events": [{"sequence": 1, "object": "n", "value": null}]}',
        b'{"client": "client-a", "events": [{"sequence": 0, "object": "n", "value": null}]}',
        b'{"client": "client-a", "events": [{"sequence": 1e99, "object": "n", "value": null}]}',
        b'{"client": "client-a", "events": [{"sequence": 1, "object": "n", "value": [1]}]}',
        b'{"client": "client-a", "events": [{"sequence": 1, "object": "n", "value": NaN}]}',
        b'{"client": "client-a", "events": [{"sequence": 1, "object": "n", "value": '
        b'{"type": "note", "value": "\\u0000"}}]}',
        b'{"client": "client-a", "events": [{"sequence": 1, "object": "n", "value": '
        b'{"type": "note", "value": "\\ud800"}}]}',
        b'{"client": "client-a", "events": [{"sequence": 1, "object": "n", "value": '
        + b'{"a":' * 50_000
        + b"1"
        + b"}" * 50_000
        + b"}]}",
        b"\xff",
    ],
)
def test_a_request_that_is_no_batch_is_refused(log_app: Any, body: bytes) -> None:
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    response = browser.http.post(f"{browser.path}/events", content=body)
    assert response.status_code == 422
    assert browser.objects() == {}


def test_a_number_names_one_change_only(log_app: Any) -> None:
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    browser.results("client-a", change(1, "n1", note("a")))
    response = browser.post("client-a", change(1, "n1", note("b")))
    assert response.status_code == 422
    assert response.json()["sequence"] == 1
    assert browser.objects() == {"n1": note("a")}


def test_closed_and_withdrawn_work_is_refused_and_stays_readable_until_withdrawn(
    hall_app: Any,
) -> None:
    project, person, (first, _) = add_stub_project(hall_app)
    browser = Browser(hall_app, person, first)
    browser.results("client-a", change(1, "n1", NOTE))
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Project, project).is_open = False
    assert browser.post("client-a", change(2, "n1", None)).status_code == 409
    assert browser.objects() == {"n1": NOTE}
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Assignment, first).withdrawn = 1.0
    gone = browser.post("client-a", change(2, "n1", None))
    assert (gone.status_code, "withdrawn" in gone.json()["detail"]) == (410, True)


DONE = {"type": "status", "done": True}


def test_final_work_stays_handed_in_until_an_organiser_reopens_it(either_app: Any) -> None:
    project, person, (first, second) = add_stub_project(either_app, settings="final = true")
    organiser = add_person(either_app, "olga")
    add_member(either_app, project, organiser, "organiser")
    browser, office = Browser(either_app, person, first), signed_in(either_app, organiser)
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
    browser = Browser(hall_app, person, first)
    browser.results("client-a", change(1, "status", DONE))
    assert browser.view()["assignment"]["lock"] == lock
    later = browser.post("client-a", change(2, "status", None))
    assert later.status_code == (409 if lock else 200)


@pytest.mark.parametrize(
    ("column", "value", "reason"), [("locked", "disputed", "disputed"), ("ends", 1.0, "time_over")]
)
def test_locked_work_is_read_and_not_changed(
    log_app: Any, column: str, value: Any, reason: str
) -> None:
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    sent = change(1, "n1", NOTE)
    ((_, number),) = browser.results("client-a", sent)
    with hall_in(log_app).database.writing() as session:
        setattr(session.get_one(Assignment, first), column, value)
    assert browser.results("client-a", sent) == [("repeated", number)]
    refused = browser.post("client-a", change(2, "n1", None))
    assert (refused.status_code, refused.json()["reason"]) == (409, reason)
    assert browser.view()["assignment"]["lock"] == reason
    with hall_in(log_app).database.writing() as session:
        reopen(session, session.get_one(Assignment, first), by=person)
    assert browser.post("client-a", change(2, "n1", None)).status_code == 200


def test_nobody_writes_in_anothers_name(hall_app: Any) -> None:
    project, _, (first, _) = add_stub_project(hall_app)
    for login, role in (("bob", "annotator"), ("olga", "organiser")):
        other = add_person(hall_app, login)
        add_member(hall_app, project, other, role)
        response = Browser(hall_app, other, first).post("client-a", change(1, "n1", NOTE))
        assert response.status_code == 404


def test_nobody_learns_anothers_work_by_naming_its_event(log_app: Any) -> None:
    project, first, (assignment, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    ((_, secret),) = Browser(log_app, first, assignment).results(
        "client-a", change(1, "q-1", note("Oxford"))
    )
    second = add_person(log_app, secrets.token_hex(8))
    add_member(log_app, project, second, "annotator")
    statuses = []
    for guess, own in zip(("Leeds", "Oxford"), assign(log_app, project, second), strict=True):
        spy = Browser(log_app, second, own)
        spy.results("client-a", change(1, "q-1", note(guess)))
        ((status, _),) = spy.results("client-b", change(1, "q-1", note("?"), base=secret))
        statuses.append(status)
    assert statuses[0] == statuses[1]  # a right guess looks like a wrong one


def test_the_page_of_an_item_is_in_the_readers_language_and_has_nothing_of_the_key(
    hall_app: Any,
) -> None:
    proposal = {"m-0": MARK}
    papers = {"one": {"text": "北京 🙂 is old.", "proposals": proposal}, "two": {"text": "B."}}
    _, person, (first, second) = add_stub_project(hall_app, papers=papers)
    browser = Browser(hall_app, person, first)
    response = browser.http.get(browser.path, headers={"accept-language": "zh-CN"})
    assert "SECRET" not in response.text
    view = response.json()
    assert view["project"]["name"] == "首都"
    assert view["entries"]["question"]["label"] == "问题"
    assert view["entries"]["question"]["fields"]["level"]["choices"] == [
        {"value": 1, "label": "1"},
        {"value": 2, "label": "2"},
    ]
    assert view["categories"]["NP"]["attributes"]["type"]["choices"] == [
        {"value": "P", "label": "人"}
    ]
    assert view["categories"]["NP"]["relations"]["antecedent"]["to"] == ["NP"]
    assert view["objects"] == {"m-0": {"value": MARK, "event": None}}
    assert view["assignment"] == {
        "id": first,
        "position": 1,
        "count": 2,
        "previous": None,
        "next": second,
        "item": "one",
        "due": None,
        "done": False,
        "lock": None,
        "ends": None,
        "left": None,
    }
    # Removing a proposal and handing in.
    done = {"type": "status", "done": True}
    browser.results("client-a", change(1, "m-0", None), change(2, "status", done))
    assert browser.view()["assignment"]["done"] is True
    assert browser.objects() == {"status": done}


def test_checks_call_the_work_and_grades_are_for_practice_only(log_app: Any) -> None:
    project, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)

    def codes(objects: Any) -> list[str]:
        response = browser.http.post(f"{browser.path}/check", json={"objects": objects})
        assert response.status_code == 200, response.text
        return [finding["code"] for finding in response.json()["findings"]]

    entry = {"type": "entry", "entry": "question", "fields": {"question": ""}}
    assert codes({"q": entry}) == ["empty"]
    assert codes({"q": {**entry, "fields": {"question": "unreadable"}}}) == ["unreadable"]
    assert codes({}) == []
    refused = browser.http.post(f"{browser.path}/check", json={"objects": {"q": {"type": "x"}}})
    assert refused.status_code == 422
    with hall_in(log_app).database.writing() as session:
        session.add(
            Item(
                project_id=project,
                position=9,
                name="p",
                purpose="practice",
                paper='{"text": "Practice."}',
                key='"NP"',
            )
        )
    (graded,) = assign(log_app, project, person, ["p"])
    browser = Browser(log_app, person, graded)
    assert codes({}) == ["practice.missing"]
    assert browser.objects() == {}


def test_a_projects_work_has_everybodys_state_time_and_what_is_finished(either_app: Any) -> None:
    papers = {"one": {"text": "北京 🙂", "proposals": {"m-0": MARK}}, "two": {"text": "B."}}
    project, ann, (first, second) = add_stub_project(either_app, papers=papers)
    bob = add_person(either_app, "bob")
    add_member(either_app, project, bob, "annotator")
    (bobs,) = assign(either_app, project, bob, ["two"])
    done = {"type": "status", "done": True}
    Browser(either_app, ann, first).results(
        "client-a", change(1, "n1", NOTE, seconds=2.5), change(2, "status", done, seconds=4)
    )
    Browser(either_app, bob, bobs).results("client-b", change(1, "n1", note("b"), seconds=9e8))
    with hall_in(either_app).database.reading() as session:
        work = log.work_of_project(session, project)
        assert log.objects_of(session, first) == {"m-0": MARK, "n1": NOTE, "status": done}
        assert log.objects_of(session, second) == {}
        assert log.last_event(session, project) == 3
        assert log.done_in(session, project).keys() == {first}
    assert [item.name for item in work.items] == ["one", "two"]
    anns, bobs_work = work.people
    assert anns.person == "Ann"
    assert anns.objects == {"one": {"m-0": MARK, "n1": NOTE, "status": done}}
    assert anns.seconds == {"one": 6.5}
    assert anns.finished == {"one"}
    assert bobs_work.objects == {"two": {"n1": note("b")}}
    assert bobs_work.seconds == {"two": log.LONGEST_PAUSE}
    assert bobs_work.finished == frozenset()


def open_conflicts(events: Sequence[Event]) -> Iterator[int]:
    """The definition, event by event: not settled, not replaced and not overtaken on its way."""
    settled = {event.resolves for event in events}
    for event in events:
        later = [
            other
            for other in events
            if (other.object, other.client) == (event.object, event.client)
            and other.sequence > event.sequence
            and (other.is_conflict or other.number < event.number)
        ]
        if event.is_conflict and event.place not in settled and not later:
            yield event.place


# One person must not make others wait.


def add_conflicts(app: Any, assignment: str, person: str, count: int) -> list[Any]:
    """Changes of one client to as many objects of another, stored as conflicts; sent again they
    are repetitions."""
    changes = [change(number, f"n{number}", note("late")) for number in range(1, count + 1)]
    with hall_in(app).database.writing() as session:
        for client, is_conflict in (("client-a", False), ("client-b", True)):
            for sent in changes:
                session.add(
                    Event(
                        assignment_id=assignment,
                        place=sent["sequence"] + is_conflict * count,
                        person_id=person,
                        client=client,
                        sequence=sent["sequence"],
                        object=sent["object"],
                        value=json.dumps(sent["value"] if is_conflict else NOTE),
                        is_conflict=is_conflict,
                    )
                )
    return changes


def test_repeated_conflicts_are_looked_up_together_and_outside_the_writer(either_app: Any) -> None:
    _, person, (first, second) = add_stub_project(either_app)
    browser, other = Browser(either_app, person, first), Browser(either_app, person, second)
    few = add_conflicts(either_app, first, person, 2)
    many = add_conflicts(either_app, second, person, 100)
    assert {status for status, _ in browser.results("client-b", *few)} == {"conflict"}
    assert {status for status, _ in other.results("client-b", *many)} == {"conflict"}
    asked = statements_of(either_app, lambda: browser.post("client-b", *few))
    asked_of_many = statements_of(either_app, lambda: other.post("client-b", *many))
    assert len(asked_of_many) == len(asked)
    writer = hall_in(either_app).database

    def append() -> None:
        changes = [log.Change(**sent) for sent in many]
        with writer.writing() as session:
            log.append(session, session.get_one(Assignment, second), "client-b", changes)

    assert not [asked for asked in statements_of(either_app, append) if "resolves" in asked]


def test_the_conflicts_of_an_assignment_are_read_in_linear_time(log_app: Any) -> None:
    """Counted in steps of SQLite's own machine: four times the conflicts, four times the steps."""
    _, person, assignments = add_stub_project(log_app, login=secrets.token_hex(8))
    steps = []
    for assignment, count in zip(assignments, (250, 1000), strict=True):
        add_conflicts(log_app, assignment, person, count)
        with hall_in(log_app).database.reading() as session:
            driver: Any = session.connection().connection.driver_connection
            done = itertools.count()
            driver.set_progress_handler(lambda done=done: next(done) < 0, 100)
            assert len(log.conflicts_of(session, assignment)) == count
            driver.set_progress_handler(None, 0)
            steps.append(next(done))
    assert steps[1] < 6 * steps[0]


def test_only_so_many_conflicts_are_open_at_a_time(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_CONFLICTS", 2)
    _, person, (first, _) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    browser.post("client-a", *(change(number, f"n{number}", NOTE) for number in (1, 2, 3)))
    assert browser.results("client-b", change(1, "n1", note("late"))) == [("conflict", 4)]
    batch = (change(2, "n2", note("late")), change(3, "n3", note("late")))
    refused = browser.post("client-b", *batch)
    assert (refused.status_code, refused.json()["sequence"]) == (422, 3)
    assert refused.json()["detail"] == "2 conflicts are open here: settle some of them first"
    assert [conflict["event"] for conflict in browser.view()["conflicts"]] == [4]
    # A change that is no conflict is saved, and room is made by settling.
    settled = change(2, "n1", note("both"), base=1, resolves=4)
    ((status, _),) = browser.results("client-b", settled)
    assert status == "saved"
    late = [
        change(number + 1, sent["object"], sent["value"]) for number, sent in enumerate(batch, 2)
    ]
    assert [status for status, _ in browser.results("client-b", *late)] == ["conflict"] * 2


def test_with_too_many_conflicts_open_other_changes_are_saved(log_app: Any) -> None:
    """Halls that are older than the limit may have thousands."""
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    add_conflicts(log_app, first, person, log.MOST_CONFLICTS + 5)
    browser = Browser(log_app, person, first)
    ((status, _),) = browser.results("client-c", change(1, "another", NOTE))
    assert status == "saved"
    refused = browser.post("client-c", change(2, "n1", note("mine")))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 2)


def test_an_assignment_holds_only_so_much(either_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, person, (first, second) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    long = note("字" * 10_000)
    size = len(json.dumps(long, ensure_ascii=False, separators=(",", ":")).encode())
    assert browser.results("client-a", change(1, "n1", long), change(2, "n2", NOTE))
    assert browser.results("client-a", change(1, "n1", long))  # sent again, it takes nothing
    assert browser.results("client-a", change(3, "n1", None, base=1))  # nor does removing give back
    with hall_in(either_app).database.reading() as session:
        row = session.get_one(Assignment, first)
        small = len(json.dumps(NOTE, separators=(",", ":"))) + len("null")
        assert row.stored_bytes == size + small + 3 * log.EVENT_BYTES
        assert row.stored_objects == 2
    limited = replace(hall_in(either_app).settings, largest_assignment=row.stored_bytes + size)
    app = create_app(limited, hall_in(either_app).database)
    browser = Browser(app, person, first)
    refused = browser.post("client-a", change(4, "n3", NOTE), change(5, "n4", long))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 5)
    assert "the item's changes take more than 0 MB" in refused.json()["detail"]
    assert browser.objects() == {"n2": NOTE}  # all or nothing
    assert Browser(app, person, second).results("client-a", change(1, "n1", long))


def test_an_assignment_has_only_so_many_objects(
    log_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = log.SaveLimits(0, 1 << 20, objects=2)
    monkeypatch.setattr(log, "SaveLimits", lambda *_: few)
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    browser.results("client-a", change(1, "a", NOTE), change(2, "b", NOTE), change(3, "a", None))
    refused = browser.post("client-a", change(4, "c", NOTE))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 4)
    assert "at most 2 objects, removed ones included" in refused.json()["detail"]
    ((status, _),) = browser.results("client-a", change(5, "a", NOTE))
    assert status == "saved"


@pytest.mark.parametrize(
    "full",
    [
        log.SaveLimits(0, 1 << 20, objects=1),
        log.SaveLimits(0, 300),
        log.SaveLimits(0, 1 << 20, state=20),
    ],
)
def test_a_full_assignment_is_handed_in_once(
    log_app: Any, monkeypatch: pytest.MonkeyPatch, full: log.SaveLimits
) -> None:
    monkeypatch.setattr(log, "SaveLimits", lambda *_: replace(full, bytes=1 << 20, state=1 << 20))
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    browser.results("client-a", change(1, "a", NOTE))
    monkeypatch.setattr(log, "SaveLimits", lambda *_: full)
    assert browser.results("client-a", change(2, "status", DONE)) == [("saved", 2)]
    refused = browser.post("client-a", change(3, "b", NOTE))  # nothing else is new
    assert (refused.status_code, refused.json()["sequence"]) == (422, 3)
    again = browser.post("client-a", change(4, "status", DONE | {"note": "x" * 20}))
    assert again.status_code == (200 if full.objects == 1 else 422)
    assert browser.objects()["a"] == NOTE


def test_the_objects_of_an_assignment_together_are_only_so_large(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = log.SaveLimits(9, 1 << 20, state=100)
    monkeypatch.setattr(log, "SaveLimits", lambda *_: few)
    _, person, (first, _) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    browser.results("client-a", change(1, "a", note("a" * 10)), change(2, "b", note("b" * 20)))
    refused = browser.post("client-a", change(3, "a", note("a" * 40)))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 3)
    assert "the item's objects take more than 0 MB: remove some first" in refused.json()["detail"]
    # What is replaced or removed no longer counts, nor do versions that never were the state.
    assert browser.results("client-a", change(4, "b", None, base=2)) == [("saved", 3)]
    assert browser.results("client-b", change(1, "a", note("late"))) == [("conflict", 4)]
    assert browser.results("client-a", change(5, "a", note("a" * 40))) == [("saved", 5)]
    database = hall_in(either_app).database
    with database.reading() as session:
        newest = [json.dumps(note("a" * 40), separators=(",", ":")), "null"]
        assert session.get_one(Assignment, first).object_bytes == len("".join(newest))
    # A hall of before counts what it has, and changes that add nothing to it are still stored.
    migration = import_module("readmark.server.migrations.versions.0011_object_bytes")
    with database.writing() as session:
        session.get_one(Assignment, first).object_bytes = 0
        session.flush()
        session.execute(text(migration.AMOUNTS))
        assert session.scalar(select(Assignment.object_bytes).where(Assignment.id == first)) == len(
            "".join(newest)
        )
        session.get_one(Assignment, first).object_bytes = 1000
    assert browser.results("client-a", change(6, "a", note("a" * 39))) == [("saved", 6)]
    assert browser.post("client-a", change(7, "a", note("a" * 40))).status_code == 422


def test_what_other_tabs_changed_comes_in_small_answers(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, person, (first, _) = add_stub_project(either_app)
    browser = Browser(either_app, person, first)
    texts = [*("x" * 300 for _ in range(5)), "y" * 2000, *("z" for _ in range(120))]
    browser.results(
        "client-a",
        *(change(number, f"n{number}", note(text)) for number, text in enumerate(texts, 1)),
    )
    assert len(browser.http.get(f"{browser.path}/events").json()["events"]) == 126
    monkeypatch.setattr(log, "MOST_BYTES", 1000)
    seen: list[list[int]] = []
    after = 0
    while after < 126:
        news = browser.http.get(f"{browser.path}/events?after={after}").json()
        seen.append([event["event"] for event in news["events"]])
        assert news["last"] == seen[-1][-1]
        after = news["last"]
    assert seen[:3] == [[1, 2, 3], [4, 5], [6]]  # a large one comes alone
    assert [event for events in seen for event in events] == [*range(1, 127)]
    assert browser.http.get(f"{browser.path}/events?after=126").json()["events"] == []


def test_conflicts_come_in_small_answers(log_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 1000)
    _, person, (first, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    browser = Browser(log_app, person, first)
    names = ("a", "b", "c")
    for client, letter in (("client-a", "x"), ("client-b", "y")):
        sent = [change(number, name, note(letter * 300)) for number, name in enumerate(names, 1)]
        browser.post(client, *sent)
    assert [conflict["object"] for conflict in browser.view()["conflicts"]] == ["a"]
    settled = change(4, "a", note("both"), base=1, resolves=4)
    assert browser.results("client-b", settled) == [("saved", 7)]
    assert [conflict["object"] for conflict in browser.view()["conflicts"]] == ["b"]


# Any network: what two clients see and do, with requests lost, repeated and out of order.


class Tab:
    """What store.js does, in a few lines: it knows what it has seen, and sends until it hears."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.sequence = 0
        self.seen: dict[str, tuple[int | None, Any]] = {}
        self.unsent: list[log.Change] = []

    def edit(self, object: str, value: Any) -> None:
        self.sequence += 1
        earlier = [change.base for change in self.unsent if change.object == object]
        base = earlier[0] if earlier else self.seen.get(object, (None, None))[0]
        self.unsent.append(log.Change(self.sequence, object, value, base))

    def hear(self, results: list[log.ChangeResult]) -> None:
        for result in results:
            for change in [one for one in self.unsent if one.sequence == result.sequence]:
                self.unsent.remove(change)
                number, value = result.event, change.value
                if result.status == "conflict":
                    assert result.current is not None
                    number, value = result.current, result.current_value
                if number >= (self.seen.get(change.object, (0, None))[0] or 0):
                    self.seen[change.object] = (number, value)


ACTION = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 1), st.sampled_from("xy"), st.integers(0, 3)),
    st.tuples(st.just("send"), st.integers(0, 1), st.sampled_from(["heard", "lost", "newest"])),
    st.tuples(st.just("repeat"), st.integers(0, 20)),
    st.tuples(st.just("look"), st.integers(0, 1)),
    st.tuples(st.just("hold"), st.integers(0, 1)),
)


@given(actions=st.lists(ACTION, max_size=40))
def test_no_network_loses_or_overwrites_what_was_acknowledged(
    log_app: Any, actions: list[Any]
) -> None:
    """Each edit carries a text of its own; the log says which state it has replaced."""
    database = hall_in(log_app).database
    with pytest.MonkeyPatch.context() as patch:
        add_stub(patch)
        _, _, (assignment, _) = add_stub_project(log_app, login=secrets.token_hex(8))
    with database.reading() as session:
        row = session.get_one(Assignment, assignment)
    tabs = [Tab("client-a"), Tab("client-b")]
    requests: list[tuple[Tab, list[log.Change]]] = []
    acknowledged: dict[tuple[str, int], log.ChangeResult] = {}

    def arrive(tab: Tab, changes: list[log.Change], is_heard: bool) -> None:
        with database.reading() as session:
            results, _ = log.save_changes(
                database, session, row, tab.client, changes, is_final=False, most_bytes=1 << 20
            )
        if is_heard:
            for result in results:
                acknowledged[tab.client, result.sequence] = result
            tab.hear(results)

    edits: dict[tuple[str, int], tuple[str, Any, Any]] = {}
    for number, action in enumerate(actions):
        kind = action[0]
        if kind == "edit":
            tab = tabs[action[1]]
            value = None if action[3] == 0 else note(f"{tab.client} {number}")
            shown = [change.value for change in tab.unsent if change.object == action[2]]
            before = shown[-1] if shown else tab.seen.get(action[2], (None, None))[1]
            tab.edit(action[2], value)
            edits[tab.client, tab.sequence] = (action[2], before, value)
        elif kind in ("send", "hold") and tabs[action[1]].unsent:
            tab = tabs[action[1]]
            changes = tab.unsent[-1:] if action[-1] == "newest" else list(tab.unsent)
            requests.append((tab, changes))
            if kind == "send":  # one that is held arrives later, as a repetition
                arrive(tab, changes, action[2] != "lost")
        elif kind == "repeat" and requests:
            tab, changes = requests[action[1] % len(requests)]
            arrive(tab, changes, False)
        elif kind == "look":
            tab = tabs[action[1]]
            with database.reading() as session:
                for id, state in log.object_states(session, assignment).items():
                    if not any(change.object == id for change in tab.unsent):
                        tab.seen[id] = (state.event, state.value)
    for tab in tabs:
        if tab.unsent:
            arrive(tab, list(tab.unsent), True)

    with database.reading() as session:
        events = session.scalars(
            select(Event).where(Event.assignment_id == assignment).order_by(Event.number)
        ).all()
        states = log.object_states(session, assignment)
        conflicts = {conflict.event for conflict in log.conflicts_of(session, assignment)}
    assert conflicts == set(open_conflicts(events))
    stored = {(event.client, event.sequence): event for event in events}
    # Every edit is stored once, as it was sent, and acknowledged under its number.
    assert stored.keys() == edits.keys()
    assert len(events) == len(edits)
    for name, (object, _, value) in edits.items():
        assert (stored[name].object, json.loads(stored[name].value)) == (object, value)
    for name, result in acknowledged.items():
        assert stored[name].place == result.event
    # A state is replaced only by its own client, or by one that was shown that very value.
    current: dict[str, Event] = {}
    for event in events:
        object, before, value = edits[event.client, event.sequence]
        if event.is_conflict:
            continue
        replaced = current.get(object)
        if replaced is not None and replaced.client != event.client:
            old = json.loads(replaced.value)
            seen = old in (value, before) or any(
                old == edits[event.client, sequence][1]
                for sequence in range(1, event.sequence + 1)
                if edits[event.client, sequence][0] == object
            )
            assert seen, f"{value} has silently replaced {old}"
        elif replaced is not None:
            assert replaced.sequence < event.sequence
        current[object] = event
    assert {id: state.event for id, state in states.items()} == {
        id: event.place for id, event in current.items()
    }
    # The last version of each client is the state, was replaced by somebody who saw it, or is an
    # open conflict: it is never stored and out of sight.
    for tab in tabs:
        for object in "xy":
            own = [
                event for event in events if (event.client, event.object) == (tab.client, object)
            ]
            if own:
                newest = max(own, key=lambda event: event.sequence)
                assert not newest.is_conflict or newest.place in conflicts
