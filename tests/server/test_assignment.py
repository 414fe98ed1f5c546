"""Who gets what: plans worked by hand, and what the hall stores of them."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, select

from halls import add_member, add_person, add_project, hall_in
from organised import send, work_on
from readmark.core.errors import DataError, UsageError
from readmark.server import handing_out
from readmark.server.assignment import assign_item, reassign, set_due, withdraw
from readmark.server.assignment_plan import plan_assignments
from readmark.server.changes import Change
from readmark.server.days import DAY
from readmark.server.handing_out import hand_out, top_up
from readmark.server.items import items_of
from readmark.server.log import append
from readmark.server.progress import project_progress
from readmark.server.tables import Assignment, Event, Item, Membership, Person, Project
from readmark.server.training import training_results
from stub_work import CONFIGURATION, StubWork, add_stub

ITEMS = [f"i{number}" for number in range(6)]


def loads(pairs: Any) -> dict[str, int]:
    return dict(Counter(person for _, person in pairs))


def test_each_item_goes_to_as_many_people_as_wanted_with_even_loads() -> None:
    # 6 items by 2 of 3 people are 12 assignments: 4 each.
    plan = plan_assignments(ITEMS, ["ann", "bob", "cai"], overlap=2)
    assert Counter(item for item, _ in plan.added) == dict.fromkeys(ITEMS, 2)
    assert loads(plan.added) == {"ann": 4, "bob": 4, "cai": 4}
    assert len(set(plan.added)) == 12
    assert not plan.missing


@pytest.mark.parametrize(
    ("people", "overlap", "active", "barred", "expected", "missing"),
    [
        # Two people for an overlap of three: both get all six, and each item lacks one.
        (["ann", "bob"], 3, [], [], {"ann": 6, "bob": 6}, dict.fromkeys(ITEMS, 1)),
        # Ann has three already; the other three go to Bob, who has none.
        (["ann", "bob"], 1, [(i, "ann") for i in ITEMS[:3]], [], {"bob": 3}, {}),
        # Nobody gets what they know or gave back: i0 must go to Bob.
        (["ann", "bob"], 1, [], [(i, "ann") for i in ITEMS], {"bob": 6}, {}),
        # Somebody who is not asked any more keeps what they have, and it counts.
        (["bob"], 1, [(i, "gone") for i in ITEMS[:4]], [], {"bob": 2}, {}),
        ([], 1, [], [], {}, dict.fromkeys(ITEMS, 1)),
    ],
)
def test_plans_worked_by_hand(
    people: list[str],
    overlap: int,
    active: Any,
    barred: Any,
    expected: dict[str, int],
    missing: dict[str, int],
) -> None:
    plan = plan_assignments(ITEMS, people, overlap=overlap, active=active, barred=barred)
    assert loads(plan.added) == expected
    assert plan.missing == missing
    assert not set(plan.added) & {*active, *barred}


def evened_out_slowly(
    load: dict[str, int], added: set[tuple[str, str]], movable: list[tuple[str, str]], known: Any
) -> list[tuple[str, str]]:
    """Every move looks at everything again: the giver's first pair that the taker can have."""
    removed: list[tuple[str, str]] = []
    while True:
        people = sorted(load, key=lambda person: (-load[person], person))
        moves = (
            (item, giver, taker)
            for giver in people
            for taker in reversed(people)
            if load[giver] - load[taker] >= 2
            for item, person in movable
            if person == giver and (item, taker) not in known and (item, taker) not in added
        )
        if (move := next(moves, None)) is None:
            return removed
        item, giver, taker = move
        movable.remove((item, giver))
        removed.append((item, giver))
        added.add((item, taker))
        load[giver] -= 1
        load[taker] += 1


PAIRS = st.sets(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("PQRST")))


@given(active=PAIRS, barred=PAIRS, begun=PAIRS)
def test_loads_are_evened_out_as_if_every_move_looked_at_everything(
    active: set[tuple[str, str]], barred: set[tuple[str, str]], begun: set[tuple[str, str]]
) -> None:
    """With no new people to find (overlap 0), the plan is the moves alone."""
    movable = sorted(active - begun)
    plan = plan_assignments(
        "abcdefgh", "PQRST", overlap=0, active=active, barred=barred, movable=movable
    )
    load = {person: sum(holder == person for _, holder in active) for person in "PQRST"}
    added: set[tuple[str, str]] = set()
    removed = evened_out_slowly(load, added, movable, active | barred)
    assert (list(plan.removed), set(plan.added)) == (removed, added)


