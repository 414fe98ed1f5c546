"""Handing out what people should have; page and API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.days import end_of_day
from readmark.server.handing_out import HandOut, hand_out
from readmark.server.routes.assignments_page import DayField, Seconds, show_assignments_page
from readmark.server.routes.project_page import back_to
from readmark.server.training import results_to_hand_out_by

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}", tags=["projects"])


class HandOutRequest(BaseModel):
    """How to hand out: ``balance`` moves what nobody has begun, ``due`` is a time in seconds."""

    balance: bool = False
    due: Seconds | None = None


@pages.post("/projects/{project}/hand-out")
def hand_out_items(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    balance: Annotated[bool, Form()] = False,
    due: DayField = None,
) -> Response:
    """Hand out what people should have."""
    try:
        result = _hand_out(request, permitted, balance, end_of_day(due) if due else None)
    except ReadmarkError as error:
        return show_assignments_page(request, session, permitted, 422, problem=str(error))
    return back_to(
        permitted.project,
        "assignments",
        added=result.added,
        moved=result.removed,
        missing=result.missing,
        waiting=len(result.waiting),
        **({} if result.reason is None else {"reason": result.reason}),
    )


@api.post("/hand-out")
def post_hand_out(
    request: Request, permitted: MayOrganise, options: HandOutRequest | None = None
) -> HandOut:
    """Hand out what people should have; asking again changes nothing."""
    options = options or HandOutRequest()
    return _hand_out(request, permitted, options.balance, options.due)


def _hand_out(request: Request, permitted: Permitted, balance: bool, due: float | None) -> HandOut:
    database, by = hall_of(request).database, permitted.person.id
    results = results_to_hand_out_by(database, permitted.project.id)
    with database.writing() as session:
        return hand_out(
            session, permitted.project, balance=balance, due=due, by=by, results=results
        )
