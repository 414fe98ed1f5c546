"""Two projects with people of every role and objects of every sort, to try who reaches what."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import select, update

from halls import add_member, add_person, add_project, add_task, add_to_team, assign, hall_in
from readmark.reporting import StandingColumns, StandingMetric, StandingOrder, Standings
from readmark.server.access import Hall, HallRole, Scope
from readmark.server.api_tokens import create_token
from readmark.server.boards.stored import Board, written_board
from readmark.server.classes import open_class
from readmark.server.gold import GoldSummary
from readmark.server.invitations import invite
from readmark.server.shared_tasks.submissions import store_file
from readmark.server.tables import (
    BoardVersion,
    FrozenGold,
    Item,
    Person,
    Project,
    ProjectFile,
    ReadingTaskSubmission,
    StoredReadingTask,
    Submission,
    Team,
)
from served_tasks import league_zip

CONFIGURATION = '[project]\nname = "Wood"\nwork = "questions"\n'
PAPER = {"record": {"id": "one", "text": "Wood burns."}, "language": "en"}
WORKERS = ("annotator", "adjudicator", "expert", "novice", "participant")
MEMBERS = ("organiser", *WORKERS)
PUPIL = "pupil"
"""Somebody who joined project ``wood`` through a class."""
TEAM = "team"
"""Somebody in a team of the shared task ``wood-task``, and in nothing else."""
TASK = """[project]
name = "Task"
work = "shared_task"
[options]
visibility = "members"
registration = "open"
hidden = ["test"]
"""
PUBLIC_SPLIT = {"wood": "dev", "stone": "train"}
"""A split of each project's shared task that is not hidden."""


@dataclass
class Scene:
    """Two projects with the same people in each other's place, and objects of every sort."""

    app: Any
    people: dict[str, str] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)

    @property
    def hall(self) -> Hall:
        return hall_in(self.app)


def build(app: Any) -> Scene:
    """Project ``wood`` with a person of each role; project ``stone`` with others."""
    scene = Scene(app)
    wood = add_project(app, "wood", CONFIGURATION, {"one": PAPER, "two": PAPER})
    stone = add_project(app, "stone", CONFIGURATION, {"three": PAPER})
    scene.people["owner"] = add_person(app, "owner", is_owner=True)
    outsider = add_person(app, "outsider")
    add_member(app, stone, outsider, "annotator", "organiser")
    for role in MEMBERS:
        scene.people[role] = add_person(app, role)
        add_member(app, wood, scene.people[role], role)
    scene.people[PUPIL] = add_person(app, PUPIL)
    add_member(app, wood, scene.people[PUPIL], "participant")
    classroom = new_class(app, wood, "wood", "")
    with scene.hall.database.writing() as session:
        session.execute(
            update(Person).where(Person.id == scene.people[PUPIL]).values(class_id=classroom)
        )
    own_task = add_task(app, "wood-task", TASK)
    other_task = add_task(app, "stone-task", TASK, "readability.en.jsonl")
    scene.people[TEAM] = add_person(app, TEAM)
    add_member(app, own_task, scene.people["organiser"], "organiser")
    add_to_team(app, own_task, scene.people[TEAM], "Rowers")
    add_to_team(app, other_task, outsider, "Masons of outsider")
    for role, person in scene.people.items():
        scene.own[role] = {
            name: make(app, wood, "wood", person) for name, make in PARAMETERS.items()
        }
    scene.foreign = {name: make(app, stone, "stone", outsider) for name, make in PARAMETERS.items()}
    return scene


def new_token(app: Any, project: str, slug: str, person: str) -> str:
    hall = hall_in(app)
    with hall.database.writing() as session:
        return create_token(session, hall, person, name="x", scopes=[Scope.READ], days=1)[0].id


def new_invitation(app: Any, project: str, slug: str, person: str) -> str:
    hall = hall_in(app)
    with hall.database.writing() as session:
        return invite(session, hall, HallRole.NOVICE, project_id=project)[0].id


def new_member(app: Any, project: str, slug: str, person: str) -> str:
    member = add_person(app, f"member{time.time_ns()}")
    add_member(app, project, member, "novice")
    return member


def first_item(app: Any, project: str, slug: str, person: str) -> str:
    with hall_in(app).database.reading() as session:
        return session.scalars(select(Item.id).where(Item.project_id == project)).first() or ""


