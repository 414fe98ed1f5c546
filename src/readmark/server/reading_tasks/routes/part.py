"""Generating a part of a reading task: some of its documents and queries, or queries made anew."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from pydantic import Field, ValidationError
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import Reading, hall_of
from readmark.server.bodies import HallRoute, Sent
from readmark.server.database import Database
from readmark.server.reading_tasks.catalogue import ServedTask, served_task
from readmark.server.reading_tasks.packages import about_task, public_package
from readmark.server.reading_tasks.routes.task import show_faulty
from readmark.server.reading_tasks.routes.visit import (
    Name,
    Names,
    Submitting,
    Text,
    Used,
    heavy_call,
)
from readmark.server.reading_tasks.stored_tasks import LONGEST_NAME, store_task
from readmark.server.routes.files import split_names
from readmark.server.tables import Person
from readmark.tasks import PartRequest, QueryMaking, make_task

pages = APIRouter(
    route_class=HallRoute, prefix="/reading-tasks/{reading_task}/parts", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/reading-tasks", tags=["reading tasks"])

Digits = Annotated[str, Form(max_length=9)]


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


@pages.post("")
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
            name=name[:LONGEST_NAME],
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


def _generate(
    database: Database, person: Person, source: ServedTask, wanted: GeneratedTask
) -> ServedTask:
    """Store a part of a task: as a selection of it, or with made queries as a package."""
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
        if content is None:
            row = store_task(writing, person, name=name, source=source.root, selection=selection)
        else:
            made_of = source.project_id
            row = store_task(writing, person, name=name, content=content, made_of=made_of)
        task = served_task(writing, person, row.id)
    assert task is not None
    return task
