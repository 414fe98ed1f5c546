"""Assignments changed by hand: given, taken back, opened again, with other deadlines."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.assignment import assign_item, reassign, reopen, set_due, withdraw
from readmark.server.bodies import HallRoute
from readmark.server.days import end_of_day
from readmark.server.routes.assignments import AssignmentSummary
from readmark.server.routes.assignments_page import DayField, Seconds, show_assignments_page
from readmark.server.routes.project_page import back_to
from readmark.server.tables import Assignment, Item, Person
from readmark.server.workers import workers_of

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])


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
    by, until = permitted.person.id, end_of_day(due) if due else None
    try:
        with hall_of(request).database.writing() as writing:
            if action == "withdraw":
                withdraw(writing, _assignment(writing, permitted, assignment), by=by)
            elif action == "reassign":
                row = _assignment(writing, permitted, assignment)
                reassign(writing, row, _chosen_worker(writing, permitted, person), by=by)
            elif action == "reopen":
                reopen(writing, _assignment(writing, permitted, assignment), by=by)
            elif action == "assign":
                row_of_item = _item_named(writing, permitted, item)
                worker = _chosen_worker(writing, permitted, person)
                assign_item(writing, permitted.project, row_of_item, worker, due=until, by=by)
            else:
                person_id = _chosen_worker(writing, permitted, person).id if person else None
                set_due(writing, permitted.project.id, until, person_id=person_id, by=by)
    except ReadmarkError as error:
        return show_assignments_page(request, session, permitted, 422, problem=str(error))
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
        assignment = assign_item(session, permitted.project, item, person, due=new.due, by=by)
        return AssignmentSummary(
            id=assignment.id,
            item=item.name,
            purpose=item.purpose,
            person=person.id,
            name=person.name,
            position=assignment.position,
            due=assignment.due,
            done=False,
            seconds=0.0,
        )


@api.post("/withdrawals")
def post_withdrawal(request: Request, permitted: MayOrganise, taken: Withdrawal) -> Withdrawal:
    """Take an item back; what the person made of it stays in the log."""
    with hall_of(request).database.writing() as session:
        withdraw(session, _assignment(session, permitted, taken.assignment), by=permitted.person.id)
    return taken


@api.post("/reopenings")
def post_reopening(request: Request, permitted: MayOrganise, opened: Withdrawal) -> Withdrawal:
    """Let a person change an item again that was handed in for good or locked."""
    with hall_of(request).database.writing() as session:
        reopen(session, _assignment(session, permitted, opened.assignment), by=permitted.person.id)
    return opened


def _assignment(session: Session, permitted: Permitted, id: str) -> Assignment:
    """An assignment of the project; that of another does not exist."""
    assignment = session.get(Assignment, id)
    if assignment is None or assignment.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return assignment


def _item_named(session: Session, permitted: Permitted, name: str) -> Item:
    item = session.scalar(
        select(Item).where(
            Item.project_id == permitted.project.id, Item.name == name, Item.purpose == "work"
        )
    )
    if item is None:
        raise DataError(f"the project has no item {name[:80]!r}")
    return item


def _worker(session: Session, permitted: Permitted, id: str) -> Person | None:
    """Somebody in the project whom items are handed out to."""
    workers = workers_of(session, permitted.project.id)
    return next((person for person in workers if person.id == id), None)


def _chosen_worker(session: Session, permitted: Permitted, id: str) -> Person:
    """The same for the page, which offers nobody else."""
    worker = _worker(session, permitted, id)
    if worker is None:
        raise HTTPException(404, "Not found.")
    return worker
