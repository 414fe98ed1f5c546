"""Reading tasks: the list, a task, and keeping, generating and deleting one's own."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import Field, ValidationError
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import Permitted, Reading, SignedIn, hall_of
from readmark.server.bodies import HallRoute, Sent
from readmark.server.database import Database
from readmark.server.pages import render
from readmark.server.reading_tasks.catalogue import (
    ServedTask,
    TaskSort,
    about_task,
    delete_task,
    public_package,
    served_task,
    served_tasks,
    store_task,
)
from readmark.server.reading_tasks.graph import GRAPH_TYPES
from readmark.server.reading_tasks.routes.visit import (
    Name,
    Names,
    Submitting,
    TaskVisit,
    Used,
    Visible,
    heavy_call,
)
from readmark.server.reading_tasks.submissions import own_submissions
from readmark.server.routes.files import Upload, split_names
from readmark.server.tables import Person
from readmark.tasks import PartRequest, QueryMaking, check_upload, make_task

pages = APIRouter(route_class=HallRoute, prefix="/reading-tasks", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/reading-tasks", tags=["reading tasks"])

Text = Annotated[str, Form(max_length=20_000)]
Digits = Annotated[str, Form(max_length=9)]


# The list.


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


# A package that somebody uploads.


def _keep_upload(database: Database, person: Person, file: UploadFile, name: str) -> ServedTask:
    with heavy_call(person.id):
        own_name, content = check_upload(file.file)
    with database.writing() as session:
        row = store_task(session, person, name=name.strip() or own_name, content=content)
        task = served_task(session, person, row.id)
    assert task is not None
    return task


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


# A part of a task, perhaps with queries of its own.


class MadeQueries(Sent):
    """Queries to make from the ontology, in place of those of the task."""

    sorts: Annotated[
        list[Literal["property", "class", "joint"]], Field(min_length=1, max_length=3)
    ] = ["property", "class", "joint"]
    language: Literal["en", "zh"] = "en"
    attested: bool = False
    most: Annotated[int | None, Field(ge=1, le=1000)] = None


class GeneratedTask(Sent):
    """A part of a task: everything that fits all of it. Without anything, the whole task."""

    source: Annotated[str, Field(max_length=40)]
    name: Name = ""
    documents: Names = []
    splits: Names = []
    queries: Names = []
    properties: Names = []
    number: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1
    make: MadeQueries | None = None


def _generate(
    database: Database, person: Person, source: ServedTask, wanted: GeneratedTask
) -> ServedTask:
    package = public_package(database, source)
    part = PartRequest(
        documents=wanted.documents,
        splits=wanted.splits,
        queries=wanted.queries,
        properties=wanted.properties,
        number=wanted.number,
        seed=wanted.seed,
    )
    may_see_all = source.may_organise and wanted.make is None
    selection = package.select(source.selection, part, all=may_see_all)
    name = wanted.name.strip() or source.name
    content = None
    if wanted.make is not None:
        making = QueryMaking(**wanted.make.model_dump(), seed=wanted.seed)
        with heavy_call(person.id):
            content = make_task(package.path, selection.documents or (), making, name)
    with database.writing() as writing:
        if content is not None:
            made_of = source.project_id
            row = store_task(writing, person, name=name, content=content, made_of=made_of)
        else:
            row = store_task(writing, person, name=name, source=source.root, selection=selection)
        task = served_task(writing, person, row.id)
    assert task is not None
    return task


@api.post("", status_code=201)
def generate_task(
    request: Request,
    session: Reading,
    permitted: Submitting,
    wanted: GeneratedTask,
) -> dict[str, Any]:
    """Generate a task from another: some of its documents and queries, or queries made for them.

    ``number`` documents are drawn by ``seed``. Hidden documents are for those who organise the
    task. The part follows the gold of its source; a task with made queries has gold of its own.
    """
    source = served_task(session, permitted.person, wanted.source)
    session.commit()
    if source is None:
        raise UsageError("there is no task of this source that you may see")
    database = hall_of(request).database
    return about_task(database, _generate(database, permitted.person, source, wanted))


@pages.post("/{reading_task}/parts")
def generate_part(
    request: Request,
    session: Reading,
    visit: Used,
    name: Text = "",
    documents: Text = "",
    splits: Text = "",
    queries: Text = "",
    number: Digits = "",
    seed: Digits = "",
) -> Response:
    """Generate a part of a task."""
    try:
        for text in (number, seed):
            if text.strip() and not text.strip().isdecimal():
                raise DataError(f"{text.strip()!r} is not a number")
        wanted = GeneratedTask(
            source=visit.task.id,
            name=name[:200],
            documents=list(split_names(documents)),
            splits=list(split_names(splits)),
            queries=list(split_names(queries)),
            number=max(1, int(number)) if number.strip() else None,
            seed=int(seed) if seed.strip() else 1,
        )
        part = _generate(visit.hall.database, visit.permitted.person, visit.task, wanted)
    except ValidationError:
        return show_faulty(request, session, visit, "a name is too long, or a number too large")
    except ReadmarkError as error:
        return show_faulty(request, session, visit, str(error))
    return RedirectResponse(f"/reading-tasks/{part.id}", 303)


# A task.


@api.get("/{reading_task}")
def read_task(visit: Visible) -> dict[str, Any]:
    """What the task is: documents and units by split, queries, licence, version of the gold."""
    return about_task(visit.hall.database, visit.task)


@pages.get("/{reading_task}")
def show_task(request: Request, session: Reading, visit: Visible) -> Response:
    """A task: what it is, its downloads, and what one has submitted."""
    return _task(request, session, visit)


def show_faulty(
    request: Request, session: Reading, visit: TaskVisit, problem: str, status: int = 422
) -> Response:
    """The page of a task with what was wrong with a form of it."""
    return _task(request, session, visit, status, problem)


def _task(
    request: Request, session: Reading, visit: TaskVisit, status: int = 200, problem: str = ""
) -> Response:
    return render(
        request,
        "reading_task.html",
        status,
        person=visit.permitted.person,
        task=visit.task,
        about=read_task(visit),
        formats=GRAPH_TYPES,
        submissions=own_submissions(session, visit.permitted.person, visit.task.id),
        problem=problem,
    )


@api.delete("/{reading_task}", status_code=204)
def remove_task(visit: Used) -> Response:
    """Delete a task that you generated or uploaded. The log of submissions stays."""
    with visit.hall.database.writing() as session:
        delete_task(session, visit.task)
    return Response(status_code=204)


@pages.post("/{reading_task}/delete")
def delete_own_task(request: Request, session: Reading, visit: Used) -> Response:
    """Delete a task of one's own."""
    try:
        remove_task(visit)
    except ReadmarkError as error:
        return show_faulty(request, session, visit, str(error))
    return RedirectResponse("/reading-tasks", 303)
