"""Baselines: Readmark's own candidates that sit a task; the organisers' page and API.

The page also shows where people's row comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.routes.project import organised_ids
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.shared_tasks.baselines import BaselineState, ask_baseline, baselines_of
from readmark.server.shared_tasks.people_row import PeopleRow, people_row
from readmark.server.shared_tasks.routes.overview import is_task, require_task
from readmark.server.shared_tasks.sat_projects import sat_projects
from readmark.server.tables import Project

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/baselines", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/baselines", tags=["shared tasks"]
)


class BaselineWanted(BaseModel):
    """A candidate that is to sit the task."""

    model_config = ConfigDict(extra="forbid")
    candidate: str = Field(max_length=100)


@dataclass(frozen=True)
class BaselinesPage:
    """Candidates with their state, and where people's row comes from."""

    baselines: Sequence[BaselineState]
    people: PeopleRow
    sat: Sequence[Project]
    """The organiser's other projects in which people sit the same test."""


@pages.get("")
def show_baselines(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Readmark's own candidates with their state, and where people's row comes from."""
    if not is_task(session, permitted):
        return back_to(permitted.project)
    return show_baselines_tab(request, session, permitted)


def show_baselines_tab(
    request: Request, session: Session, permitted: Permitted, status: int = 200, problem: str = ""
) -> Response:
    """The page, with what was wrong with a form."""
    project_id = permitted.project.id
    view = BaselinesPage(
        baselines_of(session, project_id),
        people_row(session, project_id),
        organised_sat_projects(session, permitted),
    )
    return show_tab(request, session, permitted, "baselines", status, view=view, problem=problem)


def organised_sat_projects(session: Session, permitted: Permitted) -> list[Project]:
    """Projects of the same organiser in which people sit the task's test."""
    organised = set(session.scalars(organised_ids(permitted.person)))
    projects = sat_projects(session, permitted.project.id)
    return [project for project in projects if project.id in organised]


@api.get("")
def get_baselines(session: Reading, permitted: MayOrganise) -> list[BaselineState]:
    """Readmark's own candidates for this kind of test, and what became of those that were asked."""
    return baselines_of(session, permitted.project.id) if is_task(session, permitted) else []


@pages.post("")
def sit_baseline(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    candidate: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Let a candidate sit the task."""
    _ask(request, session, permitted, candidate)
    return back_to(permitted.project, "baselines")


@api.post("", status_code=201)
def post_baseline(
    request: Request, session: Reading, permitted: MayOrganise, wanted: BaselineWanted
) -> BaselineState:
    """Let a candidate sit the task; one that has sat does not sit again."""
    return _ask(request, session, permitted, wanted.candidate)


def _ask(request: Request, session: Session, permitted: Permitted, candidate: str) -> BaselineState:
    require_task(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        return ask_baseline(writing, permitted.project, candidate, by=permitted.person.id)
