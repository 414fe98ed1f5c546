"""Conflicts: few are open at a time, and many make nobody wait."""

from __future__ import annotations

import itertools
import json
import secrets
from typing import Any

import pytest

from halls import hall_in, statements_of
from readmark.server import conflicts, log, save_limits
from readmark.server.changes import Change
from readmark.server.conflicts import MOST_CONFLICTS, conflicts_of
from readmark.server.log import append
from readmark.server.tables import Assignment, Event
from saving_browser import NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


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
    browser, other = (
        SavingBrowser(either_app, person, first),
        SavingBrowser(either_app, person, second),
    )
    few = add_conflicts(either_app, first, person, 2)
    many = add_conflicts(either_app, second, person, 100)
    assert {status for status, _ in browser.results("client-b", *few)} == {"conflict"}
    assert {status for status, _ in other.results("client-b", *many)} == {"conflict"}
    statements = statements_of(either_app, lambda: browser.post("client-b", *few))
    statements_of_many = statements_of(either_app, lambda: other.post("client-b", *many))
    assert len(statements_of_many) == len(statements)
    database = hall_in(either_app).database

    def send_again() -> None:
        changes = [Change(**sent) for sent in many]
        with database.writing() as session:
            append(session, session.get_one(Assignment, second), "client-b", changes)

    in_writer = statements_of(either_app, send_again)
    assert not [statement for statement in in_writer if "resolves" in statement]


def test_the_conflicts_of_an_assignment_are_read_in_linear_time(stub_hall: Any) -> None:
    """Counted in steps of SQLite's own machine: four times the conflicts, four times the steps."""
    _, person, assignments = add_stub_project(stub_hall, login=secrets.token_hex(8))
    steps = []
    for assignment, count in zip(assignments, (250, 1000), strict=True):
        add_conflicts(stub_hall, assignment, person, count)
        with hall_in(stub_hall).database.reading() as session:
            driver: Any = session.connection().connection.driver_connection
            done = itertools.count()
            driver.set_progress_handler(lambda done=done: next(done) < 0, 100)
            assert len(conflicts_of(session, assignment)) == count
            driver.set_progress_handler(None, 0)
            steps.append(next(done))
    assert steps[1] < 6 * steps[0]


def test_only_so_many_conflicts_are_open_at_a_time(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (log, save_limits):
        monkeypatch.setattr(module, "MOST_CONFLICTS", 2)
    _, person, (first, _) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
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


def test_with_too_many_conflicts_open_other_changes_are_saved(stub_hall: Any) -> None:
    """Halls that are older than the limit may have thousands."""
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    add_conflicts(stub_hall, first, person, MOST_CONFLICTS + 5)
    browser = SavingBrowser(stub_hall, person, first)
    ((status, _),) = browser.results("client-c", change(1, "another", NOTE))
    assert status == "saved"
    refused = browser.post("client-c", change(2, "n1", note("mine")))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 2)


def test_conflicts_come_in_small_answers(stub_hall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "MOST_BYTES", 1000)
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    names = ("a", "b", "c")
    for client, letter in (("client-a", "x"), ("client-b", "y")):
        sent = [change(number, name, note(letter * 300)) for number, name in enumerate(names, 1)]
        browser.post(client, *sent)
    assert [conflict["object"] for conflict in browser.view()["conflicts"]] == ["a"]
    settled = change(4, "a", note("both"), base=1, resolves=4)
    assert browser.results("client-b", settled) == [("saved", 7)]
    assert [conflict["object"] for conflict in browser.view()["conflicts"]] == ["b"]
