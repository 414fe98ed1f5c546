"""Two projects with people of every role and objects of every sort, to try who reaches what."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import select, update

from halls import add_member, add_person, add_project, assign, hall_in
from readmark.server.access import Hall, HallRole, Scope
from readmark.server.accounts import create_token
from readmark.server.adjudication import GoldSummary
from readmark.server.classes import open_class
from readmark.server.invitations import invite
from readmark.server.tables import FrozenGold, Item, Person, Project, ProjectFile

CONFIGURATION = '[project]\nname = "Wood"\nwork = "questions"\n'
PAPER = {"record": {"id": "one", "text": "Wood burns."}, "language": "en"}
WORKERS = ("annotator", "adjudicator", "expert", "novice", "participant")
MEMBERS = ("organiser", *WORKERS)
PUPIL = "pupil"
"""Somebody who joined project ``wood`` through a class."""


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


def new_task_version(app: Any, project: str, slug: str, person: str) -> str:
    version = str(time.time_ns())
    with hall_in(app).database.writing() as session:
        name = f"gold-{version}.zip"
        session.add(ProjectFile(project_id=project, role="gold", name=name, content=b"zip"))
    return version


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


PARAMETERS: dict[str, Callable[[Any, str, str, str], str]] = {
    "project": lambda app, project, slug, person: slug,
    "assignment": lambda app, project, slug, person: assign(app, project, person)[0],
    "item": first_item,
    "person": new_member,
    "token": new_token,
    "invitation": new_invitation,
    "classroom": new_class,
    "version": new_task_version,
    "gold": new_gold,
}
"""What stands in a path: how to make one that belongs to a project and a person."""
