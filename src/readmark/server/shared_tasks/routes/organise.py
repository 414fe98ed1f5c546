"""The organiser's pages of a shared task: overview, teams, baselines and people; and their API."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import HallRole, MayOrganise, Permitted, Reading, hall_of
from readmark.server.accounts import AccountError
from readmark.server.bodies import HallRoute
from readmark.server.invitations import invite, open_invitations
from readmark.server.pages import language_of, words
from readmark.server.routes.account import link_to
from readmark.server.routes.project import organised_ids
from readmark.server.routes.project_page import OVERVIEWS, back_to, show_tab
from readmark.server.shared_tasks.baselines import BaselineState, ask_baseline, baselines_of
from readmark.server.shared_tasks.options import NAME
from readmark.server.shared_tasks.people_row import (
    PeopleRow,
    add_people,
    people_of_project,
    people_row,
    remove_people,
    sat_projects,
)
from readmark.server.shared_tasks.teams import LONGEST_TEAM, make_team, teams_of
from readmark.server.tables import Job, Submission, WorkerHeartbeat
from readmark.server.views import newest_configuration

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["shared tasks"])

UploadedFiles = Annotated[list[UploadFile] | None, File()]
TeamName = Annotated[str, Form(max_length=LONGEST_TEAM)]
AWAY = 60.0
"""Seconds after which a worker that is not heard of is taken to be away."""
LARGEST_PEOPLE = 50 << 20
"""Bytes of one file of people's sittings."""


class BaselineWanted(BaseModel):
    """A candidate that is to sit the task."""

    model_config = ConfigDict(extra="forbid")
    candidate: str = Field(max_length=100)


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


def _is_task(session: Session, permitted: Permitted) -> bool:
    return newest_configuration(session, permitted.project.id).project.work == NAME


def _require_task(session: Session, permitted: Permitted) -> None:
    if not _is_task(session, permitted):
        raise UsageError("only shared tasks have teams, baselines and people's sittings")


# The overview.


def show_overview(request: Request, session: Session, permitted: Permitted) -> Response:
    """The state of a task: submissions, teams, the queue, and whether somebody is marking."""
    project_id = permitted.project.id
    states: dict[str, int] = {
        row[0]: row[1]
        for row in session.execute(
            select(Submission.state, func.count())
            .where(Submission.project_id == project_id)
            .group_by(Submission.state)
        )
    }
    waiting = session.scalar(select(func.count()).where(Job.state.in_(("waiting", "running"))))
    seen = session.scalar(select(func.max(WorkerHeartbeat.seen)))
    return show_tab(
        request,
        session,
        permitted,
        "overview",
        template="project_task.html",
        states=states,
        teams=len(teams_of(session, project_id)),
        waiting=waiting or 0,
        seen=seen,
        is_worker_seen=seen is not None and time.time() - seen < AWAY,
    )


OVERVIEWS[NAME] = show_overview


# Teams.


