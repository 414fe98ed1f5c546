"""A person's own account: log in and out, password, language, sessions, API tokens."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import BaseModel, Field
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
    Asking,
    Hall,
    Id,
    InBrowser,
    Permitted,
    Reading,
    Scope,
    SignedIn,
    hall_of,
)
from readmark.server.account_errors import AccountError, Throttled
from readmark.server.accounts import set_password
from readmark.server.addresses import address_of
from readmark.server.api_tokens import create_token, revoke_token
from readmark.server.audit import AuditAction, record
from readmark.server.bodies import HallRoute, Sent
from readmark.server.browser_sessions import end_sessions, log_in, open_session
from readmark.server.credentials import LONGEST_PASSWORD, SHORTEST_PASSWORD, hash_password
from readmark.server.days import DAY
from readmark.server.fair_share import PasswordRoute
from readmark.server.pages import LANGUAGE_COOKIE, local_path, render
from readmark.server.tables import (
    ApiToken,
    LoginSession,
    Person,
)

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])

Text = Annotated[str, Form(max_length=LONGEST_PASSWORD + 100)]


# Log in and out.


@pages.get("/login")
def login_page(request: Request, next: str = "/") -> HTMLResponse:
    """The form."""
    return render(request, "login.html", next=local_path(next), login="", fault="")


@passwords.post("/login")
def log_in_here(request: Request, login: Text, password: Text, next: Text = "/") -> Response:
    """Start a session, or say that login or password is wrong."""
    hall, page = hall_of(request), local_path(next)
    try:
        person = log_in(hall, login, password, address_of(request))
    except Throttled as error:
        refused = _login_fault(request, 429, "too_many_logins", login, page)
        refused.headers["retry-after"] = str(error.seconds)
        return refused
    if person is None:
        return _login_fault(request, 401, "login_wrong", login, page)
    return signed_in(request, person, page)


def _login_fault(request: Request, status: int, fault: str, login: str, page: str) -> HTMLResponse:
    return render(request, "login.html", status, next=page, login=login, fault=fault)


def signed_in(request: Request, person: Person, page: str) -> Response:
    """A new session whatever the browser had before, so that nobody can plant one."""
    response = RedirectResponse(page, 303)
    start_session(request, response, person)
    return response


def start_session(
    request: Request, response: Response, person: Person, *, until: float = math.inf
) -> None:
    """Sign a browser in with a response, in the place of whoever it was before."""
    hall = hall_of(request)
    old = request.cookies.get(hall.settings.cookie, "")
    with hall.database.writing() as session:
        if old:
            session.execute(delete(LoginSession).where(LoginSession.secret == hall.hashed(old)))
        secret = open_session(session, hall, person.id, until=until)
    response.set_cookie(
        hall.settings.cookie,
        secret,
        max_age=hall.settings.session_days * DAY,
        httponly=True,
        secure=hall.settings.is_secure,
        samesite="lax",
    )
    if LANGUAGE_COOKIE not in request.cookies:
        _set_language(response, hall, person.language)


def _set_language(response: Response, hall: Hall, language: str) -> None:
    secure = hall.settings.is_secure
    response.set_cookie(
        LANGUAGE_COOKIE, language, max_age=31536000, httponly=True, secure=secure, samesite="lax"
    )


@pages.post("/logout")
def log_out(request: Request, caller: Asking, reading: Reading) -> Response:
    """End this browser's session."""
    hall = hall_of(request)
    reading.commit()
    if caller.session:
        with hall.database.writing() as session:
            session.execute(delete(LoginSession).where(LoginSession.secret == caller.session))
    return _signed_out(hall)


def _signed_out(hall: Hall) -> Response:
    response = RedirectResponse("/login", 303)
    secure = hall.settings.is_secure
    response.delete_cookie(hall.settings.cookie, secure=secure, httponly=True, samesite="lax")
    return response


def origin_of(request: Request) -> str:
    """The hall's own address, as people reach it."""
    return hall_of(request).settings.origin or f"{request.url.scheme}://{request.url.netloc}"


def link_to(request: Request, secret: str) -> str:
    """The whole address of an invitation."""
    return f"{origin_of(request)}/invitation/{secret}"


# The own account.


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


@pages.get("/account")
def account_page(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: SignedIn,
) -> HTMLResponse:
    """Password, language, tokens and sessions."""
    return _account(request, caller.session, session, permitted.person)


