"""Pages of submissions: a team's own, one submission for everybody, and the organiser's tab."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Query, Request
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, words
from readmark.server.routes.paging import Listed, part_of_page
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.shared_tasks.access import TaskPermitted
from readmark.server.shared_tasks.options import NAME, options_of
from readmark.server.shared_tasks.routes.submissions import (
    Sent,
    SubmissionState,
    TeamMemberOnly,
    TeamOrOrganiser,
    change_submission,
    receive_upload,
    state_of,
    submissions_of,
)
from readmark.server.shared_tasks.routes.task_pages import Visitor, show_task_tab
from readmark.server.shared_tasks.submissions import (
    FAILED,
    MARKED,
    OPEN,
    WAITING,
    WITHDRAWN,
    KeyTaken,
    NewSubmission,
    TaskClosed,
    mark_again,
    open_phase,
    room_of,
    withdraw,
)
from readmark.server.stored_project import kept_about
from readmark.server.tables import Job, Submission, Team
from readmark.server.views import newest_configuration

router = APIRouter(route_class=HallRoute, include_in_schema=False)

STATES = (WAITING, MARKED, FAILED, OPEN, WITHDRAWN)
NO_TEAM = "-"
"""In a filter: baselines."""
_EMPTY = NewSubmission(system="")


# A team's submissions.


@router.get("/tasks/{task}/submissions")
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
    given: NewSubmission = _EMPTY,
    **values: Any,
) -> Response:
    project, options, team = permitted.project, permitted.options, permitted.team
    assert team is not None
    closed, phase, now = "", None, time.time()
    try:
        phase = open_phase(project, options, now)
    except TaskClosed as error:
        closed = str(error)
    rows = session.execute(submissions_of(project, team)).all()
    states = [state_of(session, project, options, row, name) for row, name in rows]
    return show_task_tab(
        request,
        session,
        permitted,
        "submissions",
        "task_submissions.html",
        status,
        options=options,
        phase=phase,
        closed=closed,
        room=room_of(session, project.id, team, phase, now),
        states=states,
        is_waiting=any(map(_is_waiting, states)),
        key=secrets.token_hex(16),
        given=given,
        most_mb=hall_of(request).settings.largest_upload >> 20,
        **{"problem": "", "sent": 0, **values},
    )


def _is_waiting(state: SubmissionState) -> bool:
    """Whether something will change by itself: marks come with the next board."""
    return state.state == WAITING or (state.state == MARKED and not state.splits)


@router.post("/tasks/{task}/submissions")
def upload_submission(
    request: Request, session: Reading, permitted: TeamMemberOnly, sent: Sent
) -> Response:
    """Submit a file. A form that is sent twice makes one submission."""
    try:
        try:
            submission, _ = receive_upload(request, permitted, sent)
        except KeyTaken:  # another file, in a form that the browser kept
            sent = replace(sent, new=replace(sent.new, client_key=None))
            submission, _ = receive_upload(request, permitted, sent)
    except ReadmarkError as error:
        status = getattr(error, "status", 422)
        return _team_page(request, session, permitted, status, given=sent.new, problem=str(error))
    address = f"/tasks/{permitted.project.slug}/submissions?sent={submission.number}"
    return RedirectResponse(address, 303)


# One submission.


@router.get("/tasks/{task}/submissions/{submission}")
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
    found, team = row
    state = state_of(session, permitted.project, permitted.options, found, team)
    shown = [part["marks"] for part in state.splits.values() if part["marks"]]
    signatures = {name: mark["signature"] for marks in shown for name, mark in marks.items()}
    hidden = permitted.options.hidden_splits(kept_about(session, permitted.project.id))
    return show_task_tab(
        request,
        session,
        permitted,
        "submission",
        "task_submission.html",
        state=state,
        metrics=list(signatures),
        signatures=signatures,
        sheets=[split for split in state.splits if split not in hidden],
        is_own=is_own,
        is_waiting=is_own and _is_waiting(state),
    )


def _is_public(submission: Submission) -> bool:
    """Whether it is on the board, or was and is being marked again."""
    return submission.marked is not None and submission.state in (MARKED, WAITING)


@router.post("/tasks/{task}/submissions/{submission}/withdraw")
def withdraw_own(
    request: Request, session: Reading, permitted: TeamOrOrganiser, submission: str
) -> Response:
    """Take a submission off the board."""
    change_submission(request, session, permitted, submission, withdraw)
    return RedirectResponse(f"/tasks/{permitted.project.slug}/submissions/{submission}", 303)


# The organiser's tab.


@router.get("/projects/{project}/submissions")
def show_all(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    state: Annotated[str, Query(max_length=16)] = "",
    team: Annotated[str, Query(max_length=100)] = "",
    system: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=10**6)] = 1,
) -> Response:
    """Every submission of a task, filtered, with what went wrong."""
    if newest_configuration(session, permitted.project.id).project.work != NAME:
        return back_to(permitted.project)
    return _tab(request, session, permitted, state=state, team=team, system=system, page=page)


def _tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    state: str = "",
    team: str = "",
    system: str = "",
    page: int = 1,
    **values: Any,
) -> Response:
    project = permitted.project
    options = options_of(newest_configuration(session, project.id))
    query = submissions_of(project)
    if state:
        query = query.where(Submission.state == state)
    if team:
        query = query.where(Submission.team_id.is_(None) if team == NO_TEAM else Team.name == team)
    if system:
        query = query.where(Submission.system.icontains(system, autoescape=True))
    count = session.scalar(select(func.count()).select_from(query.order_by(None).subquery())) or 0
    part = part_of_page(page)
    rows = session.execute(query.limit(part.limit).offset(part.offset)).all()
    states = [state_of(session, project, options, row, name) for row, name in rows]
    by_state = session.execute(
        select(Submission.state, func.count())
        .where(Submission.project_id == project.id)
        .group_by(Submission.state)
    ).all()
    teams = select(Team.name).where(Team.project_id == project.id).order_by(Team.name)
    filters = {"state": state, "team": team, "system": system}
    return show_tab(
        request,
        session,
        permitted,
        "submissions",
        status,
        listed=Listed(states, count, part),
        counts={row[0]: row[1] for row in by_state},
        states_known=STATES,
        teams=session.scalars(teams).all(),
        job_errors=_job_errors(session, project.id),
        query="".join(f"{urlencode({name: text})}&" for name, text in filters.items() if text),
        **filters,
        **{"notice": "", **values},
    )


def _job_errors(session: Session, project_id: str) -> list[tuple[str, str]]:
    """The error of the last job about the whole task, of each kind, if that job failed."""
    found = []
    for kind in ("board", "people"):
        last = session.execute(
            select(Job.state, Job.error)
            .where(Job.kind == kind, Job.subject == project_id, Job.finished.is_not(None))
            .order_by(Job.number.desc())
            .limit(1)
        ).one_or_none()
        if last is not None and last.state == FAILED:
            found.append((kind, last.error))
    return found


@router.post("/projects/{project}/submissions")
def change_any_submission(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    submission: Annotated[str, Form(max_length=40)],
    action: Annotated[Literal["again", "withdraw"], Form()],
) -> Response:
    """Mark a submission again, or withdraw it."""
    query = submissions_of(permitted.project).where(Submission.id == submission)
    row = session.execute(query).one_or_none()
    if row is None:
        raise HTTPException(404, "Not found.")
    session.commit()  # gives the connection back before the writer takes one
    of_page, by = words(language_of(request)), permitted.person.id
    try:
        with hall_of(request).database.writing() as writing:
            if action == "again":
                mark_again(writing, row[0], by=by)
            else:
                withdraw(writing, row[0], by=by)
    except TaskClosed as error:
        return _tab(request, session, permitted, error.status, problem=str(error))
    session.expire_all()
    notice = of_page["sub_again_done" if action == "again" else "sub_withdrawn_done"]
    return _tab(request, session, permitted, notice=notice.format(row[0].number))
