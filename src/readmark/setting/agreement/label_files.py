"""Files of labels: CSV, TSV or JSON Lines with an id and a label a line, and perhaps a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.rows import read_rows
from readmark.corpus.source import Source
from readmark.setting.agreement.values import Labels

PEOPLE = ("person", "annotator")
GROUPS = ("passage", "group")
NO_LABELS = frozenset({"id", *PEOPLE, *GROUPS, "reason", "text", "note", "comment"})
"""Columns that are no labels unless they are asked for."""

Row = tuple[int, dict[str, str]]

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}\.0+")


class LabelFile:
    """The rows of a label file by person; people are None where the file names none."""

    def __init__(self, source: Source) -> None:
        self.people: dict[str | None, Labels] = {}
        self.groups: dict[str, str] = {}
        fields: dict[str, None] = {}
        for place, row in _rows(source):
            if not row.get("id"):
                raise DataError("has no id", file=source.file, where=place)
            person = next((row[name] for name in PEOPLE if row.get(name)), None)
            labels = self.people.setdefault(person, {})
            if row["id"] in labels:
                whose = f" by {person!r}" if person else ""
                raise DataError(
                    f"{row['id']!r} is labelled twice{whose}", file=source.file, where=place
                )
            labels[row["id"]] = {name: said for name, said in row.items() if said and name != "id"}
            fields.update(dict.fromkeys(name for name in row if name not in NO_LABELS))
            for name in GROUPS:
                if row.get(name):
                    self.groups[row["id"]] = row[name]
        if not self.people:
            raise DataError("has no labels", file=source.file)
        if None in self.people and len(self.people) > 1:
            raise DataError("names a person in some rows only", file=source.file)
        self.fields = tuple(fields)


def _rows(source: Source) -> Iterator[Row]:
    for place, row in read_rows(source.path):
        told = {name: _own(name, said) for name, said in row.items()}
        yield place, {name: spelt for name, spelt in told.items() if spelt}


def _own(name: str, said: Any) -> str | None:
    """A cell; what is no label stays as it was written, such as the id 1.0."""
    if name in NO_LABELS and isinstance(said, str):
        return said.strip() or None
    return spell(said)


def _members(said: Sequence[Any]) -> Iterator[Any]:
    """What is in a list, and in the lists in it, however deep."""
    waiting = [iter(said)]
    while waiting:
        for member in waiting[-1]:
            if isinstance(member, (list, tuple)):
                waiting.append(iter(member))
                break
            yield member
        else:
            waiting.pop()


def spell(said: Any) -> str | None:
    """A value as a label: whole numbers without a fraction, lists sorted; None for no label.

    A column of numbers with a gap is written by pandas as 1.0, 2.0: the same labels as 1, 2.
    """
    if said is None or isinstance(said, dict):
        return None
    if isinstance(said, bool):
        return "yes" if said else "no"
    if isinstance(said, float) and said.is_integer():
        return str(int(said))
    if isinstance(said, (list, tuple)):
        parts = sorted(part for one in _members(said) if (part := spell(one)))
        return " + ".join(parts) or None
    spelt = str(said).strip()
    if _WHOLE.fullmatch(spelt):
        return str(int(float(spelt)))
    return spelt or None
