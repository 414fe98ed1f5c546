"""The teams of a task: one's own team, and all of them for organisers; pages and API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.server.access import HallRole, MayOrganise, Permitted, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.invitations import invite, open_invitations, revoke_invitation
from readmark.server.pages import language_of, words
from readmark.server.routes.links import link_to
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.shared_tasks.access import InTeam, TaskPermitted
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.routes.overview import is_task, require_task
from readmark.server.shared_tasks.routes.registration import FieldText
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.teams import (
    LONGEST_TEAM,
    TeamRow,
    leave_team,
    make_team,
    member_names,
    rename_team,
    team_invitations,
    teams_of,
)
from readmark.server.tables import Invitation, Team

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/teams", tags=["shared tasks"]
)


# One's own team.


@dataclass(frozen=True, kw_only=True)
class TeamPage:
    """Who is in the visitor's team, open links into it, and the forms to change it."""

    name: str
    people: Sequence[str]
    invitations: Sequence[Invitation]
    link: str
    """What a form has just made, shown this once."""
    new_name: str
    """What the form for another name has in it."""
    fault: str
    """The word for what was wrong with a form."""


@pages.get("/tasks/{task}/team")
def team_page(request: Request, session: Reading, permitted: InTeam) -> Response:
    """Who is in the own team, and the forms to change it."""
    return _own_team(request, session, permitted)


def _own_team(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    status: int = 200,
    *,
    link: str = "",
    new_name: str = "",
    fault: str = "",
) -> Response:
    team = session.get_one(Team, permitted.own_team.id)  # its name may just have been changed
    view = TeamPage(
        name=team.name,
        people=member_names(session, team.id),
        invitations=team_invitations(session, team),
        link=link,
        new_name=new_name or team.name,
        fault=fault,
    )
    permitted = replace(permitted, team=team)
    return show_task_page(request, permitted, "team", "task_team.html", status, view=view)


@pages.post("/tasks/{task}/team")
def change_team(
    request: Request,
    session: Reading,
    permitted: InTeam,
    action: Annotated[Literal["rename", "invite", "revoke", "leave"], Form()],
    name: FieldText = "",
    invitation: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Rename the own team, make or end a link into it, or leave it."""
    hall, team, person = hall_of(request), permitted.own_team, permitted.person
    assert person is not None
    session.commit()
    link = ""
    try:
        with hall.database.writing() as writing:
            if action == "rename":
                rename_team(writing, team, name, by=person.id)
                add_job(writing, "board", permitted.project.id)
            elif action == "leave":
                leave_team(writing, team, person.id)
            elif action == "revoke":
                if invitation in [row.id for row in team_invitations(writing, team)]:
                    revoke_invitation(writing, invitation, person)
            else:
                _, secret = invite(
                    writing,
                    hall,
                    HallRole.TEAM,
                    by=person,
                    project_id=permitted.project.id,
                    team_id=team.id,
                )
                link = link_to(request, secret)
    except AccountError as error:
        return _own_team(request, session, permitted, 422, fault=error.word, new_name=name)
    if action == "leave":
        return RedirectResponse(f"/tasks/{permitted.project.slug}", 303)
    with hall.database.reading() as fresh:
        return _own_team(request, fresh, permitted, link=link)


# All teams, for organisers.


class TeamWanted(BaseModel):
    """A team to invite: by the name that it gets, or one that whoever accepts names."""

    model_config = ConfigDict(extra="forbid")
    team: str = Field("", max_length=LONGEST_TEAM)
    note: str = Field("", max_length=200)


@dataclass(frozen=True)
class TeamLink:
    """An invitation into a team; whoever accepts a link without a team names one."""

    team: str | None
    link: str
    expires: float


@dataclass(frozen=True)
class TeamShown:
    """A team of a shared task."""

    team: str
    people: list[str]
    submissions: int
    created: float


@dataclass(frozen=True, kw_only=True)
class TeamsPage:
    """The teams of a task, open links for more, and the form that makes one."""

    teams: Sequence[TeamRow]
    invitations: Sequence[tuple[Invitation, str]]
    """Each with the name of its team, if it has one already."""
    link: str
    """What the form has just made, shown this once."""
    new_team: str
    """What the form has in it."""
    longest: int = LONGEST_TEAM
    """Characters of a name."""


@pages.get("/projects/{project}/teams")
def show_teams(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The teams, and the form that makes a link for another one."""
    if not is_task(session, permitted):
        return back_to(permitted.project)
    return _all_teams(request, session, permitted)


def _all_teams(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    link: str = "",
    new_team: str = "",
    problem: str = "",
) -> Response:
    teams = teams_of(session, permitted.project.id)
    names = {row.id: row.name for row in teams}
    view = TeamsPage(
        teams=teams,
        invitations=[
            (row, names.get(row.team_id or "", ""))
            for row in open_invitations(session, permitted.project.id)
            if row.role == HallRole.TEAM
        ],
        link=link,
        new_team=new_team,
    )
    return show_tab(request, session, permitted, "teams", status, view=view, problem=problem)


@api.get("")
def get_teams(session: Reading, permitted: MayOrganise) -> list[TeamShown]:
    """The teams of a shared task with the names of their people."""
    return [
        TeamShown(row.name, [name for _, name in row.people], row.submissions, row.created)
        for row in teams_of(session, permitted.project.id)
    ]


@pages.post("/projects/{project}/teams")
def invite_team(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    team: Annotated[str, Form(max_length=LONGEST_TEAM)] = "",
    note: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a link for a team, and show it this once."""
    try:
        made = _invite(request, session, permitted, team, note)
    except AccountError as error:
        problem = words(language_of(request))[error.word]
        return _all_teams(request, session, permitted, 422, problem=problem, new_team=team)
    with hall_of(request).database.reading() as fresh:
        return _all_teams(request, fresh, permitted, link=made.link)


@api.post("", status_code=201)
def post_team(
    request: Request, session: Reading, permitted: MayOrganise, wanted: TeamWanted
) -> TeamLink:
    """Make a one-time link into a team; without a name, whoever accepts names the team."""
    return _invite(request, session, permitted, wanted.team, wanted.note)


def _invite(
    request: Request, session: Session, permitted: Permitted, team_name: str, note: str
) -> TeamLink:
    require_task(session, permitted)
    session.commit()
    hall, project = hall_of(request), permitted.project
    with hall.database.writing() as writing:
        team = make_team(writing, project.id, team_name) if team_name.strip() else None
        invitation, secret = invite(
            writing,
            hall,
            HallRole.TEAM,
            project_id=project.id,
            team_id=None if team is None else team.id,
            by=permitted.person,
            note=note,
        )
        name = None if team is None else team.name
        return TeamLink(name, link_to(request, secret), invitation.expires)
