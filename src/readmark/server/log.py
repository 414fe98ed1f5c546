"""The event log: what people did to the objects of an item, and what that adds up to.

Events are appended and never changed. The state of an object is its last event that is no
conflict. A change that is based on an older state than the present one, which another client has
made, is stored as a conflict: it changes nothing until somebody settles it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Select, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.orm import Session, aliased

from readmark.core.errors import ReadmarkError
from readmark.core.test import Header
from readmark.formats.people_names import folded_name, is_file_name
from readmark.server.database import Database
from readmark.server.tables import (
    Assignment,
    Classroom,
    Event,
    HallTable,
    Item,
    Membership,
    Person,
    Project,
    ProjectFile,
)
from readmark.server.views import OpenItem, item_of, newest_configuration, open_items
from readmark.works import Objects, PersonsWork, ProjectWork

MOST_CHANGES = 200
"""Changes in one request."""
MOST_EVENTS = 1000
"""Events in one answer."""
MOST_BYTES = 1 << 20
"""Bytes of their values in one answer, and of those of its conflicts: it may have one that is
larger. Sixty answers with all that was ever stored kept everybody else waiting for seconds."""
MOST_CONFLICTS = 200
"""Open conflicts of an assignment: people settle them one by one, and every page has them all."""
MOST_OBJECTS = 20_000
"""Objects of an assignment, removed ones included."""
LARGEST_STATE = 8 << 20
"""Bytes of an assignment's objects as they are: every page of it has them all."""
EVENT_BYTES = 200
"""What an event takes besides its value."""
_MOST_IDS = 500
"""Ids in one query."""
_FEW_EVENTS = 50
"""Events in one query, of which an answer may have to leave most out."""
LONGEST_PAUSE = 3600.0
"""Seconds of work that one change can stand for."""
STATUS = "status"
"""The id of the object that says whether an item is handed in."""

Sequence32 = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
EventPlace = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
ClientId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9-]{8,40}$")]


Status = Literal["saved", "repeated", "conflict"]


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client's change of an object. ``base`` is the event that the client saw as its last.

    Here and in what clients are told, an event is its place in the assignment.
    """

    sequence: Sequence32
    object: str
    value: dict[str, Any] | None
    base: EventPlace | None = None
    resolves: EventPlace | None = None
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)] = 0.0


class ChangeResult(msgspec.Struct, frozen=True):
    """What became of a change. ``current`` is what the object is instead, if it is not this."""

    sequence: int
    event: int
    status: Status
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


@dataclass(frozen=True)
class StoredChange:
    """A change that is in the log already: the place of its event, and what it was."""

    place: int
    object: str
    value: Any


@dataclass(frozen=True)
class SaveLimits:
    """How much of an assignment a person's changes may store; an organiser's are not limited."""

    conflicts: int
    """Changes that would be further conflicts."""
    bytes: int
    """Of all events of the assignment."""
    objects: int = MOST_OBJECTS
    """Of the assignment, removed ones included."""
    state: int = LARGEST_STATE
    """Bytes of the objects as they are, for changes that make them larger."""


@dataclass
class StoredAmounts:
    """What an assignment's row says of its events, as changes add to it."""

    stored_bytes: int
    stored_objects: int
    object_bytes: int
    handed_in: float | None
    seconds: float

    def add(
        self, change: Change, value: bytes, state: ObjectState | None, *, is_state: bool, now: float
    ) -> int:
        """Count a change of a state, or one that does not become it; by how much objects grow."""
        self.stored_bytes += len(value) + EVENT_BYTES
        self.seconds += change.seconds
        if not is_state:
            return 0
        self.stored_objects += state is None
        growth = len(value) - (0 if state is None else len(msgspec.json.encode(state.value)))
        self.object_bytes += growth
        if change.object == STATUS:
            self.handed_in = now if is_done_value(change.value) else None
        return growth


LOCKS = {
    "handed_in": "This was handed in for good. An organiser can open it again.",
    "disputed": "This is being adjudicated. Nothing more is saved.",
    "time_over": "The time is over. Nothing more is saved.",
}
"""Why somebody's own work can be read and not changed."""
BY_THE_HALL = "hall"
"""The client of events that an organiser causes; no other client can have so short a name."""


