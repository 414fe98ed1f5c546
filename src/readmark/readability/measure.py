"""Readability of files: plain text, tests, and JSON Lines of passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.cells import cell_len
from rich.console import Console

from readmark.core.display import ABSENT, Result, counted, plain_table, side_by_side
from readmark.core.encodings import UTF_8, decoded_as
from readmark.core.errors import DataError, UsageError
from readmark.core.files import BOM, JSON_ERRORS, json_fault, read_bytes, read_lines
from readmark.core.folders import Folder
from readmark.core.language import language_of, primary
from readmark.core.numbers import first_ids
from readmark.core.record_members import text_of
from readmark.core.source import Source
from readmark.formats.registry import FORMATS, open_languages, reads_tests
from readmark.readability.formulas.by_language import (
    LANGUAGES,
    Readability,
    readability,
    signature,
)
from readmark.readability.formulas.chinese import ChineseReadability
from readmark.readability.formulas.english import GRADES, EnglishReadability
from readmark.readability.formulas.foreign import foreign
from readmark.readability.prose import prose

# Passages of files: plain text, tests, JSON Lines.


TEXTS = (".txt", ".text", ".md")
MOST_NAMED = 3
"""How many files of a folder, or lines of a file, a note names."""
MOST_SHOWN = 60
"""Characters of a line that a note shows."""
UNKNOWN = "und"
"""The language of a text that states none and is neither English nor Chinese."""


@dataclass(frozen=True, slots=True)
class GivenPassage:
    """A passage: its language where that is stated, else what the letters of its test suggest."""

    id: str
    text: str
    language: str | None = None
    likely: str | None = None
    encoding: str = UTF_8
    """What a plain text was read as."""
    path: str = ""
    """The file of a text in a folder."""

    def placed(self, file: str, language: str) -> dict[str, Any]:
        """Where it is from, for a ``PlacedPassage``."""
        return {
            "file": file,
            "id": self.id,
            "language": language,
            "encoding": self.encoding,
            "path": self.path,
            "left_out": prose(self.text).left_out,
        }

    def language_or_reason(self, language: str | None, noun: str) -> tuple[str, str | None]:
        """The language to take it for, and why there is no ``noun`` (a formula, a rater) for it."""
        stated = language or self.language
        doubt = None if stated else foreign(self.text)
        if doubt is not None:
            return UNKNOWN, f"{doubt}; there are {noun}s for English and Chinese"
        tongue = primary(stated or self.likely or language_of([self.text]))
        return tongue, None if tongue in LANGUAGES else f"there is no {noun} for {tongue}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedPassage:
    """A passage by its file, its id there and its language; and why it has no measure."""

    file: str
    id: str
    language: str
    reason: str | None = None
    encoding: str = UTF_8
    path: str = ""
    """The file of a text in a folder."""
    left_out: tuple[str, ...] = ()
    """Lines that are no sentences: titles, bylines, scraps of lists."""


P = TypeVar("P", bound=PlacedPassage)


def require_language(language: str | None, noun: str) -> None:
    """Refuse a language that there is no ``noun`` for."""
    if language is not None and primary(language) not in LANGUAGES:
        raise UsageError(f"no {noun} for {language!r}; there are {noun}s for en and zh")


def reading_notes(files: Sequence[str], passages: Sequence[PlacedPassage]) -> tuple[str, ...]:
    """What was read otherwise than as it stands: encodings, skipped files, lines left out."""
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
            named = first_ids([line[:MOST_SHOWN] for line in lines], MOST_NAMED, between="; ")
            count = counted(len(lines), "line")
            notes.append(f"{file}: {count} left out, which are not sentences: {named}")
    for file in files:
        if any(passage.file == file and passage.path for passage in passages):
            folder = Folder(Path(file))
            skipped = len(folder.names) - len(folder.by_id(TEXTS))
            if skipped:
                named = counted(skipped, "file")
                notes.append(f"{file}: {named} skipped: no {' or '.join(TEXTS)}")
    return tuple(notes)


def by_name(passages: Sequence[P]) -> dict[str, P]:
    """Passages by id; an id of several files, or in two languages of one, gets file or language."""
    files = {(passage.id, passage.file, passage.language) for passage in passages}
    shared = Counter(id for id, _, _ in files)
    languages = Counter((id, file) for id, file, _ in files)
    result: dict[str, P] = {}
    for passage in passages:
        name = passage.id if shared[passage.id] == 1 else f"{passage.file}:{passage.id}"
        if languages[passage.id, passage.file] > 1:
            name = f"{name}:{passage.language}"
        result[name] = passage
    return result


def passages_of(file: str, format: str | None, split: str | None = None) -> Iterator[GivenPassage]:
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
        yield GivenPassage(source.path.name, text, encoding=encoding)
    elif source.path.is_dir() and not _is_test(source):
        yield from _of_folder(source)
    else:
        yield from _of_test(file)


def _of_folder(source: Source) -> Iterator[GivenPassage]:
    folder = Folder(source.path)
    texts = folder.by_id(TEXTS)
    if not texts:
        raise DataError(
            f"holds neither a test nor texts ({', '.join(TEXTS)}); it holds {folder.shown()}",
            file=source.file,
        )
    for id, name in texts.items():
        text, encoding = folder.decoded(name)
        yield GivenPassage(id, text, encoding=encoding, path=folder.place(name))


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
    return any(reads_tests(one) and one.recognises(source) for _, one in FORMATS.working())


def _of_test(
    file: str, format: str | None = None, split: str | None = None
) -> Iterator[GivenPassage]:
    for test in open_languages(file, format=format, split=split):
        for record in test.records():
            text = text_of(record)
            if text is None:
                raise DataError(f"a {test.kind.name} test has no passages to measure", file=file)
            said = record.language or test.header.language
            yield GivenPassage(record.id, text, said, None if said else test.language)


def _of_lines(source: Source) -> Iterator[GivenPassage]:
    seen: set[str] = set()
    for number, line in read_lines(source.path):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except JSON_ERRORS as error:
            what, column = json_fault(line, error)
            where = f"{number}:{column}"
            raise DataError(f"malformed JSON ({what})", file=source.file, where=where) from None
        id, text = _member(row, "id", source, number), _member(row, "text", source, number)
        if id in seen:
            raise DataError(f"id {id!r} occurs twice", file=source.file, where=number)
        seen.add(id)
        language = row.get("language")
        said = isinstance(language, str) and bool(language.strip())
        yield GivenPassage(id, text, language if said else None)


def _member(row: Any, name: str, source: Source, line: int) -> str:
    found = row.get(name) if isinstance(row, dict) else None
    if name == "id" and isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    if not isinstance(found, str):
        was = "nothing" if found is None else type(found).__name__
        message = f"{name}: expected a string, found {was}"
        raise DataError(message, file=source.file, where=line)
    return found


# Measures, and their tables: one row per passage, English and Chinese separately.


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    field: str
    decimals: int | None = 1


_TABLES = {
    "en": (
        _Column("words", "words", 0),
        _Column("sent.", "sentences", 0),
        _Column("Dale-\nChall", "dale_chall", 2),
        _Column("grades", "grades", None),
        _Column("Flesch", "flesch"),
        _Column("F-K", "flesch_kincaid"),
        _Column("fog", "fog"),
        _Column("SMOG", "smog"),
        _Column("ARI", "ari"),
        _Column("C-L", "coleman_liau"),
    ),
    "zh": (
        _Column("chars", "characters", 0),
        _Column("sent.", "sentences", 0),
        _Column("chars/\nsent.", "characters_per_sentence"),
        _Column("rare %", "rare_words"),
        _Column("Zipf", "zipf", 2),
        _Column("strokes", "strokes", 2),
        _Column("index", "index"),
    ),
}
_NOTES = {
    "en": "Flesch: higher is easier; the others are school grades.",
    "zh": "index: 100 is ordinary, higher is harder; Zipf: lower is rarer.",
}


_NOTHING = {
    "en": dict.fromkeys(field.name for field in fields(EnglishReadability)),
    "zh": dict.fromkeys(field.name for field in fields(ChineseReadability)),
}
"""What is null for a passage that cannot be measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPassage(PlacedPassage):
    """A passage and its measures, or the reason why it has none."""

    readability: Readability | None = None


