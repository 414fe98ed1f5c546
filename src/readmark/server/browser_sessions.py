"""Logging in with a browser: the password is checked, and a session opened or ended."""

from __future__ import annotations

import math
import secrets
import time

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from readmark.server.access import Hall
from readmark.server.audit import AuditAction, record
from readmark.server.credentials import fold_login, is_password
from readmark.server.days import DAY
from readmark.server.tables import LoginAttempt, LoginSession, Person
from readmark.server.throttle import (
    MOST_BY_ADDRESS,
    MOST_BY_LOGIN,
    MOST_UNPLACED,
    forgive,
    network_of,
    reserve,
)


def log_in(
    hall: Hall, login: str, password: str, address: str, *, browser: str = ""
) -> Person | None:
    """The person, if login and password are right.

    Failures are counted by the network that they come from, for the login and for all logins, so
    that failures elsewhere lock nobody out. With ``browser``, the key of a session that is already
    signed in, only failures in that session count.
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
    # Passwords are slow to check on purpose, so no transaction is open meanwhile.
    with hall.database.reading() as session:
        person = session.scalar(select(Person).where(Person.login == login))
    stored_hash = None if person is None or person.is_disabled else person.password
    if not is_password(stored_hash, password) or person is None:
        return None
    with hall.database.writing() as session:
        session.execute(delete(LoginAttempt).where(LoginAttempt.who == by_login))
        # Earlier failures for other logins still count: guessing is not reset by one's own log-in.
        if by_address in limits:
            forgive(session, by_address)
        record(session, AuditAction.LOGGED_IN, person.id)
    return person


def open_session(session: Session, hall: Hall, person_id: str, *, until: float = math.inf) -> str:
    """Open a browser session and return its secret; expired sessions are removed."""
    now, secret = time.time(), secrets.token_urlsafe(32)
    session.execute(delete(LoginSession).where(LoginSession.expires < now))
    session.add(
        LoginSession(
            secret=hall.hashed(secret),
            person_id=person_id,
            expires=min(now + hall.settings.session_days * DAY, until),
        )
    )
    return secret


def end_sessions(session: Session, person_id: str) -> None:
    """Log a person out everywhere."""
    session.execute(delete(LoginSession).where(LoginSession.person_id == person_id))
