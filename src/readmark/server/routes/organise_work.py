"""The organiser's pages on the work itself: who has what, how far it is, what comes of it."""

from __future__ import annotations

import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.making.agreement.report import NAMES
from readmark.server.access import Permitted, Reading, hall_of
from readmark.server.assignment import (
    NothingHandedOut,
    assign_item,
    hand_out,
    reassign,
    reopen,
    set_due,
    withdraw,
    workers_of,
)
from readmark.server.bodies import HallRoute
from readmark.server.clock import close_overdue
from readmark.server.exchange import HallImport, export_project, read_work, store_work
from readmark.server.operations.retention import require_space
from readmark.server.progress import (
    AssignmentFilter,
    AssignmentOrder,
    AssignmentState,
    listed_assignments,
    live_agreement,
)
from readmark.server.projects import uploaded
from readmark.server.routes.organise import (
    PAGE,
    MayOrganise,
    Upload,
    attachment,
    back_to,
    end_of_day,
    show_tab,
)
from readmark.server.routes.work_api import PREVIEW
from readmark.server.routes.work_pages import show_item
from readmark.server.tables import Assignment, Item, Person, Project
from readmark.server.views import open_item

router = APIRouter(route_class=HallRoute, include_in_schema=False)


# Assignments.


@router.get("/projects/{project}/assignments")
def show_assignments(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    state: AssignmentState = "all",
    order: AssignmentOrder = "person",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    person: Annotated[str, Query(max_length=100)] = "",
    item: Annotated[str, Query(max_length=400)] = "",
    added: Annotated[int | None, Query(ge=0, le=10**9)] = None,
    moved: Annotated[int, Query(ge=0, le=10**9)] = 0,
    missing: Annotated[int, Query(ge=0, le=10**9)] = 0,
    waiting: Annotated[int, Query(ge=0, le=10**9)] = 0,
    reason: NothingHandedOut | None = None,
) -> Response:
    """Who has what, how far it is, and the forms that change it."""
    return _assignments(
        request,
        session,
        permitted,
        state=state,
        order=order,
        page=page,
        person=person,
        item=item,
        handed_out=None if added is None else (added, moved, missing, waiting, reason),
    )


