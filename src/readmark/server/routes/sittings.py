"""Sittings of systems in projects that judge pooled answers: the organiser's page and its API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.answer_pool import judged_answers, pool_of
from readmark.server.bodies import HallRoute
from readmark.server.operations.quotas import require_space
from readmark.server.pooled_gold import HallGold, gold_file, make_gold_version, pooled_gold_versions
from readmark.server.pooled_marks import MarkedSitting, marked_sittings
from readmark.server.pooled_sittings import AddedSitting, add_sitting
from readmark.server.reading_tasks.pulled_submissions import SubmissionLog, submission_log
from readmark.server.routes.files import Upload, attachment
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.uploads import uploaded
from readmark.server.views import newest_configuration
from readmark.works import DroppedAnswers, PoolVerdicts

router = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/sittings", tags=["projects"])

Count = Annotated[int, Query(ge=0, le=10**9)]


@dataclass(frozen=True)
class PoolSummary:
    """What has become of the pooled answers, the sittings with their marks, and the gold."""

    settled: int
    waiting: int
    disputed: int
    sittings: list[dict[str, Any]]
    golds: list[HallGold]


def _is_pooled(session: Session, permitted: Permitted) -> bool:
    return pool_of(newest_configuration(session, permitted.project.id)) is not None


def _require_pooled(session: Session, permitted: Permitted) -> None:
    if not _is_pooled(session, permitted):
        raise UsageError("only projects that judge answers of systems have sittings")


@router.get("/projects/{project}/sittings")
def show_sittings(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    answers: Count | None = None,
    items: Count = 0,
    gold: Count = 0,
    pulled: Count | None = None,
    refused: Count = 0,
) -> Response:
    """The sittings with their marks, what is judged, and the versions of the gold."""
    if not _is_pooled(session, permitted):
        return back_to(permitted.project)
    added = None if answers is None else (answers, items)
    fed = None if pulled is None else (pulled, refused)
    return _tab(request, session, permitted, added=added, gold_made=gold, pulled=fed)


@dataclass(frozen=True)
class SittingsPage:
    """The sittings with their marks, what is judged, the gold, and what a form has just done."""

    sittings: Sequence[MarkedSitting]
    metrics: Sequence[str]
    """The columns of the table."""
    signatures: Mapping[str, str]
    judged: PoolVerdicts
    golds: Sequence[HallGold]
    log: SubmissionLog
    added: tuple[int, int] | None
    """The answers and items that a sitting has brought."""
    gold_made: int
    pulled: tuple[int, int] | None
    """The submissions that were taken over, and those that were refused."""
    dropped: Sequence[str]
    """Answers that a new version of the gold would lack."""


def _tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    added: tuple[int, int] | None = None,
    gold_made: int = 0,
    pulled: tuple[int, int] | None = None,
    dropped: Sequence[str] = (),
    problem: str = "",
) -> Response:
    judged = judged_answers(session, permitted.project)
    sittings = marked_sittings(session, permitted.project.id, judged)
    first: Any = next((sitting.marks for sitting in sittings if sitting.marks), {})
    view = SittingsPage(
        sittings=sittings,
        metrics=list(first),
        signatures={metric: mark["signature"] for metric, mark in first.items()},
        judged=judged,
        golds=pooled_gold_versions(session, permitted.project.id),
        log=submission_log(session, permitted.project.id),
        added=added,
        gold_made=gold_made,
        pulled=pulled,
        dropped=dropped,
    )
    return show_tab(request, session, permitted, "sittings", status, view=view, problem=problem)


@router.post("/projects/{project}/sittings")
def upload_sitting(
    request: Request, session: Reading, permitted: MayOrganise, file: Upload = None
) -> Response:
    """Add a system's sitting, and make items of the answers that nobody has judged."""
    _require_pooled(session, permitted)
    try:
        added = _add(request, session, permitted, file)
    except ReadmarkError as error:
        return _tab(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "sittings", answers=added.answers, items=added.items)


def _add(
    request: Request, session: Session, permitted: Permitted, file: UploadFile | None
) -> AddedSitting:
    _require_pooled(session, permitted)
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    require_space(session, hall_of(request).settings, permitted.project, file.size)
    session.commit()  # gives the connection back: reading the file can take long
    with uploaded(file.file, file.filename) as path:
        return add_sitting(
            hall_of(request).database, permitted.project, path, by=permitted.person.id
        )


@router.post("/projects/{project}/sittings/gold")
def make_gold_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    drop: Annotated[str, Form()] = "",
) -> Response:
    """Make a version of the gold from the verdicts that are settled.

    What it would lack of the gold before is listed first, and dropped when that is confirmed.
    """
    _require_pooled(session, permitted)
    session.commit()
    try:
        version = make_gold_version(
            hall_of(request).database,
            permitted.project,
            by=permitted.person.id,
            drop=drop == "yes",
        )
    except DroppedAnswers as error:
        return _tab(request, session, permitted, 422, dropped=error.answers)
    except ReadmarkError as error:
        return _tab(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "sittings", gold=version.gold)


@router.get("/projects/{project}/sittings/gold/{version}")
def download_task(session: Reading, permitted: MayOrganise, version: str) -> Response:
    """The task with a version of its gold, as a zip."""
    content = gold_file(session, permitted.project.id, version)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, f"{permitted.project.slug}-gold-{version}.zip")


@api.get("")
def read_sittings(session: Reading, permitted: MayOrganise) -> PoolSummary:
    """The sittings with their marks, what is judged, and the versions of the gold."""
    if not _is_pooled(session, permitted):
        return PoolSummary(0, 0, 0, [], [])
    judged = judged_answers(session, permitted.project)
    sittings = marked_sittings(session, permitted.project.id, judged)
    return PoolSummary(
        len(judged.settled),
        len(judged.waiting),
        len(judged.disputed),
        [asdict(sitting) for sitting in sittings],
        pooled_gold_versions(session, permitted.project.id),
    )


@api.post("", status_code=201)
def send_sitting(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    file: Annotated[UploadFile, File()],
) -> AddedSitting:
    """Add a system's sitting, and make items of the answers that nobody has judged."""
    return _add(request, session, permitted, file)


@api.post("/gold", status_code=201)
def make_gold_of_task(
    request: Request, session: Reading, permitted: MayOrganise, drop: bool = False
) -> HallGold:
    """Make a version of the gold from the verdicts that are settled.

    One that would lack right answers of the gold before is refused unless `drop` is true.
    """
    _require_pooled(session, permitted)
    session.commit()
    return make_gold_version(
        hall_of(request).database, permitted.project, by=permitted.person.id, drop=drop
    )
