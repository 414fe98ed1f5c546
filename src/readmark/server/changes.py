"""Changes of an item's objects, as clients send them, and what they are told of each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from readmark.core.errors import ReadmarkError

MOST_CHANGES = 200
"""Changes in one request."""
LONGEST_PAUSE = 3600.0
"""Seconds of work that one change can stand for."""

Sequence32 = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
EventPlace = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
ClientId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9-]{8,40}$")]
ChangeStatus = Literal["saved", "repeated", "conflict"]


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
    status: ChangeStatus
    current: int | None = None
    current_value: Any = None


class ChangeRefused(ReadmarkError):
    """A change that contradicts the log, or that there is no room for: ``sequence`` says which."""

    def __init__(self, sequence: int, message: str) -> None:
        super().__init__(message)
        self.sequence = sequence
