"""Accounts: passwords, log-in and its throttle, sessions, API tokens, and the audit log."""

from __future__ import annotations

import ipaddress
import json
import math
import re
import secrets
import threading
import time
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import argon2
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.formats.people_names import require_name
from readmark.server.access import Hall, Scope, unmapped
from readmark.server.database import Database
from readmark.server.tables import (
    ApiToken,
    AuditEntry,
    Invitation,
    LoginAttempt,
    LoginSession,
    Person,
    Project,
)

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
LONGEST_LOGIN = 64
MOST_TOKENS = 50
AUDIT_PAGE = 100
WINDOW = 900.0
"""Seconds in which failed log-ins are counted."""
MOST_BY_LOGIN = 10
"""Wrong passwords for a login from one network. Others can still log in, the owner too."""
MOST_BY_ADDRESS = 50
"""More than by login: a class may sit behind one address."""
MOST_UNPLACED = 100
"""Wrong passwords for a login where a proxy does not say whom a request comes from."""

_LOGIN = re.compile(r"[\w.@+-]{2,64}")
_HASHER = argon2.PasswordHasher()
_HASHING = threading.BoundedSemaphore(2)  # each hash takes 64 MB
_NOBODY = "$argon2id$v=19$m={},t={},p={}${}${}".format(
    _HASHER.memory_cost,
    _HASHER.time_cost,
    _HASHER.parallelism,
    b64encode(bytes(16)).decode().rstrip("="),
    b64encode(bytes(32)).decode().rstrip("="),
)
"""A hash that no password has: an unknown login takes as long as a known one."""


class AccountError(ReadmarkError):
    """Something that a person can put right; ``word`` names the message in both languages."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Throttled(Exception):
    """Too many log-ins have failed."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many log-ins have failed")
        self.seconds = max(1, round(seconds))


# The audit log.


class AuditAction(StrEnum):
    """What the audit log has entries of."""

    LOGGED_IN = "logged_in"
    LOGGED_OUT_EVERYWHERE = "logged_out_everywhere"
    PASSWORD_CHANGED = "password_changed"
    PASSWORD_LINK_MADE = "password_link_made"
    PASSWORD_RESET = "password_reset"
    TOKEN_CREATED = "token_created"
    TOKEN_REVOKED = "token_revoked"
    INVITED = "invited"
    INVITATION_REVOKED = "invitation_revoked"
    JOINED = "joined"
    MEMBER_REMOVED = "member_removed"
    PERSON_DISABLED = "person_disabled"
    PERSON_ENABLED = "person_enabled"
    PROJECT_CREATED = "project_created"
    PROJECT_OPENED = "project_opened"
    PROJECT_CLOSED = "project_closed"
    CONFIGURATION_CHANGED = "configuration_changed"
    ITEMS_ADDED = "items_added"
    ITEMS_REMOVED = "items_removed"
    ASSIGNED = "assigned"
    REASSIGNED = "reassigned"
    WITHDRAWN = "withdrawn"
    DISPUTES_OPENED = "disputes_opened"
    GOLD_FROZEN = "gold_frozen"
    REOPENED = "reopened"
    DEADLINE_CHANGED = "deadline_changed"
    EXPORTED = "exported"
    IMPORTED = "imported"
    CLASS_OPENED = "class_opened"
    CLASS_RENEWED = "class_renewed"
    CLASS_CLOSED = "class_closed"
    CLASS_RESULTS_KEPT = "class_results_kept"
    CLASS_ERASED = "class_erased"
    SITTING_ADDED = "sitting_added"
    GOLD_MADE = "gold_made"
    READING_TASK_OFFERED = "reading_task_offered"
    QUALITY_NOTE = "quality_note"
    SUBMITTED = "submitted"
    TEAM_RENAMED = "team_renamed"
    TEAM_LEFT = "team_left"
    SUBMISSION_WITHDRAWN = "submission_withdrawn"
    SUBMISSION_MARKED_AGAIN = "submission_marked_again"


def record(
    session: Session,
    action: AuditAction,
    person_id: str | None,
    project_id: str | None = None,
    **detail: object,
) -> None:
    """Enter who did what into the audit log; ``detail`` has ids, roles and counts only."""
    text = json.dumps(detail, ensure_ascii=False, sort_keys=True)
    session.add(AuditEntry(person_id=person_id, project_id=project_id, action=action, detail=text))


