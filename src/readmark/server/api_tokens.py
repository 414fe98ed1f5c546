"""API tokens: how a person makes and revokes them. `access` decides what a token may do."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from readmark.server.access import Hall, Scope
from readmark.server.account_errors import AccountError
from readmark.server.audit import AuditAction, record
from readmark.server.days import DAY
from readmark.server.tables import ApiToken

MOST_TOKENS = 50  # a person


def create_token(
    session: Session, hall: Hall, person_id: str, *, name: str, scopes: Iterable[Scope], days: int
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is shown once: only its hash is stored."""
    active = select(func.count()).where(ApiToken.person_id == person_id, ApiToken.revoked.is_(None))
    if session.scalar(active) >= MOST_TOKENS:  # type: ignore[operator]
        raise AccountError("too_many_tokens")
    secret = f"readmark_{secrets.token_urlsafe(32)}"
    token = ApiToken(
        secret=hall.hashed(secret),
        person_id=person_id,
        name=name,
        scopes=" ".join(sorted(set(scopes))),
        expires=time.time() + days * DAY,
    )
    session.add(token)
    session.flush()
    record(session, AuditAction.TOKEN_CREATED, person_id, token=token.id, scopes=token.scopes)
    return token, secret


def revoke_token(session: Session, person_id: str, token_id: str) -> bool:
    """End a token; false if the person has no such token that is still valid."""
    revoked = session.execute(
        update(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.person_id == person_id)
        .where(ApiToken.revoked.is_(None))
        .values(revoked=time.time())
        .returning(ApiToken.id)
    ).all()
    if revoked:
        record(session, AuditAction.TOKEN_REVOKED, person_id, token=token_id)
    return bool(revoked)
