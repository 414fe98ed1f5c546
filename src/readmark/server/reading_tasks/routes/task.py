"""One reading task: what it is, its page with downloads and forms, and deleting it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import Reading
from readmark.server.bodies import HallRoute
from readmark.server.pages import render
from readmark.server.reading_tasks.graph_formats import GRAPH_TYPES
from readmark.server.reading_tasks.packages import about_task
from readmark.server.reading_tasks.routes.visit import TaskVisit, Used, Visible
from readmark.server.reading_tasks.stored_tasks import delete_task
from readmark.server.reading_tasks.submissions import own_submissions

pages = APIRouter(
    route_class=HallRoute, prefix="/reading-tasks/{reading_task}", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/reading-tasks/{reading_task}", tags=["reading tasks"]
)


@api.get("")
def read_task(visit: Visible) -> dict[str, Any]:
    """What the task is: documents and units by split, queries, licence, version of the gold."""
    return about_task(visit.hall.database, visit.task)


@pages.get("")
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


@api.delete("", status_code=204)
def remove_task(visit: Used) -> Response:
    """Delete a task that you generated or uploaded. The log of submissions stays."""
    with visit.hall.database.writing() as session:
        delete_task(session, visit.task)
    return Response(status_code=204)


@pages.post("/delete")
def delete_own_task(request: Request, session: Reading, visit: Used) -> Response:
    """Delete a task of one's own."""
    try:
        remove_task(visit)
    except ReadmarkError as error:
        return show_faulty(request, session, visit, str(error))
    return RedirectResponse("/reading-tasks", 303)
