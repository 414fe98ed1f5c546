"""Submissions to a shared task: files of answers, what became of them, and the organiser's list."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy import Select, select
from sqlalchemy.orm import Session
from starlette.responses import JSONResponse, Response

from readmark.core.errors import DataError
from readmark.server.access import Reading, hall_of
from readmark.server.boards.board import released_marks
from readmark.server.bodies import HallRoute
from readmark.server.operations.retention import require_space
from readmark.server.routes.files import Upload, attachment
from readmark.server.shared_tasks.access import (
    ORGANISER_OF_TASK,
    TEAM_MEMBER,
    TEAM_OR_ORGANISER,
    TaskPermitted,
)
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.shared_tasks.submissions import (
    ANSWERS,
    MARKSHEET,
    NewSubmission,
    file_content,
    mark_again,
    receive,
    withdraw,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Project, Submission, Team

api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/submissions", tags=["tasks"])

TeamMemberOnly = Annotated[TaskPermitted, Depends(TEAM_MEMBER)]
TeamOrOrganiser = Annotated[TaskPermitted, Depends(TEAM_OR_ORGANISER)]
OrganiserOfTask = Annotated[TaskPermitted, Depends(ORGANISER_OF_TASK)]

Created = TypeVar("Created", bound=Any)
_STORING = threading.BoundedSemaphore(4)
"""Files that are in memory at a time."""
_OWN_COLUMNS = (
    *("number", "system", "description", "is_ensemble", "origin", "phase", "state", "error"),
    *("file_name", "sha256", "size", "received", "marked"),
)
_SHOWN_OF_SPLIT = ("units", "answered", "is_hidden", "marks", "by", "reason", "withheld")
MOST_LISTED = 1000
"""Submissions in one answer."""
NO_SPLIT = "-"
"""In an address: the records without a split."""


@dataclass(frozen=True)
class SubmissionState:
    """A submission, and what may be shown of its marks."""

    submission: str
    number: int
    task: str
    team: str
    system: str
    description: str
    is_ensemble: bool
    origin: str
    phase: str
    state: str
    error: str
    file_name: str
    sha256: str
    size: int
    received: float
    marked: float | None
    address: str
    """The path of its page."""
    splits: dict[str, Any]
    """By split: units, answers, marks, and why there are none."""


@dataclass(frozen=True)
class SubmissionList:
    """Submissions, the newest first."""

    submissions: list[SubmissionState]


# What pages and the API share.


def state_of(
    session: Session,
    project: Project,
    options: SharedTaskOptions,
    submission: Submission,
    team: str | None,
) -> SubmissionState:
    """A submission as its team sees it: marks come from the board, which has nothing hidden."""
    hidden = options.hidden_splits(kept_about(session, project.id))
    released = released_marks(session, submission) if submission.marked is not None else {}
    splits = {
        split: {
            "is_hidden": split in hidden,
            **{name: part[name] for name in _SHOWN_OF_SPLIT if name in part},
        }
        for split, part in released.items()
    }
    return SubmissionState(
        submission=submission.id,
        task=project.slug,
        team=team or "",
        address=f"/tasks/{project.slug}/submissions/{submission.id}",
        splits=splits,
        **{name: getattr(submission, name) for name in _OWN_COLUMNS},
    )


def submissions_of(project: Project, team: Team | None = None) -> Select[Submission, str]:
    """The submissions of a task, or of one of its teams, the newest first, with their teams."""
    query = (
        select(Submission, Team.name)
        .join(Team, Team.id == Submission.team_id, isouter=True)
        .where(Submission.project_id == project.id)
        .order_by(Submission.number.desc())
    )
    return query if team is None else query.where(Submission.team_id == team.id)


def own_submission(
    session: Session, permitted: TaskPermitted, submission_id: str
) -> tuple[Submission, str]:
    """A submission of the caller's team, or any of the task for those who run it; and the team."""
    team = None if permitted.is_organiser else permitted.team
    query = submissions_of(permitted.project, team).where(Submission.id == submission_id)
    row = session.execute(query).one_or_none()
    if row is None or (team is None and not permitted.is_organiser):
        raise HTTPException(404, "Not found.")
    return row[0], row[1]


@dataclass(frozen=True)
class SentSubmission:
    """The fields of a form, or of a program's request."""

    file: UploadFile | None
    new: NewSubmission


def _sent(
    file: Upload = None,
    system: Annotated[str, Form(max_length=200)] = "",
    description: Annotated[str, Form(max_length=5000)] = "",
    is_ensemble: Annotated[bool, Form()] = False,
    key: Annotated[str, Form(max_length=64)] = "",
) -> SentSubmission:
    name = "" if file is None else file.filename or ""
    new = NewSubmission(
        system=system,
        description=description,
        is_ensemble=is_ensemble,
        file_name=name,
        client_key=key or None,
    )
    return SentSubmission(file, new)


