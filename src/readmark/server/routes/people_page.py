"""People with their invitations: of the whole hall for its owner, of a project for its organisers.

Everybody who changes a person or an invitation there comes back to this page, or gets the same as
JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import Request
from pydantic import BaseModel
from sqlalchemy import Select, select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse

from readmark.server.access import HallRole, Permitted
from readmark.server.invitations import open_invitations
from readmark.server.pages import render
from readmark.server.routes.project_page import OVERVIEWS
from readmark.server.tables import Invitation, Membership, Person, Project
from readmark.server.views import newest_configuration
from readmark.works import Configuration


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


class InvitationShown(BaseModel):
    """An open invitation; ``link`` is there only in the answer that makes it."""

    id: str
    role: str
    project: str | None
    note: str
    created: float
    expires: float
    link: str | None = None


def shown_people(
    session: Session, people: Select[Person], project: Project | None = None
) -> list[PersonShown]:
    """The selected people with their roles: in every project, or in one."""
    ids = people.with_only_columns(Person.id, maintain_column_froms=True)
    query = (
        select(Membership.person_id, Project.slug, Membership.role)
        .join(Project, Project.id == Membership.project_id)
        .where(Membership.person_id.in_(ids))
        .order_by(Project.slug, Membership.role)
    )
    if project is not None:
        query = query.where(Membership.project_id == project.id)
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
                MembershipShown(project=slug, roles=roles_there)
                for slug, roles_there in roles.get(person.id, {}).items()
            ],
        )
        for person in session.scalars(people)
    ]


def shown_members(
    session: Session, project: Project, *, by_name: bool = False
) -> list[PersonShown]:
    """The project's people with their roles in it; those elsewhere are left out."""
    members = select(Membership.person_id).where(Membership.project_id == project.id)
    order = (Person.name, Person.id) if by_name else (Person.login,)
    people = select(Person).where(Person.id.in_(members)).order_by(*order)
    return shown_people(session, people, project)


@dataclass(frozen=True)
class ListedInvitation:
    """An open invitation with names: who made it, and whose password it is for."""

    shown: InvitationShown
    by: str
    subject: str


def shown_invitation(
    row: Invitation, projects: Mapping[str, str], link: str | None = None
) -> InvitationShown:
    """An invitation; ``projects`` has the slugs by id."""
    return InvitationShown(
        id=row.id,
        role=row.role,
        project=projects.get(row.project_id or ""),
        note=row.note,
        created=row.created,
        expires=row.expires,
        link=link,
    )


def listed_invitations(session: Session, project: Project | None) -> list[ListedInvitation]:
    """The open invitations of a project, or of the whole hall."""
    slugs = _slugs(session) if project is None else {project.id: project.slug}
    rows = open_invitations(session, project.id if project else None)
    people = {id for row in rows for id in (row.invited_by, row.person_id) if id}
    named = session.execute(select(Person.id, Person.name).where(Person.id.in_(people)))
    names: dict[str | None, str] = {row.id: row.name for row in named}
    return [
        ListedInvitation(
            shown_invitation(row, slugs),
            names.get(row.invited_by, ""),
            names.get(row.person_id, ""),
        )
        for row in rows
    ]


def _slugs(session: Session) -> dict[str, str]:
    rows = session.execute(select(Project.id, Project.slug).order_by(Project.slug))
    return {row.id: row.slug for row in rows}


def invited_roles(configuration: Configuration) -> list[HallRole]:
    """Whom an organiser can invite into a project."""
    if configuration.project.work in OVERVIEWS:
        return [HallRole.ORGANISER, HallRole.TEAM]
    return [role for role in HallRole if role not in (HallRole.OWNER, HallRole.TEAM)]


@dataclass(frozen=True, kw_only=True)
class PeoplePage:
    """People, open invitations, and the form for another; of a project where one is named."""

    project: str
    people: Sequence[PersonShown]
    invitations: Sequence[ListedInvitation]
    roles: Sequence[HallRole]
    """Whom somebody can be invited as."""
    projects: Sequence[str] = ()
    """Into which projects, where that is asked."""
    link: str
    """What a form has just made, shown this once."""
    fault: str
    """The word for what was wrong with a form."""

    def roles_of(self, person: PersonShown, words: Mapping[str, str]) -> list[str]:
        """What the page says a person is; of the whole hall, in which project."""
        return sorted(
            words[f"role_{role}"] if self.project else f"{member.project}: {words[f'role_{role}']}"
            for member in person.memberships
            for role in member.roles
        )


def show_people(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    status: int = 200,
    link: str | None = "",
    fault: str = "",
) -> HTMLResponse:
    """The page of the project that the rule found, or of the whole hall."""
    project: Project | None = permitted.project
    if project is None:
        accounts = select(Person).where(Person.class_id.is_(None)).order_by(Person.login)
        people, projects = shown_people(session, accounts), list(_slugs(session).values())
        roles = [*(role for role in HallRole if role != HallRole.OWNER), HallRole.OWNER]
    else:
        people, projects = shown_members(session, project), []
        roles = invited_roles(newest_configuration(session, project.id))
    view = PeoplePage(
        project=project.slug if project else "",
        people=people,
        invitations=listed_invitations(session, project),
        roles=roles,
        projects=projects,
        link=link or "",
        fault=fault,
    )
    return render(request, "people.html", status, person=permitted.person, view=view)
