"""Handing in: when an item is done, and why its person can no longer change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.server.tables import Assignment
from readmark.server.views import OpenItem
from readmark.works import Objects

STATUS = "status"
"""The id of the object that says whether an item is handed in."""
LOCKS = {
    "handed_in": "This was handed in for good. An organiser can open it again.",
    "disputed": "This is being adjudicated. Nothing more is saved.",
    "time_over": "The time is over. Nothing more is saved.",
}
"""Why somebody's own work can be read and not changed."""


class WorkClosed(ReadmarkError):
    """Nothing more can be saved here: 409, or 410 if it was withdrawn.

    ``reason`` is ``closed``, ``withdrawn`` or one of `LOCKS`.
    """

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


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
    # Its answers decide whether somebody gets work; practice can be handed in again and again.
    return opened.purpose == "qualifying"


def is_done(objects: Objects) -> bool:
    """Whether the person has handed the item in."""
    return is_done_value(objects.get(STATUS))


def is_done_value(status: Mapping[str, Any] | None) -> bool:
    """Whether a value of the status says that the item is handed in."""
    return bool((status or {}).get("done"))


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
