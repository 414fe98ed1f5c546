"""The API about people: who I am, tokens, invitations, everybody, the audit log."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import (
    AtWork,
    HallRole,
    InBrowser,
    MayOrganise,
    OwnerInBrowser,
    OwnerOnly,
    Reading,
    Scope,
    SignedIn,
    hall_of,
)
from readmark.server.accounts import (
    AuditAction,
    audit_rows,
    create_token,
    disable_person,
    enable_person,
    revoke_token,
)
from readmark.server.bodies import HallRoute, Sent
from readmark.server.invitations import (
    PASSWORD,
    invite,
    open_invitations,
    remove_member,
    revoke_invitation,
)
from readmark.server.routes.account import link_to
from readmark.server.routes.people import Before, account_of, person_of
from readmark.server.tables import ApiToken, Invitation, Membership, Person, Project

router = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])
Id = Annotated[str, Path(max_length=64)]


class MembershipShown(BaseModel):
    """A project and the person's roles in it."""

    project: str
    roles: list[HallRole]


class PersonShown(BaseModel):
    """Somebody with an account."""

    id: str
    login: str
    name: str
    language: str
    is_owner: bool
    is_disabled: bool
    created: float
    memberships: list[MembershipShown]


class TokenWanted(Sent):
    """A token to make."""

    name: str = Field(min_length=1, max_length=100)
    scopes: list[Scope] = Field(min_length=1, max_length=10)
    days: int = Field(90, ge=1, le=365)


class TokenShown(BaseModel):
    """A token; ``secret`` is there only in the answer that makes it."""

    id: str
    name: str
    scopes: list[Scope]
    created: float
    expires: float | None
    secret: str | None = None


class MemberWanted(Sent):
    """An invitation into the project that the path names."""

    role: HallRole
    note: str = Field("", max_length=200)


class InvitationWanted(MemberWanted):
    """An invitation into a project, or of an owner."""

    project: str | None = Field(None, max_length=60)


class InvitationShown(BaseModel):
    """An open invitation; ``link`` is there only in the answer that makes it."""

    id: str
    role: str
    project: str | None
    note: str
    created: float
    expires: float
    link: str | None = None


class PersonChange(Sent):
    """What an owner changes."""

    is_disabled: bool


class LinkShown(BaseModel):
    """A one-time link."""

    link: str
    expires: float


class AuditShown(BaseModel):
    """An entry of the audit log."""

    number: int
    time: float
    person: str | None
    project: str | None
    action: str
    detail: dict[str, Any]


class PeopleOrder(StrEnum):
    """What people can be sorted by."""

    LOGIN = "login"
    NAME = "name"
    CREATED = "created"


ORDER = {
    PeopleOrder.LOGIN: Person.login,
    PeopleOrder.NAME: Person.name,
    PeopleOrder.CREATED: Person.created,
}


def _shown(
    session: Session, people: list[Person], project_id: str | None = None
) -> list[PersonShown]:
    query = (
        select(Membership.person_id, Project.slug, Membership.role)
        .join(Project, Project.id == Membership.project_id)
        .where(Membership.person_id.in_([person.id for person in people]))
        .order_by(Project.slug, Membership.role)
    )
    if project_id is not None:
        query = query.where(Membership.project_id == project_id)
    roles: dict[str, dict[str, list[HallRole]]] = {}
    for person_id, slug, role in session.execute(query):
        roles.setdefault(person_id, {}).setdefault(slug, []).append(HallRole(role))
    return [
        PersonShown(
            id=person.id,
            login=person.login,
            name=person.name,
            language=person.language,
            is_owner=person.is_owner,
            is_disabled=person.is_disabled,
            created=person.created,
            memberships=[
                MembershipShown(project=slug, roles=own)
                for slug, own in roles.get(person.id, {}).items()
            ],
        )
        for person in people
    ]


@router.get("/me")
def me(session: Reading, permitted: AtWork) -> PersonShown:
    """The person behind the session or token."""
    return _shown(session, [permitted.person])[0]


# Tokens.


def _token(row: ApiToken, secret: str | None = None) -> TokenShown:
    return TokenShown(
        id=row.id,
        name=row.name,
        scopes=[Scope(scope) for scope in row.scopes.split()],
        created=row.created,
        expires=row.expires,
        secret=secret,
    )


@router.get("/tokens")
def list_tokens(session: Reading, permitted: SignedIn) -> list[TokenShown]:
    """The own tokens that are not revoked."""
    rows = session.scalars(
        select(ApiToken)
        .where(ApiToken.person_id == permitted.person.id, ApiToken.revoked.is_(None))
        .order_by(ApiToken.created)
    )
    return [_token(row) for row in rows]


@router.post("/tokens", status_code=201)
def make_token(
    request: Request,
    wanted: TokenWanted,
    permitted: InBrowser,
) -> TokenShown:
    """Make a token; its secret is never shown again."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        row, secret = create_token(
            session,
            hall,
            permitted.person.id,
            name=wanted.name,
            scopes=wanted.scopes,
            days=wanted.days,
        )
        return _token(row, secret)


@router.delete("/tokens/{token}", status_code=204)
def end_token(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke an own token."""
    with hall_of(request).database.writing() as session:
        if not revoke_token(session, permitted.person.id, token):
            raise HTTPException(404, "Not found.")
    return Response(status_code=204)


# Invitations.


