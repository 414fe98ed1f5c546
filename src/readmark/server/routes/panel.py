"""A readability panel: judges, agreement, findings, power, machines; page and API."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.readability import MachineComparison, PanelForecast, PanelResults, own_raters
from readmark.server.access import MayOrganise, Permitted, Reading
from readmark.server.bodies import HallRoute
from readmark.server.panels import compare_raters, panel_forecast, panel_results
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import show_tab, work_pages
from readmark.server.uploads import uploaded
from readmark.server.views import newest_configuration

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/panel", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/panel", tags=["projects"])

MOST_FILES = 20
PAGE = "panel"
"""What works call the page that have it."""


@dataclass(frozen=True)
class PanelPage:
    """What a panel says so far, its power and machines next to the judges where they are asked for.

    Without results the project is no panel, or nobody has begun.
    """

    results: PanelResults | None
    forecast: PanelForecast | None = None
    comparison: MachineComparison | None = None
    chosen: Collection[str] = ()
    """The raters of Readmark in the comparison."""

    @property
    def raters(self) -> Sequence[str]:
        """The raters of Readmark that can be compared with the judges."""
        return own_raters(self.results.plan.language) if self.results is not None else []

    def as_json(self) -> dict[str, Any]:
        """The documents of ``readmark panel``, each where there is one."""
        results = None if self.results is None else self.results.as_json()
        document: dict[str, Any] = {"panel": results}
        if self.forecast is not None:
            document["power"] = self.forecast.as_json()
        if self.comparison is not None:
            document["machines"] = self.comparison.as_json()
        return document


def _results(session: Session, permitted: Permitted) -> PanelResults | None:
    if PAGE not in work_pages(newest_configuration(session, permitted.project.id)):
        return None
    results = panel_results(session, permitted.project.id)
    session.commit()  # gives the connection back: what follows can take seconds
    return results


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    view: PanelPage,
    status: int = 200,
    problem: str = "",
) -> Response:
    return show_tab(request, session, permitted, PAGE, status, view=view, problem=problem)


@pages.get("")
def show_panel(
    request: Request, session: Reading, permitted: MayOrganise, power: bool = False
) -> Response:
    """How far the panel is, and what it says; the power where it is asked for."""
    view, problem = PanelPage(_results(session, permitted)), ""
    if view.results is not None and power:
        try:
            view = replace(view, forecast=panel_forecast(view.results))
        except ReadmarkError as error:
            problem = str(error)
    return _page(request, session, permitted, view, problem=problem)


@api.get("")
def panel_json(
    session: Reading,
    permitted: MayOrganise,
    rater: Annotated[list[str] | None, Query(max_length=10)] = None,
    power: bool = False,
) -> Response:
    """The panel as ``readmark panel collect --json`` has it, with the power and with raters of
    Readmark compared with the judges where they are asked for."""
    view = PanelPage(_results(session, permitted))
    if view.results is not None and power:
        view = replace(view, forecast=panel_forecast(view.results))
    if view.results is not None and rater:
        view = replace(view, comparison=compare_raters(view.results, rater))
    return Response(msgspec.json.encode(view.as_json()), media_type="application/json")


@pages.post("")
def compare(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    rater: Annotated[list[str] | None, Form(max_length=10)] = None,
    sitting: Annotated[list[UploadFile] | None, File(max_length=MOST_FILES)] = None,
    as_json: Annotated[bool, Form()] = False,
) -> Response:
    """Compare machines with the judges; nothing is stored."""
    view = PanelPage(_results(session, permitted))
    if view.results is None:
        return _page(request, session, permitted, view)
    try:
        with ExitStack() as stack:
            files = [
                stack.enter_context(uploaded(upload.file, upload.filename))
                for upload in sitting or []
                if upload.filename
            ]
            comparison = compare_raters(view.results, rater or [], files)
    except ReadmarkError as error:
        return _page(request, session, permitted, view, 422, problem=str(error))
    if as_json:
        content = msgspec.json.format(msgspec.json.encode(comparison.as_json()))
        return attachment(content, f"{permitted.project.slug}-machines.json")
    view = replace(view, comparison=comparison, chosen=rater or [])
    return _page(request, session, permitted, view)