def _account(
    request: Request,
    current: str,
    session: Session,
    person: Person,
    *,
    status: int = 200,
    fault: str = "",
    secret: str = "",
) -> HTMLResponse:
    sessions = session.scalars(
        select(LoginSession)
        .where(LoginSession.person_id == person.id, LoginSession.expires > time.time())
        .order_by(LoginSession.created.desc())
    )
    view = AccountPage(
        sessions=[(row.created, row.secret == current) for row in sessions],
        tokens=_tokens(session, person),
        fault=fault,
        secret=secret,
    )
    return render(request, "account.html", status, person=person, view=view)


@passwords.post("/account/password")
def change_password(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: InBrowser,
    current: Text,
    password: Text,
) -> Response:
    """Set a new password; every other browser is logged out."""
    hall, person = hall_of(request), permitted.person

    def fault(status: int, word: str) -> Response:
        return _account(request, caller.session, session, person, status=status, fault=word)

    try:
        address, browser = address_of(request), caller.session
        if log_in(hall, person.login, current, address, browser=browser) is None:
            return fault(401, "password_wrong")
        hashed = hash_password(password, login=person.login)
    except Throttled:
        return fault(429, "too_many_logins")
    except AccountError as error:
        return fault(422, error.word)
    with hall.database.writing() as writing:
        set_password(writing, person.id, hashed)
        record(writing, AuditAction.PASSWORD_CHANGED, person.id)
    return signed_in(request, person, "/account")


@pages.post("/account/language")
def change_language(
    request: Request,
    permitted: InBrowser,
    language: Annotated[Literal["en", "zh"], Form()],
) -> Response:
    """Show the hall in this language wherever the person logs in."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        session.execute(
            update(Person).where(Person.id == permitted.person.id).values(language=language)
        )
    response = RedirectResponse("/account", 303)
    _set_language(response, hall, language)
    return response


@pages.post("/account/logout")
def log_out_everywhere(request: Request, permitted: InBrowser) -> Response:
    """End all of the person's sessions, this one too."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        end_sessions(session, permitted.person.id)
        record(session, AuditAction.LOGGED_OUT_EVERYWHERE, permitted.person.id)
    return _signed_out(hall)


# Tokens.


class TokenWanted(Sent):
    """A token to make."""

    name: str = Field(min_length=1, max_length=100)
    scopes: list[Scope] = Field(min_length=1, max_length=10)
    days: int = Field(90, ge=1, le=365)


def _token(row: ApiToken, secret: str | None = None) -> TokenShown:
    return TokenShown(
        id=row.id,
        name=row.name,
        scopes=[Scope(scope) for scope in row.scopes.split()],
        created=row.created,
        expires=row.expires,
        secret=secret,
    )


def _tokens(session: Session, person: Person) -> list[TokenShown]:
    """The person's tokens that are not revoked, oldest first."""
    rows = session.scalars(
        select(ApiToken)
        .where(ApiToken.person_id == person.id, ApiToken.revoked.is_(None))
        .order_by(ApiToken.created)
    )
    return [_token(row) for row in rows]


@api.get("/tokens")
def list_tokens(session: Reading, permitted: SignedIn) -> list[TokenShown]:
    """The own tokens that are not revoked."""
    return _tokens(session, permitted.person)


@pages.post("/account/tokens")
def make_token_on_page(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: InBrowser,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    scopes: Annotated[list[Scope], Form(min_length=1)],
    days: Annotated[int, Form(ge=1, le=365)] = 90,
) -> Response:
    """Make a token, and show it this once."""
    person = permitted.person
    try:
        made = _make_token(request, person, name, scopes, days)
    except AccountError as error:
        return _account(request, caller.session, session, person, status=422, fault=error.word)
    with hall_of(request).database.reading() as fresh:
        return _account(request, caller.session, fresh, person, secret=made.secret or "")


@api.post("/tokens", status_code=201)
def make_token(request: Request, wanted: TokenWanted, permitted: InBrowser) -> TokenShown:
    """Make a token; its secret is never shown again."""
    return _make_token(request, permitted.person, wanted.name, wanted.scopes, wanted.days)


def _make_token(
    request: Request, person: Person, name: str, scopes: list[Scope], days: int
) -> TokenShown:
    hall = hall_of(request)
    with hall.database.writing() as session:
        row, secret = create_token(session, hall, person.id, name=name, scopes=scopes, days=days)
        return _token(row, secret)


@pages.post("/account/tokens/{token}/revoke")
def end_token_on_page(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke an own token."""
    _end_token(request, permitted, token)
    return RedirectResponse("/account", 303)


@api.delete("/tokens/{token}", status_code=204)
def end_token(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke an own token."""
    _end_token(request, permitted, token)
    return Response(status_code=204)


def _end_token(request: Request, permitted: Permitted, token: str) -> None:
    with hall_of(request).database.writing() as session:
        if not revoke_token(session, permitted.person.id, token):
            raise HTTPException(404, "Not found.")
