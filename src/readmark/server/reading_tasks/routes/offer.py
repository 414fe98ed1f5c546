"""How a judging project offers its task to programs, and what they submitted to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from readmark.core.errors import UsageError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.answer_pool import pool_of
from readmark.server.bodies import HallRoute, Sent
from readmark.server.reading_tasks.pulled_submissions import (
    PulledSubmission,
    SubmissionLog,
    pull_submissions,
    submission_log,
)
from readmark.server.reading_tasks.routes.visit import Name, Text
from readmark.server.reading_tasks.stored_tasks import LONGEST_NAME, offer_task
from readmark.server.routes.project_page import back_to
from readmark.server.views import newest_configuration

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/sittings", include_in_schema=False
)
api = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/reading-task", tags=["projects"]
)


class OfferedTask(Sent):
    """How a project offers its task to programs."""

    name: Name = ""
    feeds_pool: bool = False


def _require_pooled(session: Reading, permitted: Permitted) -> None:
    if pool_of(newest_configuration(session, permitted.project.id)) is None:
        raise UsageError("only projects that judge answers of systems offer a reading task")


@api.get("")
def read_offer(session: Reading, permitted: MayOrganise) -> SubmissionLog:
    """Whether the project offers its task, and how many submissions the pool lacks."""
    return submission_log(session, permitted.project.id)


@api.put("")
def put_offer(
    request: Request, session: Reading, permitted: MayOrganise, offer: OfferedTask
) -> SubmissionLog:
    """Offer the project's task to every program, with its newest gold.

    With ``feeds_pool`` every submission goes to the pool at once.
    """
    _require_pooled(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        offer_task(
            writing,
            permitted.project,
            name=offer.name,
            feeds_pool=offer.feeds_pool,
            by=permitted.person.id,
        )
        return submission_log(writing, permitted.project.id)


@pages.post("/offer")
def offer_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    name: Text = "",
    feeds_pool: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Offer the project's task to programs, or change how."""
    offer = OfferedTask(name=name[:LONGEST_NAME], feeds_pool=bool(feeds_pool))
    put_offer(request, session, permitted, offer)
    return back_to(permitted.project, "sittings")


@api.post("/pull")
def pull_log(request: Request, session: Reading, permitted: MayOrganise) -> list[PulledSubmission]:
    """Add every submission that the pool lacks to the project's sittings."""
    _require_pooled(session, permitted)
    session.commit()
    database = hall_of(request).database
    return pull_submissions(database, permitted.project, by=permitted.person.id)


@pages.post("/pull")
def pull_page(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Add the submissions that the pool lacks."""
    pulled = pull_log(request, session, permitted)
    added = sum(1 for submission in pulled if submission.sitting)
    return back_to(permitted.project, "sittings", pulled=added, refused=len(pulled) - added)