class WorkClosed(ReadmarkError):
    """Nothing more can be saved here: 409, or 410 if it was withdrawn.

    ``reason`` is ``closed``, ``withdrawn`` or one of `LOCKS`.
    """

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class ChangeRefused(ReadmarkError):
    """A change that contradicts the log: ``sequence`` says which."""

    def __init__(self, sequence: int, message: str) -> None:
        super().__init__(message)
        self.sequence = sequence


def _newest(*wanted: ColumnElement[bool]) -> Select[Any]:
    """The numbers of the events that are the state of an object each."""
    return (
        select(func.max(Event.number))
        .where(*wanted, Event.is_conflict.is_(False))
        .group_by(Event.assignment_id, Event.object)
    )


_LOCKED = (
    select(Assignment.withdrawn, Assignment.locked, Assignment.ends, Project.is_open)
    .add_columns(Assignment.stored_bytes, Assignment.stored_objects, Assignment.object_bytes)
    .add_columns(Assignment.handed_in, Assignment.seconds)
    .join(Project, Project.id == Assignment.project_id)
    .where(Assignment.id == bindparam("id"))
    .with_for_update(of=Assignment, key_share=True)
)
_NEWEST_SEQUENCE = select(func.max(Event.sequence)).where(
    Event.assignment_id == bindparam("id"), Event.client == bindparam("client")
)
_STORED = select(Event.sequence, Event.place, Event.object, Event.value).where(
    Event.assignment_id == bindparam("id"),
    Event.client == bindparam("client"),
    Event.sequence.in_(bindparam("sequences", expanding=True)),
)
_LAST_SEQUENCES = (
    select(Event.object, func.max(Event.sequence).label("sequence"))
    .where(
        Event.assignment_id == bindparam("id"),
        Event.client == bindparam("client"),
        Event.object.in_(bindparam("objects", expanding=True)),
    )
    .group_by(Event.object)
)
_INSERT = insert(HallTable.metadata.tables["events"])
_ASSIGNMENTS = HallTable.metadata.tables["assignments"]
_GROW = (
    update(_ASSIGNMENTS)
    .where(_ASSIGNMENTS.c.id == bindparam("key"))
    .values({field.name: bindparam(field.name) for field in fields(StoredAmounts)})
)
_OWN = Event.assignment_id == bindparam("id")
_LAST_PLACE = select(func.max(Event.place)).where(_OWN)
_AT_PLACE = select(Event.object, Event.value, Event.is_conflict).where(
    _OWN, Event.place == bindparam("place")
)
_NAMED = Event.object.in_(bindparam("objects", expanding=True))
_STATE = select(Event.place, Event.object, Event.value, Event.client).order_by(Event.number)
_STATES = _STATE.where(Event.number.in_(_newest(_OWN)))
_SOME_STATES = _STATE.where(Event.number.in_(_newest(_OWN, _NAMED)))


def _open_conflicts() -> Select[int, str, str, int | None]:
    """The conflicts that nobody has settled, of each client only its last version of an object.

    Only last versions are looked up among other events: to compare every conflict with every
    later one took minutes where there were thousands.
    """
    last = (
        select(Event.client, func.max(Event.sequence).label("sequence"))
        .where(_OWN, Event.is_conflict)
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
        .where(_OWN, ~is_settled.exists(), ~is_overtaken.exists())
    )


