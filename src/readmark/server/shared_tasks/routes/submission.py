"""Submissions to a shared task: sending answers, a team's list, one of them; pages and API."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, UploadFile
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.operations.quotas import require_space
from readmark.server.routes.files import Upload, attachment
from readmark.server.routes.project_page import back_to
from readmark.server.shared_tasks.access import (
    OrganiserOfTask,
    TaskPermitted,
    TeamMemberOnly,
    TeamOrOrganiser,
    Visitor,
)
from readmark.server.shared_tasks.options import PhaseName
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.submission_state import SubmissionState, state_of, submissions_of
from readmark.server.shared_tasks.submissions import (
    ANSWERS,
    MARKED,
    MARKSHEET,
    WAITING,
    KeyTaken,
    NewSubmission,
    TaskClosed,
    file_content,
    mark_again,
    open_phase,
    receive,
    room_of,
    withdraw,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Submission

pages = APIRouter(
    route_class=HallRoute, prefix="/tasks/{task}/submissions", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/submissions", tags=["tasks"])

_STORING = threading.BoundedSemaphore(4)
"""Files that are in memory at a time."""
MOST_LISTED = 1000
"""Submissions in one answer."""
NO_SPLIT = "-"
"""In an address: the records without a split."""


# Sending answers.


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
    new = NewSubmission(
        system=system,
        description=description,
        is_ensemble=is_ensemble,
        file_name="" if file is None else file.filename or "",
        client_key=key or None,
    )
    return SentSubmission(file, new)


SubmissionForm = Annotated[SentSubmission, Depends(_sent)]


@pages.post("")
def upload_submission(
    request: Request, session: Reading, permitted: TeamMemberOnly, sent: SubmissionForm
) -> Response:
    """Submit a file. A form that is sent twice makes one submission."""
    try:
        try:
            submission, _ = _receive(request, permitted, sent)
        except KeyTaken:  # another file, in a form that the browser kept
            sent = replace(sent, new=replace(sent.new, client_key=None))
            submission, _ = _receive(request, permitted, sent)
    except ReadmarkError as error:
        status = getattr(error, "status", 422)
        return _team_page(request, session, permitted, status, form=sent.new, problem=str(error))
    address = f"/tasks/{permitted.project.slug}/submissions?sent={submission.number}"
    return RedirectResponse(address, 303)


@api.post("", status_code=201, responses={200: {"model": SubmissionState}})
def send_submission(
    request: Request,
    response: Response,
    session: Reading,
    permitted: TeamMemberOnly,
    sent: SubmissionForm,
) -> SubmissionState:
    """Submit a file of answers. With the ``key`` of an earlier request, that one is returned."""
    submission, is_new = _receive(request, permitted, sent)
    if not is_new:
        response.status_code = 200
    return state_of(
        session, permitted.project, permitted.options, submission, permitted.own_team.name
    )


def _receive(
    request: Request, permitted: TaskPermitted, sent: SentSubmission
) -> tuple[Submission, bool]:
    """Store an uploaded file in one transaction; it is acknowledged after that."""
    file = sent.file
    if file is None or not file.filename:
        raise DataError("no file was chosen")
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
                permitted.own_team,
                sent.new,
                content,
                by=permitted.person.id,
            )


# The list: a team's, and for programs of organisers everybody's.


@dataclass(frozen=True)
class SubmissionList:
    """Submissions, the newest first."""

    submissions: list[SubmissionState]


@dataclass(frozen=True, kw_only=True)
class TeamSubmissionsPage:
    """What the visitor's team has submitted, and the form for more with what is left of limits."""

    submissions: Sequence[SubmissionState]
    phase: PhaseName | None
    closed: str
    """Why nothing is accepted now; empty while something is."""
    per_day: int
    left_today: int
    per_phase: int
    left_in_phase: int
    form: NewSubmission
    """What the form has in it."""
    key: str
    """What tells the form from the same one sent twice."""
    most_mb: int
    """How large a file may be."""
    sent: int
    """The number of the submission that has just been stored."""

    @property
    def is_waiting(self) -> bool:
        """Whether the list will change by itself."""
        return any(state.is_waiting for state in self.submissions)


