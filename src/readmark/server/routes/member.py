"""The people of a project: their roles, and how they did in training; page and API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import Response

from readmark.server.access import MayOrganise, Reading
from readmark.server.bodies import HallRoute
from readmark.server.projects import item_counts
from readmark.server.routes.project_page import invited_roles, show_tab
from readmark.server.tables import Membership, Person
from readmark.server.training import TrainingResult, training_results
from readmark.server.views import newest_configuration

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])

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

    members: Sequence[tuple[Person, Sequence[str]]]
    results: Mapping[Training, Mapping[str, TrainingResult]]
    counts: Mapping[str, int]
    """Items of each purpose."""
    invited: Sequence[str]
    """Roles that somebody can be invited to."""


@pages.get("/projects/{project}/people")
def show_people(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The people of a project, their roles, and how they did in training."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    members: dict[str, tuple[Person, list[str]]] = {}
    for person, role in session.execute(
        select(Person, Membership.role)
        .join(Membership, Membership.person_id == Person.id)
        .where(Membership.project_id == project_id)
        .order_by(Person.name, Person.id)
    ):
        members.setdefault(person.id, (person, []))[1].append(role)
    view = MembersPage(
        list(members.values()),
        {
            "practice": training_results(session, project_id, configuration, "practice"),
            "qualifying": training_results(session, project_id, configuration, "qualifying"),
        },
        item_counts(session, project_id),
        invited_roles(configuration),
    )
    return show_tab(request, session, permitted, "people", view=view)


@api.get("/{project}/training")
def get_training(
    session: Reading, permitted: MayOrganise, purpose: Training = "qualifying"
) -> list[TrainingSummary]:
    """How people did on the practice or qualifying items."""
    project_id = permitted.project.id
    configuration = newest_configuration(session, project_id)
    wanted = configuration.project.qualify
    names = {row.id: row.name for row in session.execute(select(Person.id, Person.name))}
    results = training_results(session, project_id, configuration, purpose)
    return [
        TrainingSummary(
            person=person,
            name=names[person],
            right=result.right,
            handed_in=result.handed_in,
            total=result.total,
            is_qualified=None if wanted is None else result.share >= wanted,
        )
        for person, result in sorted(results.items(), key=lambda pair: names[pair[0]])
    ]
