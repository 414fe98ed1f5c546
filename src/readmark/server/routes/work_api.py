"""The API of work: an item with its state, changes to it, and what the library says of them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import OwnWork, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.changes import (
    LONGEST_PAUSE,
    MOST_CHANGES,
    Change,
    ChangeRefused,
    ChangeResult,
    ClientId,
)
from readmark.server.clock import is_waiting
from readmark.server.conflicts import Conflict, conflicts_of
from readmark.server.database import Database
from readmark.server.handing_in import STATUS, WorkClosed, is_done_value, is_final
from readmark.server.handing_out import top_up
from readmark.server.log import save_changes
from readmark.server.object_states import events_after, last_of
from readmark.server.objects import check_object
from readmark.server.pages import language_of, words
from readmark.server.routes.msgspec_bodies import RequestBody, decoded_body, described, json_answer
from readmark.server.routes.page_data import page_data
from readmark.server.training import results_to_hand_out_by, training_results
from readmark.server.views import newest_configuration, open_item, work_named
from readmark.works import CallLimit, Configuration, HallBusy, WorkFinding, WorkItem, in_language

LOG = logging.getLogger("readmark.hall")
MOST_CHECKED = 5000
"""Objects in one request for a check."""
CHECKS = CallLimit(8)
"""Checks of work in progress. Most take milliseconds, and a page that is refused comes again."""
_TRIES = 3
"""How often somebody's qualifying items are graded while other calls keep the hall busy."""

router = APIRouter(route_class=HallRoute, prefix="/api/assignments/{assignment}", tags=["work"])


class ChangeBatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of one client: a tab of a browser, or a program."""

    client: ClientId
    events: Annotated[list[Change], msgspec.Meta(min_length=1, max_length=MOST_CHANGES)]


class ChangeReply(msgspec.Struct, frozen=True):
    """What became of each change, and the place of the assignment's last event."""

    results: list[ChangeResult]
    last: int


class CheckedObjects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Work in progress that is checked and not stored."""

    objects: Annotated[dict[str, dict[str, Any]], msgspec.Meta(max_length=MOST_CHECKED)]


class SentEvent(msgspec.Struct, frozen=True):
    """A change of the state that a client may not have seen."""

    event: int
    object: str
    value: Any
    client: str


class News(msgspec.Struct, frozen=True):
    """What has happened to an assignment since an event."""

    events: list[SentEvent]
    conflicts: list[Conflict]
    last: int


class SentFinding(msgspec.Struct, frozen=True):
    """Something to look at in an item."""

    code: str
    message: str
    severity: str
    object: str | None
    detail: str


class CheckReply(msgspec.Struct, frozen=True):
    """What the library says of work in progress."""

    findings: list[SentFinding]


@router.get("", **described(None, dict[str, Any]))
def show(request: Request, permitted: OwnWork, session: Reading) -> Response:
    """An item as its annotator sees it: texts, forms, categories, and the person's own work."""
    configuration = newest_configuration(session, permitted.project.id)
    _require_started(request, session, permitted, configuration)
    return json_answer(page_data(session, permitted, language_of(request)))


def _require_started(
    request: Request, session: Session, permitted: Permitted, configuration: Configuration
) -> None:
    """Show, check and save nothing of a timed sitting before its clock runs."""
    if is_waiting(session, permitted.assignment, configuration):
        raise HTTPException(409, words(language_of(request))["sit_not_started"])


@router.post("/events", **described(ChangeBatch, ChangeReply))
def save(request: Request, permitted: OwnWork, session: Reading, body: RequestBody) -> Response:
    """Append changes. Sending them again changes nothing, and answers the same."""
    assignment, database = permitted.assignment, hall_of(request).database
    batch = decoded_body(body, ChangeBatch)
    with database.glancing(session):
        opened = open_item(session, assignment.project_id, assignment.item_id)
        _require_started(request, session, permitted, opened.configuration)
    events = [
        msgspec.structs.replace(change, seconds=min(change.seconds, LONGEST_PAUSE))
        for change in batch.events
    ]
    for change in events:
        try:
            check_object(change.object, change.value, opened.texts)
        except DataError as error:
            return _refusal(change.sequence, error)
    try:
        results, last = save_changes(
            database,
            session,
            assignment,
            batch.client,
            events,
            is_final=is_final(opened),
            most_bytes=hall_of(request).settings.largest_assignment,
        )
    except WorkClosed as error:
        return JSONResponse({"detail": str(error), "reason": error.reason}, error.status)
    except ChangeRefused as error:
        return _refusal(error.sequence, error)
    saved = {result.sequence for result in results if result.status == "saved"}
    is_handed_in_now = any(
        change.object == STATUS and is_done_value(change.value)
        for change in batch.events
        if change.sequence in saved  # not sent again: handing out again stops others' saves
    )
    if opened.purpose == "qualifying" and is_handed_in_now:
        _hand_out_more(database, permitted)
    return json_answer(ChangeReply(results, last))


