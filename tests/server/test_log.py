"""The event log: what is stored, what it adds up to, and that nobody overwrites anybody."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from halls import add_member, add_person, assign
from saving_browser import MARK, NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def test_work_is_saved_once_and_conflicts_wait_for_a_decision(either_app: Any) -> None:
    _, person, (first, second) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
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
    other = SavingBrowser(either_app, person, second)
    assert other.objects() == {}
    # It counts its own events: a person cannot tell from a number when others save.
    assert other.results("client-a", change(1, "m1", note("x"))) == [("saved", 1)]


def test_a_change_that_its_own_client_has_overtaken_changes_nothing(either_app: Any) -> None:
    _, person, (first, _) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
    assert browser.results("client-a", change(2, "n1", note("second"))) == [("saved", 1)]
    assert browser.results("client-a", change(1, "n1", note("first"))) == [("saved", 2)]
    assert browser.objects() == {"n1": note("second")}
    assert browser.view()["conflicts"] == []


def test_a_value_that_the_client_has_seen_may_be_replaced(stub_hall: Any) -> None:
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
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
    stub_hall: Any, changed: Any, message: str
) -> None:
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    response = browser.post("client-a", change(7, "ok", NOTE), changed)
    assert response.status_code == 422
    assert message in response.json()["detail"]
    assert "\n" not in response.json()["detail"]
    assert response.json()["sequence"] == 1
    assert browser.objects() == {}  # all or nothing


def test_a_number_names_one_change_only(stub_hall: Any) -> None:
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    browser.results("client-a", change(1, "n1", note("a")))
    response = browser.post("client-a", change(1, "n1", note("b")))
    assert response.status_code == 422
    assert response.json()["sequence"] == 1
    assert browser.objects() == {"n1": note("a")}


def test_nobody_learns_anothers_work_by_naming_its_event(stub_hall: Any) -> None:
    project, first, (assignment, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    ((_, secret),) = SavingBrowser(stub_hall, first, assignment).results(
        "client-a", change(1, "q-1", note("Oxford"))
    )
    second = add_person(stub_hall, secrets.token_hex(8))
    add_member(stub_hall, project, second, "annotator")
    statuses = []
    for guess, own in zip(("Leeds", "Oxford"), assign(stub_hall, project, second), strict=True):
        spy = SavingBrowser(stub_hall, second, own)
        spy.results("client-a", change(1, "q-1", note(guess)))
        ((status, _),) = spy.results("client-b", change(1, "q-1", note("?"), base=secret))
        statuses.append(status)
    assert statuses[0] == statuses[1]  # a right guess looks like a wrong one
