"""Conflicts: changes of an object that another client had changed first.

Such a change is stored and changes nothing until somebody settles it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Select, and_, bindparam, func, select
from sqlalchemy.orm import Session, aliased

from readmark.server.changes import Change, ChangeRefused
from readmark.server.object_states import MOST_BYTES, ObjectState, event_value, object_states
from readmark.server.tables import Event

MOST_CONFLICTS = 200
"""Open conflicts of an assignment: people settle them one by one, and every page has them all."""


class Conflict(msgspec.Struct, frozen=True):
    """Two versions of an object: ``value`` was sent too late, ``current_value`` is the state."""

    event: int
    object: str
    value: Any
    base: int | None
    current: int | None
    current_value: Any


def _open_conflicts() -> Select[int, str, str, int | None]:
    """The conflicts that nobody has settled, of each client only its last version of an object.

    Only last versions are looked up among other events: to compare every conflict with every
    later one took minutes where there were thousands.
    """
    of_assignment = Event.assignment_id == bindparam("id")
    last = (
        select(Event.client, func.max(Event.sequence).label("sequence"))
        .where(of_assignment, Event.is_conflict)
        .group_by(Event.client, Event.object)
        .subquery()
    )
    settling, overtaking = aliased(Event), aliased(Event)
    is_settled = select(settling.number).where(
        settling.assignment_id == bindparam("id"), settling.resolves == Event.place
    )
    # It arrived after a later change of the same object by its own client.
    is_overtaken = select(overtaking.number).where(
        overtaking.assignment_id == bindparam("id"),
        overtaking.object == Event.object,
        overtaking.client == Event.client,
        overtaking.sequence > Event.sequence,
        overtaking.number < Event.number,
    )
    return (
        select(Event.place, Event.object, Event.value, Event.base)
        .join(last, and_(Event.client == last.c.client, Event.sequence == last.c.sequence))
        .where(of_assignment, ~is_settled.exists(), ~is_overtaken.exists())
    )


# Every save and every page runs some of these, so they are built once.
_OPEN_CONFLICTS = _open_conflicts()
_IN_ORDER = _OPEN_CONFLICTS.order_by(Event.number)
_COUNT = select(func.count()).select_from(_OPEN_CONFLICTS.subquery())
_PLACES = _OPEN_CONFLICTS.with_only_columns(Event.place)
_AT_PLACE = select(Event.object, Event.value, Event.is_conflict).where(
    Event.assignment_id == bindparam("id"), Event.place == bindparam("place")
)


def conflicts_of(
    session: Session, assignment: str, states: Mapping[str, ObjectState] | None = None
) -> list[Conflict]:
    """The conflicts that nobody has settled, of each client only its last version of an object.

    The first of them, if they have more than `MOST_BYTES`: others follow when those are settled.
    """
    rows = session.connection().execute(_IN_ORDER, {"id": assignment}).all()
    if not rows:
        return []
    if states is None or any(row.object not in states for row in rows):
        states = object_states(session, assignment, {row.object for row in rows})
    conflicts: list[Conflict] = []
    bytes_left = MOST_BYTES
    for row in rows:
        state = states.get(row.object)
        current, value = (state.event, state.value) if state else (None, None)
        bytes_left -= len(row.value) + len(msgspec.json.encode(value))
        if bytes_left < 0 and conflicts:
            break
        conflicts.append(
            Conflict(row.place, row.object, event_value(row), row.base, current, value)
        )
    return conflicts


def open_conflict_count(session: Session, assignment: str) -> int:
    """How many conflicts of an assignment nobody has settled."""
    return session.connection().execute(_COUNT, {"id": assignment}).scalar_one()


def open_conflict_places(session: Session, assignment: str) -> set[int]:
    """The events that are conflicts which nobody has settled."""
    return set(session.connection().execute(_PLACES, {"id": assignment}).scalars())


def overwrites_unseen(
    session: Session, assignment: str, client: str, change: Change, state: ObjectState | None
) -> bool:
    """Whether a change would overwrite something that its client has not seen."""
    if state is None or state.client == client or state.event == change.base:
        return False
    if state.value == change.value:
        return False
    if change.base is None:
        return True
    # The client has seen the present value if it is that of the event that it names.
    seen = _event_at(session, assignment, change.base)
    if seen is None or seen.object != change.object:
        return True
    return bool(event_value(seen) != state.value)


def require_conflict(session: Session, assignment: str, change: Change) -> None:
    """Refuse a change that settles something which is no conflict about its object."""
    if change.resolves is None:
        return
    event = _event_at(session, assignment, change.resolves)
    if event is None or not event.is_conflict or event.object != change.object:
        message = f"{change.resolves} is not a conflict about {change.object}"
        raise ChangeRefused(change.sequence, message)


def _event_at(session: Session, assignment: str, place: int) -> Any:
    parameters = {"id": assignment, "place": place}
    return session.connection().execute(_AT_PLACE, parameters).one_or_none()
