"""A file of questions and keys in one language: a test of any format, or a table of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Question
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_rows, read_rows, write_sheet
from readmark.formats.text_versions import require_same_text

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
    """The English that it was made from, where the file repeats it."""
    english_key: str | None = None
    source_question: Question | None = None
    """The question itself, of a test."""


@dataclass(frozen=True)
class TranslationSheet:
    """The entries of a file, in its order."""

    file: str
    entries: dict[str, SheetEntry]
    test: Test | None = None

    @property
    def unparted(self) -> list[str]:
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
        return _gathered(str(path), _rows(path))
    test = open_test(path, format=format, split=split)
    test.require_kind("comprehension")
    if test.language != language:
        raise DataError(f"is in {test.language!r}, expected {language!r}", file=path)
    return sheet_of(test)


def sheet_of(test: Test) -> TranslationSheet:
    """The questions and keys of a test."""
    return _gathered(test.file, _of_test(test), test)


def write_translations(path: str | Path, entries: Iterable[SheetEntry]) -> None:
    """Write what a translator made, as a sheet that `open_sheet` reads."""
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


def _gathered(
    file: str, rows: Iterator[tuple[object, SheetEntry]], test: Test | None = None
) -> TranslationSheet:
    entries: dict[str, SheetEntry] = {}
    for place, entry in rows:
        if not entry.id.strip():
            raise DataError("has no id", file=file, where=place)
        if entry.id in entries:
            raise DataError(f"id {entry.id!r} occurs twice", file=file, where=place)
        entries[entry.id] = entry
    if not entries:
        raise DataError("has no questions", file=file)
    return TranslationSheet(file, entries, test)


def _of_test(test: Test) -> Iterator[tuple[object, SheetEntry]]:
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


def _rows(path: str | Path) -> Iterator[tuple[object, SheetEntry]]:
    for place, row in read_rows(path, ("id", "question")):
        for name in COLUMNS:
            several = name == "key" and isinstance(row.get(name), list)
            cells = row[name] if several else [row.get(name) or ""]
            if not all(isinstance(cell, str) for cell in cells):
                raise DataError(f"{name} is not text: {row[name]!r}", file=path, where=place)
        yield place, _entry(row)


def _entry(row: dict[str, Any]) -> SheetEntry:
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


# The English and two translations of it side by side; what is missing on a side is None.


What = Literal["question", "key"]


@dataclass(frozen=True, slots=True)
class TranslationPair:
    """One English text and its two translations; None where there is none, or only white space."""

    id: str
    unit: str
    record: str
    what: What
    english: str
    a: str | None
    b: str | None

    @property
    def is_complete(self) -> bool:
        """Whether both translated it."""
        return self.a is not None and self.b is not None

    @property
    def exact(self) -> bool:
        """Exact string matching; white space at the ends, which nobody sees, does not count."""
        return self.a is not None and self.b is not None and self.a.strip() == self.b.strip()


@dataclass(frozen=True, slots=True)
class Stray:
    """A translation of something that the English does not have."""

    id: str
    by: str
    question: str
    keys: tuple[str, ...]


def pairs(
    english: TranslationSheet, a: TranslationSheet, b: TranslationSheet
) -> list[TranslationPair]:
    """Every English question and key with what each translator made of it, in English order."""
    for sheet in (a, b):
        if not english.entries.keys() & sheet.entries.keys():
            raise DataError(
                f"has no id of {english.file}: found {next(iter(sheet.entries))!r}, "
                f"expected such as {next(iter(english.entries))!r}",
                file=sheet.file,
            )
        require_same_english(english, sheet)
    return [
        pair
        for entry in english.entries.values()
        for pair in _entry_pairs(entry, a.entries.get(entry.id), b.entries.get(entry.id))
    ]


def strays(english: TranslationSheet, sheet: TranslationSheet, name: str) -> list[Stray]:
    """What a translator has beyond the English: questions of unknown ids, keys where none was."""
    found = []
    for entry in sheet.entries.values():
        own = english.entries.get(entry.id)
        if own is None:
            found.append(Stray(entry.id, name, entry.question, entry.keys))
        elif len(entry.keys) > len(own.keys):
            found.append(Stray(entry.id, name, "", entry.keys[len(own.keys) :]))
    return found


def _entry_pairs(
    english: SheetEntry, a: SheetEntry | None, b: SheetEntry | None
) -> Iterator[TranslationPair]:
    questions = (_text(entry.question if entry else None) for entry in (a, b))
    own = english.id, english.passage
    yield TranslationPair(f"{english.id}/question", *own, "question", english.question, *questions)
    keys_a = _pairing_keys(a, len(english.keys))
    keys_b = _in_order_of(keys_a, _pairing_keys(b, len(english.keys)))
    for index, (key, *both) in enumerate(zip(english.keys, keys_a, keys_b, strict=True)):
        number = f".{index + 1}" if index else ""
        yield TranslationPair(f"{english.id}/key{number}", *own, "key", key, *both)


def _pairing_keys(entry: SheetEntry | None, size: int) -> list[str | None]:
    """The alternatives of a key, one for each of the English."""
    own = [_text(key) for key in entry.keys[:size]] if entry is not None else []
    return [*own, *[None] * (size - len(own))]


def _in_order_of(keys_a: list[str | None], keys_b: list[str | None]) -> list[str | None]:
    """B's alternatives with those that A has too where A has them; the rest in their order."""
    left = [one for one in keys_b if one is not None]
    made: list[str | None] = []
    for key in keys_a:
        same = next((one for one in left if key and one.strip() == key.strip()), None)
        if same is not None:
            left.remove(same)
        made.append(same)
    rest = iter([*left, *[None] * len(made)])
    return [next(rest) if one is None else one for one in made]


def _text(text: str | None) -> str | None:
    return text if text and text.strip() else None


def require_same_english(english: TranslationSheet, sheet: TranslationSheet) -> None:
    """A file that repeats the English must repeat this one: other words get other translations."""
    for entry in sheet.entries.values():
        own = english.entries.get(entry.id)
        if own is None:
            continue
        for expected, found in (
            (own.question, entry.english),
            (" | ".join(own.keys), entry.english_key),
        ):
            if found:
                require_same_text(expected.strip(), found.strip(), file=sheet.file, id=entry.id)
