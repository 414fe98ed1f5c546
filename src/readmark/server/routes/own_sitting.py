"""The page of somebody who sits a test: the start, what is answered, and handing in everything.

Programs take the items one by one, as for any other work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from readmark.server.access import OwnWork, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.clock import (
    OwnSitting,
    close_overdue,
    hand_in_sitting,
    own_sitting,
    start_sitting,
)
from readmark.server.pages import language_of, render
from readmark.server.views import newest_configuration
from readmark.works import in_language

pages = APIRouter(
    route_class=HallRoute, prefix="/assignments/{assignment}/sitting", include_in_schema=False
)


@dataclass(frozen=True, kw_only=True)
class SittingPage:
    """The start of a sitting, or how far it is, in the person's language."""

    name: str
    description: str
    guidelines: str
    assignment: str
    """The assignment that the page's address names; any of the sitting's will do."""
    sitting: OwnSitting
    seconds_left: float | None
    """None where there is no clock, or before it runs."""

    @property
    def minutes(self) -> int | None:
        """Whole minutes that are left."""
        return None if self.seconds_left is None else int(self.seconds_left // 60)


@pages.get("")
def show_sitting(request: Request, permitted: OwnWork, session: Reading) -> Response:
    """The start of a sitting, or how far it is."""
    project, person, now = permitted.project, permitted.person, time.time()
    sitting = own_sitting(session, project.id, person.id)
    if sitting.seconds_left(now) == 0 and not sitting.is_done:
        session.commit()  # gives the connection back before the writer takes one
        with hall_of(request).database.writing() as writing:
            close_overdue(writing, project.id)
        sitting = own_sitting(session, project.id, person.id)
    about = newest_configuration(session, project.id).project
    language = language_of(request)
    view = SittingPage(
        name=in_language(about.name, language),
        description=in_language(about.description, language),
        guidelines=in_language(about.guidelines, language),
        assignment=permitted.assignment.id,
        sitting=sitting,
        seconds_left=sitting.seconds_left(now),
    )
    return render(request, "sitting_overview.html", person=person, view=view)


@pages.post("/start")
def start(request: Request, permitted: OwnWork) -> Response:
    """Start the clock, and go to the first item."""
    project, person = permitted.project, permitted.person
    with hall_of(request).database.writing() as session:
        start_sitting(session, project.id, person.id)
        sitting = own_sitting(session, project.id, person.id)
    first = next((item for item in sitting.items if not item.is_done), None)
    address = permitted.assignment.id if first is None else first.assignment
    return RedirectResponse(f"/assignments/{address}", 303)


@pages.post("/hand-in")
def hand_in(request: Request, permitted: OwnWork) -> Response:
    """Hand in everything."""
    with hall_of(request).database.writing() as session:
        hand_in_sitting(session, permitted.project.id, permitted.person.id)
    return RedirectResponse(f"/assignments/{permitted.assignment.id}/sitting", 303)
