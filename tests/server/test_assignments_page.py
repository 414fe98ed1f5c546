"""The page of assignments: moving, taking back, dates, and why nothing was handed out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from halls import add_member, add_person, signed_in
from organised import add_annotators, answers_project, town_test


@pytest.fixture
def owner(hall_app: Any) -> Any:
    return signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))


def test_the_organiser_moves_withdraws_and_dates_items(either_app: Any, tmp_path: Path) -> None:
    project = answers_project(
        either_app, town_test(tmp_path / "towns.jsonl"), settings="overlap = 1"
    )
    people = add_annotators(either_app, project, "ann", "bob")
    client = signed_in(either_app, organiser := add_person(either_app, "oleg"))
    assert client.get("/projects/answers/assignments").status_code == 404
    add_member(either_app, project.id, organiser, "organiser")
    page = "/projects/answers/assignments"
    rows = client.get("/api/projects/answers/assignments").json()
    assert sorted(row["name"] for row in rows) == ["Ann", "Ann", "Bob", "Bob"]
    mine = next(row for row in rows if row["name"] == "Ann")
    form = {"action": "reassign", "assignment": mine["id"], "person": people["bob"]}
    assert client.post(page, data=form).status_code == 303
    assert "has p" in client.post(page, data=form).text  # Bob has it already
    assert client.post(page, data={**form, "person": organiser}).status_code == 404
    assert client.post(page, data={**form, "assignment": "nothing"}).status_code == 404
    dated = {"action": "due", "due": "2020-01-31"}
    assert client.post(page, data=dated).status_code == 303
    late = client.get("/api/projects/answers/progress").json()
    assert (late["late"], late["assigned"]) == (4, 4)
    assert "2020-01-31" in client.get(f"{page}?state=late&order=due").text
    assert client.get(f"{page}?order=password").status_code == 422
    bobs = client.get("/api/projects/answers/assignments").json()
    taken = next(row for row in bobs if row["item"] == mine["item"])
    answer = client.post("/api/projects/answers/withdrawals", json={"assignment": taken["id"]})
    assert answer.status_code == 200
    back = {"item": mine["item"], "person": people["ann"], "due": 1e9}
    answer = client.post("/api/projects/answers/assignments", json=back)
    assert (answer.status_code, answer.json()["id"]) == (201, mine["id"])
    assert client.post("/api/projects/answers/hand-out").json() == {
        "added": 0,
        "removed": 0,
        "missing": 0,
        "waiting": [],
        "reason": "complete",
    }


def test_a_hand_out_that_adds_nothing_gives_the_reason(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=2)
    project = answers_project(hall_app, file, settings="overlap = 2")

    def reason() -> Any:
        return owner.post("/api/projects/answers/hand-out").json()["reason"]

    assert reason() == "no_people"
    page = owner.post("/projects/answers/hand-out", follow_redirects=True)
    assert "Items handed out: 0. Nobody in this project can take any" in " ".join(page.text.split())
    add_member(hall_app, project.id, add_person(hall_app, "ann"), "annotator")
    assert reason() is None
    assert reason() == "too_few_people"
    add_member(hall_app, project.id, add_person(hall_app, "bob"), "annotator")
    assert reason() in (None, "complete")  # newcomers are given items when they join
    assert reason() == "complete"


def test_a_hand_out_before_anybody_qualifies_gives_the_reason(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    project = answers_project(
        hall_app,
        town_test(tmp_path / "towns.jsonl", count=2),
        settings="overlap = 1\nqualify = 1.0",
        qualifying=town_test(tmp_path / "practice.jsonl", count=1),
    )
    add_member(hall_app, project.id, add_person(hall_app, "ann"), "annotator")
    owner.post("/api/projects/answers/hand-out")  # hands out the training
    again = owner.post("/api/projects/answers/hand-out").json()
    assert (again["added"], again["reason"]) == (0, "waiting")