@pages.get("")
def show_submissions(
    request: Request,
    session: Reading,
    permitted: TeamOrOrganiser,
    sent: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The form, the limits, and what the team has submitted."""
    if permitted.team is None:
        return back_to(permitted.project, "submissions")
    return _team_page(request, session, permitted, sent=sent)


def _team_page(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    status: int = 200,
    *,
    form: NewSubmission | None = None,
    sent: int = 0,
    problem: str = "",
) -> Response:
    project, options, team = permitted.project, permitted.options, permitted.own_team
    closed, phase, now = "", None, time.time()
    try:
        phase = open_phase(project, options, now)
    except TaskClosed as error:
        closed = str(error)
    room = room_of(session, project.id, team, phase, now)
    rows = session.execute(submissions_of(project, team)).all()
    view = TeamSubmissionsPage(
        submissions=[state_of(session, project, options, row, name) for row, name in rows],
        phase=phase,
        closed=closed,
        per_day=options.per_day,
        left_today=max(options.per_day - room.today, 0),
        per_phase=options.per_phase,
        left_in_phase=max(options.per_phase - room.in_phase, 0),
        form=form or NewSubmission(system=""),
        key=secrets.token_hex(16),
        most_mb=hall_of(request).settings.largest_upload >> 20,
        sent=sent,
    )
    template = "task_submissions.html"
    return show_task_page(
        request, permitted, "submissions", template, status, view=view, problem=problem
    )


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


# One submission.


@dataclass(frozen=True, kw_only=True)
class SubmissionPage:
    """A submission, and what its team and organisers can do with it."""

    state: SubmissionState
    signatures: Mapping[str, str]
    """Of the metrics that any split was marked by."""
    sheets: Sequence[str]
    """The splits whose marksheets can be downloaded."""
    is_own: bool
    """Whether the visitor is of its team, or organises the task."""

    @property
    def metrics(self) -> list[str]:
        """The columns of the tables."""
        return list(self.signatures)

    @property
    def is_waiting(self) -> bool:
        """Whether the page will change by itself."""
        return self.is_own and self.state.is_waiting


@pages.get("/{submission}")
def show_submission(
    request: Request, session: Reading, permitted: Visitor, submission: str
) -> Response:
    """What anybody may see of a submission that was marked; more for its team."""
    query = submissions_of(permitted.project).where(Submission.id == submission)
    row = session.execute(query).one_or_none()
    is_team = row is not None and permitted.team is not None and row[0].team_id == permitted.team.id
    is_own = is_team or permitted.is_organiser
    if row is None or not (is_own or _is_public(row[0])):
        raise HTTPException(401 if permitted.person is None else 404, "Not found.")
    state = state_of(session, permitted.project, permitted.options, *row)
    hidden = permitted.options.hidden_splits(kept_about(session, permitted.project.id))
    view = SubmissionPage(
        state=state,
        signatures={
            name: mark["signature"]
            for part in state.splits.values()
            for name, mark in (part["marks"] or {}).items()
        },
        sheets=[split for split in state.splits if split not in hidden],
        is_own=is_own,
    )
    template = "task_submission.html"
    return show_task_page(request, permitted, "submission", template, view=view)


def _is_public(submission: Submission) -> bool:
    """Whether it is on the board, or was and is being marked again."""
    return submission.marked is not None and submission.state in (MARKED, WAITING)


@api.get("/{submission}")
def get_submission(
    session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """A submission, its state, and the marks that are shown."""
    row, team = _own(session, permitted, submission)
    return state_of(session, permitted.project, permitted.options, row, team)


def _own(session: Session, permitted: TaskPermitted, id: str) -> tuple[Submission, str]:
    """A submission of the caller's team, or any of the task for those who run it; and the team."""
    team = None if permitted.is_organiser else permitted.team
    query = submissions_of(permitted.project, team).where(Submission.id == id)
    row = session.execute(query).one_or_none()
    if row is None or (team is None and not permitted.is_organiser):
        raise HTTPException(404, "Not found.")
    return row[0], row[1]


# What can be done with it.


class SubmissionChange(Protocol):
    """A function that changes a submission: `withdraw`, `mark_again`."""

    def __call__(self, session: Session, submission: Submission, *, by: str) -> None:
        """Change it in the name of a person."""


@pages.post("/{submission}/withdraw")
def withdraw_own(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> Response:
    """Take a submission off the board."""
    _change(request, session, permitted, submission, withdraw)
    return RedirectResponse(f"/tasks/{permitted.project.slug}/submissions/{submission}", 303)


@api.delete("/{submission}")
def withdraw_submission(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> SubmissionState:
    """Take a submission off the board. It stays stored, and counts against the limits."""
    _change(request, session, permitted, submission, withdraw)
    return get_submission(session, permitted, submission)


@api.post("/{submission}/mark")
def mark_submission_again(
    request: Request, session: Reading, permitted: OrganiserOfTask, submission: str
) -> SubmissionState:
    """Mark a submission once more."""
    _change(request, session, permitted, submission, mark_again)
    return get_submission(session, permitted, submission)


def _change(
    request: Request,
    session: Session,
    permitted: TaskPermitted,
    id: str,
    change: SubmissionChange,
) -> None:
    """Change a submission that the caller may change."""
    submission, _ = _own(session, permitted, id)
    session.commit()  # gives the connection back before the writer takes one
    assert permitted.person is not None
    with hall_of(request).database.writing() as writing:
        change(writing, submission, by=permitted.person.id)
    session.expire_all()


# Its files.


@api.get("/{submission}/answers")
def get_answers(session: Reading, permitted: TeamOrOrganiser, submission: str) -> Response:
    """The answers as they were sent."""
    row, _ = _own(session, permitted, submission)
    content = file_content(session, row.id, ANSWERS)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, row.file_name)


@api.get("/{submission}/marksheets/{split}")
def get_marksheet(
    session: Reading, permitted: TeamOrOrganiser, submission: str, split: str
) -> Response:
    """The marksheet of a public split, without the key (zstd); ``-`` is what has no split."""
    row, _ = _own(session, permitted, submission)
    name = _public_split(session, permitted, split)
    content = None if name is None else file_content(session, row.id, MARKSHEET, name)
    if content is None:
        raise HTTPException(404, "Not found.")
    return attachment(content, f"{row.number}-{split}.jsonl.zst")


def _public_split(session: Session, permitted: TaskPermitted, name: str) -> str | None:
    """A split by its name in an address; None if it is hidden or unknown."""
    about = kept_about(session, permitted.project.id)
    hidden = permitted.options.hidden_splits(about)
    public = [split for split in about["all_splits"] if split not in hidden]
    if name in public:
        return name
    return "" if name == NO_SPLIT and "" in public else None
