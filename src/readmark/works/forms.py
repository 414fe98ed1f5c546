"""Forms that people fill in: fields, entries, spans, choices, and what is still empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.works.configuration import Configuration, EntryField, in_language
from readmark.works.object_ids import OBJECT_ID
from readmark.works.work import Objects, WorkFinding

__all__ = [
    "NOTE",
    "TEXT",
    "as_choice",
    "entries_of",
    "fields_of",
    "fields_of_labels",
    "form_faults",
    "form_findings",
    "is_filled",
    "object_id",
    "span_value",
    "spans_in",
]

TEXT = "passage"
"""The id of the passage's text on the page."""
NOTE = "note"

_RESERVED = (NOTE, "status")
FLAGS = {"yes": True, "no": False}
"""A flag by its label."""


def fields_of(configuration: Configuration, entry: str) -> dict[str, EntryField]:
    """The fields of a form."""
    declared = configuration.entry[entry].fields if entry in configuration.entry else {}
    return {
        name: EntryField(widget=field) if isinstance(field, str) else field
        for name, field in declared.items()
    }


def form_faults(
    configuration: Configuration, entry: str, *needed: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """What a configuration lacks for a work that fills in one form."""
    if entry not in configuration.entry:
        work = configuration.project.work
        yield ("project", "work"), f"the work {work} needs a table [entry.{entry}]"
        return
    declared = fields_of(configuration, entry)
    for name in needed:
        if name not in declared:
            yield ("entry", entry, "fields"), f"the entry {entry} needs a field {name}"


def entries_of(objects: Objects, entry: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a form with their fields, in order."""
    found = []
    for id, value in objects.items():
        if (
            isinstance(value, Mapping)
            and value.get("type") == "entry"
            and value.get("entry") == entry
        ):
            fields, order = value.get("fields"), value.get("order")
            place = order if isinstance(order, (int, float)) else 0
            found.append((place, id, dict(fields) if isinstance(fields, Mapping) else {}))
    return [(id, fields) for _, id, fields in sorted(found, key=lambda each: each[:2])]


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
    """The spans of a field with their quotes; what is no span is passed over."""
    found = []
    for member in value if isinstance(value, (list, tuple)) else [value]:
        with suppress(msgspec.ValidationError):
            span = msgspec.convert(member, _MarkedSpan)
            if 0 <= span.start < span.end:
                found.append((span.start, span.end, span.quote or text[span.start : span.end]))
    return found


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
    """A label of a sheet as a field holds it; a number or a flag that is none is an error."""
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
    if field.widget not in ("choice", "choices"):
        return True
    return all(each in tuple(field.choices) for each in (value if type(value) is list else [value]))


def fields_of_labels(
    declared: Mapping[str, EntryField], labels: Mapping[str, str], file: Path, id: str
) -> dict[str, Any]:
    """The fields of a form that a row of a sheet fills in; what is no value of one is placed."""
    try:
        return {
            name: value_of(declared[name], label)
            for name, label in labels.items()
            if name in declared and label
        }
    except DataError as error:
        raise DataError(error.message, file=file, where=id) from None


def object_id(id: str) -> str:
    """The id of the object for a question of earlier work: its own, if objects may have it."""
    return id if OBJECT_ID.fullmatch(id) and id not in _RESERVED else text_id(id)


def form_findings(
    findings: Iterable[WorkFinding],
    configuration: Configuration,
    entry: str,
    entries: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    unfinished: Mapping[str, str] = {},
    closing: str = "",
) -> Iterator[WorkFinding]:
    """Findings of rules, then empty fields; what is only unfinished is a hint.

    ``unfinished`` has the field whose emptiness breaks a rule, by the rule's code. With the flag
    ``closing`` nothing else is to be filled in.
    """
    explained_fields = set()
    for finding in findings:
        if finding.code in unfinished:
            explained_fields.add((finding.object, unfinished[finding.code]))
            finding = replace(finding, severity="hint")
        yield finding
    for id, fields in entries:
        for name, field in fields_of(configuration, entry).items():
            if field.optional or field.widget == "flag" or is_filled(fields.get(name)):
                continue
            if (id, name) not in explained_fields and not fields.get(closing):
                labels = [in_language(field.label, spoken) or name for spoken in ("en", "zh")]
                message = {"en": f"{labels[0]}: still empty", "zh": f"{labels[1]}：还没有填写"}
                yield WorkFinding("missing", message, "hint", id)
