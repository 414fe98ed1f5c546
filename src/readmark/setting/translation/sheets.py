"""A file of questions and keys in one language: a test of any format, or a table of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_test, sides_of
from readmark.corpus.rows import is_rows, read_rows
from readmark.corpus.source import Source
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, Question

COLUMNS = ("id", "question", "key", "passage", "english", "english_key")
BETWEEN_KEYS = " | "
"""What stands between alternatives of a key in a cell, as in BRCC files."""
_BAR = re.compile("[|｜]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A question with its keys, known by the id that both languages share."""

    id: str
    question: str
    keys: tuple[str, ...]
    passage: str = ""
    """The shared id of its passage, where the file tells it."""
    english: str | None = None
    """The English that it was made from, where the file repeats it."""
    english_key: str | None = None
    own: Question | None = None
    """The question itself, of a test."""


@dataclass(frozen=True)
class Sheet:
    """The entries of a file, in its order."""

    file: str
    entries: dict[str, Entry]
    test: Test | None = None

    @property
    def unparted(self) -> list[str]:
        """Ids of keys with a bar in them and no spaces around it: one key, perhaps meant as two."""
        return [
            one.id for one in self.entries.values() if any(_BAR.search(key) for key in one.keys)
        ]

    @property
    def digest(self) -> str:
        """Tells one version of the questions and keys from another; order does not count."""
        rows = sorted((one.id, one.question, *one.keys) for one in self.entries.values())
        return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:16]


def open_sheet(path: str | Path, language: str, *, format: str | None = None) -> Sheet:
    """Read a table by its suffix (.tsv, .csv, or .jsonl without a header), or a test.

    Of a file that holds both sides of a parallel corpus the side of ``language`` is taken.
    """
    if format is None and is_rows(Source(path), "question"):
        return _gathered(str(path), _rows(path))
    if format is None:
        wanted = f"(side={language})"
        format = next((one for one in sides_of(path) if one and one.endswith(wanted)), None)
    test = open_test(path, format=format)
    if test.kind.name != "comprehension":
        raise UsageError(
            f"{path} is a test of kind {test.kind.name}; translate takes comprehension"
        )
    if test.language != language:
        raise DataError(f"is in {test.language!r}, expected {language!r}", file=path)
    return _gathered(str(path), _of_test(test), test)


def shared_id(passage: Passage) -> str:
    """What both sides know a passage by."""
    return passage.parallel or passage.id


def _gathered(file: str, rows: Iterator[tuple[object, Entry]], test: Test | None = None) -> Sheet:
    entries: dict[str, Entry] = {}
    for place, entry in rows:
        if not entry.id.strip():
            raise DataError("has no id", file=file, where=place)
        if entry.id in entries:
            raise DataError(f"id {entry.id!r} stands twice", file=file, where=place)
        entries[entry.id] = entry
    if not entries:
        raise DataError("has no questions", file=file)
    return Sheet(file, entries, test)


def _of_test(test: Test) -> Iterator[tuple[object, Entry]]:
    for place, record in test.placed():
        for question in record.questions:
            yield (
                place,
                Entry(
                    question.shared_id,
                    question.text,
                    _keys(question),
                    shared_id(record),
                    own=question,
                ),
            )


def _keys(question: Question) -> tuple[str, ...]:
    """The published alternatives; without any, the first answer."""
    if question.key is None:
        return ()
    if question.key.published:
        return tuple(one.text for one in question.key.published)
    return tuple(one.text for one in question.key.answers[:1])


def _rows(path: str | Path) -> Iterator[tuple[object, Entry]]:
    for place, row in read_rows(path, ("id", "question")):
        for name in COLUMNS:
            several = name == "key" and isinstance(row.get(name), list)
            cells = row[name] if several else [row.get(name) or ""]
            if not all(isinstance(one, str) for one in cells):
                raise DataError(f"{name} is no text: {row[name]!r}", file=path, where=place)
        yield place, _entry(row)


def _entry(row: dict[str, Any]) -> Entry:
    key = row.get("key") or ""
    keys = key.split(BETWEEN_KEYS) if isinstance(key, str) else key
    return Entry(
        row["id"].strip(),
        row.get("question") or "",
        tuple(one for one in keys if one.strip()),
        (row.get("passage") or "").strip(),
        row.get("english"),
        row.get("english_key"),
    )
