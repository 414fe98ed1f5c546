"""How much one assignment may store: conflicts, objects, and bytes of events and of objects."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from readmark.server.changes import Change, ChangeRefused
from readmark.server.conflicts import MOST_CONFLICTS
from readmark.server.handing_in import STATUS, is_done_value
from readmark.server.object_states import ObjectState

MOST_OBJECTS = 20_000
"""Objects of an assignment, removed ones included."""
LARGEST_STATE = 8 << 20
"""Bytes of an assignment's objects as they are: every page of it has them all."""
EVENT_BYTES = 200
"""What an event takes besides its value."""


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
    ) -> None:
        """Count a change, whose ``value`` becomes the object's ``state``, or does not."""
        self.stored_bytes += len(value) + EVENT_BYTES
        self.seconds += change.seconds
        if not is_state:
            return
        self.stored_objects += state is None
        replaced = 0 if state is None else len(msgspec.json.encode(state.value))
        self.object_bytes += len(value) - replaced
        if change.object == STATUS:
            self.handed_in = now if is_done_value(change.value) else None


def require_room(
    change: Change,
    limits: SaveLimits,
    before: StoredAmounts,
    after: StoredAmounts,
    conflicts: int,
) -> None:
    """Refuse a change with which there is more than there may be.

    ``conflicts`` are those of the request. Older halls may have more than is allowed: changes
    that add nothing to it are stored. Whoever has no room left can still hand in what there is.
    """
    if before.handed_in is None and after.handed_in is not None:
        return
    message = ""
    if conflicts and conflicts > limits.conflicts:
        message = f"{MOST_CONFLICTS} conflicts are open here: settle some of them first"
    elif after.stored_objects > max(limits.objects, before.stored_objects):
        message = f"an item has at most {limits.objects:,} objects, removed ones included"
    elif after.object_bytes > max(limits.state, before.object_bytes):
        message = f"the item's objects take more than {limits.state >> 20} MB: remove some first"
    elif after.stored_bytes > limits.bytes:
        message = f"the item's changes take more than {limits.bytes >> 20} MB: ask an organiser"
    if message:
        raise ChangeRefused(change.sequence, message)
