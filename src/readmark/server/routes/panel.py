"""The organiser's page of a readability panel: judges, agreement, findings, power, machines."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.readability import MachineComparison, PanelResults
from readmark.server.access import MayOrganise, Permitted, Reading
from readmark.server.bodies import HallRoute
from readmark.server.panels import (
    compare_raters,
    own_raters,
    panel_forecast,
    panel_results,
)
from readmark.server.projects import uploaded
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import show_tab
from readmark.server.views import newest_configuration

router = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/panel", tags=["projects"])

Raters = Annotated[list[str] | None, Query(max_length=10)]
MOST_FILES = 20


@router.get("/projects/{project}/panel")
def show_panel(
    request: Request, session: Reading, permitted: MayOrganise, power: bool = False
) -> Response:
    """How far the panel is, and what it says; the power where it is asked for."""
    return _page(request, session, permitted, with_power=power)


@router.post("/projects/{project}/panel")
def compare(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    rater: Annotated[list[str] | None, Form(max_length=10)] = None,
    sitting: Annotated[list[UploadFile] | None, File(max_length=MOST_FILES)] = None,
    as_json: Annotated[bool, Form()] = False,
) -> Response:
    """Compare machines with the judges; nothing is stored."""
    results = _results(session, permitted)
    if results is None:
        return _page(request, session, permitted)
    try:
        comparison = _compared(results, rater or [], sitting or [])
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=str(error))
    if as_json:
        content = msgspec.json.format(msgspec.json.encode(comparison.as_json()))
        return attachment(content, f"{permitted.project.slug}-machines.json")
    return _page(request, session, permitted, comparison=comparison, chosen=rater or [])


@api.get("")
def panel_json(
    session: Reading, permitted: MayOrganise, rater: Raters = None, power: bool = False
) -> Response:
    """The panel as ``readmark panel collect --json`` has it, with the power and with raters of
    Readmark compared with the judges where they are asked for."""
    results = _results(session, permitted)
    document: dict[str, Any] = {"panel": results.as_json() if results is not None else None}
    if results is not None and power:
        document["power"] = panel_forecast(results).as_json()
    if results is not None and rater:
        document["machines"] = compare_raters(results, rater).as_json()
    return Response(msgspec.json.encode(document), media_type="application/json")


def _results(session: Session, permitted: Permitted) -> PanelResults | None:
    """The panel so far; None for a project that is no panel, or that nobody has begun."""
    configuration = newest_configuration(session, permitted.project.id)
    if configuration.project.work != "panel":
        return None
    results = panel_results(session, permitted.project.id)
    session.commit()  # gives the connection back: what follows can take seconds
    return results


def _compared(
    results: PanelResults, raters: list[str], uploads: list[UploadFile]
) -> MachineComparison:
    with ExitStack() as stack:
        paths: list[Path] = [
            stack.enter_context(uploaded(upload.file, upload.filename))
            for upload in uploads
            if upload.filename
        ]
        return compare_raters(results, raters, paths)


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    with_power: bool = False,
    comparison: MachineComparison | None = None,
    chosen: list[str] | None = None,
    **values: Any,
) -> Response:
    results = _results(session, permitted)
    forecast = None
    if results is not None and with_power:
        try:
            forecast = panel_forecast(results)
        except ReadmarkError as error:
            values["problem"] = str(error)
    return show_tab(
        request,
        session,
        permitted,
        "panel",
        status,
        results=results,
        forecast=forecast,
        raters=own_raters(results.plan.language) if results is not None else [],
        chosen=chosen or [],
        comparison=comparison,
        **values,
    )
