"""The state of each object of an item: its last event that is no conflict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, bindparam, func, select
from sqlalchemy.orm import Session

from readmark.server.tables import Assignment, Event
from readmark.server.views import OpenItem, open_items
from readmark.works import Objects

MOST_EVENTS = 1000
"""Events in one answer."""
MOST_BYTES = 1 << 20
"""Bytes of their values in one answer, and of those of its conflicts: it may have one that is
larger. Sixty answers with all that was ever stored kept everybody else waiting for seconds."""
_EVENTS_A_QUERY = 50  # few: an answer may have no room for most of them
_IDS_A_QUERY = 500


@dataclass(frozen=True)
class ObjectState:
    """An object as the log has it; ``value`` is None if it was removed."""

    event: int
    value: Any
    client: str


def event_value(event: Any) -> Any:
    """The object that a row of the log has as JSON."""
    return msgspec.json.decode(event.value)


def _newest(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The numbers of the events that are the state of an object each."""
    return (
        select(func.max(Event.number))
        .where(*conditions, Event.is_conflict.is_(False))
        .group_by(Event.assignment_id, Event.object)
    )


# Every save runs these. They are built once, which saves most of what a query costs.
_OF_ASSIGNMENT = Event.assignment_id == bindparam("id")
_OF_OBJECTS = Event.object.in_(bindparam("objects", expanding=True))
_STATES = select(Event.place, Event.object, Event.value, Event.client).order_by(Event.number)
_ALL_STATES = _STATES.where(Event.number.in_(_newest(_OF_ASSIGNMENT)))
_NAMED_STATES = _STATES.where(Event.number.in_(_newest(_OF_ASSIGNMENT, _OF_OBJECTS)))
_LAST_PLACE = select(func.max(Event.place)).where(_OF_ASSIGNMENT)


def object_states(
    session: Session, assignment: str, objects: Iterable[str] | None = None
) -> dict[str, ObjectState]:
    """The last state of every object that was ever touched, or of the ``objects`` named."""
    if objects is None:
        rows = session.connection().execute(_ALL_STATES, {"id": assignment})
    else:
        parameters = {"id": assignment, "objects": sorted(objects)}
        rows = session.connection().execute(_NAMED_STATES, parameters)
    return {row.object: ObjectState(row.place, event_value(row), row.client) for row in rows}


def state_with(proposals: Objects, states: Mapping[str, ObjectState]) -> Objects:
    """Proposals as the log has changed them."""
    objects = dict(proposals)
    for id, state in states.items():
        _apply(objects, id, state.value)
    return objects


def _apply(objects: dict[str, Mapping[str, Any]], id: str, value: Any) -> None:
    if value is None:
        objects.pop(id, None)
    else:
        objects[id] = value


def states_of(session: Session, assignments: Sequence[str]) -> Mapping[str, Objects]:
    """What people have made of items, by assignment; those without any event are left out.

    An untouched proposal counts: whoever began an item has seen it, and can remove it.
    """
    states: dict[str, dict[str, Mapping[str, Any]]] = {}
    for start in range(0, len(assignments), _IDS_A_QUERY):
        batch = assignments[start : start + _IDS_A_QUERY]
        rows = session.execute(
            select(Assignment.id, Assignment.project_id, Assignment.item_id, Event.object)
            .add_columns(Event.value)
            .join(Event, Event.assignment_id == Assignment.id)
            .where(Event.number.in_(_newest(Event.assignment_id.in_(batch))))
            .order_by(Event.number)
        ).all()
        opened: dict[str, OpenItem] = {}
        for project in {row.project_id for row in rows}:
            items = {row.item_id for row in rows if row.project_id == project}
            opened |= open_items(session, project, items)
        for row in rows:
            if row.id not in states:
                states[row.id] = dict(opened[row.item_id].view.objects)
            _apply(states[row.id], row.object, event_value(row))
    return states


def objects_of(session: Session, assignment: str) -> Objects:
    """What a person has made of an item; nothing if they have not begun."""
    return states_of(session, [assignment]).get(assignment, {})


def last_of(session: Session, assignment: str) -> int:
    """The place of an assignment's last event; 0 if it has none."""
    return session.connection().execute(_LAST_PLACE, {"id": assignment}).scalar() or 0


def events_after(session: Session, assignment: str, after: int) -> tuple[list[Any], bool]:
    """Changes of the state since an event, for other tabs and devices of the same person.

    With whether these are all: there are at most `MOST_EVENTS`, with `MOST_BYTES` in all.
    """
    events: list[Any] = []
    bytes_left = MOST_BYTES
    while len(events) < MOST_EVENTS:
        rows = session.execute(
            select(Event.place, Event.object, Event.value, Event.client)
            .where(
                Event.assignment_id == assignment,
                Event.place > (events[-1].place if events else after),
                Event.is_conflict.is_(False),
            )
            .order_by(Event.place)
            .limit(_EVENTS_A_QUERY)
        ).all()
        for row in rows:
            bytes_left -= len(row.value)
            if bytes_left < 0 and events:
                return events, False
            events.append(row)
        if len(rows) < _EVENTS_A_QUERY:
            return events, True
    return events, False
