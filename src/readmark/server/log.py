"""The event log: what people did to the objects of an item, and what that adds up to.

Events are appended and never changed. The state of an object is its last event that is no
conflict. A change that is based on an older state than the present one, which another client has
made, is stored as a conflict: it changes nothing until somebody settles it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Row, and_, func, insert, or_, select
from sqlalchemy.orm import Session, aliased

from readmark.core.errors import ReadmarkError
from readmark.server.objects import Objects
from readmark.server.tables import Assignment, Event, Project

MOST_CHANGES = 200
"""Changes in one request."""
LONGEST_PAUSE = 3600.0
"""Seconds of work that one change can stand for."""
STATUS = "status"
"""The id of the object that says whether an item is handed in."""

Sequence32 = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
EventNumber = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
ClientId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9-]{8,40}$")]


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client's change of an object. ``base`` is the event that the client saw as its last."""

    sequence: Sequence32
    object: str
    value: dict[str, Any] | None
    base: EventNumber | None = None
    resolves: EventNumber | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)] = 0.0


class ChangeResult(msgspec.Struct, frozen=True):
    """What became of a change. For a conflict, ``current`` is what the object is instead."""

    sequence: int
    event: int
    status: Literal["saved", "repeated", "conflict"]
    current: int | None = None
    current_value: Any = None


class Conflict(msgspec.Struct, frozen=True):
    """Two versions of an object: ``value`` was sent too late, ``current_value`` is the state."""

    event: int
    object: str
    value: Any
    base: int | None
    current: int | None
    current_value: Any


@dataclass(frozen=True)
class ObjectState:
    """An object as the log has it; ``value`` is None if it was removed."""

    event: int
    value: Any
    client: str