Sent = Annotated[SentSubmission, Depends(_sent)]


def receive_upload(
    request: Request, permitted: TaskPermitted, sent: SentSubmission
) -> tuple[Submission, bool]:
    """Store an uploaded file in one transaction; it is acknowledged after that."""
    file = sent.file
    if file is None or not file.filename:
        raise DataError("no file was chosen")
    assert permitted.team is not None
    assert permitted.person is not None
    with _STORING:
        file.file.seek(0)
        content = file.file.read()
        hall = hall_of(request)
        with hall.database.writing() as session:
            require_space(session, hall.settings, permitted.project, len(content))
            return receive(
                session,
                permitted.project,
                permitted.options,
                permitted.team,
                sent.new,
                content,
                by=permitted.person.id,
            )


def change_submission(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    submission_id: str,
    change: Callable[..., None],
) -> None:
    """Withdraw a submission that the caller may change, or have it marked again."""
    found, _ = own_submission(session, permitted, submission_id)
    session.commit()  # gives the connection back before the writer takes one
    assert permitted.person is not None
    with hall_of(request).database.writing() as writing:
        change(writing, found, by=permitted.person.id)
    session.expire_all()


def created(made: Created, is_new: bool) -> Created:
    """The answer to a request that makes something: 201, or 200 if it was there before."""
    if is_new:
        return made
    return JSONResponse(asdict(made), 200)  # type: ignore[return-value]


# The API of teams.


@api.post("", status_code=201, responses={200: {"model": SubmissionState}})
def send_submission(
    request: Request, session: Reading, permitted: TeamMemberOnly, sent: Sent
) -> SubmissionState:
    """Submit a file of answers. With the ``key`` of an earlier request, that one is returned."""
    submission, is_new = receive_upload(request, permitted, sent)
    assert permitted.team is not None
    state = state_of(session, permitted.project, permitted.options, submission, permitted.team.name)
    return created(state, is_new)


@api.get("")
def list_submissions(
    session: Reading,
    permitted: TeamOrOrganiser,
    before: Annotated[int, Query(ge=0, le=2**31 - 1)] = 2**31 - 1,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
) -> SubmissionList:
    """The submissions of the caller's team; for those who run the task, all of them.

    Of more than ``limit``, the next ones are those ``before`` the last number.
    """
    team = None if permitted.is_organiser else permitted.team
    query = submissions_of(permitted.project, team).where(Submission.number < before)
    rows = session.execute(query.limit(limit)).all()
    return SubmissionList(
        [
            state_of(session, permitted.project, permitted.options, submission, name)
            for submission, name in rows
        ]
    )


@api.get("/{submission}")
def get_submission(
    session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """A submission, its state, and the marks that are shown."""
    found, team = own_submission(session, permitted, submission)
    return state_of(session, permitted.project, permitted.options, found, team)


@api.delete("/{submission}")
def withdraw_submission(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """Take a submission off the board. It stays stored, and counts against the limits."""
    change_submission(request, session, permitted, submission, withdraw)
    return get_submission(session, permitted, submission)


@api.get("/{submission}/answers")
def get_answers(session: Reading, permitted: TeamOrOrganiser, submission: str) -> Response:
    """The answers as they were sent."""
    found, _ = own_submission(session, permitted, submission)
    content = file_content(session, found.id, ANSWERS)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, found.file_name)


@api.get("/{submission}/marksheets/{split}")
def get_marksheet(
    session: Reading, permitted: TeamOrOrganiser, submission: str, split: str
) -> Response:
    """The marksheet of a public split, without the key (zstd); ``-`` is what has no split."""
    found, _ = own_submission(session, permitted, submission)
    name = public_split(session, permitted.project, permitted.options, split)
    content = None if name is None else file_content(session, found.id, MARKSHEET, name)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, f"{found.number}-{split}.jsonl.zst")


def public_split(
    session: Session, project: Project, options: SharedTaskOptions, name: str
) -> str | None:
    """A split by its name in an address; None if it is hidden or unknown."""
    about = kept_about(session, project.id)
    known = [split for split in about["all_splits"] if split not in options.hidden_splits(about)]
    if name in known:
        return name
    return "" if name == NO_SPLIT and "" in known else None


@api.post("/{submission}/mark")
def mark_submission_again(
    request: Request, session: Reading, permitted: OrganiserOfTask, submission: str
) -> SubmissionState:
    """Mark a submission once more."""
    change_submission(request, session, permitted, submission, mark_again)
    return get_submission(session, permitted, submission)
