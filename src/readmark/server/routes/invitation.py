"""Invitations: one-time links into the hall or a project; listed, made and revoked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
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
from readmark.server.invitations import invite, revoke_invitation
from readmark.server.routes.links import link_to
from readmark.server.routes.people_page import (
    InvitationShown,
    listed_invitations,
    show_people,
    shown_invitation,
)
from readmark.server.tables import Person, Project

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])

Note = Annotated[str, Form(max_length=200)]


@api.get("/invitations")
def list_invitations(session: Reading, permitted: OwnerOnly) -> list[InvitationShown]:
    """Every open invitation of the hall."""
    return [invitation.shown for invitation in listed_invitations(session, None)]


@pages.get("/projects/{project}/invitations")
def invitations_page(request: Request, session: Reading, permitted: MayOrganise) -> HTMLResponse:
    """The people of a project, and its open invitations."""
    return show_people(request, session, permitted)


@api.get("/projects/{project}/invitations")
def list_project_invitations(session: Reading, permitted: MayOrganise) -> list[InvitationShown]:
    """The project's open invitations."""
    return [invitation.shown for invitation in listed_invitations(session, permitted.project)]


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


def _project_named(session: Session, slug: str) -> Project | None:
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
    into = _project_named(session, project) if project and role != HallRole.OWNER else None
    if into is None and role != HallRole.OWNER:
        return show_people(request, session, permitted, status=422, fault="role_needs_project")
    return _show_new(request, session, permitted, role, note, into)


@api.post("/invitations", status_code=201)
def invite_anybody(
    request: Request, wanted: InvitationWanted, session: Reading, permitted: OwnerInBrowser
) -> InvitationShown:
    """Invite an owner, or somebody into any project."""
    project = None
    if wanted.project is not None:
        project = _project_named(session, wanted.project)
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
    return _show_new(request, session, permitted, role, note, permitted.project)


@api.post("/projects/{project}/invitations", status_code=201)
def invite_member(
    request: Request, wanted: MemberWanted, permitted: MayOrganise
) -> InvitationShown:
    """Invite somebody into the project."""
    return _invite(request, permitted.person, wanted.role, wanted.note, permitted.project)


def _show_new(
    request: Request,
    session: Session,
    permitted: Permitted,
    role: HallRole,
    note: str,
    project: Project | None,
) -> HTMLResponse:
    """The page with the new link, or with what was wrong."""
    try:
        invitation = _invite(request, permitted.person, role, note, project)
    except AccountError as error:
        return show_people(request, session, permitted, status=422, fault=error.word)
    with hall_of(request).database.reading() as fresh:
        return show_people(request, fresh, permitted, link=invitation.link)


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
