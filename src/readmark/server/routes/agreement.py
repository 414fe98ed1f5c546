"""How far the people of a project agree; page and API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from readmark.making import measure_name
from readmark.server.access import MayOrganise, Reading
from readmark.server.bodies import HallRoute
from readmark.server.live_agreement import LiveAgreement, live_agreement
from readmark.server.routes.project_page import show_tab

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])


@dataclass(frozen=True)
class AgreementPage:
    """The agreement on finished items, and what its measures are called."""

    live: LiveAgreement

    def measure_name(self, measure: str) -> str:
        """What people call a measure."""
        return measure_name(measure)


@pages.get("/projects/{project}/agreement")
def show_agreement(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How far people agree, as ``readmark set agree`` measures it."""
    view = AgreementPage(live_agreement(session, permitted.project.id))
    return show_tab(request, session, permitted, "agreement", view=view)


@api.get("/{project}/agreement")
def get_agreement(session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """Agreement on finished items: what ``readmark set agree --json`` prints, with a signature."""
    return live_agreement(session, permitted.project.id).as_json()