_OPEN_CONFLICTS = _open_conflicts()
_CONFLICTS = _OPEN_CONFLICTS.order_by(Event.number)
_CONFLICT_COUNT = select(func.count()).select_from(_OPEN_CONFLICTS.subquery())
_CONFLICT_PLACES = _OPEN_CONFLICTS.with_only_columns(Event.place)


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
        conflicts = reader.connection().execute(_CONFLICT_COUNT, {"id": key}).scalar_one()
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
            still_open = set(reader.connection().execute(_CONFLICT_PLACES, {"id": key}).scalars())
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
    newest = session.connection().execute(_NEWEST_SEQUENCE, {"id": key, "client": client}).scalar()
    states = object_states(session, key, {STATUS, *(change.object for change in changes)})
    is_done = STATUS in states and is_done_value(states[STATUS].value)
    lock = None
    if is_final is not None:
        lock = lock_of(row, is_final=is_final, is_done=is_done, now=now)
    stored: dict[int, StoredChange] = {}
    last_sequences: dict[str, int] = {}
    """Of each object that changes arrive late for: the client's last change that is stored."""
    late = [change for change in changes if newest is not None and change.sequence <= newest]
    if late:
        stored = _stored(session, key, client, late)
        named = {change.object for change in late if change.sequence not in stored}
        last_sequences = _last_sequences(session, key, client, named)
    place = last_of(session, key)
    results, conflicts = [], 0
    amounts = StoredAmounts(
        row.stored_bytes, row.stored_objects, row.object_bytes, row.handed_in, row.seconds
    )
    for change in sorted(changes, key=lambda change: change.sequence):
        if change.sequence in stored:
            earlier = stored[change.sequence]
            if (earlier.object, earlier.value) != (change.object, change.value):
                message = f"the client has used the sequence {change.sequence} for another change"
                raise ChangeRefused(change.sequence, message)
            state = states.get(change.object)
            results.append(_result(change.sequence, earlier.place, "repeated", state))
            continue
        if lock is not None:
            raise WorkClosed(409, lock, LOCKS[lock])
        if change.resolves is not None:
            _require_conflict(session, key, change)
        state = states.get(change.object)
        is_late = last_sequences.get(change.object, 0) > change.sequence
        is_conflict = not is_late and _is_conflict(session, key, client, change, state)
        value = msgspec.json.encode(change.value)
        conflicts += is_conflict
        is_state = not (is_conflict or is_late)
        # Whoever has no room left can still hand in what there is.
        is_handing_in = is_state and change.object == STATUS and amounts.handed_in is None
        objects = amounts.stored_objects
        growth = amounts.add(change, value, state, is_state=is_state, now=now)
        is_new = amounts.stored_objects > objects
        is_handing_in &= amounts.handed_in is not None
        if limits is not None and not is_handing_in:
            _require_room(change, limits, amounts, conflicts, growth, is_new=is_new)
        place += 1
        _insert(session, assignment, client, change, place, value, not is_state, now, by)
        stored[change.sequence] = StoredChange(place, change.object, change.value)
        if is_state:
            states[change.object] = ObjectState(place, change.value, client)
        status: Status = "conflict" if is_conflict else "saved"
        results.append(_result(change.sequence, place, status, states.get(change.object)))
    if amounts.stored_bytes > row.stored_bytes:
        session.connection().execute(_GROW, {"key": key, **asdict(amounts)})
    return results


def _require_room(
    change: Change,
    limits: SaveLimits,
    amounts: StoredAmounts,
    conflicts: int,
    growth: int,
    *,
    is_new: bool,
) -> None:
    """Refuse a change with which there is more than there may be.

    Older halls may have more than is allowed: changes that add nothing to it are stored.
    """
    message = ""
    if conflicts and conflicts > limits.conflicts:
        message = f"{MOST_CONFLICTS} conflicts are open here: settle some of them first"
    elif amounts.stored_objects > limits.objects and is_new:
        message = f"an item has at most {limits.objects:,} objects, removed ones included"
    elif amounts.object_bytes > limits.state and growth > 0:
        message = f"the item's objects take more than {limits.state >> 20} MB: remove some first"
    elif amounts.stored_bytes > limits.bytes:
        message = f"the item's changes take more than {limits.bytes >> 20} MB: ask an organiser"
    if message:
        raise ChangeRefused(change.sequence, message)


def _wait_for(session: Session, assignment: str) -> Any:
    """Wait for other writers of the assignment, and refuse where nobody writes any more."""
    row = session.connection().execute(_LOCKED, {"id": assignment}).one_or_none()
    if row is None or row.withdrawn is not None:  # pupils' work is deleted on a day
        raise WorkClosed(410, "withdrawn", "This work was withdrawn. Nothing more is saved.")
    if not row.is_open:
        raise WorkClosed(409, "closed", "The project is closed. Nothing more is saved.")
    return row


def lock_of(assignment: Any, *, is_final: bool, is_done: bool, now: float) -> str | None:
    """Why the person can no longer change an assignment, as a name in `LOCKS`; None if they can.

    ``assignment`` is a row with ``locked`` and ``ends``. To lock work, set either.
    """
    if assignment.locked is not None:
        return str(assignment.locked)
    if assignment.ends is not None and assignment.ends < now:
        return "time_over"
    return "handed_in" if is_final and is_done else None


