"""A person's sitting of a test: when it began and ends, what is answered, and handing in all of it.

The clock of a timed sitting is the server's. It starts once for all of a person's items, and a
closed browser does not stop it. What was saved in time counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.hooks import hook
from readmark.server.changes import Change
from readmark.server.handing_in import STATUS, done_in, is_done
from readmark.server.log import append, last_sequence
from readmark.server.object_states import object_states, states_of
from readmark.server.tables import Assignment, Item, Project
from readmark.server.views import ADJUDICATION, item_of, newest_configuration, work_named
from readmark.works import Configuration, OpenQuestions, ProjectExam

GRACE = 30.0
"""Seconds after the end in which what was answered before can still arrive."""
_NOT_TIMED = ("practice", "qualifying", ADJUDICATION)
"""Purposes of items that are no part of a sitting."""
HANDED_IN, TIME_OVER = "sitting-handed-in", "sitting-time-over"
"""The clients of the events that hand in a whole sitting."""


@dataclass(frozen=True)
class SatItem:
    """How far a person is with an item of a sitting."""

    assignment: str
    name: str
    open: OpenQuestions
    is_done: bool
    is_begun: bool

    @property
    def state(self) -> str:
        """``done``, ``begun`` or ``open``."""
        return "done" if self.is_done else "begun" if self.is_begun else "open"


@dataclass(frozen=True)
class OwnSitting:
    """A person's sitting: the items in their order, and the time."""

    items: tuple[SatItem, ...]
    minutes: float | None
    ends: float | None
    """When the time is over, without the grace; None if the clock has not started."""

    @property
    def has_started(self) -> bool:
        """Whether the person may see the questions."""
        return self.minutes is None or self.ends is not None

    @property
    def is_done(self) -> bool:
        """Whether everything is handed in."""
        return all(item.is_done for item in self.items)

    @property
    def unanswered(self) -> int:
        """Questions without an answer that can be read."""
        return sum(len(item.open.unanswered) + len(item.open.unread) for item in self.items)

    def seconds_left(self, now: float) -> float | None:
        """Seconds until the end; None where there is no clock, or before it starts."""
        return None if self.ends is None else max(0.0, self.ends - now)


def exam_of(configuration: Configuration) -> ProjectExam | None:
    """The test that people sit in a project; None where they do something else."""
    exam: ProjectExam | None = hook(work_named(configuration.project.work), "exam")
    return exam


def required_exam(configuration: Configuration) -> ProjectExam:
    """The same, where nothing else will do."""
    exam = exam_of(configuration)
    if exam is None:
        raise UsageError("people do not sit a test in this project")
    return exam


def minutes_of(configuration: Configuration) -> float | None:
    """How long a sitting takes; None where nobody looks at the clock."""
    exam = exam_of(configuration)
    return None if exam is None else exam.minutes(configuration)


def own_sitting(session: Session, project_id: str, person_id: str) -> OwnSitting:
    """How far a person is."""
    rows = _assignments(session, project_id, person_id)
    states = states_of(session, [assignment.id for assignment, _ in rows])
    configuration = newest_configuration(session, project_id)
    exam = exam_of(configuration)
    items = []
    for assignment, item in rows:
        objects = states.get(assignment.id, {})
        items.append(
            SatItem(
                assignment.id,
                item.name,
                exam.open_questions(item_of(item), objects) if exam else OpenQuestions(),
                is_done(objects),
                bool(objects),
            )
        )
    minutes = minutes_of(configuration)
    ends = _ends(assignment for assignment, _ in rows)
    return OwnSitting(tuple(items), minutes, None if ends is None else ends - GRACE)


def is_waiting(session: Session, assignment: Assignment, configuration: Configuration) -> bool:
    """Whether an item is of a timed sitting that its person has not started."""
    if assignment.ends is not None or minutes_of(configuration) is None:
        return False
    item = session.get(Item, assignment.item_id)
    if item is None or item.purpose in _NOT_TIMED:
        return False
    # One item that an organiser has opened again has no end, and the others have theirs.
    rows = _assignments(session, assignment.project_id, assignment.person_id)
    return _ends(other for other, _ in rows) is None


def start_sitting(
    session: Session, project_id: str, person_id: str, *, now: float | None = None
) -> None:
    """Start the clock for all of a person's items; one that runs is not started again."""
    now = time.time() if now is None else now
    minutes = minutes_of(newest_configuration(session, project_id))
    project = session.get(Project, project_id, with_for_update=True)  # two tabs may start at once
    if project is None or not project.is_open:
        return  # nothing could be saved while the clock runs
    rows = _assignments(session, project_id, person_id)
    if minutes is not None and _ends(assignment for assignment, _ in rows) is None:
        ends = now + 60.0 * minutes + GRACE
        for assignment, _ in rows:
            assignment.ends = ends
        session.flush()


def hand_in_sitting(session: Session, project_id: str, person_id: str) -> int:
    """Hand in all of a person's items that are not yet; how many those are."""
    return _hand_in(
        session, [row for row, _ in _assignments(session, project_id, person_id)], HANDED_IN
    )


def close_overdue(session: Session, project_id: str, *, now: float | None = None) -> int:
    """Hand in the items of everybody who has run out of time; how many those are."""
    now = time.time() if now is None else now
    project = session.get(Project, project_id)
    if project is None or not project.is_open:
        return 0
    overdue = session.scalars(
        select(Assignment).where(
            Assignment.project_id == project_id,
            Assignment.withdrawn.is_(None),
            Assignment.ends < now,
        )
    ).all()
    done = done_in(session, project_id)  # this is asked with every look at the results
    return _hand_in(session, [row for row in overdue if row.id not in done], TIME_OVER)


def _assignments(
    session: Session, project_id: str, person_id: str
) -> list[tuple[Assignment, Item]]:
    rows = session.execute(
        select(Assignment, Item)
        .join(Item, Item.id == Assignment.item_id)
        .where(
            Assignment.project_id == project_id,
            Assignment.person_id == person_id,
            Assignment.withdrawn.is_(None),
            Item.purpose.not_in(_NOT_TIMED),
        )
        .order_by(Assignment.position, Assignment.id)
    )
    return [(assignment, item) for assignment, item in rows]


def _ends(assignments: Iterable[Assignment]) -> float | None:
    return min((row.ends for row in assignments if row.ends is not None), default=None)


def _hand_in(session: Session, assignments: Iterable[Assignment], client: str) -> int:
    count = 0
    for assignment in assignments:
        state = object_states(session, assignment.id, [STATUS]).get(STATUS)
        if state is not None and state.value and state.value.get("done"):
            continue
        sequence = last_sequence(session, assignment.id, client) + 1
        value = {"type": STATUS, "done": True}
        base = state.event if state is not None else None
        change = Change(sequence, STATUS, value, base)
        append(session, assignment, client, [change])
        count += 1
    return count
