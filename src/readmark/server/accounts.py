"""People's accounts: an owner's first one, new passwords, shutting people out and back in."""

from __future__ import annotations

import time

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.browser_sessions import end_sessions
from readmark.server.credentials import check_login, check_name, hash_password
from readmark.server.database import Database
from readmark.server.tables import ApiToken, Invitation, Person


def add_owner(database: Database, *, name: str, login: str, password: str, language: str) -> None:
    """Create an owner's account without an invitation.

    Only a command does this: who can run it can write to the database anyway.
    """
    name, login = check_name(name), check_login(login)
    password_hash = hash_password(password, login=login)
    with database.writing() as session:
        if session.scalar(select(Person.id).where(Person.login == login)) is not None:
            raise AccountError("login_taken")
        person = Person(
            login=login, name=name, password=password_hash, language=language, is_owner=True
        )
        session.add(person)
        session.flush()
        record(session, AuditAction.JOINED, person.id, role="owner")


def set_password(session: Session, person_id: str, password_hash: str) -> None:
    """Store a new password's hash, and log the person out everywhere."""
    session.execute(update(Person).where(Person.id == person_id).values(password=password_hash))
    end_sessions(session, person_id)


def disable_person(session: Session, person: Person, by: Person) -> None:
    """Shut a person out at once; their work, and their name on it, stay."""
    if person.id == by.id:
        raise AccountError("not_yourself")
    now = time.time()
    person.is_disabled = True
    end_sessions(session, person.id)
    # Invitations that they sent end too: with one they could let themselves in again.
    for table, owner in ((ApiToken, ApiToken.person_id), (Invitation, Invitation.invited_by)):
        session.execute(
            update(table).where(owner == person.id, table.revoked.is_(None)).values(revoked=now)
        )
    record(session, AuditAction.PERSON_DISABLED, by.id, person=person.id)


def enable_person(session: Session, person: Person, by: Person) -> None:
    """Let a person in again; tokens and sessions of before stay ended."""
    person.is_disabled = False
    record(session, AuditAction.PERSON_ENABLED, by.id, person=person.id)
