"""The API of work: the page of an item, its checks, and requests that are refused."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from halls import add_member, add_person, assign, hall_in
from readmark.server import object_states
from readmark.server.tables import Item
from saving_browser import MARK, NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


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
def test_a_request_that_is_no_batch_is_refused(stub_hall: Any, body: bytes) -> None:
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    response = browser.http.post(f"{browser.path}/events", content=body)
    assert response.status_code == 422
    assert browser.objects() == {}


def test_nobody_writes_in_anothers_name(hall_app: Any) -> None:
    project, _, (first, _) = add_stub_project(hall_app)
    for login, role in (("bob", "annotator"), ("olga", "organiser")):
        other = add_person(hall_app, login)
        add_member(hall_app, project, other, role)
        response = SavingBrowser(hall_app, other, first).post("client-a", change(1, "n1", NOTE))
        assert response.status_code == 404


def test_what_other_tabs_changed_comes_in_small_answers(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, person, (first, _) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
    texts = [*("x" * 300 for _ in range(5)), "y" * 2000, *("z" for _ in range(120))]
    browser.results(
        "client-a",
        *(change(number, f"n{number}", note(text)) for number, text in enumerate(texts, 1)),
    )
    assert len(browser.http.get(f"{browser.path}/events").json()["events"]) == 126
    monkeypatch.setattr(object_states, "MOST_BYTES", 1000)
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


def test_the_page_of_an_item_is_in_the_readers_language_and_has_nothing_of_the_key(
    hall_app: Any,
) -> None:
    proposal = {"m-0": MARK}
    papers = {"one": {"text": "北京 🙂 is old.", "proposals": proposal}, "two": {"text": "B."}}
    _, person, (first, second) = add_stub_project(hall_app, papers=papers)
    browser = SavingBrowser(hall_app, person, first)
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


def test_checks_call_the_work_and_grades_are_for_practice_only(stub_hall: Any) -> None:
    project, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)

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
    with hall_in(stub_hall).database.writing() as session:
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
    (graded,) = assign(stub_hall, project, person, ["p"])
    browser = SavingBrowser(stub_hall, person, graded)
    assert codes({}) == ["practice.missing"]
    assert browser.objects() == {}