def is_final(opened: OpenItem) -> bool:
    """Whether an item stays handed in until an organiser opens it again."""
    if opened.purpose == "work":
        return opened.configuration.project.is_final
    return opened.purpose == "qualifying"


def _insert(
    session: Session,
    assignment: Assignment,
    client: str,
    change: Change,
    place: int,
    value: bytes,
    is_conflict: bool,
    now: float,
    by: str | None,
) -> None:
    row = {
        "assignment_id": assignment.id,
        "place": place,
        "person_id": by or assignment.person_id,
        "client": client,
        "sequence": change.sequence,
        "object": change.object,
        "value": value.decode(),
        "base": change.base,
        "is_conflict": is_conflict,
        "resolves": change.resolves,
        "seconds": change.seconds,
        "received": now,
    }
    session.connection().execute(_INSERT, row)


def _is_conflict(
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
    return bool(_value(seen) != state.value)


def _event_at(session: Session, assignment: str, place: int) -> Any:
    named = {"id": assignment, "place": place}
    return session.connection().execute(_AT_PLACE, named).one_or_none()


def _stored(
    session: Session, assignment: str, client: str, changes: Iterable[Change]
) -> dict[int, StoredChange]:
    """What changes were stored as when they were sent before, by their sequences."""
    sequences = sorted({change.sequence for change in changes})
    named = {"id": assignment, "client": client, "sequences": sequences}
    rows = session.connection().execute(_STORED, named)
    return {row.sequence: StoredChange(row.place, row.object, _value(row)) for row in rows}


def _last_sequences(
    session: Session, assignment: str, client: str, objects: Iterable[str]
) -> dict[str, int]:
    """The client's last change of each object, which may have overtaken an earlier one."""
    named = {"id": assignment, "client": client, "objects": sorted(objects)}
    rows = session.connection().execute(_LAST_SEQUENCES, named)
    return {row.object: row.sequence for row in rows}


def _result(sequence: int, event: int, status: Status, state: ObjectState | None) -> ChangeResult:
    if state is None or state.event == event:
        return ChangeResult(sequence, event, status)
    return ChangeResult(sequence, event, status, state.event, state.value)


def _require_conflict(session: Session, assignment: str, change: Change) -> None:
    assert change.resolves is not None
    conflict = _event_at(session, assignment, change.resolves)
    if conflict is None or not conflict.is_conflict or conflict.object != change.object:
        message = f"{change.resolves} is not a conflict about {change.object}"
        raise ChangeRefused(change.sequence, message)


# What the log adds up to.


def _value(event: Any) -> Any:
    return msgspec.json.decode(event.value)


def object_states(
    session: Session, assignment: str, objects: Iterable[str] | None = None
) -> dict[str, ObjectState]:
    """The last state of every object that was ever touched, or of the ``objects`` named."""
    if objects is None:
        rows = session.connection().execute(_STATES, {"id": assignment})
    else:
        named = {"id": assignment, "objects": sorted(objects)}
        rows = session.connection().execute(_SOME_STATES, named)
    return {row.object: ObjectState(row.place, _value(row), row.client) for row in rows}


def states_of(session: Session, assignments: Sequence[str]) -> Mapping[str, Objects]:
    """What people have made of items, by assignment; those without any event are left out.

    An untouched proposal counts: whoever began an item has seen it, and can remove it.
    """
    states: dict[str, dict[str, Mapping[str, Any]]] = {}
    for start in range(0, len(assignments), _MOST_IDS):
        some = assignments[start : start + _MOST_IDS]
        rows = session.execute(
            select(Assignment.id, Assignment.project_id, Assignment.item_id, Event.object)
            .add_columns(Event.value)
            .join(Event, Event.assignment_id == Assignment.id)
            .where(Event.number.in_(_newest(Event.assignment_id.in_(some))))
            .order_by(Event.number)
        ).all()
        opened: dict[str, OpenItem] = {}
        for project in {row.project_id for row in rows}:
            items = {row.item_id for row in rows if row.project_id == project}
            opened |= open_items(session, project, items)
        for row in rows:
            if row.id not in states:
                states[row.id] = dict(opened[row.item_id].view.objects)
            _apply(states[row.id], row.object, _value(row))
    return states


def objects_of(session: Session, assignment: str) -> Objects:
    """What a person has made of an item; nothing if they have not begun."""
    return states_of(session, [assignment]).get(assignment, {})


def _apply(objects: dict[str, Mapping[str, Any]], id: str, value: Any) -> None:
    if value is None:
        objects.pop(id, None)
    else:
        objects[id] = value


def state_with(proposals: Objects, states: Mapping[str, ObjectState]) -> Objects:
    """Proposals as the log has changed them."""
    objects = dict(proposals)
    for id, state in states.items():
        _apply(objects, id, state.value)
    return objects


def conflicts_of(
    session: Session, assignment: str, states: Mapping[str, ObjectState] | None = None
) -> list[Conflict]:
    """The conflicts that nobody has settled, of each client only its last version of an object.

    The first of them, if they have more than `MOST_BYTES`: others follow when those are settled.
    """
    rows = session.connection().execute(_CONFLICTS, {"id": assignment}).all()
    if not rows:
        return []
    if states is None or any(row.object not in states for row in rows):
        states = object_states(session, assignment, {row.object for row in rows})
    found: list[Conflict] = []
    left = MOST_BYTES
    for row in rows:
        state = states.get(row.object)
        current, value = (state.event, state.value) if state else (None, None)
        left -= len(row.value) + len(msgspec.json.encode(value))
        if left < 0 and found:
            break
        found.append(Conflict(row.place, row.object, _value(row), row.base, current, value))
    return found


def events_after(session: Session, assignment: str, after: int) -> tuple[list[Any], bool]:
    """Changes of the state since an event, for other tabs and devices of the same person.

    With whether these are all: there are at most `MOST_EVENTS`, with `MOST_BYTES` in all.
    """
    events: list[Any] = []
    left = MOST_BYTES
    while len(events) < MOST_EVENTS:
        rows = session.execute(
            select(Event.place, Event.object, Event.value, Event.client)
            .where(
                Event.assignment_id == assignment,
                Event.place > (events[-1].place if events else after),
                Event.is_conflict.is_(False),
            )
            .order_by(Event.place)
            .limit(_FEW_EVENTS)
        ).all()
        for row in rows:
            left -= len(row.value)
            if left < 0 and events:
                return events, False
            events.append(row)
        if len(rows) < _FEW_EVENTS:
            return events, True
    return events, False


def last_of(session: Session, assignment: str) -> int:
    """The place of an assignment's last event; 0 if it has none."""
    return session.connection().execute(_LAST_PLACE, {"id": assignment}).scalar() or 0


def is_done(objects: Objects) -> bool:
    """Whether the person has handed the item in."""
    return is_done_value(objects.get(STATUS))


def is_done_value(status: Mapping[str, Any] | None) -> bool:
    """Whether a value of the status says so."""
    return bool((status or {}).get("done"))


def object_seconds_of(session: Session, project: str) -> dict[str, dict[str, float]]:
    """How long people worked until objects were changed, by assignment and object."""
    rows = session.execute(
        select(Event.assignment_id, Event.object, func.sum(Event.seconds))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project)
        .group_by(Event.assignment_id, Event.object)
    )
    found: dict[str, dict[str, float]] = {}
    for assignment, object, seconds in rows:
        found.setdefault(assignment, {})[object] = float(seconds)
    return found