def _assignments(
    request: Request,
    session: Session,
    permitted: Permitted,
    *,
    state: AssignmentState = "all",
    order: AssignmentOrder = "person",
    page: int = 1,
    person: str = "",
    item: str = "",
    status: int = 200,
    **values: Any,
) -> Response:
    """The assignments of a state, and of a person or an item where one is named."""
    now, project_id = time.time(), permitted.project.id
    chosen = AssignmentFilter(state=state, person=person, item=item, now=now)
    rows, count = listed_assignments(
        session, project_id, chosen, order=order, offset=(page - 1) * PAGE, limit=PAGE
    )
    shown = [
        (row.progress, row.person, row.item, row.purpose, row.progress.is_late(now)) for row in rows
    ]
    return show_tab(
        request,
        session,
        permitted,
        "assignments",
        status,
        rows=shown,
        state=state,
        order=order,
        page=page,
        pages=max(1, -(-count // PAGE)),
        people=[(worker.id, worker.name) for worker in workers_of(session, project_id)],
        narrowed=urlencode({"person": person, "item": item}) if person or item else "",
        **{"handed_out": None, **values},
    )


@router.post("/projects/{project}/hand-out")
def hand_out_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    balance: Annotated[bool, Form()] = False,
    due: Annotated[date | Literal[""] | None, Form()] = None,
) -> Response:
    """Hand out what people should have."""
    try:
        with hall_of(request).database.writing() as writing:
            result = hand_out(
                writing,
                permitted.project,
                balance=balance,
                due=end_of_day(due or None),
                by=permitted.person.id,
            )
    except ReadmarkError as error:
        return _assignments(request, session, permitted, status=422, problem=str(error))
    return back_to(
        permitted.project,
        "assignments",
        added=result.added,
        moved=result.removed,
        missing=result.missing,
        waiting=len(result.waiting),
        **({} if result.reason is None else {"reason": result.reason}),
    )


@router.post("/projects/{project}/assignments")
def change_assignment(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    action: Annotated[Literal["withdraw", "reassign", "reopen", "assign", "due"], Form()],
    assignment: Annotated[str, Form()] = "",
    person: Annotated[str, Form()] = "",
    item: Annotated[str, Form()] = "",
    due: Annotated[date | Literal[""] | None, Form()] = None,
) -> Response:
    """Withdraw, reassign or reopen an item, assign one by hand, or change deadlines."""
    try:
        with hall_of(request).database.writing() as writing:
            by = permitted.person.id
            if action == "withdraw":
                withdraw(writing, own_assignment(writing, permitted, assignment), by=by)
            elif action == "reassign":
                found = own_assignment(writing, permitted, assignment)
                reassign(writing, found, _worker(writing, permitted, person), by=by)
            elif action == "reopen":
                reopen(writing, own_assignment(writing, permitted, assignment), by=by)
            elif action == "assign":
                chosen = named_item(writing, permitted, item)
                worker = _worker(writing, permitted, person)
                until = end_of_day(due or None)
                assign_item(writing, permitted.project, chosen, worker, due=until, by=by)
            else:
                until = end_of_day(due or None)
                whose = _worker(writing, permitted, person).id if person else None
                set_due(writing, permitted.project.id, until, person_id=whose, by=by)
    except ReadmarkError as error:
        return _assignments(request, session, permitted, status=422, problem=str(error))
    return back_to(permitted.project, "assignments")


def own_assignment(session: Session, permitted: Permitted, id: str) -> Assignment:
    """An assignment of the project; that of another does not exist."""
    found = session.get(Assignment, id)
    if found is None or found.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return found


def named_item(session: Session, permitted: Permitted, name: str) -> Item:
    """The item of a name in the project."""
    found = session.scalar(
        select(Item).where(
            Item.project_id == permitted.project.id, Item.name == name, Item.purpose == "work"
        )
    )
    if found is None:
        raise DataError(f"the project has no item {name[:80]!r}")
    return found


def _worker(session: Session, permitted: Permitted, id: str) -> Person:
    workers = {person.id: person for person in workers_of(session, permitted.project.id)}
    if id not in workers:
        raise HTTPException(404, "Not found.")
    return workers[id]


@router.get("/projects/{project}/items/{item}/preview")
def preview_item(request: Request, session: Reading, permitted: MayOrganise, item: str) -> Response:
    """An item as those see it who work on it; nothing is stored."""
    found = own_item(session, permitted, item)
    opened = open_item(session, permitted.project.id, found.id)
    address = f"/api/projects/{permitted.project.slug}/items/{found.id}/preview"
    return show_item(request, permitted.person, opened, PREVIEW, address=address)


def own_item(session: Session, permitted: Permitted, id: str) -> Item:
    """An item of the project; that of another does not exist."""
    found = session.get(Item, id)
    if found is None or found.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return found


# Results.


@router.get("/projects/{project}/agreement")
def show_agreement(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How far people agree, as ``readmark set agree`` measures it."""
    live = live_agreement(session, permitted.project.id)
    return show_tab(request, session, permitted, "agreement", live=live, measures=NAMES)


@router.get("/projects/{project}/export")
def show_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Download the work as files, or upload work."""
    return show_tab(request, session, permitted, "export", imported=())


@router.get("/projects/{project}/export.zip")
def download_export(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The work as a zip of files."""
    return attachment(
        exported_zip(request, session, permitted.project), f"{permitted.project.slug}.zip"
    )


def exported_zip(request: Request, session: Session, project: Project) -> bytes:
    """The bytes of an export, with what people had answered when their time was over."""
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        close_overdue(writing, project.id)
    with tempfile.TemporaryDirectory(prefix="readmark-export-") as folder:
        path = Path(folder) / "export.zip"
        export_project(session, project, path)
        return path.read_bytes()


@router.post("/projects/{project}/import")
def upload_work(
    request: Request, session: Reading, permitted: MayOrganise, file: Upload = None
) -> Response:
    """Add the work in a file to the project."""
    try:
        result = imported_work(request, session, permitted, file)
    except ReadmarkError as error:
        return show_tab(request, session, permitted, "export", 422, imported=(), problem=str(error))
    return show_tab(request, session, permitted, "export", imported=(result,))


def imported_work(
    request: Request, session: Session, permitted: Permitted, file: UploadFile | None
) -> HallImport:
    """Read an upload first, and store its work then."""
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    require_space(session, hall_of(request).settings, permitted.project, file.size)
    with uploaded(file.file, file.filename) as path:
        work = read_work(session, permitted.project, path)
        session.commit()  # gives the connection back before the writer takes one
        with hall_of(request).database.writing() as writing:
            result = store_work(writing, permitted.project, work, by=permitted.person.id)
    return HallImport(
        path.name, result.items, result.changed, result.conflicts, result.created, result.notes
    )
