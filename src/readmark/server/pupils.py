"""Class mode for pupils: they join by a link and a code, choose a pseudonym, and come back.

Wrong codes are counted as failed log-ins are.
"""

from __future__ import annotations

import hmac
import random
import time
from itertools import product

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.formats.people_names import folded_name
from readmark.server.access import Hall
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.class_codes import code_hash, draw_return_code, link_hash, return_hash, spaced
from readmark.server.classes import pupils_of
from readmark.server.handing_out import hand_out
from readmark.server.pages import LANGUAGES, words
from readmark.server.tables import Assignment, Classroom, Membership, Person, Project, new_id
from readmark.server.throttle import MOST_BY_ADDRESS, forgive, network_of, reserve
from readmark.server.training import results_to_hand_out_by

MOST_BY_CLASS = 60
"""Wrong codes for a class within a quarter of an hour."""
PSEUDONYMS_DRAWN = 8
"""Pseudonyms to choose from."""


def find_class(session: Session, hall: Hall, link: str) -> Classroom | None:
    """The class behind a link, while it is open."""
    return session.scalar(
        select(Classroom)
        .join(Project, Project.id == Classroom.project_id)
        .where(
            Classroom.link == link_hash(hall, link),
            Classroom.until > time.time(),
            Classroom.erasing.is_(None),
            Project.is_open,
        )
    )


def require_code(hall: Hall, link: str, code: str, address: str) -> Classroom:
    """The class, if link and code are right; wrong codes count against class and address."""
    classroom, attempts = _attempt(hall, link, address)
    expected = classroom.code or ""
    if not hmac.compare_digest(code_hash(hall, classroom.id, code), expected):
        raise AccountError("class_code_wrong")
    with hall.database.writing() as session:
        forgive(session, *attempts)
    return classroom


def join_class(
    hall: Hall, link: str, code: str, pseudonym: str, *, language: str, address: str
) -> tuple[Person, str]:
    """A new pupil with the work of the project, and the code that lets them in again."""
    known = require_code(hall, link, code, address)
    if pseudonym not in {name for names in _pseudonyms().values() for name in names}:
        raise AccountError("pseudonym_taken")
    return_code = draw_return_code()
    results = results_to_hand_out_by(hall.database, known.project_id)
    with hall.database.writing() as session:
        classroom = session.get(Classroom, known.id, with_for_update=True)
        if classroom is None or classroom.link != known.link or classroom.erasing is not None:
            raise AccountError("class_over")
        if len(pupils_of(session, classroom.id)) >= classroom.most:
            raise AccountError("class_full")
        if folded_name(pseudonym) in _taken(session, classroom.project_id):
            raise AccountError("pseudonym_taken")
        person = Person(
            login=f"pupil.{new_id()}",
            name=pseudonym,
            password="!",  # no password has this hash
            language=language,
            class_id=classroom.id,
            return_code=return_hash(hall, classroom.id, return_code),
        )
        session.add(person)
        session.flush()
        project_id, role = classroom.project_id, classroom.role
        session.add(Membership(project_id=project_id, person_id=person.id, role=role))
        session.flush()
        record(session, AuditAction.JOINED, person.id, project_id, role=role)
        project = session.get_one(Project, project_id)
        hand_out(session, project, is_top_up=True, results=results)
    return person, spaced(return_code)


def return_to_class(hall: Hall, link: str, return_code: str, address: str) -> Person:
    """The pupil whom a return code belongs to; wrong ones count as wrong codes do."""
    classroom, attempts = _attempt(hall, link, address)
    with hall.database.writing() as session:
        person = session.scalar(
            select(Person).where(
                Person.class_id == classroom.id,
                Person.return_code == return_hash(hall, classroom.id, return_code),
                Person.is_disabled.is_(False),
            )
        )
        if person is not None:
            forgive(session, *attempts)
    if person is None:
        raise AccountError("return_code_wrong")
    return person


def _attempt(hall: Hall, link: str, address: str) -> tuple[Classroom, tuple[str, ...]]:
    """The class behind a link, and what is counted now and forgiven if the code is right."""
    with hall.database.reading() as session:
        classroom = find_class(session, hall, link)
    if classroom is None:
        raise AccountError("class_over")
    limits = {hall.hashed(f"pupils {classroom.id}"): MOST_BY_CLASS}
    # There is no network behind a proxy that names nobody: all classes would count as one.
    if network := network_of(address):
        limits[hall.hashed(f"pupils from {network}")] = MOST_BY_ADDRESS
    reserve(hall, limits)
    return classroom, tuple(limits)


def draw_pseudonyms(session: Session, project_id: str, language: str) -> list[str]:
    """A few pseudonyms that nobody in the project has."""
    taken = _taken(session, project_id)
    free = [name for name in _pseudonyms()[language] if folded_name(name) not in taken]
    return random.SystemRandom().sample(free, min(PSEUDONYMS_DRAWN, len(free)))


def _pseudonyms() -> dict[str, list[str]]:
    """Every pseudonym by language: a describing word and an animal."""
    pseudonyms = {}
    for language in LANGUAGES:
        text = words(language, "pseudonyms")
        joint = " " if language == "en" else ""
        pairs = product(text["pseudonym_words"].split(), text["pseudonym_animals"].split())
        pseudonyms[language] = [f"{word}{joint}{animal}" for word, animal in pairs]
    return pseudonyms


def _taken(session: Session, project_id: str) -> set[str]:
    """The folded names of everybody in a project, and of those who left work in it."""
    members = select(Membership.person_id).where(Membership.project_id == project_id)
    holders = select(Assignment.person_id).where(Assignment.project_id == project_id)
    names = session.scalars(
        select(Person.name).where(Person.id.in_(members) | Person.id.in_(holders))
    )
    return {folded_name(name) for name in names}
