"""Class mode: pupils join one project by a link and a code, under a pseudonym, without an account.

It is the one exception to invitations. Links and codes are stored as hashes, wrong codes are
counted as failed log-ins are, and everything of the pupils is deleted on a day (`erasure`).
"""

from __future__ import annotations

import hmac
import random
import secrets
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.formats.people_names import folded_name
from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.assignment import DAY, hand_out, roles_for
from readmark.server.audit import AuditAction, record
from readmark.server.pages import LANGUAGES, words
from readmark.server.tables import Assignment, Classroom, Membership, Person, Project, new_id
from readmark.server.throttle import MOST_BY_ADDRESS, forgive, network_of, reserve
from readmark.server.training import results_to_hand_out_by
from readmark.server.views import newest_configuration

PUPIL_ROLES = (HallRole.PARTICIPANT, HallRole.NOVICE)
MOST_PUPILS = 200
MOST_DAYS = 400
"""Days until the pupils' data are deleted, at most."""
MOST_BY_CLASS = 60
"""Wrong codes for a class within a quarter of an hour."""
LETTERS = "BCDFGHJKMNPQRSTVWXZ23456789"
"""Letters and digits that nobody takes for one another; without vowels they spell no word."""
DRAWN = 8
"""Pseudonyms to choose from."""

ClassState = Literal["open", "closed", "over", "erasing", "erased"]


@dataclass(frozen=True)
class ClassCodes:
    """What pupils join by: shown once, stored as hashes."""

    link: str
    code: str

    @property
    def spaced(self) -> str:
        """The code as it is read aloud."""
        return spaced(self.code)


def _drawn_code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def spaced(code: str) -> str:
    """A code in groups, as it is read aloud."""
    size = 3 if len(code) % 3 == 0 else 4
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def folded_code(text: str) -> str:
    """A code as it is stored: no difference between cases, widths, spaces and dashes."""
    folded = unicodedata.normalize("NFKC", text).upper()
    return "".join(character for character in folded if character.isalnum())


# The teacher's side.


def open_class(
    session: Session,
    hall: Hall,
    project: Project,
    *,
    name: str,
    role: str,
    most: int,
    until: float,
    erase: float,
    by: str | None = None,
    now: float | None = None,
) -> tuple[Classroom, ClassCodes]:
    """Let up to ``most`` pupils join a project until a day, and delete their data on another."""
    now = time.time() if now is None else now
    if role not in PUPIL_ROLES or role not in roles_for(newest_configuration(session, project.id)):
        raise AccountError("class_role_gets_nothing")
    if not 1 <= most <= MOST_PUPILS:
        raise UsageError(f"{most} pupils, expected 1 to {MOST_PUPILS}")
    if not now < until <= erase + DAY or not now < erase <= now + MOST_DAYS * DAY:
        raise AccountError("class_days_wrong")
    made = Classroom(
        project_id=project.id,
        name=name.strip(),
        role=role,
        most=most,
        until=min(until, erase),
        erase=erase,
    )
    session.add(made)
    session.flush()
    codes = _renew(hall, made)
    record(session, AuditAction.CLASS_OPENED, by, project.id, classroom=made.id, role=role)
    return made, codes


def renew_class(
    session: Session, hall: Hall, classroom: Classroom, *, by: str | None = None
) -> ClassCodes:
    """A new link and code; those of before end. This also opens a closed class again."""
    codes = _renew(hall, classroom)
    record(session, AuditAction.CLASS_RENEWED, by, classroom.project_id, classroom=classroom.id)
    return codes


def _renew(hall: Hall, classroom: Classroom) -> ClassCodes:
    codes = ClassCodes(_drawn_code(10), _drawn_code(6))
    classroom.link = _link_hash(hall, codes.link)
    classroom.code = _code_hash(hall, classroom.id, codes.code)
    return codes


def close_class(session: Session, classroom: Classroom, *, by: str | None = None) -> None:
    """End link, code and return codes; who is in can finish."""
    if classroom.link is not None:
        classroom.link = classroom.code = None
        record(session, AuditAction.CLASS_CLOSED, by, classroom.project_id, classroom=classroom.id)


def classes_of(session: Session, project_id: str) -> Sequence[tuple[Classroom, int]]:
    """A project's classes, newest first, with how many pupils have joined each."""
    joined = select(Person.class_id, func.count()).group_by(Person.class_id)
    counts = {row[0]: row[1] for row in session.execute(joined)}
    found = session.scalars(
        select(Classroom)
        .where(Classroom.project_id == project_id)
        .order_by(Classroom.created.desc(), Classroom.id)
    )
    return [(classroom, counts.get(classroom.id, 0)) for classroom in found]


def class_state(classroom: Classroom) -> ClassState:
    """Whether pupils can join a class, or why not."""
    if classroom.erased is not None:
        return "erased"
    if classroom.erasing is not None:
        return "erasing"
    if classroom.until < time.time():
        return "over"
    return "open" if classroom.link else "closed"


