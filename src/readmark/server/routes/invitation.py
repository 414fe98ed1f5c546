"""Invitations: one-time links into the hall or a project; made, listed, revoked and accepted."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
    Asking,
    HallRole,
    Id,
    MayOrganise,
    OwnerInBrowser,
    OwnerOnly,
    Permitted,
    Reading,
    hall_of,
)
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute, Sent
from readmark.server.credentials import LONGEST_LOGIN, SHORTEST_PASSWORD
from readmark.server.fair_share import PasswordRoute
from readmark.server.invitations import (
    accept_as_member,
    accept_as_new,
    find_invitation,
    invite,
    reset_password,
    revoke_invitation,
)
from readmark.server.pages import language_of, render
from readmark.server.routes.account import Text, link_to, signed_in
from readmark.server.routes.people_page import (
    InvitationShown,
    listed_invitations,
    show_people,
    shown_invitation,
)
from readmark.server.tables import Person, Project, Team

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
passwords = APIRouter(route_class=PasswordRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])

Note = Annotated[str, Form(max_length=200)]


# Those that are open. The pages that list them list people too.


@api.get("/invitations")
def list_invitations(session: Reading, permitted: OwnerOnly) -> list[InvitationShown]:
    """Every open invitation of the hall."""
    return [each.shown for each in listed_invitations(session, None)]


@pages.get("/projects/{project}/invitations")
def invitations_page(request: Request, session: Reading, permitted: MayOrganise) -> HTMLResponse:
    """The people of a project, and its open invitations."""
    return show_people(request, session, permitted)


@api.get("/projects/{project}/invitations")
def list_project_invitations(session: Reading, permitted: MayOrganise) -> list[InvitationShown]:
    """The project's open invitations."""
    return [each.shown for each in listed_invitations(session, permitted.project)]


# New ones.


class MemberWanted(Sent):
    """An invitation into the project that the path names."""

    role: HallRole
    note: str = Field("", max_length=200)


class InvitationWanted(MemberWanted):
    """An invitation into a project, or of an owner."""

    project: str | None = Field(None, max_length=60)


def _invite(
    request: Request, by: Person, role: HallRole, note: str, project: Project | None
) -> InvitationShown:
    hall = hall_of(request)
    with hall.database.writing() as session:
        project_id = project.id if project else None
        row, secret = invite(session, hall, role, project_id=project_id, by=by, note=note)
    slugs = {project.id: project.slug} if project else {}
    return shown_invitation(row, slugs, link_to(request, secret))


def _named(session: Session, slug: str) -> Project | None:
    return session.scalar(select(Project).where(Project.slug == slug))


@pages.post("/people/invitations")
def invite_anybody_on_page(
    request: Request,
    session: Reading,
    permitted: OwnerInBrowser,
    role: Annotated[HallRole, Form()],
    project: Annotated[str, Form(max_length=60)] = "",
    note: Note = "",
) -> HTMLResponse:
    """Invite an owner, or somebody into any project."""
    into = _named(session, project) if project and role != HallRole.OWNER else None
    if into is None and role != HallRole.OWNER:
        return show_people(request, session, permitted, status=422, fault="role_needs_project")
    return _show_made(request, session, permitted, role, note, into)


@api.post("/invitations", status_code=201)
def invite_anybody(
    request: Request, wanted: InvitationWanted, session: Reading, permitted: OwnerInBrowser
) -> InvitationShown:
    """Invite an owner, or somebody into any project."""
    project = None
    if wanted.project is not None:
        project = _named(session, wanted.project)
        if project is None:
            raise HTTPException(422, "No project has this name.")
    return _invite(request, permitted.person, wanted.role, wanted.note, project)


@pages.post("/projects/{project}/invitations")
def invite_member_on_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    role: Annotated[HallRole, Form()],
    note: Note = "",
) -> HTMLResponse:
    """Invite somebody into the project, and show the link this once."""
    return _show_made(request, session, permitted, role, note, permitted.project)


@api.post("/projects/{project}/invitations", status_code=201)
def invite_member(
    request: Request, wanted: MemberWanted, permitted: MayOrganise
) -> InvitationShown:
    """Invite somebody into the project."""
    return _invite(request, permitted.person, wanted.role, wanted.note, permitted.project)


def _show_made(
    request: Request,
    session: Session,
    permitted: Permitted,
    role: HallRole,
    note: str,
    project: Project | None,
) -> HTMLResponse:
    """The page with the new link, or with what was wrong."""
    try:
        made = _invite(request, permitted.person, role, note, project)
    except AccountError as error:
        return show_people(request, session, permitted, status=422, fault=error.word)
    with hall_of(request).database.reading() as fresh:
        return show_people(request, fresh, permitted, link=made.link)


# Revoked.


@pages.post("/invitations/{invitation}/revoke")
def revoke_link(request: Request, invitation: Id, permitted: MayOrganise) -> Response:
    """End a link that nobody has used."""
    _revoke(request, permitted, invitation)
    project = permitted.project
    return RedirectResponse(f"/projects/{project.slug}/invitations" if project else "/people", 303)


@api.delete("/invitations/{invitation}", status_code=204)
def end_invitation(request: Request, invitation: Id, permitted: MayOrganise) -> Response:
    """Revoke an invitation that nobody has accepted."""
    if not _revoke(request, permitted, invitation):
        raise HTTPException(409, "The invitation is not open any more.")
    return Response(status_code=204)


def _revoke(request: Request, permitted: Permitted, invitation: str) -> bool:
    with hall_of(request).database.writing() as session:
        return revoke_invitation(session, invitation, permitted.person)


# Accepted.


@pages.get("/invitation/{secret}")
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


@passwords.post("/invitation/{secret}")
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
