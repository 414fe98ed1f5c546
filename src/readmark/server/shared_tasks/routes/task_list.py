"""The shared tasks that a visitor may see: the page that lists them, and the API."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from readmark.server.access import Asking, Reading
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, render
from readmark.server.routes.paging import Listed, ListPart, PageQuery
from readmark.server.shared_tasks.visible_tasks import TaskSummary, summaries_of, visible_tasks

pages = APIRouter(route_class=HallRoute, prefix="/tasks", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks", tags=["shared tasks"])

TASKS_PAGE = 50
"""Tasks of a page."""


@dataclass(frozen=True)
class TaskList:
    """Shared tasks that the caller may see."""

    tasks: list[TaskSummary]


@dataclass(frozen=True)
class TasksPage:
    """A part of the shared tasks that the visitor may see."""

    tasks: Listed[TaskSummary]


@pages.get("")
def list_tasks(request: Request, session: Reading, caller: Asking, page: PageQuery = 1) -> Response:
    """The shared tasks that the visitor may see."""
    tasks = visible_tasks(session, caller)
    part = ListPart((page - 1) * TASKS_PAGE, TASKS_PAGE)
    rows = summaries_of(
        session, tasks[part.offset : part.offset + part.limit], language_of(request)
    )
    view = TasksPage(Listed(rows, len(tasks), part))
    return render(request, "tasks.html", person=caller.person, view=view)


@api.get("")
def get_tasks(request: Request, session: Reading, caller: Asking) -> TaskList:
    """The shared tasks that the caller may see: public ones, and those they take part in."""
    return TaskList(summaries_of(session, visible_tasks(session, caller), language_of(request)))