def test_a_newcomer_takes_over_what_nobody_has_begun() -> None:
    # Ann has six, two of them begun. Three of the other four go to Bob: 3 and 3.
    active = [(item, "ann") for item in ITEMS]
    plan = plan_assignments(ITEMS, ["ann", "bob"], active=active, movable=active[2:])
    assert loads(plan.removed) == {"ann": 3}
    assert {item for item, _ in plan.removed} <= set(ITEMS[2:])
    assert sorted(item for item, _ in plan.added) == sorted(item for item, _ in plan.removed)
    assert loads(plan.added) == {"bob": 3}
    # With five begun only one can move, and without a gap of two nothing does.
    assert (
        len(plan_assignments(ITEMS, ["ann", "bob"], active=active, movable=active[5:]).removed) == 1
    )
    even = [(item, "ann" if index % 2 else "bob") for index, item in enumerate(ITEMS)]
    assert not plan_assignments(ITEMS, ["ann", "bob"], active=even, movable=even).removed


def test_the_seed_decides_and_the_order_of_the_input_does_not() -> None:
    plan = plan_assignments(ITEMS, ["ann", "bob"], overlap=2, seed=7)
    assert plan == plan_assignments(ITEMS[::-1], ["bob", "ann"], overlap=2, seed=7)
    assert plan.added != plan_assignments(ITEMS, ["ann", "bob"], overlap=2, seed=8).added
    orders = {
        person: [item for item, someone in plan.added if someone == person]
        for person in ("ann", "bob")
    }
    assert orders["ann"] != orders["bob"]  # everybody has an order of their own
    # The same on any machine: Python's generator is specified, and so is the seeding by text.
    assert orders["ann"] == ["i5", "i1", "i2", "i0", "i4", "i3"]


# In the hall.


def new_hall(
    app: Any,
    monkeypatch: pytest.MonkeyPatch,
    *logins: str,
    settings: str = "overlap = 2",
    keys: Any = None,
) -> tuple[Project, dict[str, str]]:
    """A project with six items and people who are annotators."""
    add_stub(monkeypatch)
    text = CONFIGURATION.replace('work = "stub"', f'work = "stub"\n{settings}')
    project = add_project(app, "six", text, {i: {"text": f"Text {i}."} for i in ITEMS}, keys=keys)
    people = {login: add_person(app, login) for login in logins}
    for person in people.values():
        add_member(app, project, person, "annotator")
    with hall_in(app).database.reading() as session:
        found = session.get(Project, project)
        assert found is not None
        return found, people


def held(session: Any, person: str) -> list[Assignment]:
    return list(
        session.scalars(
            select(Assignment)
            .where(Assignment.person_id == person, Assignment.withdrawn.is_(None))
            .order_by(Assignment.position)
        )
    )


def finish(session: Any, assignment: Assignment, *more: Change, seconds: float = 60.0) -> None:
    done = {"type": "status", "done": True}
    append(
        session, assignment, "client-of-test", [*more, Change(9, "status", done, seconds=seconds)]
    )


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
        mine = held(session, people["ann"])
        assert [one.position for one in mine] == [0, 1, 2, 3, 4, 5]
        assert {one.due for one in mine} == {1000.0 + 2 * DAY}
    bob = add_person(either_app, "bob")
    add_member(either_app, project.id, bob, "annotator")
    cai = add_person(either_app, "cai")
    add_member(either_app, project.id, cai, "organiser")  # organisers get nothing
    with database.writing() as session:
        assert top_up(session, project.id) == 6
        assert (len(held(session, bob)), held(session, cai)) == (6, [])
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
        withdraw(session, held(session, people["ann"])[0])
        assert (top_up(session, project.id), len(held(session, cai))) == (1, 1)
        session.execute(delete(Membership).where(Membership.person_id == people["bob"]))
        assert (top_up(session, project.id), len(held(session, cai))) == (5, 6)
        assert len(planned) == 2


