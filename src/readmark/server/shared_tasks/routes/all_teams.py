"""All teams of a task and links for more of them, for organisers; pages and API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import HallRole, MayOrganise, Permitted, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.invitations import invite, open_invitations
from readmark.server.pages import language_of, words
from readmark.server.routes.links import link_to
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.shared_tasks.names import LONGEST_TEAM
from readmark.server.shared_tasks.routes.overview import is_task, require_task
from readmark.server.shared_tasks.teams import TeamRow, make_team, teams_of
from readmark.server.tables import Invitation

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/teams", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/teams", tags=["shared tasks"]
)


class TeamWanted(BaseModel):
    """A team to invite: the name that it gets, or none for whoever accepts to choose one."""

    model_config = ConfigDict(extra="forbid")
    team: str = Field("", max_length=LONGEST_TEAM)
    note: str = Field("", max_length=200)


@dataclass(frozen=True)
class TeamLink:
    """A link into a team; whoever accepts one without a team chooses its name."""

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


@pages.get("")
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


@pages.post("")
def invite_team(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    team: Annotated[str, Form(max_length=LONGEST_TEAM)] = "",
    note: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a link for a team, and show it this once."""
    try:
        invitation = _invite(request, session, permitted, team, note)
    except AccountError as error:
        problem = words(language_of(request))[error.word]
        return _all_teams(request, session, permitted, 422, problem=problem, new_team=team)
    with hall_of(request).database.reading() as fresh:
        return _all_teams(request, fresh, permitted, link=invitation.link)


@api.post("", status_code=201)
def post_team(
    request: Request, session: Reading, permitted: MayOrganise, wanted: TeamWanted
) -> TeamLink:
    """Make a one-time link into a team; without a name, whoever accepts it chooses one."""
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