class WorkClosed(ReadmarkError):
    """Nothing more can be saved here: 409 if the project is closed, 410 if it was withdrawn."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class SequenceReused(ReadmarkError):
    """A sequence number that already names another change of the client."""

    def __init__(self, sequence: int) -> None:
        super().__init__(f"sequence {sequence} is the number of another change of this client")
        self.sequence = sequence


def append(
    session: Session, assignment: str, person: str, client: str, changes: Sequence[Change]
) -> list[ChangeResult]:
    """Store changes, each at most once, and say what became of them.

    The changes must have been checked with `check_object`. One transaction at a time appends to
    an assignment: its numbers are in the order in which they are committed.
    """
    _lock(session, assignment)
    newest = session.scalar(
        select(func.max(Event.sequence)).where(
            Event.assignment_id == assignment, Event.client == client
        )
    )
    states = states_of(session, assignment, {change.object for change in changes})
    results, now = [], time.time()
    for change in sorted(changes, key=lambda change: change.sequence):
        is_late = False
        if newest is not None and change.sequence <= newest:
            stored = _stored(session, assignment, client, change)
            if stored is not None:
                results.append(_repeat(session, assignment, stored, states))
                continue
            is_late = _has_later(session, assignment, client, change)
        if change.resolves is not None:
            _require_conflict(session, assignment, change)
        state = states.get(change.object)
        is_conflict = not is_late and _is_conflict(session, client, change, state)
        number = _insert(session, assignment, person, client, change, is_late or is_conflict, now)
        if is_conflict:
            assert state is not None
            results.append(
                ChangeResult(change.sequence, number, "conflict", state.event, state.value)
            )
            continue
        results.append(ChangeResult(change.sequence, number, "saved"))
        if not is_late:
            states[change.object] = ObjectState(number, change.value, client)
    return results


def _lock(session: Session, assignment: str) -> None:
    """Wait for other writers of the assignment, and refuse where nobody writes any more."""
    withdrawn, is_open = session.execute(
        select(Assignment.withdrawn, Project.is_open)
        .join(Project, Project.id == Assignment.project_id)
        .where(Assignment.id == assignment)
        .with_for_update(of=Assignment, key_share=True)
    ).one()
    if withdrawn is not None:
        raise WorkClosed(410, "This work was withdrawn. Nothing more is saved.")
    if not is_open:
        raise WorkClosed(409, "The project is closed. Nothing more is saved.")


def _insert(
    session: Session,
    assignment: str,
    person: str,
    client: str,
    change: Change,
    is_conflict: bool,
    now: float,
) -> int:
    made = session.execute(
        insert(Event.__table__).values(  # type: ignore[arg-type]
            assignment_id=assignment,
            person_id=person,
            client=client,
            sequence=change.sequence,
            object=change.object,
            value=msgspec.json.encode(change.value).decode(),
            base=change.base,
            is_conflict=is_conflict,
            resolves=change.resolves,
            seconds=min(change.seconds, LONGEST_PAUSE),
            received=now,
        )
    )
    number: int = made.inserted_primary_key[0]
    return number


def _is_conflict(
    session: Session, client: str, change: Change, state: ObjectState | None
) -> bool:
    """Whether a change would overwrite something that its client has not seen."""
    if state is None or state.client == client or state.event == change.base:
        return False
    if state.value == change.value:
        return False
    if change.base is None:
        return True
    # The client has seen the present value if it is that of the event that it names.
    seen = session.get(Event, change.base)
    return seen is None or seen.object != change.object or _value(seen) != state.value


def _stored(session: Session, assignment: str, client: str, change: Change) -> Event | None:
    """The event that a change was stored as when it was sent before."""
    event = session.scalar(
        select(Event).where(
            Event.assignment_id == assignment,
            Event.client == client,
            Event.sequence == change.sequence,
        )
    )
    if event is not None and (event.object != change.object or _value(event) != change.value):
        raise SequenceReused(change.sequence)
    return event


def _repeat(
    session: Session, assignment: str, event: Event, states: Mapping[str, ObjectState]
) -> ChangeResult:
    """The answer that the first request would have had, if it was a conflict that is still open."""
    if event.is_conflict:
        for conflict in conflicts_of(session, assignment, states):
            if conflict.event == event.number:
                return ChangeResult(
                    event.sequence,
                    event.number,
                    "conflict",
                    conflict.current,
                    conflict.current_value,
                )
    return ChangeResult(event.sequence, event.number, "repeated")


def _has_later(session: Session, assignment: str, client: str, change: Change) -> bool:
    """Whether a later change of the same object by the same client has overtaken this one."""
    later = session.scalar(
        select(Event.number).where(
            Event.assignment_id == assignment,
            Event.object == change.object,
            Event.client == client,
            Event.sequence > change.sequence,
        ).limit(1)
    )
    return later is not None


def _require_conflict(session: Session, assignment: str, change: Change) -> None:
    conflict = session.get(Event, change.resolves)
    if (
        conflict is None
        or not conflict.is_conflict
        or conflict.assignment_id != assignment
        or conflict.object != change.object
    ):
        raise ReadmarkError(f"sequence {change.sequence}: {change.resolves} is not a conflict of it")


# What the log adds up to.


def _value(event: Event | Row[Any]) -> Any:
    return msgspec.json.decode(event.value)


def states_of(
    session: Session, assignment: str, objects: Iterable[str] | None = None
) -> dict[str, ObjectState]:
    """The last state of every object that was ever touched, or of the ``objects`` named."""
    wanted = [Event.assignment_id == assignment, Event.is_conflict.is_(False)]
    if objects is not None:
        wanted.append(Event.object.in_(sorted(objects)))
    newest = select(func.max(Event.number)).where(*wanted).group_by(Event.object)
    rows = session.execute(
        select(Event.number, Event.object, Event.value, Event.client)
        .where(Event.number.in_(newest))
        .order_by(Event.number)
    )
    return {row.object: ObjectState(row.number, _value(row), row.client) for row in rows}


def objects_of(session: Session, assignment: str, proposals: Objects | None = None) -> Objects:
    """What a person has made of an item: the proposals that they started from, and the log."""
    objects = dict(proposals or {})
    for id, state in states_of(session, assignment).items():
        if state.value is None:
            objects.pop(id, None)
        else:
            objects[id] = state.value
    return objects


def conflicts_of(
    session: Session, assignment: str, states: Mapping[str, ObjectState] | None = None
) -> list[Conflict]:
    """The conflicts that nobody has settled, of each client only its last version of an object."""
    settled, later = aliased(Event), aliased(Event)
    rows = session.execute(
        select(Event.number, Event.object, Event.value, Event.base)
        .where(Event.assignment_id == assignment, Event.is_conflict)
        .where(
            ~select(settled.number)
            .where(settled.assignment_id == assignment, settled.resolves == Event.number)
            .exists()
        )
        .where(
            ~select(later.number)
            .where(
                later.assignment_id == assignment,
                later.object == Event.object,
                later.client == Event.client,
                later.sequence > Event.sequence,
                # Overtaken on its way, or replaced by a later version that is a conflict too.
                or_(later.number < Event.number, later.is_conflict),
            )
            .exists()
        )
        .order_by(Event.number)
    ).all()
    if not rows:
        return []
    if states is None or any(row.object not in states for row in rows):
        states = states_of(session, assignment, {row.object for row in rows})
    found = []
    for row in rows:
        state = states.get(row.object)
        current, value = (state.event, state.value) if state else (None, None)
        found.append(Conflict(row.number, row.object, _value(row), row.base, current, value))
    return found


def events_after(
    session: Session, assignment: str, after: int, limit: int = 1000
) -> list[Row[Any]]:
    """Changes of the state since an event, for other tabs and devices of the same person."""
    return list(
        session.execute(
            select(Event.number, Event.object, Event.value, Event.client)
            .where(
                Event.assignment_id == assignment,
                Event.number > after,
                Event.is_conflict.is_(False),
            )
            .order_by(Event.number)
            .limit(limit)
        )
    )


def last_event(session: Session, assignment: str) -> int:
    """The number of an assignment's last event; 0 if it has none."""
    newest = select(func.max(Event.number)).where(Event.assignment_id == assignment)
    return session.scalar(newest) or 0


def is_done(objects: Objects) -> bool:
    """Whether the person has handed the item in."""
    return bool(objects.get(STATUS, {}).get("done"))


def seconds_of(session: Session, project: str) -> dict[str, float]:
    """How long people worked, by assignment."""
    rows = session.execute(
        select(Event.assignment_id, func.sum(Event.seconds))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project)
        .group_by(Event.assignment_id)
    )
    return {assignment: float(seconds) for assignment, seconds in rows}


def done_in(session: Session, project: str) -> dict[str, float]:
    """When assignments were handed in, by assignment; those that are open are left out."""
    newest = (
        select(func.max(Event.number))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(
            and_(
                Assignment.project_id == project,
                Event.object == STATUS,
                Event.is_conflict.is_(False),
            )
        )
        .group_by(Event.assignment_id)
    )
    rows = session.execute(
        select(Event.assignment_id, Event.value, Event.received).where(Event.number.in_(newest))
    )
    return {
        row.assignment_id: row.received for row in rows if (_value(row) or {}).get("done") is True
    }
