"""A project's assignments: who has what and how far it is, handing out, taking back by hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.assignment import assign_item, reassign, reopen, set_due, withdraw
from readmark.server.bodies import HallRoute
from readmark.server.days import end_of_day
from readmark.server.handing_out import HandOut, NothingHandedOut, hand_out
from readmark.server.progress import (
    AssignmentDetails,
    AssignmentFilter,
    AssignmentOrder,
    AssignmentState,
    listed_assignments,
)
from readmark.server.routes.files import Purpose
from readmark.server.routes.paging import Limit, Listed, ListPart, Offset, PageQuery, part_of_page
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.tables import Assignment, Item, Person
from readmark.server.training import results_to_hand_out_by
from readmark.server.workers import workers_of

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])

Seconds = Annotated[float, Field(ge=0, le=4_102_444_800)]
"""A time in seconds since 1970, up to the year 2100."""
Count = Annotated[int, Query(ge=0, le=10**9)]
DayField = Annotated[date | Literal[""] | None, Form()]


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


def _listed(
    session: Session,
    project_id: str,
    chosen: AssignmentFilter,
    order: AssignmentOrder | None,
    part: ListPart,
) -> Listed[AssignmentDetails]:
    rows, count = listed_assignments(
        session, project_id, chosen, order=order, offset=part.offset, limit=part.limit
    )
    return Listed(rows, count, part)


# The list.


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


def _page(
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
    now, project_id = time.time(), permitted.project.id
    chosen = AssignmentFilter(state=state, person=person, item=item, now=now)
    view = AssignmentsPage(
        assignments=_listed(session, project_id, chosen, order, part_of_page(page)),
        now=now,
        state=state,
        order=order,
        narrowed=urlencode({"person": person, "item": item}) if person or item else "",
        people=[(worker.id, worker.name) for worker in workers_of(session, project_id)],
        handed_out=handed_out,
    )
    return show_tab(request, session, permitted, "assignments", status, view=view, problem=problem)


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
    return _page(
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
    chosen = AssignmentFilter(purpose=purpose)
    listed = _listed(session, permitted.project.id, chosen, None, ListPart(offset, limit))
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


# Handing out.


class HandOutRequest(BaseModel):
    """How to hand out: ``balance`` moves what nobody has begun, ``due`` is a time in seconds."""

    balance: bool = False
    due: Seconds | None = None


@pages.post("/projects/{project}/hand-out")
def hand_out_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    balance: Annotated[bool, Form()] = False,
    due: DayField = None,
) -> Response:
    """Hand out what people should have."""
    try:
        result = _hand_out(request, permitted, balance, end_of_day(due) if due else None)
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=str(error))
    return back_to(
        permitted.project,
        "assignments",
        added=result.added,
        moved=result.removed,
        missing=result.missing,
        waiting=len(result.waiting),
        **({} if result.reason is None else {"reason": result.reason}),
    )


@api.post("/hand-out")
def post_hand_out(
    request: Request, permitted: MayOrganise, asked: HandOutRequest | None = None
) -> HandOut:
    """Hand out what people should have; asking again changes nothing."""
    asked = asked or HandOutRequest()
    return _hand_out(request, permitted, asked.balance, asked.due)


def _hand_out(request: Request, permitted: Permitted, balance: bool, due: float | None) -> HandOut:
    database, by = hall_of(request).database, permitted.person.id
    results = results_to_hand_out_by(database, permitted.project.id)
    with database.writing() as session:
        return hand_out(
            session, permitted.project, balance=balance, due=due, by=by, results=results
        )


# By hand.


class NewAssignment(BaseModel):
    """An item, by its name, for a person, by id."""

    item: str
    person: str
    due: Seconds | None = None


class Withdrawal(BaseModel):
    """An assignment to take back."""

    assignment: str


@pages.post("/projects/{project}/assignments")
def change_assignment(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    action: Annotated[Literal["withdraw", "reassign", "reopen", "assign", "due"], Form()],
    assignment: Annotated[str, Form()] = "",
    person: Annotated[str, Form()] = "",
    item: Annotated[str, Form()] = "",
    due: DayField = None,
) -> Response:
    """Withdraw, reassign or reopen an item, assign one by hand, or change deadlines."""
    try:
        with hall_of(request).database.writing() as writing:
            by, until = permitted.person.id, end_of_day(due) if due else None
            if action == "withdraw":
                withdraw(writing, _own(writing, permitted, assignment), by=by)
            elif action == "reassign":
                found = _own(writing, permitted, assignment)
                reassign(writing, found, _chosen(writing, permitted, person), by=by)
            elif action == "reopen":
                reopen(writing, _own(writing, permitted, assignment), by=by)
            elif action == "assign":
                named = _item_named(writing, permitted, item)
                worker = _chosen(writing, permitted, person)
                assign_item(writing, permitted.project, named, worker, due=until, by=by)
            else:
                whose = _chosen(writing, permitted, person).id if person else None
                set_due(writing, permitted.project.id, until, person_id=whose, by=by)
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "assignments")


@api.post("/assignments", status_code=201)
def post_assignment(
    request: Request, permitted: MayOrganise, new: NewAssignment
) -> AssignmentSummary:
    """Give an item to a person by hand."""
    with hall_of(request).database.writing() as session:
        item = _item_named(session, permitted, new.item)
        person = _worker(session, permitted, new.person)
        if person is None:
            raise DataError("the project has no such person whom items are handed out to")
        by = permitted.person.id
        made = assign_item(session, permitted.project, item, person, due=new.due, by=by)
        return AssignmentSummary(
            id=made.id,
            item=item.name,
            purpose=item.purpose,
            person=person.id,
            name=person.name,
            position=made.position,
            due=made.due,
            done=False,
            seconds=0.0,
        )


@api.post("/withdrawals")
def post_withdrawal(request: Request, permitted: MayOrganise, taken: Withdrawal) -> Withdrawal:
    """Take an item back; what the person made of it stays in the log."""
    with hall_of(request).database.writing() as session:
        withdraw(session, _own(session, permitted, taken.assignment), by=permitted.person.id)
    return taken


@api.post("/reopenings")
def post_reopening(request: Request, permitted: MayOrganise, opened: Withdrawal) -> Withdrawal:
    """Let a person change an item again that was handed in for good or locked."""
    with hall_of(request).database.writing() as session:
        reopen(session, _own(session, permitted, opened.assignment), by=permitted.person.id)
    return opened


def _own(session: Session, permitted: Permitted, id: str) -> Assignment:
    """An assignment of the project; that of another does not exist."""
    found = session.get(Assignment, id)
    if found is None or found.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return found


def _item_named(session: Session, permitted: Permitted, name: str) -> Item:
    found = session.scalar(
        select(Item).where(
            Item.project_id == permitted.project.id, Item.name == name, Item.purpose == "work"
        )
    )
    if found is None:
        raise DataError(f"the project has no item {name[:80]!r}")
    return found


def _worker(session: Session, permitted: Permitted, id: str) -> Person | None:
    """Somebody in the project whom items are handed out to."""
    workers = workers_of(session, permitted.project.id)
    return next((person for person in workers if person.id == id), None)


def _chosen(session: Session, permitted: Permitted, id: str) -> Person:
    """The same for the page, which offers nobody else."""
    found = _worker(session, permitted, id)
    if found is None:
        raise HTTPException(404, "Not found.")
    return found