def done_in(
    session: Session, project: str | None = None, *, person: str | None = None
) -> dict[str, float]:
    """When a project's or a person's assignments were handed in; open ones are left out."""
    query = select(Assignment.id, Assignment.handed_in).where(Assignment.handed_in.is_not(None))
    if project is not None:
        query = query.where(Assignment.project_id == project)
    if person is not None:
        query = query.where(Assignment.person_id == person)
    return {row.id: row.handed_in for row in session.execute(query)}


def last_event(session: Session, project: str) -> int:
    """The number of a project's last event, or of a class's deletion after it; 0 for neither."""
    own = select(Assignment.id).where(Assignment.project_id == project)
    last = session.scalar(select(func.max(Event.number)).where(Event.assignment_id.in_(own)))
    return max(last or 0, last_erasure(session, project))


def last_erasure(session: Session, project: str) -> int:
    """The number that a class's deletion has among a project's events; 0 if there was none."""
    erased = select(func.max(Classroom.erased_event)).where(Classroom.project_id == project)
    return session.scalar(erased) or 0


def work_of_project(session: Session, project: str, purpose: str = "work") -> ProjectWork:
    """Everybody's work on a project's items of a purpose, without withdrawn assignments."""
    row = session.get(Project, project)
    assert row is not None
    items = {
        item.id: item_of(item)
        for item in session.scalars(
            select(Item)
            .where(Item.project_id == project, Item.purpose == purpose)
            .order_by(Item.position)
        )
    }
    assignments = session.execute(
        select(Assignment.id, Assignment.item_id, Assignment.person_id)
        .where(Assignment.project_id == project, Assignment.withdrawn.is_(None))
        .order_by(Assignment.item_id, Assignment.id)  # so that each item is opened once
    ).all()
    held = [assignment for assignment in assignments if assignment.item_id in items]
    states = states_of(session, [assignment.id for assignment in held])
    by_object = object_seconds_of(session, project)
    seconds = {id: sum(spent.values()) for id, spent in by_object.items()}
    by_person: dict[str, dict[str, str]] = {}
    for assignment in held:
        names = by_person.setdefault(assignment.person_id, {})
        names[items[assignment.item_id].name] = assignment.id
    roles: dict[str, set[str]] = {}
    for person_id, role in session.execute(
        select(Membership.person_id, Membership.role).where(Membership.project_id == project)
    ):
        roles.setdefault(person_id, set()).add(role)
    works = []
    for label, person in sorted(people_by_label(session, project).items()):
        if person.id not in by_person:
            continue
        own = by_person[person.id]
        objects = {name: states[id] for name, id in own.items() if id in states}
        works.append(
            PersonsWork(
                label,
                objects,
                {name: seconds[id] for name, id in own.items() if id in seconds},
                frozenset(name for name in objects if is_done(objects[name])),
                person.login,
                frozenset(roles.get(person.id, ())),
                object_seconds={name: by_object[id] for name, id in own.items() if id in by_object},
            )
        )
    headers = msgspec.json.decode(row.headers, type=tuple[Header, ...])
    configuration = newest_configuration(session, project)
    numbers = _numbers(session, project, {id: item.name for id, item in items.items()})
    files = files_of(session, project)
    return ProjectWork(configuration, headers, list(items.values()), works, numbers, files)


