"""The reading tasks that a person sees, and packages that they upload for themselves."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import Permitted, Reading, SignedIn, hall_of
from readmark.server.bodies import HallRoute, Sent
from readmark.server.database import Database
from readmark.server.pages import render
from readmark.server.reading_tasks.catalogue import (
    ServedTask,
    TaskSort,
    served_task,
    served_tasks,
)
from readmark.server.reading_tasks.packages import about_task
from readmark.server.reading_tasks.routes.visit import Submitting, heavy_call
from readmark.server.reading_tasks.stored_tasks import store_task
from readmark.server.routes.files import Upload
from readmark.server.tables import Person
from readmark.tasks import check_upload

pages = APIRouter(route_class=HallRoute, prefix="/reading-tasks", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/reading-tasks", tags=["reading tasks"])


class ListedTask(Sent):
    """A reading task in the list."""

    id: str
    name: str
    sort: TaskSort
    root: str
    is_own: bool


@api.get("")
def list_tasks(session: Reading, permitted: SignedIn) -> list[ListedTask]:
    """The tasks that ship, those that projects offer, and your own."""
    return [
        ListedTask(id=task.id, name=task.name, sort=task.sort, root=task.root, is_own=task.is_own)
        for task in served_tasks(session, permitted.person)
    ]


@pages.get("")
def show_tasks(request: Request, session: Reading, permitted: SignedIn) -> Response:
    """The reading tasks that the person sees."""
    return _list(request, session, permitted)


def _list(
    request: Request, session: Reading, permitted: Permitted, status: int = 200, problem: str = ""
) -> Response:
    tasks = list_tasks(session, permitted)
    page = {"person": permitted.person, "tasks": tasks, "problem": problem}
    return render(request, "reading_tasks.html", status, **page)


@api.post("/packages", status_code=201)
def upload_package(
    request: Request,
    permitted: Submitting,
    file: Annotated[UploadFile, File()],
    name: Annotated[str, Form(max_length=200)] = "",
) -> dict[str, Any]:
    """Upload the zip of a task, packed or not, for yourself. An inconsistent one is refused."""
    database = hall_of(request).database
    return about_task(database, _keep_upload(database, permitted.person, file, name))


@pages.post("")
def upload_task(
    request: Request, session: Reading, permitted: Submitting, file: Upload = None
) -> Response:
    """Upload a task for oneself."""
    try:
        if file is None or not file.filename:
            raise DataError("no file was chosen")
        task = _keep_upload(hall_of(request).database, permitted.person, file, "")
    except ReadmarkError as error:
        return _list(request, session, permitted, getattr(error, "status", 422), str(error))
    return RedirectResponse(f"/reading-tasks/{task.id}", 303)


def _keep_upload(database: Database, person: Person, file: UploadFile, name: str) -> ServedTask:
    """Check a package and store it; without a name it keeps the task's own."""
    with heavy_call(person.id):
        task_name, content = check_upload(file.file)
    with database.writing() as session:
        row = store_task(session, person, name=name.strip() or task_name, content=content)
        task = served_task(session, person, row.id)
    assert task is not None
    return task
