"""Passages of the files that are measured or rated: plain text, tests, JSON Lines, folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from readmark.core.counts import counted
from readmark.core.encodings import UTF_8, decoded_as
from readmark.core.errors import DataError, UsageError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, read_bytes, read_lines
from readmark.core.folders import Folder
from readmark.core.language import language_of, primary
from readmark.core.numbers import first_ids
from readmark.core.record_members import text_of
from readmark.core.source import Source
from readmark.formats.registry import FORMATS, open_languages, reads_tests
from readmark.readability.formulas.by_language import LANGUAGES
from readmark.readability.formulas.foreign import foreign
from readmark.readability.prose import prose

TEXTS = (".txt", ".text", ".md")
MOST_NAMED = 3
"""How many files of a folder, or lines of a file, a note names."""
MOST_SHOWN = 60
"""Characters of a line that a note shows."""
UNKNOWN = "und"
"""The language of a text that states none and is neither English nor Chinese."""


@dataclass(frozen=True, slots=True)
class FilePassage:
    """A passage as its file has it."""

    id: str
    text: str
    language: str | None = None
    """The language that its record or file states."""
    likely: str | None = None
    """Without a stated language, the one that the letters of the whole test suggest."""
    encoding: str = UTF_8
    """What a plain text was read as."""
    path: str = ""
    """The file of a text in a folder."""

    def placed(self, file: str, language: str) -> dict[str, Any]:
        """What a measured and a rated passage have in common, for a ``PlacedPassage``."""
        return {
            "file": file,
            "id": self.id,
            "language": language,
            "encoding": self.encoding,
            "path": self.path,
            "left_out": prose(self.text).left_out,
        }

    def language_or_reason(self, language: str | None, noun: str) -> tuple[str, str | None]:
        """The language of the passage, and why no ``noun`` (formula, rater) fits it, if none does.

        A stated language is believed; only without one is the text itself examined.
        """
        stated = language or self.language
        if not stated and (doubt := foreign(self.text)) is not None:
            return UNKNOWN, f"{doubt}; there are {noun}s for English and Chinese"
        code = primary(stated or self.likely or language_of([self.text]))
        return code, None if code in LANGUAGES else f"there is no {noun} for {code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedPassage:
    """Where a passage is from, its language, and the reason if it has no measure or rating."""

    file: str
    id: str
    language: str
    reason: str | None = None
    encoding: str = UTF_8
    path: str = ""
    """The file of a text in a folder."""
    left_out: tuple[str, ...] = ()
    """Lines that are not sentences and were not read: titles, bylines, scraps of lists."""


P = TypeVar("P", bound=PlacedPassage)


def require_language(language: str | None, noun: str) -> None:
    """Refuse a language that there is no ``noun`` for."""
    if language is not None and primary(language) not in LANGUAGES:
        raise UsageError(f"no {noun} for {language!r}; there are {noun}s for en and zh")


def reading_notes(files: Sequence[str], passages: Sequence[PlacedPassage]) -> tuple[str, ...]:
    """Where what was read differs from the files: encodings, skipped files, lines left out."""
    read_as: dict[tuple[str, str], list[str]] = {}
    for passage in passages:
        if passage.encoding != UTF_8:
            read_as.setdefault((passage.file, passage.encoding), []).append(passage.path)
    notes = []
    for (file, encoding), paths in read_as.items():
        if len(paths) > MOST_NAMED:
            notes.append(f"{file}: {len(paths)} files read as {encoding}, they are not UTF-8")
        else:
            notes += [f"{path or file}: read as {encoding}, it is not UTF-8" for path in paths]
    for file in dict.fromkeys(files):
        lines = [line for passage in passages if passage.file == file for line in passage.left_out]
        if lines:
            shown = first_ids([line[:MOST_SHOWN] for line in lines], MOST_NAMED, between="; ")
            count = counted(len(lines), "line")
            notes.append(f"{file}: {count} left out, which are not sentences: {shown}")
    for file in files:
        if any(passage.file == file and passage.path for passage in passages):
            folder = Folder(Path(file))
            skipped = len(folder.names) - len(folder.by_id(TEXTS))
            if skipped:
                notes.append(f"{file}: {counted(skipped, 'file')} skipped: no {' or '.join(TEXTS)}")
    return tuple(notes)


def by_name(passages: Sequence[P]) -> dict[str, P]:
    """Passages by id, with the file or language added to an id that would not be unique."""
    places = {(passage.id, passage.file, passage.language) for passage in passages}
    places_of = Counter(id for id, _, _ in places)
    languages_of = Counter((id, file) for id, file, _ in places)
    result: dict[str, P] = {}
    for passage in passages:
        name = passage.id if places_of[passage.id] == 1 else f"{passage.file}:{passage.id}"
        if languages_of[passage.id, passage.file] > 1:
            name = f"{name}:{passage.language}"
        result[name] = passage
    return result


def passages_of(file: str, format: str | None, split: str | None = None) -> Iterator[FilePassage]:
    """Every passage of a file: plain text, a test, JSON Lines with id and text, a folder of texts.

    The id of a text in a folder is its path there, without the suffix.
    """
    source = Source(file)
    if format is not None or split is not None:
        yield from _of_test(file, format, split)
    elif source.path.is_file() and _is_lines(source):
        yield from _of_lines(source)
    elif source.path.is_file() and _is_prose(source):
        text, encoding = decoded_as(read_bytes(source.path).removeprefix(BOM), source.file)
        yield FilePassage(source.path.name, text, encoding=encoding)
    elif source.path.is_dir() and not _is_test(source):
        yield from _of_folder(source)
    else:
        yield from _of_test(file)


def _of_folder(source: Source) -> Iterator[FilePassage]:
    folder = Folder(source.path)
    texts = folder.by_id(TEXTS)
    if not texts:
        raise DataError(
            f"holds neither a test nor texts ({', '.join(TEXTS)}); it holds {folder.shown()}",
            file=source.file,
        )
    for id, name in texts.items():
        text, encoding = folder.decoded(name)
        yield FilePassage(id, text, encoding=encoding, path=folder.place(name))


def _is_lines(source: Source) -> bool:
    """JSON Lines of passages: objects with a text, without Readmark's header."""
    first = source.first_line
    return isinstance(first, dict) and "text" in first and "readmark" not in first


