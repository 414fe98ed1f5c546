"""People whose work comes from files or from paper: who is meant, and what they are assigned."""

from __future__ import annotations

import re

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.formats.people_names import folded_name
from readmark.server.access import HallRole
from readmark.server.log import people_by_label
from readmark.server.tables import Assignment, Membership, Person, Project
from readmark.server.views import newest_configuration


def people_by_name(session: Session, project_id: str) -> dict[str, Person | None]:
    """The people of a project by whatever a file may call them, folded.

    That is the label that exports have, else a name that several share (None), else the login.
    """
    labels = people_by_label(session, project_id)
    people: dict[str, Person | None] = {
        folded_name(label): person for label, person in labels.items()
    }
    for person in labels.values():
        people.setdefault(folded_name(person.name), None)
    for person in labels.values():
        people.setdefault(folded_name(person.login), person)
    return people


def placeholder(session: Session, project: Project, name: str) -> Person:
    """Make a disabled account for somebody whose work comes from a file or from paper."""
    base = re.sub(r"\s+", ".", folded_name(name))[:150]
    login, number = base, 1
    while session.scalar(select(Person.id).where(Person.login == login)) is not None:
        number += 1
        login = f"{base}.{number}"
    # No password has the hash "!". `is_placeholder` knows such accounts by it.
    person = Person(login=login, name=name, password="!", is_disabled=True)
    session.add(person)
    session.flush()
    roles = newest_configuration(session, project.id).project.roles
    role = str(next(iter(roles), HallRole.ANNOTATOR))
    session.add(Membership(project_id=project.id, person_id=person.id, role=role))
    session.flush()
    return person


def is_placeholder(person: Person) -> bool:
    """Whether nobody can log in as this person."""
    return person.is_disabled and person.password == "!"


def assignment_for(session: Session, project: Project, item_id: str, person: Person) -> Assignment:
    """A person's assignment of an item, which is made if there is none."""
    assignment = session.scalar(
        select(Assignment).where(Assignment.item_id == item_id, Assignment.person_id == person.id)
    )
    if assignment is not None:
        return assignment
    last = session.scalar(
        select(Assignment.position)
        .where(Assignment.project_id == project.id, Assignment.person_id == person.id)
        .order_by(Assignment.position.desc())
        .limit(1)
    )
    assignment = Assignment(
        project_id=project.id,
        item_id=item_id,
        person_id=person.id,
        position=0 if last is None else last + 1,
    )
    session.add(assignment)
    session.flush()
    return assignment
