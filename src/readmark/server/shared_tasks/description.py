"""What the hall says of a shared task: in a list of tasks, and on its own page."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from readmark.server.access import Caller, Scope
from readmark.server.shared_tasks.access import TaskPermitted
from readmark.server.shared_tasks.marker import order_metric
from readmark.server.shared_tasks.options import NAME, Phase, SharedTaskOptions, options_of
from readmark.server.shared_tasks.task_test import TaskSplit, task_test
from readmark.server.tables import Membership, Project, ProjectFile, Submission, Team
from readmark.server.views import newest_configuration, newest_listings
from readmark.works import ConfigurationListing, in_language, listing_of


@dataclass(frozen=True)
class TaskSummary:
    """A shared task in a list."""

    task: str
    name: str
    kind: str
    language: str
    is_open: bool
    phase: str | None
    """``practice``, ``formal`` or ``late``; null where nothing is accepted now."""
    visibility: str
    registration: str
    teams: int
    submissions: int
    """Of teams, whatever became of them."""
    address: str


@dataclass(frozen=True)
class TaskPhase:
    """When a phase is, as it was written and in seconds; null where it has no end or beginning."""

    name: str
    begins: str
    ends: str
    first: float | None
    last: float | None


@dataclass(frozen=True)
class TaskLimits:
    """How often a team may submit; 0 for any number."""

    per_day: int
    per_phase: int


@dataclass(frozen=True)
class TaskOrder:
    """What orders the board."""

    metric: str
    split: str


@dataclass(frozen=True)
class TaskDescription(TaskSummary):
    """A shared task with everything that its page says."""

    description: str
    rules: str
    licence: str
    source: str | None
    paper: str
    """The fingerprint of the whole test's paper."""
    splits: list[TaskSplit]
    phases: list[TaskPhase]
    closed: str
    """Why nothing is accepted now; empty while something is."""
    limits: TaskLimits
    metrics: list[str]
    order: TaskOrder
    ladder: bool
    team: str | None
    """The caller's team."""


# Which tasks there are, and what is said of them.


@dataclass(frozen=True)
class VisibleTask:
    """A shared task that somebody may see, with the newest version of its options."""

    project: Project
    listing: ConfigurationListing
    options: SharedTaskOptions


def visible_tasks(session: Session, caller: Caller) -> list[VisibleTask]:
    """The shared tasks that somebody may see, newest first.

    Pupils, and tokens that may not read, see what anybody sees.
    """
    person = caller.person if caller.can(Scope.READ) else None
    if person is not None and person.class_id is not None:
        person = None
    ids = select(ProjectFile.project_id).where(ProjectFile.role == "task")
    projects = session.scalars(
        select(Project).where(Project.id.in_(ids)).order_by(Project.created.desc(), Project.slug)
    )
    listings = newest_listings(session, ids)
    own = set()
    if person is not None:
        memberships = select(Membership.project_id).where(Membership.person_id == person.id)
        own = set(session.scalars(memberships))
    seen = []
    for project in projects:
        _, listing = listings[project.id]
        if listing.work != NAME:
            continue
        options = (
            options_of(newest_configuration(session, project.id))
            if listing.options is None
            else msgspec.convert(listing.options, SharedTaskOptions)
        )
        is_member = person is not None and (person.is_owner or project.id in own)
        if options.visibility == "public" or is_member:
            seen.append(VisibleTask(project, listing, options))
    return seen


def summaries_of(
    session: Session, tasks: Sequence[VisibleTask], language: str
) -> list[TaskSummary]:
    """What a list says of tasks, with as many queries as for one."""
    now, ids = time.time(), [task.project.id for task in tasks]
    notes = {
        row.project_id: row.about
        for row in session.execute(
            select(ProjectFile.project_id, ProjectFile.about).where(
                ProjectFile.project_id.in_(ids), ProjectFile.role == "task"
            )
        )
    }
    teams = _counts(session, Team.project_id, ids)
    submissions = _counts(session, Submission.project_id, ids, Submission.team_id.is_not(None))
    summaries = []
    for task in tasks:
        project, options = task.project, task.options
        about = msgspec.json.decode(notes[project.id])
        summaries.append(
            TaskSummary(
                task=project.slug,
                name=in_language(task.listing.name, language),
                kind=about["kind"],
                language=about["language"],
                is_open=project.is_open,
                phase=options.phase(now) if project.is_open else None,
                visibility=options.visibility,
                registration=options.registration,
                teams=teams.get(project.id, 0),
                submissions=submissions.get(project.id, 0),
                address=f"/tasks/{project.slug}",
            )
        )
    return summaries


def _counts(
    session: Session, column: Any, ids: Sequence[str], *conditions: ColumnElement[bool]
) -> dict[str, int]:
    """How many rows there are of each project."""
    query = select(column, func.count()).where(column.in_(ids), *conditions).group_by(column)
    return {row[0]: row[1] for row in session.execute(query)}


def description_of(session: Session, permitted: TaskPermitted, language: str) -> TaskDescription:
    """What the page of a task says, for the visitor."""
    project, options, now = permitted.project, permitted.options, time.time()
    configuration = permitted.configuration
    task = VisibleTask(project, listing_of(configuration), options)
    (summary,) = summaries_of(session, [task], language)
    test = task_test(session, project.id, options, now)
    metrics = list(options.metrics or test.about["metrics"])
    closed = ""
    if summary.phase is None:
        is_over = "the task is closed: nothing is accepted"
        closed = options.closed_words(now) if project.is_open else is_over
    return TaskDescription(
        **asdict(summary),
        description=in_language(configuration.project.description, language),
        rules=in_language(configuration.project.guidelines, language),
        licence=test.licence,
        source=test.about["source"],
        paper=test.about["paper"],
        splits=list(test.splits),
        phases=[
            _phase(name, phase)
            for name, phase in (("practice", options.practice), ("formal", options.formal))
            if phase is not None
        ],
        closed=closed,
        limits=TaskLimits(options.per_day, options.per_phase),
        metrics=metrics,
        order=TaskOrder(
            order_metric(metrics, test.about["main_metric"], options.order_by),
            options.main_split(test.about),
        ),
        ladder=options.ladder and any(split.is_hidden for split in test.splits),
        team=None if permitted.team is None else permitted.team.name,
    )


def _phase(name: str, phase: Phase) -> TaskPhase:
    first, last = (None if math.isinf(end) else end for end in (phase.first, phase.last))
    return TaskPhase(name, phase.begins, phase.ends, first, last)
