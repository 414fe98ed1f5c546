"""Projects: those that a person organises, and how one is doing; pages and API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import HallRole, MayOrganise, Permitted, Reading, SignedIn, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.dashboard import Dashboard, project_dashboard
from readmark.server.items import item_counts
from readmark.server.pages import render
from readmark.server.progress import (
    ProjectCounts,
    ProjectProgress,
    project_counts,
    project_progress,
)
from readmark.server.projects import set_open
from readmark.server.routes.paging import Limit, Listed, ListPart, Offset, PageQuery, part_of_page
from readmark.server.routes.project_page import OVERVIEWS, back_to, show_tab
from readmark.server.tables import Membership, Person, Project
from readmark.server.views import newest_configuration, newest_listings
from readmark.works import ConfigurationListing, in_language

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])


@dataclass(frozen=True)
class ProjectSummary:
    """A project in a list."""

    project: str
    name: str
    work: str
    is_open: bool
    configuration: int
    notes: list[str] = field(default_factory=list)
    """What was left out when it was created, such as hidden splits."""


@dataclass(frozen=True)
class OrganisedProject:
    """A project, and what the newest version of its configuration says of it."""

    project: Project
    version: int
    listing: ConfigurationListing

    def name(self, language: str) -> str:
        """The name in a language."""
        return in_language(self.listing.name, language)

    def summary(self, notes: list[str] | None = None) -> ProjectSummary:
        """The same for programs."""
        return ProjectSummary(
            self.project.slug,
            self.name("en"),
            self.listing.work,
            self.project.is_open,
            self.version,
            notes or [],
        )


def organised_ids(person: Person) -> Select[str]:
    """Selects the projects that a person organises; the owner organises all."""
    if person.is_owner:
        return select(Project.id)
    return (
        select(Project.id)
        .join(Membership, Membership.project_id == Project.id)
        .where(Membership.person_id == person.id, Membership.role == str(HallRole.ORGANISER))
    )


def organised_projects(
    session: Session, person: Person, part: ListPart
) -> Listed[OrganisedProject]:
    """A part of the projects that a person organises, by slug."""
    ids = organised_ids(person)
    count = session.scalar(select(func.count()).select_from(ids.subquery())) or 0
    page = ids.order_by(Project.slug).offset(part.offset).limit(part.limit)
    listings = newest_listings(session, page)
    projects = session.scalars(select(Project).where(Project.id.in_(page)).order_by(Project.slug))
    rows = [OrganisedProject(project, *listings[project.id]) for project in projects]
    return Listed(rows, count, part)


def organised_project(session: Session, project: Project) -> OrganisedProject:
    """A project with the newest version of its configuration."""
    listings = newest_listings(session, select(Project.id).where(Project.id == project.id))
    return OrganisedProject(project, *listings[project.id])


@dataclass(frozen=True)
class ProjectsPage:
    """Projects with how far each is, by id."""

    projects: Listed[OrganisedProject]
    counts: Mapping[str, ProjectCounts]


@pages.get("/projects")
def list_projects(
    request: Request, session: Reading, permitted: SignedIn, page: PageQuery = 1
) -> Response:
    """The projects that the person organises."""
    projects = organised_projects(session, permitted.person, part_of_page(page))
    listings = {project.project.id: project.listing for project in projects.rows}
    view = ProjectsPage(projects, project_counts(session, listings))
    return render(request, "projects.html", person=permitted.person, view=view)


@api.get("")
def get_projects(
    response: Response,
    session: Reading,
    permitted: SignedIn,
    offset: Offset = 0,
    limit: Limit = 10_000,
) -> list[ProjectSummary]:
    """The projects that the caller organises; the header ``x-total-count`` says how many."""
    projects = organised_projects(session, permitted.person, ListPart(offset, limit))
    return [project.summary() for project in projects.send(response)]


@dataclass(frozen=True)
class ProjectOverview:
    """How a project is doing: figures, its items by purpose, and whether splits were left out."""

    dashboard: Dashboard
    counts: Mapping[str, int]
    withheld: bool


@pages.get("/projects/{project}")
def show_project(
    request: Request, session: Reading, permitted: MayOrganise, withheld: bool = False
) -> Response:
    """How a project is doing."""
    project_id = permitted.project.id
    work = newest_configuration(session, project_id).project.work
    if work in OVERVIEWS:
        return OVERVIEWS[work](request, session, permitted)
    dashboard = project_dashboard(session, project_id, is_whole=False)
    view = ProjectOverview(dashboard, item_counts(session, project_id), withheld)
    return show_tab(request, session, permitted, "overview", view=view)


@api.get("/{project}")
def get_project(session: Reading, permitted: MayOrganise) -> ProjectSummary:
    """A project."""
    return organised_project(session, permitted.project).summary()


@api.get("/{project}/progress")
def get_progress(session: Reading, permitted: MayOrganise) -> ProjectProgress:
    """What is done, left and late, by person, and the time per item."""
    return project_progress(session, permitted.project.id)


class ProjectState(BaseModel):
    """Whether people can work on a project."""

    is_open: bool


@pages.post("/projects/{project}/state")
def change_state(
    request: Request, permitted: MayOrganise, is_open: Annotated[bool, Form()]
) -> Response:
    """Open or close a project."""
    _set_state(request, permitted, is_open)
    return back_to(permitted.project)


@api.put("/{project}/state")
def put_state(request: Request, permitted: MayOrganise, state: ProjectState) -> ProjectState:
    """Open or close a project."""
    _set_state(request, permitted, state.is_open)
    return state


def _set_state(request: Request, permitted: Permitted, is_open: bool) -> None:
    with hall_of(request).database.writing() as session:
        set_open(session, permitted.project, is_open, by=permitted.person.id)