def pupils_of(session: Session, class_id: str) -> Sequence[Person]:
    """The pupils of a class in the order in which they joined."""
    own = select(Person).where(Person.class_id == class_id)
    return session.scalars(own.order_by(Person.created, Person.id)).all()


# The pupil's side.


def _link_hash(hall: Hall, link: str) -> str:
    return hall.hashed(f"class {folded_code(link)}")


def _code_hash(hall: Hall, class_id: str, code: str) -> str:
    return hall.hashed(f"code {class_id} {folded_code(code)}")


def _return_hash(hall: Hall, class_id: str, code: str) -> str:
    return hall.hashed(f"return {class_id} {folded_code(code)}")


def find_class(session: Session, hall: Hall, link: str) -> Classroom | None:
    """The class behind a link, while it is open."""
    return session.scalar(
        select(Classroom)
        .join(Project, Project.id == Classroom.project_id)
        .where(
            Classroom.link == _link_hash(hall, link),
            Classroom.until > time.time(),
            Classroom.erasing.is_(None),
            Project.is_open,
        )
    )


def require_code(hall: Hall, link: str, code: str, address: str) -> Classroom:
    """The class, if link and code are right; wrong codes count against class and address."""
    classroom, attempts = _attempt(hall, link, address)
    right = classroom.code or ""
    if not hmac.compare_digest(_code_hash(hall, classroom.id, code), right):
        raise AccountError("class_code_wrong")
    with hall.database.writing() as session:
        forgive(session, *attempts)
    return classroom


def _attempt(hall: Hall, link: str, address: str) -> tuple[Classroom, tuple[str, ...]]:
    with hall.database.reading() as session:
        classroom = find_class(session, hall, link)
    if classroom is None:
        raise AccountError("class_over")
    limits = {hall.hashed(f"pupils {classroom.id}"): MOST_BY_CLASS}
    if network := network_of(address):  # a proxy may not say it, and one class is not another's
        limits[hall.hashed(f"pupils from {network}")] = MOST_BY_ADDRESS
    reserve(hall, limits)
    return classroom, tuple(limits)


def join_class(
    hall: Hall, link: str, code: str, pseudonym: str, *, language: str, address: str
) -> tuple[Person, str]:
    """A new pupil with the work of the project, and the code that lets them in again."""
    known = require_code(hall, link, code, address)
    if pseudonym not in {name for names in _pseudonyms().values() for name in names}:
        raise AccountError("pseudonym_taken")
    again = _drawn_code(12)
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
            password="!",
            language=language,
            class_id=classroom.id,
            return_code=_return_hash(hall, classroom.id, again),
        )
        session.add(person)
        session.flush()
        project_id, role = classroom.project_id, classroom.role
        session.add(Membership(project_id=project_id, person_id=person.id, role=role))
        session.flush()
        record(session, AuditAction.JOINED, person.id, project_id, role=role)
        project = session.get(Project, project_id)
        assert project is not None
        hand_out(session, project, is_top_up=True, results=results)
    return person, spaced(again)


def return_to_class(hall: Hall, link: str, return_code: str, address: str) -> Person:
    """The pupil whom a return code belongs to; wrong ones count as wrong codes do."""
    classroom, attempts = _attempt(hall, link, address)
    with hall.database.writing() as session:
        person = session.scalar(
            select(Person).where(
                Person.class_id == classroom.id,
                Person.return_code == _return_hash(hall, classroom.id, return_code),
                Person.is_disabled.is_(False),
            )
        )
        if person is not None:
            forgive(session, *attempts)
    if person is None:
        raise AccountError("return_code_wrong")
    return person


def _pseudonyms() -> dict[str, list[str]]:
    """Every pseudonym by language: a describing word and an animal."""
    made = {}
    for language in LANGUAGES:
        text = words(language, "pseudonyms")
        joint = " " if language == "en" else ""
        pairs = product(text["pseudonym_words"].split(), text["pseudonym_animals"].split())
        made[language] = [f"{word}{joint}{animal}" for word, animal in pairs]
    return made


def draw_pseudonyms(session: Session, project_id: str, language: str) -> list[str]:
    """A few pseudonyms that nobody in the project has."""
    taken = _taken(session, project_id)
    free = [name for name in _pseudonyms()[language] if folded_name(name) not in taken]
    return random.SystemRandom().sample(free, min(DRAWN, len(free)))


def _taken(session: Session, project_id: str) -> set[str]:
    members = select(Membership.person_id).where(Membership.project_id == project_id)
    holders = select(Assignment.person_id).where(Assignment.project_id == project_id)
    names = session.scalars(
        select(Person.name).where(Person.id.in_(members) | Person.id.in_(holders))
    )
    return {folded_name(name) for name in names}
