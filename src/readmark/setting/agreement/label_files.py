"""Files of labels: CSV, TSV or JSON Lines with an id and a label a line, and perhaps a person."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS, json_fault, read_bytes, read_lines
from readmark.corpus.source import Source
from readmark.setting.agreement.values import Labels

PEOPLE = ("person", "annotator")
GROUPS = ("passage", "group")
NO_LABELS = frozenset({"id", *PEOPLE, *GROUPS, "reason", "text", "note", "comment"})
"""Columns that are no labels unless they are asked for."""
LINES = (".jsonl", ".ndjson")

Row = tuple[int, dict[str, str]]


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


def is_table(source: Source) -> bool:
    """Whether the file's name says CSV or TSV."""
    return source.suffixes[-1:] in ((".csv",), (".tsv",))


def is_label_file(source: Source) -> bool:
    """A table, or JSON Lines whose first line is a row with an id and no header."""
    if is_table(source):
        return True
    first = source.first_line
    return (
        source.suffixes[-1:] in tuple((one,) for one in LINES)
        and isinstance(first, dict)
        and "readmark" not in first
        and "id" in first
    )


def _rows(source: Source) -> Iterator[Row]:
    if is_table(source):
        yield from _table(source)
        return
    for place, line in read_lines(source.path):
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=source.file, where=place) from None
        if not isinstance(row, dict):
            raise DataError(
                "is no row of labels: expected an object", file=source.file, where=place
            )
        yield place, {str(name): spelt for name, said in row.items() if (spelt := spell(said))}


def _table(source: Source) -> Iterator[Row]:
    data = read_bytes(source.path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError("not valid UTF-8", file=source.file, where=line) from None
    delimiter = "\t" if source.suffixes[-1:] == (".tsv",) else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, source.file)
                continue
            if len(cells) != len(header):
                raise DataError(
                    f"has {len(cells)} columns, expected {len(header)}",
                    file=source.file,
                    where=reader.line_num,
                )
            yield reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=True))
    except csv.Error as error:
        raise DataError(
            f"no sound table: {error}", file=source.file, where=reader.line_num
        ) from None


def _header(cells: list[str], file: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "id" not in names:
        raise DataError(f"has no column 'id'; found: {', '.join(names)}", file=file, where=1)
    if len(set(names)) < len(names):
        raise DataError("two columns have one name", file=file, where=1)
    return names


def spell(said: Any) -> str | None:
    """A value as a label: whole numbers without a fraction, lists in order; None for no label."""
    if said is None or isinstance(said, dict):
        return None
    if isinstance(said, bool):
        return "yes" if said else "no"
    if isinstance(said, float) and said.is_integer():
        return str(int(said))
    if isinstance(said, (list, tuple)):
        parts = sorted(part for one in said if (part := spell(one)))
        return " + ".join(parts) or None
    return str(said).strip() or None
