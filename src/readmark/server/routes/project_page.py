"""The frame of a project's pages for its organisers: the name, the tabs, the way back to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.hooks import hook
from readmark.server.access import Permitted
from readmark.server.pages import language_of, render
from readmark.server.tables import Project
from readmark.server.views import ADJUDICATION, newest_configuration, work_named
from readmark.works import ADJUDICATIONS, Configuration, in_language

TABS = (
    "overview",
    "items",
    "configuration",
    "people",
    "assignments",
    "agreement",
    "quality",
    "class",
)
OVERVIEWS: dict[str, Callable[[Request, Session, Permitted], Response]] = {}
"""The first page of projects that hand out no items, by the name of the work."""


def work_pages(configuration: Configuration) -> tuple[str, ...]:
    """The pages that a project has for its work: those that it names, and those of its hooks."""
    work = work_named(configuration.project.work)
    pooled = ("sittings",) if hook(work, "pool") is not None else ()
    sat = ("results", "typing") if hook(work, "exam") is not None else ()
    return (*hook(work, "pages", ()), *pooled, *sat)


def tabs_of(configuration: Configuration) -> tuple[str, ...]:
    """The pages of a project: those of every project, and those of its work."""
    work, pages = configuration.project.work, work_pages(configuration)
    if work in OVERVIEWS:
        return ("overview", *pages, "configuration", "people", "export")
    adjudicated = (ADJUDICATION,) if work in ADJUDICATIONS else ()
    return (*TABS, *adjudicated, *pages, "export")


def show_tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    tab: str,
    status: int = 200,
    *,
    template: str = "",
    **values: Any,
) -> Response:
    """A page of a project; ``view`` is what it shows, ``problem`` what went wrong with a form."""
    configuration: Configuration = newest_configuration(session, permitted.project.id)
    language = language_of(request)
    return render(
        request,
        template or f"project_{tab}.html",
        status,
        person=permitted.person,
        project=permitted.project,
        name=in_language(configuration.project.name, language),
        description=in_language(configuration.project.description, language),
        configuration=configuration,
        tab=tab,
        tabs=tabs_of(configuration),
        **{"problem": "", **values},
    )


def back_to(project: Project, tab: str = "", **counts: int | str) -> RedirectResponse:
    """The way to a page of a project after a form was sent."""
    query = "&".join(f"{name}={count}" for name, count in counts.items())
    address = f"/projects/{project.slug}" + (f"/{tab}" if tab else "")
    return RedirectResponse(f"{address}?{query}" if query else address, 303)
