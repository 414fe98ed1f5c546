"""Registration of teams without an invitation, for tasks that are open to everybody."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.access import Hall, HallRole
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.credentials import check_login, check_name, hash_password
from readmark.server.shared_tasks.teams import join_team
from readmark.server.tables import Person
from readmark.server.throttle import network_of, reserve

MOST_REGISTRATIONS = 10
"""Registrations from one address within the window in which failed log-ins are counted."""


def register(
    hall: Hall,
    project_id: str,
    *,
    team: str,
    name: str,
    login: str,
    password: str,
    language: str,
    address: str,
) -> Person:
    """A new account in a new team; every attempt counts against the address."""
    name, login = check_name(name), check_login(login)
    _count_registration(hall, address)
    hashed = hash_password(password, login=login)
    with hall.database.writing() as session:
        if session.scalar(select(Person.id).where(Person.login == login)) is not None:
            raise AccountError("login_taken")
        person = Person(login=login, name=name, password=hashed, language=language)
        session.add(person)
        session.flush()
        _join_new_team(session, project_id, person, team)
        return person


def register_member(
    hall: Hall, project_id: str, person_id: str, team: str, *, address: str
) -> None:
    """Put somebody who has an account into a new team; every attempt counts."""
    _count_registration(hall, address)
    with hall.database.writing() as session:
        _join_new_team(session, project_id, session.get_one(Person, person_id), team)


def _count_registration(hall: Hall, address: str) -> None:
    reserve(hall, {hall.hashed(f"registration {network_of(address)}"): MOST_REGISTRATIONS})


def _join_new_team(session: Session, project_id: str, person: Person, name: str) -> None:
    team = join_team(session, project_id, person, name=name)
    role = str(HallRole.TEAM)
    record(session, AuditAction.JOINED, person.id, project_id, role=role, team=team.id)