def _hand_out_more(database: Database, permitted: Permitted) -> None:
    """Real work for somebody who qualifies now; what was saved is saved, whatever happens here."""
    for _ in range(_TRIES):
        try:
            _hand_out_if_qualified(database, permitted.project.id, permitted.person.id)
            return
        except HallBusy as error:
            time.sleep(error.retry_after)
        except Exception as error:
            LOG.error("handing out after qualifying: %s", type(error).__name__)
            return
    LOG.error("handing out after qualifying: the hall is busy; hand out by hand")


def _hand_out_if_qualified(database: Database, project: str, person: str) -> None:
    with database.reading() as session:
        configuration = newest_configuration(session, project)
        result = training_results(session, project, configuration, person=person).get(person)
    least_share = configuration.project.qualify
    if least_share is None or result is None or result.share < least_share:
        return
    results = results_to_hand_out_by(database, project)
    with database.writing() as session:
        top_up(session, project, results)


def _refusal(sequence: int, error: ReadmarkError) -> Response:
    """One line, and which change it is about, so that the client can send the others."""
    return JSONResponse({"detail": str(error), "sequence": sequence}, 422)


@router.get("/events", **described(None, News))
def show_events(
    permitted: OwnWork,
    session: Reading,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Response:
    """What other tabs and devices of the same person have changed since an event."""
    assignment = permitted.assignment.id
    last = last_of(session, assignment)
    rows, are_all = events_after(session, assignment, after)
    if not are_all:
        last = rows[-1].place
    events = [
        SentEvent(row.place, row.object, msgspec.Raw(row.value.encode()), row.client)
        for row in rows
    ]
    return json_answer(News(events, conflicts_of(session, assignment), last))


@router.post("/check", **described(CheckedObjects, CheckReply))
def check(request: Request, permitted: OwnWork, session: Reading, body: RequestBody) -> Response:
    """What the library says of work in progress; on a practice item also what is not right yet."""
    objects = decoded_body(body, CheckedObjects).objects
    assignment, language = permitted.assignment, language_of(request)
    with hall_of(request).database.glancing(session):
        opened = open_item(session, assignment.project_id, assignment.item_id)
        _require_started(request, session, permitted, opened.configuration)
    item, configuration = opened.item, opened.configuration
    paper = WorkItem(item.name, item.paper)
    with CHECKS.turn(permitted.person.id):
        for id, value in objects.items():
            check_object(id, value, opened.texts)
        findings = _findings(lambda: opened.work.check(paper, objects, configuration), language)
        if opened.purpose == "practice":
            work = work_named(configuration.project.work)
            mistakes = _findings(lambda: work.grade(item, objects, configuration), language)
            # The page shows these only when somebody asks for them.
            findings += [
                msgspec.structs.replace(mistake, code=f"practice.{mistake.code}")
                for mistake in mistakes
            ]
    return json_answer(CheckReply(findings))


def _findings(check: Callable[[], Iterable[WorkFinding]], language: str) -> list[SentFinding]:
    """What a check says in the person's language; what it cannot read is a finding too."""
    try:
        return [
            SentFinding(
                str(finding.code),  # a plug-in's may be of a class of its own
                in_language(finding.message, language),
                finding.severity,
                finding.object,
                in_language(finding.detail, language),
            )
            for finding in check()
        ]
    except HallBusy:
        raise
    except ReadmarkError as error:
        return [SentFinding("unreadable", str(error), "error", None, "")]
