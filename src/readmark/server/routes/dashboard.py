"""The figures of a project: what the overview refreshes, downloads, and the API."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from readmark.server.access import MayOrganise, Reading
from readmark.server.bodies import HallRoute
from readmark.server.dashboard import project_dashboard
from readmark.server.pages import render
from readmark.server.routes.files import attachment, json_file
from readmark.server.routes.project_page import back_to

router = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])


@router.get("/projects/{project}/progress")
def show_progress(permitted: MayOrganise) -> RedirectResponse:
    """The overview, which has what this page had."""
    return back_to(permitted.project)


@router.get("/projects/{project}/figures")
def show_figures(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The figures alone, for an overview that stays open."""
    return render(
        request,
        "project_figures.html",
        person=permitted.person,
        project=permitted.project,
        dashboard=project_dashboard(session, permitted.project.id),
    )


@router.get("/projects/{project}/figures.csv")
def download_figures_table(session: Reading, permitted: MayOrganise) -> Response:
    """All figures with their signatures, a line each."""
    text = project_dashboard(session, permitted.project.id).as_csv()
    return attachment(text.encode("utf-8-sig"), f"{permitted.project.slug}-figures.csv")


@router.get("/projects/{project}/figures.json")
def download_figures(session: Reading, permitted: MayOrganise) -> Response:
    """All figures with their signatures."""
    document = project_dashboard(session, permitted.project.id).as_json()
    return attachment(json_file(document), f"{permitted.project.slug}-figures.json")


@api.get("/{project}/dashboard")
def get_dashboard(session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """All figures of the overview, each with its signature."""
    return project_dashboard(session, permitted.project.id).as_json()
