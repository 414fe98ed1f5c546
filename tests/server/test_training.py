"""Qualifying: real work comes when enough is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halls import hall_in
from organised import send, work_on
from readmark.core.errors import DataError
from readmark.server.changes import Change
from readmark.server.handing_out import hand_out, top_up
from readmark.server.items import items_of
from readmark.server.log import append
from readmark.server.tables import Item
from readmark.server.training import training_results
from readmark.server.views import newest_configuration
from saving_browser import DONE
from six_items import assignments_of, finish, new_hall
from stub_work import StubWork


def test_real_work_comes_when_the_qualifying_set_is_right(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(
        either_app, monkeypatch, "ann", "bob", settings="overlap = 1\nqualify = 0.5"
    )
    database = hall_in(either_app).database
    mark = {
        "type": "mark",
        "text": "passage",
        "category": "NP",
        "start": 0,
        "end": 4,
        "quote": "Text",
        "attributes": {},
        "relations": {},
    }
    with database.writing() as session:
        for position, purpose in enumerate(("practice", "qualifying", "qualifying")):
            session.add(
                Item(
                    project_id=project.id,
                    position=position,
                    name=f"t{position}",
                    purpose=purpose,
                    paper=json.dumps({"text": "Text of training."}),
                    key=json.dumps("NP"),
                )
            )
        session.flush()
        assert top_up(session, project.id) == 6  # three each, before any work is handed out
        result = hand_out(session, project)
        assert (result.added, result.waiting) == (0, ("Ann", "Bob"))
        names = {item.id: item.name for item in items_of(session, project.id)}
        ann, bob = assignments_of(session, people["ann"]), assignments_of(session, people["bob"])
        assert [names[assignment.item_id] for assignment in ann] == ["t0", "t1", "t2"]
        finish(session, ann[1], Change(1, "m", mark))
        finish(session, bob[1])  # handed in without the mark: wrong
        append(session, bob[2], "client-of-test", [Change(1, "m", mark)])  # right, not handed in
        results = training_results(session, project.id, newest_configuration(session, project.id))
        assert {
            person: (result.right, result.handed_in, result.total)
            for person, result in results.items()
        } == {people["ann"]: (1, 1, 2), people["bob"]: (0, 1, 2)}
        result = hand_out(session, project)
        assert (result.added, result.waiting) == (6, ("Bob",))
        finish(session, bob[2])
        assert top_up(session, project.id) == 0  # nothing is left for him
        assert hand_out(session, project, balance=True).removed == 3


def test_work_that_cannot_be_graded_is_saved_and_not_right(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", settings="qualify = 1.0")

    def fail(*_: Any) -> Any:
        raise DataError("cannot be read")

    monkeypatch.setattr(StubWork, "grade", fail)
    with hall_in(either_app).database.writing() as session:
        paper, key = json.dumps({"text": "Text."}), json.dumps("NP")
        session.add(
            Item(
                project_id=project.id,
                position=9,
                name="q",
                purpose="qualifying",
                paper=paper,
                key=key,
            )
        )
        session.flush()
        top_up(session, project.id)
    (assignment,) = work_on(either_app, people["ann"], "qualifying").values()
    send(either_app, people["ann"], assignment, {"status": DONE})
    with hall_in(either_app).database.reading() as session:
        results = training_results(session, project.id, newest_configuration(session, project.id))
    assert (results[people["ann"]].right, results[people["ann"]].handed_in) == (0, 1)
