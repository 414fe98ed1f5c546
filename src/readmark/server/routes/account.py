"""A person's own account: password, language, and logging out everywhere."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from sqlalchemy import update
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import Asking, InBrowser, Reading, SignedIn, hall_of
from readmark.server.account_errors import AccountError, Throttled
from readmark.server.accounts import set_password
from readmark.server.addresses import address_of
from readmark.server.audit import AuditAction, record
from readmark.server.bodies import HallRoute
from readmark.server.browser_sessions import end_sessions, log_in
from readmark.server.credentials import hash_password
from readmark.server.fair_share import PasswordRoute
from readmark.server.routes.account_page import show_account
from readmark.server.routes.login import FormText, set_language, signed_in, signed_out
from readmark.server.tables import Person

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, include_in_schema=False)


@pages.get("/account")
def account_page(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: SignedIn,
) -> HTMLResponse:
    """Password, language, tokens and sessions."""
    return show_account(request, session, caller, permitted.person)


@passwords.post("/account/password")
def change_password(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: InBrowser,
    current: FormText,
    password: FormText,
) -> Response:
    """Set a new password; every other browser is logged out."""
    hall, person = hall_of(request), permitted.person

    def fault(status: int, word: str) -> Response:
        return show_account(request, session, caller, person, status=status, fault=word)

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
    set_language(response, hall, language)
    return response


@pages.post("/account/logout")
def log_out_everywhere(request: Request, permitted: InBrowser) -> Response:
    """End all of the person's sessions, this one too."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        end_sessions(session, permitted.person.id)
        record(session, AuditAction.LOGGED_OUT_EVERYWHERE, permitted.person.id)
    return signed_out(hall)