@dataclass(frozen=True, slots=True)
class Measurements(Result):
    """The readability of every passage of some files."""

    passages: tuple[MeasuredPassage, ...]
    notes: tuple[str, ...] = ()
    known_names: bool = True
    """Whether Dale-Chall counts names as familiar."""

    def as_json(self) -> dict[str, Any]:
        """Formulas by passage, and what those of each language rest on."""
        passages = {}
        for name, passage in by_name(self.passages).items():
            nothing = _NOTHING.get(passage.language, _NOTHING["en"])
            values = asdict(passage.readability) if passage.readability else nothing
            about: dict[str, Any] = {
                "file": passage.file,
                "language": passage.language,
                "reason": passage.reason,
            }
            if passage.encoding != UTF_8:
                about["encoding"] = passage.encoding
            if passage.left_out:
                about["left_out"] = passage.left_out
            passages[name] = about | {
                key: round(value, 4) if isinstance(value, float) else value
                for key, value in values.items()
            }
        languages = sorted(
            {passage.language for passage in self.passages if passage.readability is not None}
        )
        signatures = {each: signature(each, known_names=self.known_names) for each in languages}
        return {"formulas": passages, "signature": signatures}

    def show(self, console: Console) -> None:
        """A table a file and language, what it rests on, and what could not be measured."""
        groups: dict[tuple[str, str], list[tuple[str, Readability]]] = {}
        for passage in self.passages:
            if passage.readability is not None:
                groups.setdefault((passage.language, passage.file), []).append(
                    (passage.id, passage.readability)
                )
        for language, columns in _TABLES.items():
            shown = {file: rows for (tongue, file), rows in groups.items() if tongue == language}
            for file, rows in shown.items():
                console.print(f"{file}: {counted(len(rows), 'passage')}", style="bold")
                _print_table(console, columns, rows)
            if shown:
                console.print(_NOTES[language])
                parts = signature(language, known_names=self.known_names)
                rules = "|".join(f"{name}:{value}" for name, value in parts.items())
                console.print(f"signature {rules}", style="dim", soft_wrap=True)
        for passage in self.passages:
            if passage.readability is None:
                console.print(f"{passage.file}: {passage.id}: no measure, {passage.reason}")