def _invitation(
    row: Invitation, projects: dict[str, str], link: str | None = None
) -> InvitationShown:
    return InvitationShown(
        id=row.id,
        role=row.role,
        project=projects.get(row.project_id or ""),
        note=row.note,
        created=row.created,
        expires=row.expires,
        link=link,
    )


@router.get("/invitations")
def list_invitations(session: Reading, permitted: OwnerOnly) -> list[InvitationShown]:
    """Every open invitation of the hall."""
    projects = {row.id: row.slug for row in session.scalars(select(Project))}
    return [_invitation(row, projects) for row in open_invitations(session)]


@router.post("/invitations", status_code=201)
def invite_anybody(
    request: Request,
    wanted: InvitationWanted,
    session: Reading,
    permitted: OwnerInBrowser,
) -> InvitationShown:
    """Invite an owner, or somebody into any project."""
    project = None
    if wanted.project is not None:
        project = session.scalar(select(Project).where(Project.slug == wanted.project))
        if project is None:
            raise HTTPException(422, "No project has this name.")
    return _invite(request, wanted, permitted.person, project)


def _invite(
    request: Request, wanted: MemberWanted, by: Person, project: Project | None
) -> InvitationShown:
    hall = hall_of(request)
    with hall.database.writing() as session:
        row, secret = invite(
            session,
            hall,
            wanted.role,
            project_id=project.id if project else None,
            by=by,
            note=wanted.note,
        )
    projects = {project.id: project.slug} if project else {}
    return _invitation(row, projects, link_to(request, secret))


@router.delete("/invitations/{invitation}", status_code=204)
def end_invitation(request: Request, invitation: Id, permitted: MayOrganise) -> Response:
    """Revoke an invitation that nobody has accepted."""
    with hall_of(request).database.writing() as session:
        if not revoke_invitation(session, invitation, permitted.person):
            raise HTTPException(409, "The invitation is not open any more.")
    return Response(status_code=204)


@router.get("/projects/{project}/invitations")
def list_project_invitations(session: Reading, permitted: MayOrganise) -> list[InvitationShown]:
    """The project's open invitations."""
    project = permitted.project
    rows = open_invitations(session, project.id)
    return [_invitation(row, {project.id: project.slug}) for row in rows]


@router.post("/projects/{project}/invitations", status_code=201)
def invite_member(
    request: Request, wanted: MemberWanted, permitted: MayOrganise
) -> InvitationShown:
    """Invite somebody into the project."""
    return _invite(request, wanted, permitted.person, permitted.project)


# People.


@router.get("/people")
def list_people(
    session: Reading,
    permitted: OwnerOnly,
    order: PeopleOrder = PeopleOrder.LOGIN,
    is_disabled: bool | None = None,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PersonShown]:
    """Everybody with an account; pupils have none."""
    query = select(Person).where(Person.class_id.is_(None)).order_by(ORDER[order], Person.id)
    query = query.offset(offset).limit(limit)
    if is_disabled is not None:
        query = query.where(Person.is_disabled == is_disabled)
    return _shown(session, list(session.scalars(query)))


@router.patch("/people/{person}")
def change_person(
    request: Request,
    person: Id,
    change: PersonChange,
    permitted: OwnerOnly,
) -> PersonShown:
    """Shut a person out, or let them in again."""
    with hall_of(request).database.writing() as session:
        subject = person_of(session, person)
        (disable_person if change.is_disabled else enable_person)(
            session, subject, permitted.person
        )
        session.flush()
        return _shown(session, [subject])[0]


@router.post("/people/{person}/password-link", status_code=201)
def make_password_link(request: Request, person: Id, permitted: OwnerInBrowser) -> LinkShown:
    """A link for somebody who has lost their password."""
    hall = hall_of(request)
    with hall.database.writing() as session:
        row, secret = invite(
            session, hall, PASSWORD, person_id=account_of(session, person).id, by=permitted.person
        )
    return LinkShown(link=link_to(request, secret), expires=row.expires)


@router.get("/projects/{project}/members")
def list_members(session: Reading, permitted: MayOrganise) -> list[PersonShown]:
    """The project's people with their roles in it; those elsewhere are left out."""
    members = session.scalars(
        select(Person)
        .where(
            Person.id.in_(
                select(Membership.person_id).where(Membership.project_id == permitted.project.id)
            )
        )
        .order_by(Person.login)
    )
    return _shown(session, list(members), permitted.project.id)


@router.delete("/projects/{project}/members/{person}", status_code=204)
def end_membership(request: Request, person: Id, permitted: MayOrganise) -> Response:
    """Take a person out of the project."""
    with hall_of(request).database.writing() as session:
        if not remove_member(session, permitted.project, person, permitted.person):
            raise HTTPException(404, "Not found.")
    return Response(status_code=204)


# The audit log.


@router.get("/audit")
def audit(
    session: Reading,
    permitted: OwnerOnly,
    action: AuditAction | None = None,
    before: Before = None,
) -> list[AuditShown]:
    """Who did what in the whole hall, newest first."""
    return [AuditShown(**row) for row in audit_rows(session, None, action, before)]


@router.get("/projects/{project}/audit")
def project_audit(
    session: Reading,
    permitted: MayOrganise,
    action: AuditAction | None = None,
    before: Before = None,
) -> list[AuditShown]:
    """Who did what in the project, newest first."""
    rows = audit_rows(session, permitted.project.id, action, before)
    return [AuditShown(**row) for row in rows]