def _is_prose(source: Source) -> bool:
    """Text that no format of tests knows; prose that begins with a bracket by its suffix only."""
    if source.looks_json:
        return bool(source.suffixes) and source.suffixes[-1] in TEXTS
    return not _is_test(source)


def _is_test(source: Source) -> bool:
    return any(reads_tests(format) and format.recognises(source) for _, format in FORMATS.working())


def _of_test(
    file: str, format: str | None = None, split: str | None = None
) -> Iterator[FilePassage]:
    for test in open_languages(file, format=format, split=split):
        for record in test.records():
            text = text_of(record)
            if text is None:
                raise DataError(f"a {test.kind.name} test has no passages to measure", file=file)
            stated = record.language or test.header.language
            yield FilePassage(record.id, text, stated, None if stated else test.language)


def _of_lines(source: Source) -> Iterator[FilePassage]:
    seen: set[str] = set()
    for number, line in read_lines(source.path):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            fault, column = json_fault(line, error)
            where = f"{number}:{column}"
            raise DataError(f"malformed JSON ({fault})", file=source.file, where=where) from None
        id, text = _member(row, "id", source, number), _member(row, "text", source, number)
        if id in seen:
            raise DataError(f"id {id!r} occurs twice", file=source.file, where=number)
        seen.add(id)
        language = row.get("language")
        is_stated = isinstance(language, str) and bool(language.strip())
        yield FilePassage(id, text, language if is_stated else None)


def _member(row: Any, name: str, source: Source, line: int) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    if name == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        actual = "nothing" if value is None else type(value).__name__
        message = f"{name}: expected a string, found {actual}"
        raise DataError(message, file=source.file, where=line)
    return value
