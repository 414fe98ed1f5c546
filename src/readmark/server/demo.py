"""The project to try: the bundled passages, and a question to write within a minute."""

from __future__ import annotations

import re
from importlib.resources import as_file, files

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.access import HallRole
from readmark.server.assignment import assign_item
from readmark.server.database import Database
from readmark.server.items import ItemSource, items_of
from readmark.server.projects import NewProject, prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Membership, Person, Project

NAMES = {
    "en": '{ en = "Try it: questions in English", zh = "试用：英文出题" }',
    "zh": '{ en = "Try it: questions in Chinese", zh = "试用：中文出题" }',
}
SLUGS = {"en": "questions", "zh": "questions-zh"}
"""A project for each language."""


def add_demo(database: Database) -> str:
    """Add the projects to try where they are missing, with the owner's work; the first's slug."""
    with database.reading() as session:
        there = set(session.scalars(select(Project.slug)))
    new = {language: _read(language) for language, slug in SLUGS.items() if slug not in there}
    with database.writing() as session:
        for language, project in new.items():
            store_project(session, project, slug=SLUGS[language])
        for owner in session.scalars(select(Person).where(Person.is_owner)):
            join_demo(session, owner.id)
    return SLUGS["en"]


def join_demo(session: Session, person_id: str) -> str:
    """Give a person the work to try; the address of the first item in their language."""
    person = session.get_one(Person, person_id)
    first: dict[str, str] = {}
    for language, slug in SLUGS.items():
        project = session.scalar(select(Project).where(Project.slug == slug))
        if project is None or not project.is_open:
            continue
        role = {"project_id": project.id, "person_id": person_id, "role": str(HallRole.ANNOTATOR)}
        if session.get(Membership, role) is None:
            session.add(Membership(**role))
            session.flush()
            for item in items_of(session, project.id, "work"):
                assign_item(session, project, item, person)
        assignment = session.scalar(
            select(Assignment.id)
            .where(Assignment.project_id == project.id, Assignment.person_id == person_id)
            .order_by(Assignment.position)
            .limit(1)
        )
        if assignment is not None:
            first[language] = assignment
    opened = first.get(person.language) or next(iter(first.values()), None)
    return "/assignments" if opened is None else f"/assignments/{opened}"


def _read(language: str) -> NewProject:
    text = shipped_configuration("questions")
    text = re.sub(r"(?m)^name = .*$", f"name = {NAMES[language]}", text, count=1)
    with as_file(files("readmark.bundle").joinpath(f"reading.{language}.jsonl")) as path:
        return prepare_project(text, [ItemSource(path)])
