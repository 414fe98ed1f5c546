"""The event log: changes of the objects of an item are appended as events, and never changed.

Each change is stored once, however often it is sent. One that is based on an older state than the
present one, which another client has made, is stored as a conflict (`conflicts`). What the events
add up to is in `object_states`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from readmark.server.changes import Change, ChangeRefused, ChangeResult, ChangeStatus
from readmark.server.conflicts import (
    MOST_CONFLICTS,
    open_conflict_count,
    open_conflict_places,
    overwrites_unseen,
    require_conflict,
)
from readmark.server.database import Database
from readmark.server.handing_in import LOCKS, STATUS, WorkClosed, is_done_value, lock_of
from readmark.server.object_states import ObjectState, event_value, last_of, object_states
from readmark.server.save_limits import SaveLimits, StoredAmounts, require_room
from readmark.server.tables import Assignment, Event, HallTable, Project

BY_THE_HALL = "hall"
"""The client of events that an organiser causes; no other client can have so short a name."""

# Every save runs these. They are built once, which saves most of what a query costs.
_LOCKED = (
    select(Assignment.withdrawn, Assignment.locked, Assignment.ends, Project.is_open)
    .add_columns(Assignment.stored_bytes, Assignment.stored_objects, Assignment.object_bytes)
    .add_columns(Assignment.handed_in, Assignment.seconds)
    .join(Project, Project.id == Assignment.project_id)
    .where(Assignment.id == bindparam("id"))
    .with_for_update(of=Assignment, key_share=True)  # rows that name it can be stored meanwhile
)
_OF_CLIENT = (Event.assignment_id == bindparam("id"), Event.client == bindparam("client"))
_LAST_SEQUENCE = select(func.max(Event.sequence)).where(*_OF_CLIENT)
_SENT_BEFORE = select(Event.sequence, Event.place, Event.object, Event.value).where(
    *_OF_CLIENT, Event.sequence.in_(bindparam("sequences", expanding=True))
)
_LAST_SEQUENCES = (
    select(Event.object, func.max(Event.sequence).label("sequence"))
    .where(*_OF_CLIENT, Event.object.in_(bindparam("objects", expanding=True)))
    .group_by(Event.object)
)
_INSERT = insert(HallTable.metadata.tables["events"])
_ASSIGNMENTS = HallTable.metadata.tables["assignments"]
_GROW = (
    update(_ASSIGNMENTS)
    .where(_ASSIGNMENTS.c.id == bindparam("key"))
    .values({field.name: bindparam(field.name) for field in fields(StoredAmounts)})
)


def save_changes(
    database: Database,
    reader: Session,
    assignment: Assignment,
    client: str,
    changes: Sequence[Change],
    *,
    is_final: bool,
    most_bytes: int,
) -> tuple[list[ChangeResult], int]:
    """Store a person's changes as `append` does; what became of them, and the last event's place.

    Other writers of the hall wait for the transaction, on SQLite all of them: what it need not
    look up itself is looked up before and after it.
    """
    key = assignment.id
    with database.glancing(reader):
        conflicts = open_conflict_count(reader, key)
    with database.writing() as writer:
        results = append(
            writer,
            assignment,
            client,
            changes,
            is_final=is_final,
            limits=SaveLimits(MOST_CONFLICTS - conflicts, most_bytes),
        )
        last = max(result.event for result in results)
        if all(result.status != "saved" for result in results):  # perhaps none of them is new
            last = last_of(writer, key)
    if any(result.status == "repeated" for result in results):
        # A conflict that is still open is reported again: the first answer may have been lost.
        with database.glancing(reader):
            still_open = open_conflict_places(reader, key)
        results = [
            msgspec.structs.replace(result, status="conflict")
            if result.event in still_open
            else result
            for result in results
        ]
    return results, last


def append(
    session: Session,
    assignment: Assignment,
    client: str,
    changes: Sequence[Change],
    *,
    is_final: bool | None = None,
    by: str | None = None,
    limits: SaveLimits | None = None,
) -> list[ChangeResult]:
    """Store changes, each at most once, and say what became of them.

    The changes must have been checked with `check_object`. One transaction at a time appends to
    an assignment: its numbers are in the order in which they are committed. Where the work is
    locked, or ``is_final`` and handed in, nothing new is stored, but changes that were are
    acknowledged again. Without ``is_final`` locks are ignored: an organiser imports or reopens.
    ``by`` is the person who makes the changes, if it is not the assignment's own. A change that
    is beyond ``limits`` is refused, and with it all of them.
    """
    key, now = assignment.id, time.time()
    row = _wait_for(session, key)
    sent_before = _sent_before(session, key, client, changes)
    states = object_states(session, key, {STATUS, *(change.object for change in changes)})
    is_done = STATUS in states and is_done_value(states[STATUS].value)
    lock = None
    if is_final is not None:
        lock = lock_of(row, is_final=is_final, is_done=is_done, now=now)
    place = last_of(session, key)
    amounts = StoredAmounts(
        row.stored_bytes, row.stored_objects, row.object_bytes, row.handed_in, row.seconds
    )
    results: list[ChangeResult] = []
    conflicts = 0
    for change in sorted(changes, key=lambda change: change.sequence):
        state = states.get(change.object)
        if (earlier_place := sent_before.place_of(change)) is not None:
            results.append(_result(change.sequence, earlier_place, "repeated", state))
            continue
        if lock is not None:
            raise WorkClosed(409, lock, LOCKS[lock])
        require_conflict(session, key, change)
        is_overtaken = sent_before.has_overtaken(change)
        is_conflict = not is_overtaken and overwrites_unseen(session, key, client, change, state)
        conflicts += is_conflict
        is_state = not (is_conflict or is_overtaken)
        value = msgspec.json.encode(change.value)
        before = replace(amounts)  # a copy: what follows changes the amounts
        amounts.add(change, value, state, is_state=is_state, now=now)
        if limits is not None:
            require_room(change, limits, before, amounts, conflicts)
        place += 1
        event = {
            "assignment_id": key,
            "place": place,
            "person_id": by or assignment.person_id,
            "client": client,
            "sequence": change.sequence,
            "object": change.object,
            "value": value.decode(),
            "base": change.base,
            "is_conflict": not is_state,
            "resolves": change.resolves,
            "seconds": change.seconds,
            "received": now,
        }
        session.connection().execute(_INSERT, event)
        sent_before.add(change, place)
        if is_state:
            states[change.object] = ObjectState(place, change.value, client)
        status: ChangeStatus = "conflict" if is_conflict else "saved"
        results.append(_result(change.sequence, place, status, states.get(change.object)))
    if amounts.stored_bytes > row.stored_bytes:
        session.connection().execute(_GROW, {"key": key, **asdict(amounts)})
    return results


def last_sequence(session: Session, assignment: str, client: str) -> int:
    """The number of a client's last change of an assignment; 0 if it has sent none."""
    parameters = {"id": assignment, "client": client}
    return session.connection().execute(_LAST_SEQUENCE, parameters).scalar() or 0


