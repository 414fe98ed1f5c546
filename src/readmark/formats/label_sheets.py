"""Files of labels: a table with an id and labels per line, and perhaps a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.formats.sheets import read_rows

PEOPLE = ("person", "annotator")
GROUPS = ("passage", "group")
NO_LABELS = frozenset({"id", *PEOPLE, *GROUPS, "reason", "text", "note", "comment"})
"""Columns that are no labels unless they are asked for."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}\.0+")


@dataclass(frozen=True)
class LabelSheet:
    """The labels of a file."""

    people: dict[str | None, dict[str, dict[str, str]]]
    """Labels by person and id; None is whoever the file is of, where it names nobody."""
    fields: Sequence[str]
    """The columns that are labels."""
    groups: dict[str, str]
    """The passage of an id, or another group that it belongs to."""


def read_labels(path: str) -> LabelSheet:
    """The labels of a file; an id that one person labels twice is refused."""
    people: dict[str | None, dict[str, dict[str, str]]] = {}
    groups: dict[str, str] = {}
    fields: dict[str, None] = {}
    for place, cells in read_rows(path):
        row = {name: spelt for name, cell in cells.items() if (spelt := _cell(name, cell))}
        if not row.get("id"):
            raise DataError("has no id", file=path, where=place)
        id = row.pop("id")
        person = next((row[name] for name in PEOPLE if row.get(name)), None)
        labels = people.setdefault(person, {})
        if id in labels:
            whose = f" by {person!r}" if person else ""
            raise DataError(f"{id!r} is labelled twice{whose}", file=path, where=place)
        labels[id] = row
        fields.update(dict.fromkeys(name for name in row if name not in NO_LABELS))
        for group in filter(None, map(row.get, GROUPS)):
            groups[id] = group
    if not people:
        raise DataError("has no labels", file=path)
    if None in people and len(people) > 1:
        raise DataError("names a person in some rows only", file=path)
    return LabelSheet(people, tuple(fields), groups)


def _cell(name: str, value: Any) -> str | None:
    """A cell; what is no label stays as it was written, such as the id 1.0."""
    if name in NO_LABELS and isinstance(value, str):
        return value.strip() or None
    return spell(value)


def _members(value: Sequence[Any]) -> Iterator[Any]:
    """What is in a list, and in the lists in it, however deep."""
    waiting = [iter(value)]
    while waiting:
        for member in waiting[-1]:
            if isinstance(member, (list, tuple)):
                waiting.append(iter(member))
                break
            yield member
        else:
            waiting.pop()


def spell(value: Any) -> str | None:
    """A value as a label: whole numbers without a fraction, lists sorted; None for no label.

    A column of numbers with a gap is written by pandas as 1.0, 2.0: the same labels as 1, 2.
    """
    if value is None or isinstance(value, dict):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (list, tuple)):
        parts = sorted(part for member in _members(value) if (part := spell(member)))
        return " + ".join(parts) or None
    spelt = str(value).strip()
    if _INTEGER.fullmatch(spelt):
        return str(int(float(spelt)))
    return spelt or None
