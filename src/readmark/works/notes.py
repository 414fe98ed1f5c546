"""People's notes on an item: one in each person's objects, and all of them in a record's key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from readmark.core.records import RecordKey
from readmark.works.forms import NOTE
from readmark.works.work import Objects

__all__ = ["note_of", "notes_in", "with_notes"]

R = TypeVar("R", bound=Any)
"""A record with a key, of whichever kind."""

NOTES = "notes"
"""The field of a record's key with people's notes by name."""


def note_of(objects: Objects) -> str:
    """The person's note on the item."""
    note = objects.get(NOTE)
    value = note.get("value") if isinstance(note, Mapping) else None
    return value if isinstance(value, str) else ""


def with_notes(record: R, notes: Mapping[str, str]) -> R:
    """A record with people's notes in its key."""
    if not notes:
        return record
    key = record.key or RecordKey()
    key = msgspec.structs.replace(key, fields={**key.fields, NOTES: dict(notes)})
    return msgspec.structs.replace(record, key=key)


def notes_in(record: Any) -> dict[str, dict[str, Any]]:
    """People's notes on a record, each as an object."""
    notes = record.key.fields.get(NOTES) if record.key is not None else None
    return {
        person: {"type": NOTE, "value": note}
        for person, note in (notes.items() if isinstance(notes, Mapping) else ())
        if isinstance(note, str) and note
    }
