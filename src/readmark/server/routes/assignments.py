"""A project's assignments: who has what, and how far it is; page and API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from readmark.server.access import MayOrganise, Reading
from readmark.server.bodies import HallRoute
from readmark.server.handing_out import NothingHandedOut
from readmark.server.progress import AssignmentFilter, AssignmentOrder, AssignmentState
from readmark.server.routes.assignments_page import (
    HandOutNotice,
    listed_details,
    show_assignments_page,
)
from readmark.server.routes.files import Purpose
from readmark.server.routes.paging import Limit, ListPart, Offset, PageQuery

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])

Count = Annotated[int, Query(ge=0, le=10**9)]


@dataclass(frozen=True)
class AssignmentSummary:
    """Who has an item, and how far it is."""

    id: str
    item: str
    purpose: str
    person: str
    name: str
    position: int
    due: float | None
    done: bool
    seconds: float


@pages.get("/projects/{project}/assignments")
def show_assignments(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    state: AssignmentState = "all",
    order: AssignmentOrder = "person",
    page: PageQuery = 1,
    person: Annotated[str, Query(max_length=100)] = "",
    item: Annotated[str, Query(max_length=400)] = "",
    added: Count | None = None,
    moved: Count = 0,
    missing: Count = 0,
    waiting: Count = 0,
    reason: NothingHandedOut | None = None,
) -> Response:
    """Who has what, how far it is, and the forms that change it."""
    return show_assignments_page(
        request,
        session,
        permitted,
        state=state,
        order=order,
        page=page,
        person=person,
        item=item,
        handed_out=None if added is None else HandOutNotice(added, moved, missing, waiting, reason),
    )


@api.get("/assignments")
def get_assignments(
    response: Response,
    session: Reading,
    permitted: MayOrganise,
    purpose: Purpose | None = None,
    offset: Offset = 0,
    limit: Limit = 1_000,
) -> list[AssignmentSummary]:
    """Who has what, by person and position; the header ``x-total-count`` says how many in all."""
    filter = AssignmentFilter(purpose=purpose)
    listed = listed_details(session, permitted.project.id, filter, None, ListPart(offset, limit))
    return [
        AssignmentSummary(
            id=row.progress.assignment.id,
            item=row.item,
            purpose=row.purpose,
            person=row.progress.assignment.person_id,
            name=row.person,
            position=row.progress.assignment.position,
            due=row.progress.assignment.due,
            done=row.progress.done,
            seconds=row.progress.seconds,
        )
        for row in listed.send(response)
    ]