def test_balancing_moves_only_what_nobody_has_begun(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(hall_app, monkeypatch, "ann", settings="overlap = 1")
    database = hall_in(hall_app).database
    with database.writing() as session:
        hand_out(session, project)
        begun = [one.id for one in held(session, people["ann"])[:2]]
        for one in held(session, people["ann"])[:2]:
            append(session, one, "client-of-test", [Change(1, "n", {"type": "note", "value": "x"})])
    add_member(hall_app, project.id, bob := add_person(hall_app, "bob"), "annotator")
    with database.writing() as session:
        result = hand_out(session, project, balance=True)
        assert (result.added, result.removed) == (0, 3)
        assert len(held(session, bob)) == 3
        assert {*begun} <= {one.id for one in held(session, people["ann"])}
        assert len(session.scalars(select(Event)).all()) == 2


def test_withdrawn_work_stays_in_the_log_and_never_comes_back_by_itself(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", "bob", settings="overlap = 1")
    with hall_in(either_app).database.writing() as session:
        hand_out(session, project)
        one = held(session, people["ann"])[0]
        finish(session, one)
        bob = session.get(Person, people["bob"])
        assert bob is not None
        moved = reassign(session, one, bob)
        assert (moved.item_id, moved.person_id) == (one.item_id, bob.id)
        assert one.withdrawn is not None
        with pytest.raises(UsageError, match="already"):
            reassign(session, one, bob)
        assert session.scalar(select(Event.object)) == "status"
        withdraw(session, moved)
        # Both have had it, so a new plan gives it to nobody.
        assert hand_out(session, project).missing == 1
        ann = session.get(Person, people["ann"])
        item = session.get(Item, one.item_id)
        assert ann is not None
        assert item is not None
        back = assign_item(session, project, item, ann)
        assert back.id == one.id
        assert set_due(session, project.id, 5.0, person_id=ann.id) == 3
        progress = project_progress(session, project.id, now=10.0)
        assert [(row.name, row.done, row.left, row.late) for row in progress.people] == [
            ("Ann", 1, 2, 2),
            ("Bob", 0, 3, 0),
        ]
        assert (progress.items, progress.complete, progress.seconds_per_item) == (6, 1, 60.0)


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
        assert {names[one.item_id] for one in held(session, people["ann"])} == {*ITEMS[2:]}
        ann, item = session.get(Person, people["ann"]), items_of(session, project.id)[0]
        assert ann is not None
        with pytest.raises(UsageError, match="knows the key of i0"):
            assign_item(session, project, item, ann)
        stored = session.get(Project, project.id)
        assert stored is not None
        stored.is_open = False
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
        finish(session, held(session, people["ann"])[0])
        ann = session.get(Person, people["ann"])
        assert ann is not None
        ann.is_disabled = True
    add_member(hall_app, project.id, bob := add_person(hall_app, "bob"), "annotator")
    with hall_in(hall_app).database.writing() as session:
        assert hand_out(session, project).added == 5
        assert len(held(session, bob)) == 5


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
        ann, bob = held(session, people["ann"]), held(session, people["bob"])
        assert [names[one.item_id] for one in ann] == ["t0", "t1", "t2"]
        finish(session, ann[1], Change(1, "m", mark))
        finish(session, bob[1])  # handed in without the mark: wrong
        append(session, bob[2], "client-of-test", [Change(1, "m", mark)])  # right, not handed in
        configuration_results = training_results(
            session, project.id, _configuration(session, project.id)
        )
        assert {
            person: (one.right, one.handed_in, one.total)
            for person, one in configuration_results.items()
        } == {people["ann"]: (1, 1, 2), people["bob"]: (0, 1, 2)}
        result = hand_out(session, project)
        assert (result.added, result.waiting) == (6, ("Bob",))
        finish(session, bob[2])
        assert top_up(session, project.id) == 0  # nothing is left for him
        assert hand_out(session, project, balance=True).removed == 3


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
    assert Counter(one.person_id for one in active) == {people["ann"]: 6, bob: 6}


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
    (own,) = work_on(either_app, people["ann"], "qualifying").values()
    done = {"status": {"type": "status", "done": True}}
    send(either_app, people["ann"], own, done)
    with hall_in(either_app).database.reading() as session:
        results = training_results(session, project.id, _configuration(session, project.id))
    assert (results[people["ann"]].right, results[people["ann"]].handed_in) == (0, 1)


def _configuration(session: Any, project: str) -> Any:
    from readmark.server.views import newest_configuration

    return newest_configuration(session, project)
