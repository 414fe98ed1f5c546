"""Logging in and out, and the cookies of a browser."""

from __future__ import annotations

import math
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy import delete
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import Asking, Hall, Reading, hall_of
from readmark.server.account_errors import Throttled
from readmark.server.addresses import address_of
from readmark.server.bodies import HallRoute
from readmark.server.browser_sessions import log_in, open_session
from readmark.server.credentials import LONGEST_PASSWORD
from readmark.server.days import DAY
from readmark.server.fair_share import PasswordRoute
from readmark.server.pages import LANGUAGE_COOKIE, local_path, render
from readmark.server.tables import LoginSession, Person

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, include_in_schema=False)

FormText = Annotated[str, Form(max_length=LONGEST_PASSWORD + 100)]
"""A field of a form; a password that is too long is refused where the reason can be said."""


@pages.get("/login")
def login_page(request: Request, next: str = "/") -> HTMLResponse:
    """The form."""
    return render(request, "login.html", next=local_path(next), login="", fault="")


@passwords.post("/login")
def log_in_here(
    request: Request, login: FormText, password: FormText, next: FormText = "/"
) -> Response:
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
        set_language(response, hall, person.language)


def set_language(response: Response, hall: Hall, language: str) -> None:
    """Let the browser keep the language of pages, also for when nobody is logged in."""
    secure = hall.settings.is_secure
    response.set_cookie(
        LANGUAGE_COOKIE, language, max_age=365 * DAY, httponly=True, secure=secure, samesite="lax"
    )


@pages.post("/logout")
def log_out(request: Request, caller: Asking, reading: Reading) -> Response:
    """End this browser's session."""
    hall = hall_of(request)
    reading.commit()  # gives the connection back before the writer takes one
    if caller.session:
        with hall.database.writing() as session:
            session.execute(delete(LoginSession).where(LoginSession.secret == caller.session))
    return signed_out(hall)


def signed_out(hall: Hall) -> Response:
    """The way to the login page, without the session's cookie."""
    response = RedirectResponse("/login", 303)
    secure = hall.settings.is_secure
    response.delete_cookie(hall.settings.cookie, secure=secure, httponly=True, samesite="lax")
    return response
