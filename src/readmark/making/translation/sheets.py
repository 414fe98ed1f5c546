"""A file of questions and keys in one language: a test of any format, or a table of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Question
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_rows, read_rows, write_sheet

COLUMNS = ("id", "question", "key", "passage", "english", "english_key")
BETWEEN_KEYS = " | "
"""What comes between alternatives of a key in a cell, as in BRCC files."""
_BAR = re.compile("[|｜]")


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A question with its keys, known by the id that both languages share."""

    id: str
    question: str
    keys: tuple[str, ...]
    passage: str = ""
    """The shared id of its passage, where the file states it."""
    english: str | None = None
    """The English that it was translated from, where the file repeats it."""
    english_key: str | None = None
    source_question: Question | None = None
    """The question itself, if the file is a test."""


@dataclass(frozen=True)
class TranslationSheet:
    """The entries of a file, in its order."""

    file: str
    entries: dict[str, SheetEntry]
    test: Test | None = None

    @property
    def keys_with_bars(self) -> list[str]:
        """Ids of keys with a bar in them and no spaces around it: one key, perhaps meant as two."""
        return [
            entry.id
            for entry in self.entries.values()
            if any(_BAR.search(key) for key in entry.keys)
        ]

    @property
    def texts(self) -> int:
        """How many questions and keys there are."""
        return sum(1 + len(entry.keys) for entry in self.entries.values())

    @property
    def digest(self) -> str:
        """Tells one version of the questions and keys from another; order does not count."""
        rows = sorted((entry.id, entry.question, *entry.keys) for entry in self.entries.values())
        return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:16]


def open_sheet(
    path: str | Path, language: str, *, format: str | None = None, split: str | None = None
) -> TranslationSheet:
    """Read a table by its suffix (.tsv, .csv, .jsonl without a header), or a test or its split."""
    if format is None and is_rows(Source(path), "question"):
        return _sheet(str(path), _table_entries(path))
    test = open_test(path, format=format, split=split)
    test.require_kind("comprehension")
    if test.language != language:
        raise DataError(f"is in {test.language!r}, expected {language!r}", file=path)
    return sheet_of(test)


def sheet_of(test: Test) -> TranslationSheet:
    """The questions and keys of a test."""
    return _sheet(test.file, _test_entries(test), test)


def write_translations(path: str | Path, entries: Iterable[SheetEntry]) -> None:
    """Write a translator's work as a sheet that `open_sheet` reads."""
    rows = (
        (
            entry.id,
            entry.question,
            BETWEEN_KEYS.join(entry.keys),
            entry.passage,
            entry.english or "",
            entry.english_key or "",
        )
        for entry in entries
    )
    write_sheet(path, COLUMNS, rows)


def split_keys(cell: str) -> tuple[str, ...]:
    """The alternatives of a key in a cell."""
    return tuple(key for key in cell.split(BETWEEN_KEYS) if key.strip())


def _sheet(
    file: str, placed: Iterator[tuple[object, SheetEntry]], test: Test | None = None
) -> TranslationSheet:
    entries: dict[str, SheetEntry] = {}
    for place, entry in placed:
        if not entry.id.strip():
            raise DataError("has no id", file=file, where=place)
        if entry.id in entries:
            raise DataError(f"id {entry.id!r} occurs twice", file=file, where=place)
        entries[entry.id] = entry
    if not entries:
        raise DataError("has no questions", file=file)
    return TranslationSheet(file, entries, test)


def _test_entries(test: Test) -> Iterator[tuple[object, SheetEntry]]:
    test.require_kind("comprehension")
    for place, record in test.placed():
        for question in record.questions:
            yield (
                place,
                SheetEntry(
                    question.shared_id,
                    question.text,
                    _keys(question),
                    record.shared_id,
                    source_question=question,
                ),
            )


def _keys(question: Question) -> tuple[str, ...]:
    """The published alternatives; without any, the first answer."""
    if question.key is None:
        return ()
    if question.key.published:
        return tuple(phrase.text for phrase in question.key.published)
    return tuple(answer.text for answer in question.key.answers[:1])


def _table_entries(path: str | Path) -> Iterator[tuple[object, SheetEntry]]:
    for place, row in read_rows(path, ("id", "question")):
        for name in COLUMNS:
            # JSON Lines may list the alternatives of a key; a cell has them between bars.
            is_list = name == "key" and isinstance(row.get(name), list)
            cells = row[name] if is_list else [row.get(name) or ""]
            if not all(isinstance(cell, str) for cell in cells):
                raise DataError(f"{name} is not text: {row[name]!r}", file=path, where=place)
        yield place, _table_entry(row)


def _table_entry(row: dict[str, Any]) -> SheetEntry:
    key = row.get("key") or ""
    keys = split_keys(key) if isinstance(key, str) else key
    return SheetEntry(
        row["id"].strip(),
        row.get("question") or "",
        tuple(key for key in keys if key.strip()),
        (row.get("passage") or "").strip(),
        row.get("english"),
        row.get("english_key"),
    )
