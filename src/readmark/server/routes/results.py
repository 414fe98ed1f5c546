"""How people did in a test that they sat, with machines next to them; page and API."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.clock import close_overdue
from readmark.server.machine_sittings import (
    StoredMachine,
    add_machine,
    machines_of,
    quick_candidates,
    remove_machine,
    sat_by_machine,
)
from readmark.server.pages import language_of
from readmark.server.results import SittingResults, report_page, sitting_results
from readmark.server.routes.files import Upload, attachment
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.uploads import uploaded

pages = APIRouter(route_class=HallRoute, prefix="/projects/{project}", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])


@dataclass(frozen=True)
class ResultsPage:
    """How people did, machines next to them, and the machines that could be added."""

    results: SittingResults
    machines: Sequence[StoredMachine]
    """Those that are stored."""
    quick: Sequence[str]
    """Candidates of Readmark that sit the test at once."""


def _results(request: Request, session: Session, permitted: Permitted) -> SittingResults:
    _close_overdue(request, session, permitted)
    return sitting_results(session, permitted.project.id)


def _close_overdue(request: Request, session: Session, permitted: Permitted) -> None:
    """Hand in what people with no time left have answered: it counts."""
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        close_overdue(writing, permitted.project.id)


@pages.get("/results")
def show_results(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How people did, and machines next to them."""
    return _page(request, session, permitted)


def _page(
    request: Request, session: Session, permitted: Permitted, status: int = 200, problem: str = ""
) -> Response:
    project_id = permitted.project.id
    view = ResultsPage(
        _results(request, session, permitted),
        machines_of(session, project_id),
        quick_candidates(session, project_id),
    )
    return show_tab(request, session, permitted, "results", status, view=view, problem=problem)


@api.get("/results")
def send_results(request: Request, session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """How people and machines did in the test, as ``people --json`` and ``mark --json`` say it."""
    document = _results(request, session, permitted).as_json()
    builtins: dict[str, Any] = msgspec.to_builtins(document)
    return builtins


@pages.get("/results.json")
def download_json(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Every figure with its signature."""
    document = _results(request, session, permitted).as_json()
    content = msgspec.json.format(msgspec.json.encode(document))
    return attachment(content, f"{permitted.project.slug}-results.json")


@pages.get("/results.csv")
def download_csv(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Every figure as a row of a table."""
    content = _results(request, session, permitted).as_csv()
    return attachment(content, f"{permitted.project.slug}-results.csv")


@pages.get("/report.html")
def download_report(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The HTML report, with people in it."""
    _close_overdue(request, session, permitted)
    try:
        content = report_page(session, permitted.project, language_of(request))
    except ReadmarkError:
        return back_to(permitted.project, "results")  # which says why there is none
    return attachment(content, f"{permitted.project.slug}-report.html")


@pages.post("/results/machines")
def change_machines(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    file: Upload = None,
    candidate: Annotated[str, Form()] = "",
    remove: Annotated[int, Form(ge=0, le=2**53)] = 0,
) -> Response:
    """Add a machine's sitting: an uploaded file, or one of our own candidates; or remove one."""
    database, by = hall_of(request).database, permitted.person.id
    try:
        if remove:
            with database.writing() as writing:
                remove_machine(writing, permitted.project, remove)
        elif candidate or (file is not None and file.filename):
            with ExitStack() as stack:
                source: str | Path = candidate
                if file is not None and file.filename:
                    source = stack.enter_context(uploaded(file.file, file.filename))
                sat = sat_by_machine(session, permitted.project, source)
            session.commit()  # gives the connection back before the writer takes one
            with database.writing() as writing:
                add_machine(writing, permitted.project, sat, by=by)
        else:
            raise DataError("no file was chosen")
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "results")
