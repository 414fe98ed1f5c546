"""Every submission of a task on one page, for its organisers; programs get the same from the list
of submissions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, words
from readmark.server.routes.paging import Listed, part_of_page
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.shared_tasks.options import options_of
from readmark.server.shared_tasks.routes.overview import is_task
from readmark.server.shared_tasks.submission_state import (
    SubmissionState,
    state_of,
    submissions_of,
)
from readmark.server.shared_tasks.submissions import (
    FAILED,
    MARKED,
    OPEN,
    WAITING,
    WITHDRAWN,
    TaskClosed,
    mark_again,
    withdraw,
)
from readmark.server.tables import Job, Submission, Team
from readmark.server.views import newest_configuration

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/submissions", include_in_schema=False
)

STATES = (WAITING, MARKED, FAILED, OPEN, WITHDRAWN)
NO_TEAM = "-"
"""In a filter: baselines."""


@dataclass(frozen=True)
class SubmissionFilter:
    """Which submissions are listed; what is empty lists any."""

    state: str = ""
    team: str = ""
    """A team's name, or `NO_TEAM`."""
    system: str = ""
    """Letters that the system's name has."""

    @property
    def is_empty(self) -> bool:
        """Whether it leaves none out."""
        return not (self.state or self.team or self.system)

    @property
    def query(self) -> str:
        """What comes before the number of a page in an address."""
        fields = {"state": self.state, "team": self.team, "system": self.system}
        return "".join(f"{urlencode({name: text})}&" for name, text in fields.items() if text)


def _filter(
    state: Annotated[str, Query(max_length=16)] = "",
    team: Annotated[str, Query(max_length=100)] = "",
    system: Annotated[str, Query(max_length=200)] = "",
) -> SubmissionFilter:
    return SubmissionFilter(state, team, system)


@dataclass(frozen=True, kw_only=True)
class AllSubmissionsPage:
    """Submissions that fit a filter, and what the filter can choose from."""

    submissions: Listed[SubmissionState]
    filter: SubmissionFilter
    counts: Mapping[str, int]
    """Submissions by state, whatever the filter."""
    teams: Sequence[str]
    states: Sequence[str] = STATES
    job_errors: Sequence[tuple[str, str]]
    """What went wrong with the whole task, by the kind of job."""
    notice: str
    """What a form has done."""


@pages.get("")
def show_all(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    chosen: Annotated[SubmissionFilter, Depends(_filter)],
    page: Annotated[int, Query(ge=1, le=10**6)] = 1,
) -> Response:
    """Every submission of a task, filtered, with what went wrong."""
    if not is_task(session, permitted):
        return back_to(permitted.project)
    return _tab(request, session, permitted, chosen=chosen, page=page)


def _tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    chosen: SubmissionFilter | None = None,
    page: int = 1,
    notice: str = "",
    problem: str = "",
) -> Response:
    project, chosen = permitted.project, chosen or SubmissionFilter()
    options = options_of(newest_configuration(session, project.id))
    query = submissions_of(project)
    if chosen.state:
        query = query.where(Submission.state == chosen.state)
    if chosen.team == NO_TEAM:
        query = query.where(Submission.team_id.is_(None))
    elif chosen.team:
        query = query.where(Team.name == chosen.team)
    if chosen.system:
        query = query.where(Submission.system.icontains(chosen.system, autoescape=True))
    count = session.scalar(select(func.count()).select_from(query.order_by(None).subquery())) or 0
    part = part_of_page(page)
    rows = session.execute(query.limit(part.limit).offset(part.offset)).all()
    by_state = session.execute(
        select(Submission.state, func.count())
        .where(Submission.project_id == project.id)
        .group_by(Submission.state)
    ).all()
    teams = select(Team.name).where(Team.project_id == project.id).order_by(Team.name)
    view = AllSubmissionsPage(
        submissions=Listed(
            [state_of(session, project, options, row, name) for row, name in rows], count, part
        ),
        filter=chosen,
        counts={row[0]: row[1] for row in by_state},
        teams=session.scalars(teams).all(),
        job_errors=_job_errors(session, project.id),
        notice=notice,
    )
    return show_tab(request, session, permitted, "submissions", status, view=view, problem=problem)


def _job_errors(session: Session, project_id: str) -> list[tuple[str, str]]:
    """The error of the last job about the whole task, of each kind, if that job failed."""
    errors = []
    for kind in ("board", "people"):
        last = session.execute(
            select(Job.state, Job.error)
            .where(Job.kind == kind, Job.subject == project_id, Job.finished.is_not(None))
            .order_by(Job.number.desc())
            .limit(1)
        ).one_or_none()
        if last is not None and last.state == FAILED:
            errors.append((kind, last.error))
    return errors


@pages.post("")
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
    stored, _ = row
    session.commit()  # gives the connection back before the writer takes one
    change, notice = {
        "again": (mark_again, "sub_again_done"),
        "withdraw": (withdraw, "sub_withdrawn_done"),
    }[action]
    try:
        with hall_of(request).database.writing() as writing:
            change(writing, stored, by=permitted.person.id)
    except TaskClosed as error:
        return _tab(request, session, permitted, error.status, problem=str(error))
    session.expire_all()
    texts = words(language_of(request))
    return _tab(request, session, permitted, notice=texts[notice].format(stored.number))
