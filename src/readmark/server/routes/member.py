"""The people of a project: their roles, how they did in training, and leaving; page and API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from readmark.server.access import HallRole, Id, MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.items import item_counts
from readmark.server.joining import remove_member
from readmark.server.routes.people_page import PersonShown, invited_roles, shown_members
from readmark.server.routes.project_page import show_tab
from readmark.server.tables import Person
from readmark.server.training import TrainingResult, training_results
from readmark.server.views import newest_configuration

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}")

Training = Literal["practice", "qualifying"]


@dataclass(frozen=True)
class TrainingSummary:
    """A person's result; whether it reaches the share that the project asks for, if it does."""

    person: str
    name: str
    right: int
    handed_in: int
    total: int
    is_qualified: bool | None


@dataclass(frozen=True)
class MembersPage:
    """The people of a project with their roles, and results by the sort of training and person."""

    members: Sequence[PersonShown]
    results: Mapping[Training, Mapping[str, TrainingResult]]
    counts: Mapping[str, int]
    """Items of each purpose."""
    invited: Sequence[HallRole]
    """Roles that somebody can be invited to."""


@pages.get("/projects/{project}/people")
def show_people(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The people of a project, their roles, and how they did in training."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    view = MembersPage(
        shown_members(session, permitted.project, by_name=True),
        {
            "practice": training_results(session, project_id, configuration, "practice"),
            "qualifying": training_results(session, project_id, configuration, "qualifying"),
        },
        item_counts(session, project_id),
        invited_roles(configuration),
    )
    return show_tab(request, session, permitted, "people", view=view)


@api.get("/members", tags=["people"])
def list_members(session: Reading, permitted: MayOrganise) -> list[PersonShown]:
    """The project's people with their roles in it; those elsewhere are left out."""
    return shown_members(session, permitted.project)


@api.get("/training", tags=["projects"])
def get_training(
    session: Reading, permitted: MayOrganise, purpose: Training = "qualifying"
) -> list[TrainingSummary]:
    """How people did on the practice or qualifying items."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    least_share = configuration.project.qualify
    names = {row.id: row.name for row in session.execute(select(Person.id, Person.name))}
    results = training_results(session, project_id, configuration, purpose)
    return [
        TrainingSummary(
            person=person,
            name=names[person],
            right=result.right,
            handed_in=result.handed_in,
            total=result.total,
            is_qualified=None if least_share is None else result.share >= least_share,
        )
        for person, result in sorted(results.items(), key=lambda pair: names[pair[0]])
    ]


@pages.post("/projects/{project}/members/{person}/remove")
def end_membership_on_page(request: Request, person: Id, permitted: MayOrganise) -> Response:
    """Take a person out of the project."""
    _end(request, permitted, person)
    return RedirectResponse(f"/projects/{permitted.project.slug}/invitations", 303)


@api.delete("/members/{person}", status_code=204, tags=["people"])
def end_membership(request: Request, person: Id, permitted: MayOrganise) -> Response:
    """Take a person out of the project."""
    _end(request, permitted, person)
    return Response(status_code=204)


def _end(request: Request, permitted: Permitted, person: str) -> None:
    with hall_of(request).database.writing() as session:
        if not remove_member(session, permitted.project, person, permitted.person):
            raise HTTPException(404, "Not found.")