def audit_rows(
    session: Session, project_id: str | None, action: AuditAction | None, before: int | None
) -> list[dict[str, Any]]:
    """A page of the audit log, newest first: of a project, or of the whole hall."""
    query = select(AuditEntry).order_by(AuditEntry.number.desc()).limit(AUDIT_PAGE)
    if project_id is not None:
        query = query.where(AuditEntry.project_id == project_id)
    if action is not None:
        query = query.where(AuditEntry.action == action)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    entries = session.scalars(query).all()
    people = {entry.person_id for entry in entries if entry.person_id}
    named = session.execute(select(Person.id, Person.name).where(Person.id.in_(people)))
    names: dict[str | None, str] = {row[0]: row[1] for row in named}
    slugs = session.execute(select(Project.id, Project.slug))
    projects: dict[str | None, str] = {row[0]: row[1] for row in slugs}
    return [
        {
            "number": entry.number,
            "time": entry.time,
            "person": names.get(entry.person_id),
            "project": projects.get(entry.project_id),
            "action": entry.action,
            "detail": json.loads(entry.detail),
        }
        for entry in entries
    ]


# Logins, names and passwords.


def fold_login(login: str) -> str:
    """A login as it is stored: no difference between cases or widths of letters."""
    return unicodedata.normalize("NFKC", login).strip().casefold()


def check_login(login: str) -> str:
    """The folded login, if it can be one."""
    folded = fold_login(login)
    if not _LOGIN.fullmatch(folded):
        raise AccountError("login_not_valid")
    return folded


def check_name(name: str) -> str:
    """The name, if files and columns can be called by it too."""
    try:
        return require_name(name.strip(), "person's", is_file=True)
    except ReadmarkError as error:
        raise AccountError("name_not_valid") from error


def hash_password(password: str, *, login: str) -> str:
    """The argon2id hash of a new password that is long enough and not the login."""
    if len(password) < SHORTEST_PASSWORD:
        raise AccountError("password_too_short")
    if len(password) > LONGEST_PASSWORD:
        raise AccountError("password_too_long")
    if fold_login(password) == login:
        raise AccountError("password_is_login")
    with _HASHING:
        return _HASHER.hash(_folded(password))


def _folded(password: str) -> bytes:
    # Input methods write full-width letters now and then.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _is_password(stored: str | None, password: str) -> bool:
    """Whether it is the password; without a stored hash the same time is spent."""
    if stored is None or not stored.startswith("$argon2id$"):
        stored = _NOBODY
    with _HASHING:
        try:
            return _HASHER.verify(stored, _folded(password[: LONGEST_PASSWORD + 1]))
        except argon2.exceptions.VerificationError:
            return False


# Log-in and sessions.


def log_in(
    hall: Hall, login: str, password: str, address: str, *, browser: str = ""
) -> Person | None:
    """The person, if login and password are right; failures count against where they come from.

    That is the network, for the login and for all logins. Failures elsewhere lock nobody out.
    ``browser`` is the key of a session that is signed in: only its own failures count.
    """
    login, network = fold_login(login), network_of(address)
    by_address = hall.hashed(f"address {network}")
    if browser:
        by_login = hall.hashed(f"login {login} in {browser}")
        limits = {by_login: MOST_BY_LOGIN}
    elif not network:
        by_login = hall.hashed(f"login {login}")
        limits = {by_login: MOST_UNPLACED}
    else:
        by_login = hall.hashed(f"login {login} from {network}")
        limits = {by_login: MOST_BY_LOGIN, by_address: MOST_BY_ADDRESS}
    reserve(hall, limits)
    with hall.database.reading() as session:
        person = session.scalar(select(Person).where(Person.login == login))
    stored = None if person is None or person.is_disabled else person.password
    if not _is_password(stored, password) or person is None:
        return None
    with hall.database.writing() as session:
        session.execute(delete(LoginAttempt).where(LoginAttempt.who == by_login))
        if by_address in limits:
            forgive(session, by_address)
        record(session, AuditAction.LOGGED_IN, person.id)
    return person


def network_of(address: str) -> str:
    """The address; of IPv6 the network, since a house has a whole one."""
    try:
        parsed = unmapped(ipaddress.ip_address(address))
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))


