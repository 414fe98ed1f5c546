"""Pages about people, for owners and organisers: members, invitations, the audit log."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
    HallRole,
    MayOrganise,
    OwnerInBrowser,
    OwnerOnly,
    Permitted,
    Reading,
    hall_of,
)
from readmark.server.accounts import (
    AUDIT_PAGE,
    AccountError,
    AuditAction,
    audit_rows,
    disable_person,
    enable_person,
)
from readmark.server.bodies import HallRoute
from readmark.server.invitations import (
    PASSWORD,
    invite,
    open_invitations,
    remove_member,
    revoke_invitation,
)
from readmark.server.pages import language_of, moment, render, words
from readmark.server.routes.account import Id, link_to
from readmark.server.routes.project_page import invited_roles
from readmark.server.tables import (
    Membership,
    Person,
    Project,
)
from readmark.server.views import newest_configuration

router = APIRouter(route_class=HallRoute, include_in_schema=False)
PROJECT_ROLES = tuple(role for role in HallRole if role != HallRole.OWNER)


# Everybody, for an owner; a project's people, for its organisers.


@router.get("/people")
def people_page(request: Request, session: Reading, permitted: OwnerOnly) -> HTMLResponse:
    """Everybody with an account, and the open invitations."""
    return _people(request, session, permitted.person)


def _people(
    request: Request,
    session: Session,
    owner: Person,
    *,
    status: int = 200,
    link: str = "",
    fault: str = "",
) -> HTMLResponse:
    projects = {row.id: row.slug for row in session.scalars(select(Project).order_by(Project.slug))}
    roles: dict[str, list[str]] = {}
    for membership in session.scalars(select(Membership)):
        label = words(language_of(request))[f"role_{membership.role}"]
        roles.setdefault(membership.person_id, []).append(
            f"{projects[membership.project_id]}: {label}"
        )
    everybody = session.scalars(
        select(Person).where(Person.class_id.is_(None)).order_by(Person.login)
    ).all()
    return render(
        request,
        "people.html",
        status,
        person=owner,
        project="",
        projects=list(projects.values()),
        people=[(row, sorted(roles.get(row.id, ()))) for row in everybody],
        invitations=_invitation_rows(session, None),
        roles=[*PROJECT_ROLES, HallRole.OWNER],
        link=link,
        fault=fault,
    )


def _invitation_rows(session: Session, project_id: str | None) -> list[dict[str, Any]]:
    projects = {row.id: row.slug for row in session.scalars(select(Project))}
    names = {row.id: row.name for row in session.scalars(select(Person))}
    return [
        {
            "id": row.id,
            "role": row.role,
            "note": row.note or names.get(row.person_id or "", ""),
            "project": projects.get(row.project_id or "", ""),
            "by": names.get(row.invited_by or "", ""),
            "expires": moment(row.expires),
        }
        for row in open_invitations(session, project_id)
    ]


@router.post("/people/invitations")
def invite_anybody(
    request: Request,
    session: Reading,
    permitted: OwnerInBrowser,
    role: Annotated[HallRole, Form()],
    project: Annotated[str, Form(max_length=60)] = "",
    note: Annotated[str, Form(max_length=200)] = "",
) -> HTMLResponse:
    """Invite an owner, or somebody into any project."""
    hall = hall_of(request)
    into = session.scalar(select(Project).where(Project.slug == project)) if project else None
    if into is None and role != HallRole.OWNER:
        return _people(request, session, permitted.person, status=422, fault="role_needs_project")
    project_id = into.id if into is not None and role != HallRole.OWNER else None
    try:
        with hall.database.writing() as writing:
            _, secret = invite(
                writing, hall, role, project_id=project_id, by=permitted.person, note=note
            )
    except AccountError as error:
        return _people(request, session, permitted.person, status=422, fault=error.word)
    with hall.database.reading() as fresh:
        return _people(request, fresh, permitted.person, link=link_to(request, secret))


def person_of(session: Session, person_id: str) -> Person:
    """The person with an id, else 404."""
    person = session.get(Person, person_id)
    if person is None:
        raise HTTPException(404, "Not found.")
    return person


def account_of(session: Session, person_id: str) -> Person:
    """The person with an id who can have a password, else 404: pupils have none."""
    person = person_of(session, person_id)
    if person.class_id is not None:
        raise HTTPException(404, "Not found.")
    return person


@router.post("/people/{person}/disable")
def disable(request: Request, person: Id, permitted: OwnerOnly) -> Response:
    """Shut a person out."""
    with hall_of(request).database.writing() as session:
        disable_person(session, person_of(session, person), permitted.person)
    return RedirectResponse("/people", 303)


@router.post("/people/{person}/enable")
def enable(request: Request, person: Id, permitted: OwnerOnly) -> Response:
    """Let a person in again."""
    with hall_of(request).database.writing() as session:
        enable_person(session, person_of(session, person), permitted.person)
    return RedirectResponse("/people", 303)


@router.post("/people/{person}/password")
def make_password_link(request: Request, person: Id, permitted: OwnerInBrowser) -> HTMLResponse:
    """A link for somebody who has lost their password."""
    hall = hall_of(request)
    with hall.database.writing() as writing:
        subject = account_of(writing, person)
        _, secret = invite(writing, hall, PASSWORD, person_id=subject.id, by=permitted.person)
    with hall.database.reading() as fresh:
        return _people(request, fresh, permitted.person, link=link_to(request, secret))


@router.get("/projects/{project}/invitations")
def invitations_page(request: Request, session: Reading, permitted: MayOrganise) -> HTMLResponse:
    """The people of a project, and its open invitations."""
    return _members(request, session, permitted)


def _members(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    status: int = 200,
    link: str = "",
    fault: str = "",
) -> HTMLResponse:
    project = permitted.project
    language = language_of(request)
    people: dict[str, tuple[Person, list[str]]] = {}
    rows = session.execute(
        select(Person, Membership.role)
        .join(Membership, Membership.person_id == Person.id)
        .where(Membership.project_id == project.id)
        .order_by(Person.login, Membership.role)
    )
    for person, role in rows:
        people.setdefault(person.id, (person, []))[1].append(words(language)[f"role_{role}"])
    return render(
        request,
        "people.html",
        status,
        person=permitted.person,
        project=project.slug,
        projects=[],
        people=list(people.values()),
        invitations=_invitation_rows(session, project.id),
        roles=invited_roles(newest_configuration(session, project.id)),
        link=link,
        fault=fault,
    )


@router.post("/projects/{project}/invitations")
def invite_member(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    role: Annotated[HallRole, Form()],
    note: Annotated[str, Form(max_length=200)] = "",
) -> HTMLResponse:
    """Invite somebody into the project, and show the link this once."""
    hall = hall_of(request)
    try:
        with hall.database.writing() as writing:
            _, secret = invite(
                writing, hall, role, project_id=permitted.project.id, by=permitted.person, note=note
            )
    except AccountError as error:
        return _members(request, session, permitted, status=422, fault=error.word)
    with hall.database.reading() as fresh:
        return _members(request, fresh, permitted, link=link_to(request, secret))


@router.post("/projects/{project}/members/{person}/remove")
def end_membership(request: Request, person: Id, permitted: MayOrganise) -> Response:
    """Take a person out of the project."""
    with hall_of(request).database.writing() as session:
        if not remove_member(session, permitted.project, person, permitted.person):
            raise HTTPException(404, "Not found.")
    return RedirectResponse(f"/projects/{permitted.project.slug}/invitations", 303)


@router.post("/invitations/{invitation}/revoke")
def revoke_link(request: Request, invitation: Id, permitted: MayOrganise) -> Response:
    """End a link that nobody has used."""
    with hall_of(request).database.writing() as session:
        revoke_invitation(session, invitation, permitted.person)
    project = permitted.project
    return RedirectResponse(f"/projects/{project.slug}/invitations" if project else "/people", 303)


# The audit log.

Before = Annotated[int | None, Query(ge=1, le=2**62)]


@router.get("/audit")
def audit_page(
    request: Request,
    session: Reading,
    permitted: OwnerOnly,
    action: AuditAction | None = None,
    before: Before = None,
) -> HTMLResponse:
    """Who did what in the whole hall."""
    return _audit(request, session, permitted, action, before)


@router.get("/projects/{project}/audit")
def project_audit_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    action: AuditAction | None = None,
    before: Before = None,
) -> HTMLResponse:
    """Who did what in a project."""
    return _audit(request, session, permitted, action, before)


def _audit(
    request: Request,
    session: Session,
    permitted: Permitted,
    action: AuditAction | None,
    before: int | None,
) -> HTMLResponse:
    project = permitted.project
    rows = audit_rows(session, project.id if project else None, action, before)
    return render(
        request,
        "audit.html",
        person=permitted.person,
        project=project.slug if project else "",
        rows=[{**row, "time": moment(row["time"])} for row in rows],
        actions=list(AuditAction),
        action=action,
        older=rows[-1]["number"] if len(rows) == AUDIT_PAGE else None,
    )