def new_class(app: Any, project: str, slug: str, person: str) -> str:
    hall, day = hall_in(app), time.time() + 86400
    with hall.database.writing() as session:
        own = session.get(Project, project)
        assert own is not None
        settings: dict[str, Any] = {"role": "participant", "most": 9, "until": day, "erase": day}
        return open_class(session, hall, own, name="7b", **settings)[0].id


_VERSIONS = itertools.count(1)
EMPTY_BOARD = Board(
    kind="comprehension",
    standings=Standings(
        columns=StandingColumns(splits=[], metrics=[StandingMetric(name="em")]),
        rows=[],
        fields=[],
        order=StandingOrder(split="", metrics=["em"]),
    ),
    submissions={},
    alpha=0.05,
    ladder=False,
    smallest_slice=20,
    decided=[],
)


def new_version(app: Any, project: str, slug: str, person: str) -> str:
    """The number of a reading task's gold, and of a board of the shared task."""
    number = next(_VERSIONS)
    with hall_in(app).database.writing() as session:
        name = f"gold-{number}.zip"
        session.add(ProjectFile(project_id=project, role="gold", name=name, content=b"zip"))
        task = session.scalar(select(Project.id).where(Project.slug == f"{slug}-task"))
        board = BoardVersion(project_id=task, number=number, content=written_board(EMPTY_BOARD))
        session.add(board)
    return str(number)


def new_gold(app: Any, project: str, slug: str, person: str) -> str:
    with hall_in(app).database.writing() as session:
        number = time.time_ns() % 2**31
        summary = GoldSummary(number=number, event=1, configuration=1, items=1, files=())
        version = FrozenGold(
            project_id=project,
            number=number,
            summary=msgspec.json.encode(summary).decode(),
            content=b"zip",
        )
        session.add(version)
        session.flush()
        return version.id


def new_reading_task(app: Any, project: str, slug: str, person: str) -> str:
    with hall_in(app).database.writing() as session:
        task = StoredReadingTask(name=slug, person_id=person, content=league_zip())
        session.add(task)
        session.flush()
        return task.id


def new_task_submission(app: Any, project: str, slug: str, person: str) -> str:
    """A submission to the person's last task."""
    own = select(StoredReadingTask.id).where(StoredReadingTask.person_id == person)
    with hall_in(app).database.writing() as session:
        task = session.scalars(own.order_by(StoredReadingTask.created.desc())).first()
        entry = ReadingTaskSubmission(
            task_id=task,
            root_id=task,
            person_id=person,
            candidate=slug,
            gold=0,
            content=SITTING.encode(),
            result='{"gold": 0, "answers": 1, "public": null, "hidden": []}',
        )
        session.add(entry)
        session.flush()
        return entry.id


SITTING = """\
{"candidate": "x", "readmark": 1, "file": "sitting", "kind": "task"}
{"id": "otters:winner", "bindings": [{"values": {"G": "Game-1", "T": "Otters"}}]}
"""


def new_submission(app: Any, project: str, slug: str, person: str) -> str:
    """A submission of the team in the project's shared task, sat through the API."""
    with hall_in(app).database.writing() as session:
        task = session.scalars(select(Project).where(Project.slug == f"{slug}-task")).one()
        team = session.scalars(select(Team).where(Team.project_id == task.id)).first()
        number = time.time_ns() % 2**31
        submission = Submission(
            project_id=task.id,
            number=number,
            team_id=None if team is None else team.id,
            origin="api",
            system=slug,
            phase="formal",
            state="open",
            file_name="sitting.jsonl",
        )
        session.add(submission)
        session.flush()
        for role, split in (("answers", ""), ("marksheet", PUBLIC_SPLIT[slug])):
            store_file(session, submission.id, role, split, b"{}")
        return submission.id


PARAMETERS: dict[str, Callable[[Any, str, str, str], str]] = {
    "project": lambda app, project, slug, person: slug,
    "assignment": lambda app, project, slug, person: assign(app, project, person)[0],
    "item": first_item,
    "person": new_member,
    "token": new_token,
    "invitation": new_invitation,
    "classroom": new_class,
    "version": new_version,
    "gold": new_gold,
    "reading_task": new_reading_task,
    "task_submission": new_task_submission,
    "task": lambda app, project, slug, person: f"{slug}-task",
    "submission": new_submission,
    "split": lambda app, project, slug, person: PUBLIC_SPLIT[slug],
}
"""What stands in a path: how to make one that belongs to a project and a person."""
