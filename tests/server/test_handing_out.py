"""Handing out: everybody gets what they should have, once, and those who left give it back."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from sqlalchemy import delete, select

from halls import add_member, add_person, hall_in
from readmark.core.errors import UsageError
from readmark.server import handing_out
from readmark.server.assignment import assign_item, withdraw
from readmark.server.assignment_plan import plan_assignments
from readmark.server.changes import Change
from readmark.server.days import DAY
from readmark.server.handing_out import hand_out, top_up
from readmark.server.items import items_of
from readmark.server.log import append
from readmark.server.progress import project_progress
from readmark.server.tables import Assignment, Event, Membership, Person, Project
from six_items import ITEMS, assignments_of, finish, new_hall


def test_handing_out_again_changes_nothing_and_newcomers_get_what_is_missing(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", settings="overlap = 2\ndays = 2")
    database = hall_in(either_app).database
    with database.writing() as session:
        assert top_up(session, project.id) == 0  # the organiser has not begun
        first = hand_out(session, project, now=1000.0)
        assert (first.added, first.missing) == (6, 6)
        assert hand_out(session, project).added == 0
        anns = assignments_of(session, people["ann"])
        assert [assignment.position for assignment in anns] == [0, 1, 2, 3, 4, 5]
        assert {assignment.due for assignment in anns} == {1000.0 + 2 * DAY}
    bob = add_person(either_app, "bob")
    add_member(either_app, project.id, bob, "annotator")
    cai = add_person(either_app, "cai")
    add_member(either_app, project.id, cai, "organiser")  # organisers get nothing
    with database.writing() as session:
        assert top_up(session, project.id) == 6
        assert (len(assignments_of(session, bob)), assignments_of(session, cai)) == (6, [])
        assert top_up(session, project.id) == 0


def test_a_newcomer_to_what_is_handed_out_stops_nobodys_saves(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", "bob", settings="overlap = 2")
    database = hall_in(either_app).database
    with database.writing() as session:
        hand_out(session, project)
    planned: list[int] = []

    def plan(*arguments: Any, **options: Any) -> Any:
        planned.append(1)
        return plan_assignments(*arguments, **options)

    monkeypatch.setattr(handing_out, "plan_assignments", plan)
    add_member(either_app, project.id, cai := add_person(either_app, "cai"), "annotator")
    with database.writing() as session:
        assert top_up(session, project.id) == 0
        assert not planned  # a plan takes seconds where there are many items
        withdraw(session, assignments_of(session, people["ann"])[0])
        assert (top_up(session, project.id), len(assignments_of(session, cai))) == (1, 1)
        session.execute(delete(Membership).where(Membership.person_id == people["bob"]))
        assert (top_up(session, project.id), len(assignments_of(session, cai))) == (5, 6)
        assert len(planned) == 2


def test_balancing_moves_only_what_nobody_has_begun(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(hall_app, monkeypatch, "ann", settings="overlap = 1")
    database = hall_in(hall_app).database
    with database.writing() as session:
        hand_out(session, project)
        begun = assignments_of(session, people["ann"])[:2]
        change = Change(1, "n", {"type": "note", "value": "x"})
        for assignment in begun:
            append(session, assignment, "client-of-test", [change])
    add_member(hall_app, project.id, bob := add_person(hall_app, "bob"), "annotator")
    with database.writing() as session:
        result = hand_out(session, project, balance=True)
        assert (result.added, result.removed) == (0, 3)
        assert len(assignments_of(session, bob)) == 3
        kept = {assignment.id for assignment in assignments_of(session, people["ann"])}
        assert {assignment.id for assignment in begun} <= kept
        assert len(session.scalars(select(Event)).all()) == 2


def test_nobody_gets_an_item_whose_key_they_know_nor_work_in_a_closed_project(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"known_by": ["ANN "]}
    project, people = new_hall(
        hall_app, monkeypatch, "ann", "bob", settings="overlap = 2", keys={"i0": known, "i1": known}
    )
    with hall_in(hall_app).database.writing() as session:
        assert hand_out(session, project).missing == 2
        names = {item.id: item.name for item in items_of(session, project.id)}
        anns = assignments_of(session, people["ann"])
        assert {names[assignment.item_id] for assignment in anns} == {*ITEMS[2:]}
        ann, item = session.get_one(Person, people["ann"]), items_of(session, project.id)[0]
        with pytest.raises(UsageError, match="knows the key of i0"):
            assign_item(session, project, item, ann)
        session.get_one(Project, project.id).is_open = False
        session.flush()
        with pytest.raises(UsageError, match="closed"):
            hand_out(session, project)
        assert top_up(session, project.id) == 0


def test_somebody_who_left_gives_unfinished_items_back(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(hall_app, monkeypatch, "ann", settings="overlap = 1")
    with hall_in(hall_app).database.writing() as session:
        hand_out(session, project)
        finish(session, assignments_of(session, people["ann"])[0])
        session.get_one(Person, people["ann"]).is_disabled = True
    add_member(hall_app, project.id, bob := add_person(hall_app, "bob"), "annotator")
    with hall_in(hall_app).database.writing() as session:
        assert hand_out(session, project).added == 5
        assert len(assignments_of(session, bob)) == 5


def test_two_organisers_who_hand_out_at_once_give_no_item_twice(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", settings="overlap = 1")
    database = hall_in(either_app).database
    bob = add_person(either_app, "bob")
    started = threading.Event()

    def second() -> None:
        started.set()
        with database.writing() as session:
            hand_out(session, project)

    with ThreadPoolExecutor(1) as pool:
        with database.writing() as session:
            hand_out(session, project)
            session.execute(delete(Membership).where(Membership.person_id == people["ann"]))
            session.add(Membership(project_id=project.id, person_id=bob, role="annotator"))
            waiting = pool.submit(second)
            started.wait(10)
            wait([waiting], timeout=0.3)
            assert not waiting.done()
        waiting.result(10)
    with database.reading() as session:
        active = session.scalars(select(Assignment).where(Assignment.withdrawn.is_(None))).all()
        progress = project_progress(session, project.id)
    assert (progress.assigned, progress.left, len(progress.people)) == (6, 6, 1)
    # Ann left with nothing done, so that Bob gets each of her items, and nobody else does.
    assert Counter(assignment.person_id for assignment in active) == {people["ann"]: 6, bob: 6}
