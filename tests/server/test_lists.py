"""Lists of a large hall: in pages, with a fixed number of queries, and the numbers of elsewhere."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from typing import Any, get_args

import msgspec
import pytest
from sqlalchemy import event, select, update

from halls import (
    add_member,
    add_person,
    add_project,
    add_task,
    assign,
    client_of,
    hall_in,
    signed_in,
    statements_of,
)
from readmark.server.assignment import withdraw
from readmark.server.changes import Change
from readmark.server.configurations import change_configuration
from readmark.server.handing_in import done_in
from readmark.server.handing_out import hand_out
from readmark.server.log import append
from readmark.server.progress import (
    AssignmentFilter,
    AssignmentOrder,
    AssignmentState,
    ProjectCounts,
    assignment_progress,
    listed_assignments,
    project_counts,
    project_progress,
)
from readmark.server.routes import paging
from readmark.server.shared_tasks.routes import task_list
from readmark.server.tables import Assignment, ConfigurationVersion, Event, Item, Person, Project
from readmark.server.views import newest_listings
from readmark.works import read_configuration
from readmark.works.configuration import listing_of
from stub_work import CONFIGURATION, add_stub

TASK = '[project]\nname = { en = "Wells", zh = "水井" }\nwork = "shared_task"\n'
NOTE = {"type": "note", "value": "x"}
NOW = 1_000_000.0


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def add_projects(app: Any, first: int, count: int, items: int = 2) -> None:
    for number in range(first, first + count):
        papers = {f"i{item}": {"text": "A text."} for item in range(items)}
        project = add_project(app, f"project-{number:03}", CONFIGURATION, papers)
        person = add_person(app, f"p{number}")
        add_member(app, project, person, "annotator")
        assign(app, project, person)
    listing = msgspec.json.encode(listing_of(read_configuration(CONFIGURATION))).decode()
    with hall_in(app).database.writing() as session:
        is_ours = ConfigurationVersion.text == CONFIGURATION
        session.execute(update(ConfigurationVersion).where(is_ours).values(listing=listing))


def status(done: bool) -> dict[str, Any]:
    return {"type": "status", "done": done}


def save(app: Any, assignment: str, *changes: Change, client: str = "client-a") -> None:
    with hall_in(app).database.writing() as session:
        row = session.get_one(Assignment, assignment)
        append(session, row, client, changes, is_final=False)


# What is counted as it is stored.


def test_an_assignment_knows_what_its_events_add_up_to(either_app: Any) -> None:
    project = add_project(
        either_app, "one", CONFIGURATION, {"a": {"text": "A."}, "b": {"text": "B."}}
    )
    person = add_person(either_app, "ann")
    add_member(either_app, project, person, "annotator")
    first, second = assign(either_app, project, person)
    steps = [
        (Change(1, "n", NOTE, seconds=2.5), False),
        (Change(2, "status", status(True), seconds=1.0), True),
        (Change(3, "status", status(False), base=2), False),
        (Change(4, "status", status(True), base=3, seconds=0.5), True),
    ]
    for change, is_done in steps:
        save(either_app, first, change)
        with hall_in(either_app).database.reading() as session:
            assert (first in done_in(session, project)) == is_done
    # Another tab that has not seen it: a conflict takes time, and changes nothing.
    save(either_app, first, Change(1, "status", status(False), seconds=3.0), client="client-b")
    # A late change of the same client neither.
    save(either_app, second, Change(2, "status", status(True)))
    save(either_app, second, Change(1, "status", status(False), seconds=1.0))
    with hall_in(either_app).database.reading() as session:
        for assignment, seconds in ((first, 7.0), (second, 1.0)):
            events = session.scalars(select(Event).where(Event.assignment_id == assignment)).all()
            row = session.get_one(Assignment, assignment)
            newest = max(
                (event for event in events if event.object == "status" and not event.is_conflict),
                key=lambda event: event.number,
            )
            assert json.loads(newest.value)["done"]
            assert row.handed_in == newest.received
            assert row.seconds == sum(event.seconds for event in events) == seconds
        assert done_in(session, person=person).keys() == {first, second}


# The same numbers as on a project's own page.


def test_the_counts_of_a_list_are_those_of_each_project(either_app: Any) -> None:
    chance = random.Random(1)
    app, ids = either_app, []
    for number in range(4):
        papers = {f"i{item}": {"text": "A text."} for item in range(6)}
        roles = "" if number % 2 else 'roles = ["annotator"]'
        text = CONFIGURATION.replace("[project]", f"[project]\n{roles}", 1)
        project = add_project(app, f"project-{number}", text, papers)
        ids.append(project)
        for name in ("ann", "bob", "cy", "dot"):
            person = add_person(app, f"{name}-{number}")
            role = {"cy": "expert", "dot": "adjudicator"}.get(name, "annotator")
            if name != "bob":  # who has left
                add_member(app, project, person, role)
            for assignment in assign(app, project, person):
                if chance.random() < 0.5:
                    save(app, assignment, Change(1, "status", status(True)))
        with hall_in(app).database.writing() as session:
            items = session.scalars(select(Item).where(Item.project_id == project)).all()
            items[0].purpose = "practice"
            rows = session.scalars(select(Assignment).where(Assignment.project_id == project)).all()
            for row in rows:
                row.due = NOW + chance.choice((-1, 1))
            withdraw(session, chance.choice(rows))
            if number == 3:
                person_id = session.scalar(select(Person.id).where(Person.login == "ann-3"))
                session.execute(
                    update(Person).where(Person.id == person_id).values(is_disabled=True)
                )
    with hall_in(app).database.reading() as session:
        newest = newest_listings(session, select(Project.id))
        listings = {id: listing for id, (_, listing) in newest.items()}
        counts = project_counts(session, listings, now=NOW)
        for id in ids:
            whole = project_progress(session, id, now=NOW)
            assert counts[id] == ProjectCounts(whole.items, whole.assigned, whole.done, whole.late)
            assert 0 < whole.late < whole.assigned


def test_assignments_are_chosen_and_ordered_as_in_memory(either_app: Any) -> None:
    app, chance = either_app, random.Random(2)
    project = add_project(app, "one", CONFIGURATION, {f"i{n}": {"text": "A."} for n in range(5)})
    for login in ("bob", "ann", "cy"):
        person = add_person(app, login)
        add_member(app, project, person, "annotator")
        for assignment in assign(app, project, person):
            seconds = chance.choice((0.0, 5.0, 9.0))
            save(app, assignment, Change(1, "n", NOTE, seconds=seconds))
            if chance.random() < 0.4:
                save(app, assignment, Change(2, "status", status(True)))
    with hall_in(app).database.writing() as session:
        for row in session.scalars(select(Assignment)).all():
            row.due = chance.choice((None, NOW - 1, NOW + 1))
    with hall_in(app).database.reading() as session:
        names = {row.id: row.name for row in session.scalars(select(Person))}
        items = {row.id: row.name for row in session.scalars(select(Item))}
        every = assignment_progress(session, project, purpose=None)

        def place(row: Any, order: str) -> Any:
            assignment = row.assignment
            by_person = (names[assignment.person_id], assignment.person_id, assignment.position)
            return {
                "person": by_person,
                "item": (items[assignment.item_id], names[assignment.person_id]),
                "due": (assignment.due is None, assignment.due or 0.0, *by_person),
                "time": (-row.seconds, *by_person),
            }[order]

        for state, order in product(get_args(AssignmentState), get_args(AssignmentOrder)):
            expected = [
                row
                for row in every
                if state == "all"
                or (row.is_late(NOW) if state == "late" else row.done == (state == "done"))
            ]
            expected.sort(key=lambda row, order=order: place(row, order))  # type: ignore[misc]
            chosen = AssignmentFilter(state=state, now=NOW)

            def listed(offset: int, limit: int, chosen: Any = chosen, order: Any = order) -> Any:
                return listed_assignments(
                    session, project, chosen, order=order, offset=offset, limit=limit
                )

            rows, count = listed(0, 99)
            assert [row.progress.assignment.id for row in rows] == [
                row.assignment.id for row in expected
            ]
            assert count == len(expected) > 0
            assert [row.progress.done for row in rows] == [row.done for row in expected]
            assert listed(1, 2) == (rows[1:3], count)
            first = rows[0]
            narrow = AssignmentFilter(person=first.progress.assignment.person_id, item=first.item)
            assert listed(0, 9, narrow)[1] == 1


# As many queries for many as for few.


def test_lists_ask_as_often_for_many_projects_as_for_few(either_app: Any) -> None:
    owner = signed_in(either_app, add_person(either_app, "owner", is_owner=True))
    paths = ("/projects", "/api/projects", "/tasks", "/api/tasks")
    counts = []
    for first, count in ((0, 2), (2, 12)):
        add_projects(either_app, first, count)
        for number in range(first, first + count):
            add_task(either_app, f"task-{number}", TASK)
        statements = [
            statements_of(either_app, lambda path=path: owner.get(path).raise_for_status())  # type: ignore[misc]
            for path in paths
        ]
        counts.append([len(of_path) for of_path in statements])
        assert not [sql for of_path in statements for sql in of_path if "items.paper" in sql]
    assert counts[0] == counts[1]
    assert owner.get("/api/projects").headers["x-total-count"] == "28"


def test_pages_of_a_project_ask_as_often_for_many_items_as_for_few(either_app: Any) -> None:
    owner = signed_in(either_app, add_person(either_app, "owner", is_owner=True))
    add_projects(either_app, 1, 1, items=3)
    add_projects(either_app, 2, 1, items=300)
    for path in ("/projects/{}/items", "/projects/{}/assignments", "/api/projects/{}/items"):
        few, many = (
            statements_of(
                either_app,
                lambda slug=slug, path=path: owner.get(path.format(slug)).raise_for_status(),  # type: ignore[misc]
            )
            for slug in ("project-001", "project-002")
        )
        assert len(few) == len(many)
        assert not [sql for sql in many if "items.paper" in sql]


def test_items_are_handed_out_without_reading_their_papers(either_app: Any) -> None:
    papers = {f"i{number}": {"text": "A text."} for number in range(20)}
    keys = {"i3": {"known_by": ["Bob"]}, "i4": {"answer": "known_by nobody"}}
    project = add_project(either_app, "one", CONFIGURATION, papers, keys=keys)
    for login in ("ann", "bob"):
        add_member(either_app, project, add_person(either_app, login), "annotator")
    read: list[str] = []

    def note_item(item: Item, *_: Any) -> None:
        read.append(item.name)

    event.listen(Item, "load", note_item)
    try:
        with hall_in(either_app).database.writing() as session:
            result = hand_out(session, session.get_one(Project, project))
    finally:
        event.remove(Item, "load", note_item)
    assert (result.added, read) == (20, [])
    with hall_in(either_app).database.reading() as session:
        pairs = session.execute(
            select(Item.name, Person.login)
            .join(Assignment, Assignment.item_id == Item.id)
            .join(Person, Person.id == Assignment.person_id)
        ).all()
    assert ("i3", "ann") in pairs  # Bob knows it
    assert len(pairs) == 20


# Pages.


def test_projects_and_tasks_come_in_pages(hall_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE", 2)
    monkeypatch.setattr(task_list, "TASKS_PAGE", 2)
    add_projects(hall_app, 0, 3)
    for number in range(3):
        add_task(hall_app, f"task-{number}", TASK)
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    first, second = owner.get("/projects").text, owner.get("/projects?page=2").text
    row = re.compile(r'href="/projects/(project-\d+|task-\d+)"')
    assert row.findall(first) == ["project-000", "project-001"]
    assert row.findall(second) == ["project-002", "task-0"]
    assert "1 / 3" in first
    assert re.findall(r'href="\?page=(\d)">(\w+)', second) == [("1", "Previous"), ("3", "Next")]
    assert owner.get("/projects?page=9").status_code == 200
    chinese = {"accept-language": "zh"}
    visitor = client_of(hall_app)
    page = visitor.get("/tasks?page=2", headers=chinese).text
    assert len(re.findall(r'<h2><a href="/tasks/', page)) == 1
    assert re.findall(r'href="\?page=(\d)">([^<]+)', page) == [("1", "上一页")]
    assert len(visitor.get("/api/tasks").json()["tasks"]) == 3  # programs get them all


def test_the_api_gives_parts_and_says_how_many_there_are(hall_app: Any) -> None:
    add_projects(hall_app, 0, 3, items=5)
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    whole = owner.get("/api/projects").json()
    part = owner.get("/api/projects?offset=1&limit=1")
    assert (part.json(), part.headers["x-total-count"]) == (whole[1:2], "3")
    for path in ("items", "assignments"):
        whole = owner.get(f"/api/projects/project-001/{path}").json()
        part = owner.get(f"/api/projects/project-001/{path}?offset=1&limit=2")
        assert (part.json(), part.headers["x-total-count"]) == (whole[1:3], "5")
    assert owner.get("/api/projects?limit=0").status_code == 422


def test_a_listing_follows_the_configuration(either_app: Any) -> None:
    project = add_task(either_app, "wells", TASK)
    visitor = client_of(either_app)
    assert [task["name"] for task in visitor.get("/api/tasks").json()["tasks"]] == ["Wells"]
    with hall_in(either_app).database.writing() as session:
        text = TASK.replace("Wells", "Springs") + '[options]\nvisibility = "members"\n'
        change_configuration(session, session.get_one(Project, project), text)
    assert visitor.get("/api/tasks").json() == {"tasks": []}
    with hall_in(either_app).database.reading() as session:
        rows = session.scalars(select(ConfigurationVersion).order_by(ConfigurationVersion.version))
        listings = [json.loads(row.listing) for row in rows]
    assert [listing["name"]["en"] for listing in listings] == ["Wells", "Springs"]
    owner = signed_in(either_app, add_person(either_app, "owner", is_owner=True))
    (task,) = owner.get("/api/tasks").json()["tasks"]
    assert (task["name"], task["visibility"]) == ("Springs", "members")
