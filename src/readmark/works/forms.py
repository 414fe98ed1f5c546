"""Forms that people fill in: which fields they have, which entries there are, what is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from readmark.core.fingerprint import text_id
from readmark.works.configuration import Configuration, EntryField, in_language
from readmark.works.field_values import is_filled
from readmark.works.object_ids import OBJECT_ID
from readmark.works.work import Objects, WorkFinding

__all__ = [
    "NOTE",
    "entries_of",
    "fields_of",
    "form_faults",
    "form_findings",
    "object_id",
]

NOTE = "note"
"""The id of the object that a person's note on an item is."""
_RESERVED = (NOTE, "status")  # whatever the form, an item may have a note and is handed in


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
    placed = []
    for id, value in objects.items():
        if not isinstance(value, Mapping) or value.get("type") != "entry":
            continue
        if value.get("entry") == entry:
            fields, order = value.get("fields"), value.get("order")
            place = order if isinstance(order, (int, float)) else 0
            placed.append((place, id, dict(fields) if isinstance(fields, Mapping) else {}))
    placed.sort(key=lambda entry: entry[:2])
    return [(id, fields) for _, id, fields in placed]


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
