"""People in files: what exports call them, and whom an import or a sheet of paper means."""

from __future__ import annotations

import re
from collections import Counter

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from readmark.formats.people_names import folded_name, is_file_name
from readmark.server.access import HallRole
from readmark.server.tables import Assignment, Membership, Person, Project
from readmark.server.views import newest_configuration


def people_by_label(session: Session, project: str) -> dict[str, Person]:
    """The people of a project, and those who left work in it, by what files call them.

    That is the name; where several have it, or one that is the same file, the login, or else the
    name and a number. No two labels are one name.
    """
    members = select(Membership.person_id).where(Membership.project_id == project)
    holders = select(Assignment.person_id).where(Assignment.project_id == project)
    people = session.scalars(
        select(Person)
        .where(or_(Person.id.in_(members), Person.id.in_(holders)))
        .order_by(Person.created, Person.id)
    ).all()
    counts = Counter(folded_name(person.name) for person in people)
    labels = {person.name: person for person in people if counts[folded_name(person.name)] == 1}
    used = {*counts}
    for person in people:
        if counts[folded_name(person.name)] == 1:
            continue
        # More numbers than there are people, so that one is always free.
        numbered = (f"{person.name[:90]} ({number})" for number in range(2, len(people) + 3))
        for label in (person.login, *numbered):
            if folded_name(label) not in used and is_file_name(label):
                labels[label] = person
                used.add(folded_name(label))
                break
    return labels


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
