"""Registering a team for a task without an invitation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import UsageError
from readmark.server.access import Reading, hall_of
from readmark.server.account_errors import AccountError, Throttled
from readmark.server.addresses import address_of
from readmark.server.bodies import HallRoute
from readmark.server.credentials import LONGEST_LOGIN, LONGEST_PASSWORD, SHORTEST_PASSWORD
from readmark.server.fair_share import PasswordRoute
from readmark.server.pages import language_of
from readmark.server.routes.login import signed_in
from readmark.server.shared_tasks.access import Registering, TaskPermitted
from readmark.server.shared_tasks.registration import register, register_member
from readmark.server.shared_tasks.routes.task_page import show_task_page

pages = APIRouter(route_class=HallRoute, prefix="/tasks/{task}", include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, prefix="/tasks/{task}", include_in_schema=False)

FieldText = Annotated[str, Form(max_length=LONGEST_PASSWORD + 100)]


@dataclass(frozen=True)
class RegistrationPage:
    """The form for a new team, with what was written into it before."""

    team: str = ""
    name: str = ""
    login: str = ""
    fault: str = ""
    """The word for what was wrong with it."""
    shortest: int = SHORTEST_PASSWORD
    """Characters of a password."""


def _is_open(permitted: TaskPermitted) -> bool:
    return permitted.options.registration == "open" and permitted.project.is_open


@pages.get("/register")
def register_page(request: Request, permitted: Registering) -> Response:
    """The form for a new team."""
    if permitted.team is not None or not _is_open(permitted):
        return RedirectResponse(f"/tasks/{permitted.project.slug}", 303)
    return _form(request, permitted, RegistrationPage())


def _form(
    request: Request, permitted: TaskPermitted, view: RegistrationPage, status: int = 200
) -> Response:
    template = "task_register.html"
    return show_task_page(request, permitted, "register", template, status, view=view)


@passwords.post("/register")
def register_team(
    request: Request,
    session: Reading,
    permitted: Registering,
    team: FieldText,
    name: FieldText = "",
    login: Annotated[str, Form(max_length=LONGEST_LOGIN)] = "",
    password: FieldText = "",
) -> Response:
    """Make a team for somebody who is logged in, or an account with its team."""
    if not _is_open(permitted):
        raise UsageError("teams of this task need an invitation")
    hall, project = hall_of(request), permitted.project
    page, address = f"/tasks/{project.slug}", address_of(request)
    session.commit()
    try:
        if permitted.person is not None:
            register_member(hall, project.id, permitted.person.id, team, address=address)
            return RedirectResponse(page, 303)
        person = register(
            hall,
            project.id,
            team=team,
            name=name,
            login=login,
            password=password,
            language=language_of(request),
            address=address,
        )
    except AccountError as error:
        view = RegistrationPage(team, name, login, fault=error.word)
        return _form(request, permitted, view, 422)
    except Throttled as error:
        view = RegistrationPage(fault="too_many_registrations")
        refused = _form(request, permitted, view, 429)
        refused.headers["retry-after"] = str(error.seconds)
        return refused
    return signed_in(request, person, page)
