"""The first page of a shared task for its organisers: how far it is, and what to do next."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import UsageError
from readmark.server.access import Permitted
from readmark.server.routes.project_page import OVERVIEWS, show_tab
from readmark.server.shared_tasks.options import NAME
from readmark.server.shared_tasks.teams import teams_of
from readmark.server.tables import Job, Submission, WorkerHeartbeat
from readmark.server.views import newest_configuration

AWAY = 60.0
"""Seconds after which a worker that is not heard of is taken to be away."""


def is_task(session: Session, permitted: Permitted) -> bool:
    """Whether the project is a shared task."""
    return newest_configuration(session, permitted.project.id).project.work == NAME


def require_task(session: Session, permitted: Permitted) -> None:
    """Refuse what only shared tasks have."""
    if not is_task(session, permitted):
        raise UsageError("only shared tasks have teams, baselines and people's sittings")


@dataclass(frozen=True, kw_only=True)
class TaskOverview:
    """The state of a task: teams, submissions, the queue, and whether somebody is marking."""

    teams: int
    submissions: Mapping[str, int]
    """How many are in each state."""
    waiting: int
    """Jobs of all tasks that are to be done, or being done."""
    worker_seen: float | None
    """When a worker was last heard of."""

    @property
    def is_worker_there(self) -> bool:
        """Whether one was heard of just now."""
        return self.worker_seen is not None and time.time() - self.worker_seen < AWAY


def show_overview(request: Request, session: Session, permitted: Permitted) -> Response:
    """The state of a task."""
    project_id = permitted.project.id
    states = session.execute(
        select(Submission.state, func.count())
        .where(Submission.project_id == project_id)
        .group_by(Submission.state)
    )
    queue = select(func.count()).where(Job.state.in_(("waiting", "running")))
    view = TaskOverview(
        teams=len(teams_of(session, project_id)),
        submissions={row[0]: row[1] for row in states},
        waiting=session.scalar(queue) or 0,
        worker_seen=session.scalar(select(func.max(WorkerHeartbeat.seen))),
    )
    return show_tab(
        request, session, permitted, "overview", template="project_task.html", view=view
    )


OVERVIEWS[NAME] = show_overview
