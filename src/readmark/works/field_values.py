"""What a field of a form may hold: spans, choices, flags, numbers, and a sheet's labels as such."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.works.configuration import EntryField

__all__ = [
    "TEXT",
    "as_choice",
    "fields_of_labels",
    "is_filled",
    "span_value",
    "spans_in",
]

TEXT = "passage"
"""The id of the passage's text on the page, which spans name."""
FLAGS = {"yes": True, "no": False}
"""A flag by its label."""


def is_filled(value: Any) -> bool:
    """Whether a field has a value; an unset flag is none, and the number 0 is one."""
    if isinstance(value, str):
        return bool(value.strip())
    return value is not None and value is not False and value not in ([], {})


class _MarkedSpan(msgspec.Struct, frozen=True):
    start: int
    end: int
    quote: str = ""


def spans_in(value: Any, text: str) -> list[tuple[int, int, str]]:
    """The spans of a field with their quotes; what is not a span is left out."""
    spans = []
    for member in value if isinstance(value, (list, tuple)) else [value]:
        with suppress(msgspec.ValidationError):
            span = msgspec.convert(member, _MarkedSpan)
            if 0 <= span.start < span.end:
                spans.append((span.start, span.end, span.quote or text[span.start : span.end]))
    return spans


def span_value(start: int, quote: str) -> dict[str, Any]:
    """A span as a field holds it."""
    return {"text": TEXT, "start": start, "end": start + len(quote), "quote": quote}


def as_choice(field: EntryField | None, value: Any) -> Any:
    """A value as the choices of a field spell it: 2 is "2" where the choices have labels."""
    if isinstance(value, (list, tuple)):
        return [as_choice(field, member) for member in value]
    choices = field.choices if field is not None else ()
    return next((choice for choice in choices if str(choice) == str(value)), value)


def value_of(field: EntryField, label: str) -> Any:
    """A label of a sheet as a field holds it; what is not a flag or a number is refused."""
    if field.widget == "choices":
        return [as_choice(field, part.strip()) for part in label.split("+")]
    if field.widget == "flag":
        if label not in FLAGS:
            raise DataError(f"{label!r:.60} is not yes or no")
        return FLAGS[label]
    if field.widget == "number":
        with suppress(ValueError, OverflowError):  # over 308 digits is more than any float
            number = float(label) if "." in label else int(label)
            if isfinite(number):
                return number
        raise DataError(f"{label!r:.60} is not a number")
    return as_choice(field, label)


def is_value(field: EntryField, label: str) -> bool:
    """Whether somebody could have given this label in a field: its choices are all there are."""
    try:
        value = value_of(field, label)
    except DataError:
        return False
    if field.widget == "choices":
        return all(choice in tuple(field.choices) for choice in value)
    return field.widget != "choice" or value in tuple(field.choices)


def fields_of_labels(
    declared: Mapping[str, EntryField], labels: Mapping[str, str], file: Path, id: str
) -> dict[str, Any]:
    """The fields of a form that a row of a sheet fills in; errors name the file and the row."""
    try:
        return {
            name: value_of(declared[name], label)
            for name, label in labels.items()
            if name in declared and label
        }
    except DataError as error:
        raise DataError(error.message, file=file, where=id) from None
