"""The page of a project's assignments: who has what, and the forms that change it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import Form, Request
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import Permitted
from readmark.server.handing_out import NothingHandedOut
from readmark.server.progress import (
    AssignmentDetails,
    AssignmentFilter,
    AssignmentOrder,
    AssignmentState,
    listed_assignments,
)
from readmark.server.routes.paging import Listed, ListPart, part_of_page
from readmark.server.routes.project_page import show_tab
from readmark.server.workers import workers_of

Seconds = Annotated[float, Field(ge=0, le=4_102_444_800)]
"""A time in seconds since 1970, up to the year 2100."""
DayField = Annotated[date | Literal[""] | None, Form()]


@dataclass(frozen=True)
class HandOutNotice:
    """What the form for handing out has just done, in numbers; why nothing, if nothing."""

    added: int
    moved: int
    missing: int
    waiting: int
    reason: NothingHandedOut | None


@dataclass(frozen=True, kw_only=True)
class AssignmentsPage:
    """Assignments of a state, and of a person or an item where one is named."""

    assignments: Listed[AssignmentDetails]
    now: float
    state: AssignmentState
    order: AssignmentOrder
    narrowed: str
    """The part of the address that names a person or an item."""
    people: Sequence[tuple[str, str]]
    """Ids and names of those who can get items."""
    handed_out: HandOutNotice | None


def show_assignments_page(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    state: AssignmentState = "all",
    order: AssignmentOrder = "person",
    page: int = 1,
    person: str = "",
    item: str = "",
    handed_out: HandOutNotice | None = None,
    problem: str = "",
) -> Response:
    """The page, with what handing out has done, or what was wrong with a form."""
    now, project_id = time.time(), permitted.project.id
    filter = AssignmentFilter(state=state, person=person, item=item, now=now)
    view = AssignmentsPage(
        assignments=listed_details(session, project_id, filter, order, part_of_page(page)),
        now=now,
        state=state,
        order=order,
        narrowed=urlencode({"person": person, "item": item}) if person or item else "",
        people=[(worker.id, worker.name) for worker in workers_of(session, project_id)],
        handed_out=handed_out,
    )
    return show_tab(request, session, permitted, "assignments", status, view=view, problem=problem)


def listed_details(
    session: Session,
    project_id: str,
    filter: AssignmentFilter,
    order: AssignmentOrder | None,
    part: ListPart,
) -> Listed[AssignmentDetails]:
    """A part of the assignments that a filter lets through."""
    rows, count = listed_assignments(
        session, project_id, filter, order=order, offset=part.offset, limit=part.limit
    )
    return Listed(rows, count, part)
