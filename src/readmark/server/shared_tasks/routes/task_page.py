"""The frame of a task's pages: its name, and the links from each page to the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import HTMLResponse

from readmark.server.pages import language_of, render
from readmark.server.shared_tasks.access import TaskPermitted
from readmark.works import in_language


@dataclass(frozen=True)
class TaskHead:
    """What every page of a task says of it; it takes no query."""

    task: str
    name: str
    is_open: bool
    team: str | None
    """The visitor's team."""


def show_task_page(
    request: Request,
    permitted: TaskPermitted,
    tab: str,
    template: str,
    status: int = 200,
    *,
    view: Any,
    problem: str = "",
) -> HTMLResponse:
    """A page of a task: ``view`` is what it shows, ``problem`` what is wrong with a form."""
    project = permitted.project
    head = TaskHead(
        project.slug,
        in_language(permitted.configuration.project.name, language_of(request)),
        project.is_open,
        None if permitted.team is None else permitted.team.name,
    )
    return render(
        request,
        template,
        status,
        person=permitted.person,
        task=head,
        tab=tab,
        is_organiser=permitted.is_organiser,
        view=view,
        problem=problem,
    )