LEAST_COLUMN = 4


def _print_table(
    console: Console, columns: Sequence[_Column], rows: Sequence[tuple[str, Readability]]
) -> None:
    cells = [[_cell(found, column) for column in columns] for _, found in rows]
    widths = [
        max(LEAST_COLUMN, *map(cell_len, (*column.title.split("\n"), *texts)))
        for column, texts in zip(columns, zip(*cells, strict=True), strict=True)
    ]
    names = max(cell_len(name) for name in ("passage", *(name for name, _ in rows)))
    room = max(console.width - names, console.width // 2)
    for shown in side_by_side(widths, room, gap=1):
        table = plain_table("passage", *(columns[index].title for index in shown))
        table.padding = (0, 0)
        table.collapse_padding = True
        table.columns[0].min_width = min(names, console.width - room)
        for index, each in zip(shown, table.columns[1:], strict=True):
            each.min_width = each.max_width = widths[index]
        for (name, _), texts in zip(rows, cells, strict=True):
            table.add_row(name, *(texts[index] for index in shown))
        console.print(table)
    met = {one.grades for _, one in rows if isinstance(one, EnglishReadability)}
    in_order = [grades for grades in GRADES if grades in met]
    if len(in_order) > 1:
        console.print(f"Dale-Chall grades: {in_order[0]} to {in_order[-1]}")


def _cell(scores: Readability, column: _Column) -> str:
    value = getattr(scores, column.field)
    if value is None:
        return ABSENT
    if column.decimals is None:
        return str(value)
    return f"{value:,.{column.decimals}f}"


def measure(
    files: Sequence[str],
    *,
    format: str | None = None,
    split: str | None = None,
    language: str | None = None,
    known_names: bool = True,
) -> Measurements:
    """The readability of every passage of some files; one without a measure has the reason.

    ``known_names`` is whether Dale-Chall counts names of persons and places as familiar words.
    """
    require_language(language, "formula")
    passages = tuple(
        _measured(file, given_passage, language, known_names)
        for file in files
        for given_passage in passages_of(file, format, split)
    )
    return Measurements(passages, reading_notes(files, passages), known_names)


def _measured(
    file: str, given: GivenPassage, language: str | None, known_names: bool
) -> MeasuredPassage:
    tongue, reason = given.language_or_reason(language, "formula")
    values = readability(given.text, tongue, known_names=known_names) if reason is None else None
    if reason is None and values is None:
        what = "Chinese word" if tongue == "zh" else "word"
        reason = f"the text has no {what}" if given.text.strip() else "the text is empty"
    return MeasuredPassage(**given.placed(file, tongue), reason=reason, readability=values)
