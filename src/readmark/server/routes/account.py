"""Pages of a person's own account: log in and out, take an invitation, password, tokens."""

from __future__ import annotations

import math
import time
from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Path, Request
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
    Asking,
    Hall,
    InBrowser,
    Reading,
    Scope,
    SignedIn,
    address_of,
    hall_of,
)
from readmark.server.accounts import (
    LONGEST_LOGIN,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    AccountError,
    AuditAction,
    Throttled,
    create_token,
    end_sessions,
    hash_password,
    log_in,
    open_session,
    record,
    revoke_token,
    set_password,
)
from readmark.server.bodies import HallRoute
from readmark.server.invitations import (
    accept_as_member,
    accept_as_new,
    find_invitation,
    reset_password,
)
from readmark.server.pages import LANGUAGE_COOKIE, language_of, local_path, moment, render
from readmark.server.tables import (
    ApiToken,
    LoginSession,
    Person,
    Project,
    Team,
)

router = APIRouter(route_class=HallRoute, include_in_schema=False)

Text = Annotated[str, Form(max_length=LONGEST_PASSWORD + 100)]
Id = Annotated[str, Path(max_length=64)]


# Log in and out.


@router.get("/login")
def login_page(request: Request, next: str = "/") -> HTMLResponse:
    """The form."""
    return render(request, "login.html", next=local_path(next), login="", fault="")


@router.post("/login")
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
        max_age=hall.settings.session_days * 86400,
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


@router.post("/logout")
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


# Invitations.


@router.get("/invitation/{secret}")
def invitation_page(request: Request, secret: Id, caller: Asking, session: Reading) -> Response:
    """What the invitation is to, and the form to accept it."""
    return _invitation(request, secret, caller.person, session)


def _invitation(
    request: Request,
    secret: str,
    person: Person | None,
    session: Session,
    *,
    status: int = 200,
    fault: str = "",
    **given: str,
) -> Response:
    invitation = find_invitation(session, hall_of(request), secret)
    if invitation is None:
        return render(request, "invitation.html", 404, invitation=None, person=person, fault=fault)
    project = session.get(Project, invitation.project_id) if invitation.project_id else None
    team = session.get(Team, invitation.team_id) if invitation.team_id else None
    resetting = session.get(Person, invitation.person_id) if invitation.person_id else None
    return render(
        request,
        "invitation.html",
        status,
        invitation=invitation,
        project=project.slug if project else "",
        team=team,
        resetting=resetting,
        person=person,
        secret=secret,
        fault=fault,
        shortest=SHORTEST_PASSWORD,
        given={"name": "", "login": "", "team": "", **given},
    )


@router.post("/invitation/{secret}")
def accept_invitation(
    request: Request,
    secret: Id,
    caller: Asking,
    session: Reading,
    how: Annotated[Literal["new", "member", "password"], Form()],
    name: Text = "",
    login: Annotated[str, Form(max_length=LONGEST_LOGIN)] = "",
    password: Text = "",
    team: Text = "",
) -> Response:
    """Join with a new account or the own one, or set the password that the link is for."""
    hall = hall_of(request)
    session.commit()
    try:
        if how == "password":
            reset_password(hall, secret, password)
            return RedirectResponse("/login", 303)
        if how == "member":
            if caller.person is None or caller.scopes is not None:
                raise HTTPException(401, "Please log in.")
            page = accept_as_member(hall, secret, caller.person.id, team)
            return RedirectResponse(page, 303)
        person, page = accept_as_new(
            hall,
            secret,
            name=name,
            login=login,
            password=password,
            language=language_of(request),
            team=team,
        )
    except AccountError as error:
        return _invitation(
            request,
            secret,
            caller.person,
            session,
            status=422,
            fault=error.word,
            name=name,
            login=login,
            team=team,
        )
    return signed_in(request, person, page)


# The own account.


@router.get("/account")
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
    done: str = "",
    token: str = "",
) -> HTMLResponse:
    sessions = session.scalars(
        select(LoginSession)
        .where(LoginSession.person_id == person.id, LoginSession.expires > time.time())
        .order_by(LoginSession.created.desc())
    )
    tokens = session.scalars(
        select(ApiToken)
        .where(ApiToken.person_id == person.id, ApiToken.revoked.is_(None))
        .order_by(ApiToken.created.desc())
    )
    return render(
        request,
        "account.html",
        status,
        person=person,
        sessions=[(moment(row.created), row.secret == current) for row in sessions],
        tokens=[(row, moment(row.created), moment(row.expires)) for row in tokens],
        scopes=list(Scope),
        shortest=SHORTEST_PASSWORD,
        fault=fault,
        done=done,
        token=token,
    )


@router.post("/account/password")
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


@router.post("/account/language")
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


@router.post("/account/logout")
def log_out_everywhere(request: Request, permitted: InBrowser) -> Response:
    """End all of the person's sessions, this one too."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        end_sessions(session, permitted.person.id)
        record(session, AuditAction.LOGGED_OUT_EVERYWHERE, permitted.person.id)
    return _signed_out(hall)


@router.post("/account/tokens")
def make_token(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: InBrowser,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    scopes: Annotated[list[Scope], Form(min_length=1)],
    days: Annotated[int, Form(ge=1, le=365)] = 90,
) -> Response:
    """Make a token, and show it this once."""
    hall, person = hall_of(request), permitted.person
    try:
        with hall.database.writing() as writing:
            _, token = create_token(writing, hall, person.id, name=name, scopes=scopes, days=days)
    except AccountError as error:
        return _account(request, caller.session, session, person, status=422, fault=error.word)
    with hall.database.reading() as fresh:
        return _account(request, caller.session, fresh, person, token=token)


@router.post("/account/tokens/{token}/revoke")
def end_token(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke an own token."""
    with hall_of(request).database.writing() as session:
        if not revoke_token(session, permitted.person.id, token):
            raise HTTPException(404, "Not found.")
    return RedirectResponse("/account", 303)