@pages.get("/projects/{project}/teams")
def show_teams(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The teams, and the form that makes a link for another one."""
    if not _is_task(session, permitted):
        return back_to(permitted.project)
    return _teams(request, session, permitted)


def _teams(
    request: Request, session: Session, permitted: Permitted, status: int = 200, **values: Any
) -> Response:
    rows = teams_of(session, permitted.project.id)
    names = {row.id: row.name for row in rows}
    invitations = [
        (row, names.get(row.team_id or "", ""))
        for row in open_invitations(session, permitted.project.id)
        if row.role == HallRole.TEAM
    ]
    return show_tab(
        request,
        session,
        permitted,
        "teams",
        status,
        rows=rows,
        invitations=invitations,
        longest=LONGEST_TEAM,
        **{"link": "", "given": "", **values},
    )


@pages.post("/projects/{project}/teams")
def invite_team(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    team: TeamName = "",
    note: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a link for a team, and show it this once."""
    _require_task(session, permitted)
    try:
        made = _invited(request, permitted, team, note)
    except AccountError as error:
        problem = words(language_of(request))[error.word]
        return _teams(request, session, permitted, 422, problem=problem, given=team)
    with hall_of(request).database.reading() as fresh:
        return _teams(request, fresh, permitted, link=made.link)


def _invited(request: Request, permitted: Permitted, team: str, note: str) -> TeamLink:
    hall, project = hall_of(request), permitted.project
    with hall.database.writing() as session:
        made = make_team(session, project.id, team) if team.strip() else None
        invitation, secret = invite(
            session,
            hall,
            HallRole.TEAM,
            project_id=project.id,
            team_id=None if made is None else made.id,
            by=permitted.person,
            note=note,
        )
        name = None if made is None else made.name
        return TeamLink(name, link_to(request, secret), invitation.expires)


@api.get("/teams")
def get_teams(session: Reading, permitted: MayOrganise) -> list[TeamShown]:
    """The teams of a shared task with the names of their people."""
    return [
        TeamShown(row.name, [name for _, name in row.people], row.submissions, row.created)
        for row in teams_of(session, permitted.project.id)
    ]


@api.post("/teams", status_code=201)
def post_team(
    request: Request, session: Reading, permitted: MayOrganise, wanted: TeamWanted
) -> TeamLink:
    """Make a one-time link into a team; without a name, whoever accepts names the team."""
    _require_task(session, permitted)
    session.commit()
    return _invited(request, permitted, wanted.team, wanted.note)


# Baselines.


@pages.get("/projects/{project}/baselines")
def show_baselines(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Readmark's own candidates with their state, and where people's row comes from."""
    if not _is_task(session, permitted):
        return back_to(permitted.project)
    return _baselines(request, session, permitted)


def _baselines(
    request: Request, session: Session, permitted: Permitted, status: int = 200, **values: Any
) -> Response:
    own = set(session.scalars(organised_ids(permitted.person)))
    project_id = permitted.project.id
    return show_tab(
        request,
        session,
        permitted,
        "baselines",
        status,
        rows=baselines_of(session, project_id),
        row=people_row(session, project_id),
        sat=[project for project in sat_projects(session, project_id) if project.id in own],
        **values,
    )


@pages.post("/projects/{project}/baselines")
def sit_baseline(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    candidate: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Let a candidate sit the task."""
    _require_task(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        ask_baseline(writing, permitted.project, candidate, by=permitted.person.id)
    return back_to(permitted.project, "baselines")


@api.get("/baselines")
def get_baselines(session: Reading, permitted: MayOrganise) -> list[BaselineState]:
    """Readmark's own candidates for this kind of test, and what became of those that were asked."""
    return baselines_of(session, permitted.project.id) if _is_task(session, permitted) else []


@api.post("/baselines", status_code=201)
def post_baseline(
    request: Request, session: Reading, permitted: MayOrganise, wanted: BaselineWanted
) -> BaselineState:
    """Let a candidate sit the task; one that has sat does not sit again."""
    _require_task(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        return ask_baseline(writing, permitted.project, wanted.candidate, by=permitted.person.id)


# People's row.


@pages.post("/projects/{project}/people-sittings")
def change_people(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    files: UploadedFiles = None,
    sat: Annotated[str, Form(max_length=60)] = "",
    remove: Annotated[bool, Form()] = False,
) -> Response:
    """Take people's sittings from files or from a project of the hall, or forget them."""
    _require_task(session, permitted)
    try:
        if remove:
            session.commit()
            with hall_of(request).database.writing() as writing:
                remove_people(writing, permitted.project)
        elif sat:
            _take(request, session, permitted, sat)
        else:
            _keep(request, session, permitted, files or [])
    except ReadmarkError as error:
        return _baselines(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "baselines")


def _take(request: Request, session: Session, permitted: Permitted, slug: str) -> None:
    own = set(session.scalars(organised_ids(permitted.person)))
    found = [
        project
        for project in sat_projects(session, permitted.project.id)
        if project.slug == slug and project.id in own
    ]
    if not found:
        raise UsageError(f"no project {slug!r} in which people sit this test")
    sittings = people_of_project(session, found[0])
    session.commit()
    with hall_of(request).database.writing() as writing:
        add_people(
            writing,
            permitted.project,
            sittings.files,
            of_people=sittings.of_people,
            by=permitted.person.id,
        )


def _keep(
    request: Request, session: Session, permitted: Permitted, files: list[UploadFile]
) -> None:
    session.commit()  # gives the connection back
    contents = {}
    for file in files:
        if file.filename:
            contents[file.filename] = file.file.read(LARGEST_PEOPLE + 1)
            if len(contents[file.filename]) > LARGEST_PEOPLE:
                raise DataError("larger than 50 MB", file=file.filename)
    with hall_of(request).database.writing() as writing:
        add_people(writing, permitted.project, contents, by=permitted.person.id)


@api.get("/people-sittings")
def get_people(session: Reading, permitted: MayOrganise) -> PeopleRow:
    """Where people's row comes from."""
    return people_row(session, permitted.project.id)


@api.post("/people-sittings", status_code=201)
def post_people(
    request: Request, session: Reading, permitted: MayOrganise, files: UploadedFiles = None
) -> PeopleRow:
    """Add files of people's sittings, each of one person or of several."""
    _require_task(session, permitted)
    _keep(request, session, permitted, files or [])
    with hall_of(request).database.reading() as fresh:
        return people_row(fresh, permitted.project.id)


@api.delete("/people-sittings", status_code=204)
def delete_people(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Forget people's sittings; the row comes from the key's answers again, if it can."""
    _require_task(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        remove_people(writing, permitted.project)
    return Response(status_code=204)
