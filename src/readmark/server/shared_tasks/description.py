"""Everything that the page of a shared task says of it."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from readmark.server.shared_tasks.access import TaskPermitted
from readmark.server.shared_tasks.options import Phase
from readmark.server.shared_tasks.task_metrics import order_metric
from readmark.server.shared_tasks.task_test import TaskSplit, task_test
from readmark.server.shared_tasks.visible_tasks import TaskSummary, VisibleTask, summaries_of
from readmark.works import in_language, listing_of


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


def description_of(session: Session, permitted: TaskPermitted, language: str) -> TaskDescription:
    """What the page of a task says, for the visitor."""
    project, options, now = permitted.project, permitted.options, time.time()
    configuration = permitted.configuration
    task = VisibleTask(project, listing_of(configuration), options)
    (summary,) = summaries_of(session, [task], language)
    test = task_test(session, project.id, options, now)
    metrics = list(options.metrics or test.about["metrics"])
    closed = ""
    if not project.is_open:
        closed = "the task is closed: nothing is accepted"
    elif summary.phase is None:
        closed = options.closed_words(now)
    return TaskDescription(
        **asdict(summary),
        description=in_language(configuration.project.description, language),
        rules=in_language(configuration.project.guidelines, language),
        licence=test.licence,
        source=test.about["source"],
        paper=test.about["paper"],
        splits=list(test.splits),
        phases=[_phase(name, phase) for name, phase in options.phases.items()],
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
