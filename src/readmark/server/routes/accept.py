"""Accepting an invitation: joining with a new account or one's own, or setting a password."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.server.access import Asking, Id, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.credentials import LONGEST_LOGIN, SHORTEST_PASSWORD
from readmark.server.fair_share import PasswordRoute
from readmark.server.invitations import find_invitation
from readmark.server.joining import accept_as_member, accept_as_new, reset_password
from readmark.server.pages import language_of, render
from readmark.server.routes.login import FormText, signed_in
from readmark.server.tables import Person, Project, Team

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, include_in_schema=False)


@pages.get("/invitation/{secret}")
def invitation_page(request: Request, secret: Id, caller: Asking, session: Reading) -> Response:
    """What the invitation is to, and the form to accept it."""
    return _show_invitation(request, session, secret, caller.person)


def _show_invitation(
    request: Request,
    session: Session,
    secret: str,
    person: Person | None,
    *,
    status: int = 200,
    fault: str = "",
    **written: str,
) -> Response:
    """The form, with what was ``written`` in it and the word for what was wrong with that."""
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
        given={"name": "", "login": "", "team": "", **written},
    )


@passwords.post("/invitation/{secret}")
def accept_invitation(
    request: Request,
    secret: Id,
    caller: Asking,
    session: Reading,
    how: Annotated[Literal["new", "member", "password"], Form()],
    name: FormText = "",
    login: Annotated[str, Form(max_length=LONGEST_LOGIN)] = "",
    password: FormText = "",
    team: FormText = "",
) -> Response:
    """Join with a new account or your own, or set the password that the link is for."""
    hall = hall_of(request)
    session.commit()  # gives the connection back before the writer takes one
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
        return _show_invitation(
            request,
            session,
            secret,
            caller.person,
            status=422,
            fault=error.word,
            name=name,
            login=login,
            team=team,
        )
    return signed_in(request, person, page)