def _wait_for(session: Session, assignment: str) -> Any:
    """Wait for other writers of the assignment, and refuse where nobody writes any more."""
    row = session.connection().execute(_LOCKED, {"id": assignment}).one_or_none()
    if row is None or row.withdrawn is not None:  # a row that is gone was a pupil's
        raise WorkClosed(410, "withdrawn", "This work was withdrawn. Nothing more is saved.")
    if not row.is_open:
        raise WorkClosed(409, "closed", "The project is closed. Nothing more is saved.")
    return row


@dataclass
class _SentBefore:
    """What a client has sent before, of the sequences and objects of the changes in hand."""

    changes: dict[int, tuple[int, str, Any]]
    """Place, object and value of each change, by its sequence."""
    last_sequences: dict[str, int]
    """The client's last change of each object that a change arrives late for."""

    def place_of(self, change: Change) -> int | None:
        """Where the change is in the log already; refused if another one has its sequence."""
        if change.sequence not in self.changes:
            return None
        place, *content = self.changes[change.sequence]
        if content != [change.object, change.value]:
            message = f"the client has used the sequence {change.sequence} for another change"
            raise ChangeRefused(change.sequence, message)
        return place

    def has_overtaken(self, change: Change) -> bool:
        """Whether a later change of the same object has arrived first."""
        return self.last_sequences.get(change.object, 0) > change.sequence

    def add(self, change: Change, place: int) -> None:
        """Remember a change that is stored now: the same request may have it twice."""
        self.changes[change.sequence] = (place, change.object, change.value)


def _sent_before(
    session: Session, assignment: str, client: str, changes: Sequence[Change]
) -> _SentBefore:
    last = last_sequence(session, assignment, client)
    late = [change for change in changes if change.sequence <= last]
    if not late:  # as nearly always: this spares two queries
        return _SentBefore({}, {})
    connection, parameters = session.connection(), {"id": assignment, "client": client}
    sequences = sorted({change.sequence for change in late})
    stored = {
        row.sequence: (row.place, row.object, event_value(row))
        for row in connection.execute(_SENT_BEFORE, {**parameters, "sequences": sequences})
    }
    objects = sorted({change.object for change in late if change.sequence not in stored})
    rows = connection.execute(_LAST_SEQUENCES, {**parameters, "objects": objects})
    return _SentBefore(stored, {row.object: row.sequence for row in rows})


def _result(
    sequence: int, event: int, status: ChangeStatus, state: ObjectState | None
) -> ChangeResult:
    if state is None or state.event == event:
        return ChangeResult(sequence, event, status)
    return ChangeResult(sequence, event, status, state.event, state.value)
