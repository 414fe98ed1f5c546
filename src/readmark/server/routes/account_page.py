"""The page of a person's own account: sessions, API tokens, and what a form has done."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse

from readmark.server.access import Caller, Scope
from readmark.server.credentials import SHORTEST_PASSWORD
from readmark.server.pages import render
from readmark.server.tables import ApiToken, LoginSession, Person


class TokenShown(BaseModel):
    """A token; ``secret`` is there only in the answer that makes it."""

    id: str
    name: str
    scopes: list[Scope]
    created: float
    expires: float | None
    secret: str | None = None


@dataclass(frozen=True, kw_only=True)
class AccountPage:
    """A person's sessions and tokens, and what a form has done."""

    sessions: Sequence[tuple[float, bool]]
    """When each began, and whether it is this browser's; newest first."""
    tokens: Sequence[TokenShown]
    """Oldest first."""
    scopes: Sequence[Scope] = tuple(Scope)
    shortest: int = SHORTEST_PASSWORD
    """Characters of a password."""
    fault: str
    secret: str
    """The secret of a new token, shown this once."""


def show_account(
    request: Request,
    session: Session,
    caller: Caller,
    person: Person,
    *,
    status: int = 200,
    fault: str = "",
    secret: str = "",
) -> HTMLResponse:
    """The page, with the ``secret`` of a token that was made or the word for a ``fault``."""
    sessions = session.scalars(
        select(LoginSession)
        .where(LoginSession.person_id == person.id, LoginSession.expires > time.time())
        .order_by(LoginSession.created.desc())
    )
    view = AccountPage(
        sessions=[(row.created, row.secret == caller.session) for row in sessions],
        tokens=shown_tokens(session, person),
        fault=fault,
        secret=secret,
    )
    return render(request, "account.html", status, person=person, view=view)


def shown_token(row: ApiToken, secret: str | None = None) -> TokenShown:
    """A token for pages and programs."""
    return TokenShown(
        id=row.id,
        name=row.name,
        scopes=[Scope(scope) for scope in row.scopes.split()],
        created=row.created,
        expires=row.expires,
        secret=secret,
    )


def shown_tokens(session: Session, person: Person) -> list[TokenShown]:
    """The person's tokens that are not revoked, oldest first."""
    rows = session.scalars(
        select(ApiToken)
        .where(ApiToken.person_id == person.id, ApiToken.revoked.is_(None))
        .order_by(ApiToken.created)
    )
    return [shown_token(row) for row in rows]