def reserve(hall: Hall, limits: Mapping[str, int]) -> None:
    """Count an attempt as failed before it is tried, so that many at once are counted too."""
    now = time.time()
    with hall.database.writing() as session:
        hall.database.take_turns(session, "log-in")
        session.execute(delete(LoginAttempt).where(LoginAttempt.time < now - WINDOW))
        for who, most in limits.items():
            count, oldest = session.execute(
                select(func.count(), func.min(LoginAttempt.time)).where(LoginAttempt.who == who)
            ).one()
            if count >= most:
                raise Throttled(oldest + WINDOW - now)
        session.add_all(LoginAttempt(who=who) for who in limits)


def forgive(session: Session, *whos: str) -> None:
    """Take back the newest attempt that was counted against each: it was right."""
    for who in whos:
        newest = select(func.max(LoginAttempt.number)).where(LoginAttempt.who == who)
        session.execute(delete(LoginAttempt).where(LoginAttempt.number == newest.scalar_subquery()))


def open_session(session: Session, hall: Hall, person_id: str, *, until: float = math.inf) -> str:
    """The secret of a new browser session; sessions that have expired are removed."""
    now, secret = time.time(), secrets.token_urlsafe(32)
    session.execute(delete(LoginSession).where(LoginSession.expires < now))
    session.add(
        LoginSession(
            secret=hall.hashed(secret),
            person_id=person_id,
            expires=min(now + hall.settings.session_days * 86400, until),
        )
    )
    return secret


def end_sessions(session: Session, person_id: str) -> None:
    """Log a person out everywhere."""
    session.execute(delete(LoginSession).where(LoginSession.person_id == person_id))


def set_password(session: Session, person_id: str, hashed: str) -> None:
    """Store a new password's hash, and log the person out everywhere."""
    session.execute(update(Person).where(Person.id == person_id).values(password=hashed))
    end_sessions(session, person_id)


# API tokens.


def create_token(
    session: Session, hall: Hall, person_id: str, *, name: str, scopes: Iterable[Scope], days: int
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is shown once and stored as a hash."""
    active = select(func.count()).where(ApiToken.person_id == person_id, ApiToken.revoked.is_(None))
    if session.scalar(active) >= MOST_TOKENS:  # type: ignore[operator]
        raise AccountError("too_many_tokens")
    secret = f"readmark_{secrets.token_urlsafe(32)}"
    token = ApiToken(
        secret=hall.hashed(secret),
        person_id=person_id,
        name=name,
        scopes=" ".join(sorted(set(scopes))),
        expires=time.time() + days * 86400,
    )
    session.add(token)
    session.flush()
    record(session, AuditAction.TOKEN_CREATED, person_id, token=token.id, scopes=token.scopes)
    return token, secret


def revoke_token(session: Session, person_id: str, token_id: str) -> bool:
    """Whether the person had such a token; it is of no use any more."""
    changed = session.execute(
        update(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.person_id == person_id)
        .where(ApiToken.revoked.is_(None))
        .values(revoked=time.time())
        .returning(ApiToken.id)
    ).all()
    if changed:
        record(session, AuditAction.TOKEN_REVOKED, person_id, token=token_id)
    return bool(changed)


# People, by an owner.


def add_owner(database: Database, *, name: str, login: str, password: str, language: str) -> None:
    """Create an owner's account, for whoever can write to the database anyway."""
    name, login = check_name(name), check_login(login)
    hashed = hash_password(password, login=login)
    with database.writing() as session:
        if session.scalar(select(Person.id).where(Person.login == login)) is not None:
            raise AccountError("login_taken")
        person = Person(login=login, name=name, password=hashed, language=language, is_owner=True)
        session.add(person)
        session.flush()
        record(session, AuditAction.JOINED, person.id, role="owner")


def disable_person(session: Session, person: Person, by: Person) -> None:
    """Shut a person out at once; their work, and their name on it, stay."""
    if person.id == by.id:
        raise AccountError("not_yourself")
    now = time.time()
    person.is_disabled = True
    end_sessions(session, person.id)
    for table, whose in ((ApiToken, ApiToken.person_id), (Invitation, Invitation.invited_by)):
        session.execute(
            update(table).where(whose == person.id, table.revoked.is_(None)).values(revoked=now)
        )
    record(session, AuditAction.PERSON_DISABLED, by.id, person=person.id)


def enable_person(session: Session, person: Person, by: Person) -> None:
    """Let a person in again; tokens and sessions of before stay ended."""
    person.is_disabled = False
    record(session, AuditAction.PERSON_ENABLED, by.id, person=person.id)
