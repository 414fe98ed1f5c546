"""The visitor's own team: who is in it, links into it, another name, leaving it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.server.access import HallRole, Reading, hall_of
from readmark.server.account_errors import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.invitations import invite, revoke_invitation
from readmark.server.routes.links import link_to
from readmark.server.shared_tasks.access import InTeam, TaskPermitted
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.routes.registration import FieldText
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.teams import (
    leave_team,
    member_names,
    rename_team,
    team_invitations,
)
from readmark.server.tables import Invitation, Team

pages = APIRouter(route_class=HallRoute, prefix="/tasks/{task}/team", include_in_schema=False)


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


@pages.get("")
def team_page(request: Request, session: Reading, permitted: InTeam) -> Response:
    """Who is in the visitor's team, and the forms to change it."""
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


@pages.post("")
def change_team(
    request: Request,
    session: Reading,
    permitted: InTeam,
    action: Annotated[Literal["rename", "invite", "revoke", "leave"], Form()],
    name: FieldText = "",
    invitation: Annotated[str, Form(max_length=64)] = "",
) -> Response:
    """Rename the visitor's team, make or end a link into it, or leave it."""
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