def _numbers(session: Session, project: str, names: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """In which order the objects of each item were begun, by whomever, also removed ones."""
    first = (
        select(Assignment.item_id, Event.object)
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project, Event.object.not_in([STATUS, "note"]))
        .group_by(Assignment.item_id, Event.object)
        .order_by(func.min(Event.number))
    )
    numbers: dict[str, dict[str, int]] = {}
    for item, object in session.execute(first):
        if item in names:
            own = numbers.setdefault(names[item], {})
            own[object] = len(own) + 1
    return numbers


def files_of(session: Session, project: str) -> dict[str, bytes]:
    """A project's files by their paths in an export: its task, materials of it, and sittings."""
    roles = ("task", "materials", "sitting")
    rows = session.execute(
        select(ProjectFile.role, ProjectFile.name, ProjectFile.content)
        .where(ProjectFile.project_id == project, ProjectFile.role.in_(roles))
        .order_by(ProjectFile.number)
    )
    return {
        f"sittings/{name}" if role == "sitting" else name: content for role, name, content in rows
    }


def people_by_label(session: Session, project: str) -> dict[str, Person]:
    """The people of a project, and those who left work in it, by what files call them.

    That is the name; where several have it, or one that is the same file, the login, or else the
    name and a number. No two labels are one name.
    """
    members = select(Membership.person_id).where(Membership.project_id == project)
    holders = select(Assignment.person_id).where(Assignment.project_id == project)
    people = session.scalars(
        select(Person)
        .where(or_(Person.id.in_(members), Person.id.in_(holders)))
        .order_by(Person.created, Person.id)
    ).all()
    counts = Counter(folded_name(person.name) for person in people)
    labels = {person.name: person for person in people if counts[folded_name(person.name)] == 1}
    used = {*counts}
    for person in people:
        if counts[folded_name(person.name)] == 1:
            continue
        numbered = (f"{person.name[:90]} ({number})" for number in range(2, len(people) + 3))
        for label in (person.login, *numbered):
            if folded_name(label) not in used and is_file_name(label):
                labels[label] = person
                used.add(folded_name(label))
                break
    return labels
