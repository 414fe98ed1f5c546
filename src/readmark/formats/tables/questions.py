"""Tables of questions that people write: CSV, TSV and XLSX, with columns known by their headings.

Passages are in the cells, in a sheet or file of their own by id, or text files in a folder.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any

from readmark.core.encodings import decoded
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.folders import is_within
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem, ReportProblem, WarningCode, ignore, remark
from readmark.core.record_members import text_of, title_of
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.spans import clip, places
from readmark.core.test import Test
from readmark.formats.members import Fault
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table, tables_in
from readmark.formats.tables.columns import UNPLACED
from readmark.formats.tables.headings import (
    AnswerColumn,
    Columns,
    chosen_option,
    columns_named,
    is_passage_header,
    is_question_header,
    mapping_for,
    missing,
    parse_mapping,
)
from readmark.formats.tables.question_writer import write_questions
from readmark.formats.tables.row_kinds import kind_of_row
from readmark.formats.tables.rows import PlacedRow, flat_test

FREE_TEXT = WarningCode("not_in_passage")
"""The code of an answer that no place of the passage has."""
TEXT_FILES = (".txt", ".md", ".text")
_SHARED = ("passage_id", "title", "split", "genre", "topic", "dateline", "parallel", "article")
"""What the rows of a passage have in common; an empty cell has what the first one has."""
_OWN = ("type", "difficulty")
PASSAGES = frozenset(("passage", "passage_id", "file"))
"""What a table may have its passages by."""
_YES = frozenset(("1", "yes", "y", "true", "x", "是", "对", "√", "✓", "无", "无答案"))
_NO = frozenset(("", "0", "no", "n", "false", "-", "否", "不是", "有"))


@dataclass(frozen=True, slots=True)
class NamedText:
    """A passage of a folder, table or test."""

    id: str
    text: str
    title: str = ""


def named_texts(
    path: str | Path, *, format: str | None = None, split: str | None = None
) -> Iterator[NamedText]:
    """The passages of a folder of text files, a text file, a table of passages, or a test.

    ``split`` selects one of a test.
    """
    source = Source(path)
    if format is not None or split is not None:
        pass
    elif source.folder is not None:
        names = [n for n in source.folder.names if PurePosixPath(n).suffix.lower() in TEXT_FILES]
        if names and not any(name.lower().endswith(".ann") for name in source.folder.names):
            for name in names:
                yield _of_file(name, source.folder.text(name))
            return
    elif source.suffixes[-1:] in [(suffix,) for suffix in TEXT_FILES]:
        yield _of_file(source.path.name, decoded(read_bytes(path), source.file))
        return
    elif is_table(source):
        yield from _texts_of_table(path)
        return
    for record in open_test(path, format=format, split=split).records():
        if text_of(record) is None:
            raise UsageError(f"{path}: a {record.__class__.__name__} has no passage")
        yield NamedText(record.id, record.text, title_of(record))


def _of_file(name: str, text: str) -> NamedText:
    """A text file as a passage: its name is the id, the line break at its end no part of it."""
    return NamedText(str(PurePosixPath(name).with_suffix("")), text.rstrip("\r\n"))


def _texts_of_table(path: str | Path) -> Iterator[NamedText]:
    with contextlib.closing(tables_in(path, is_passage_header)) as tables:
        seen: dict[str, str] = {}
        for place, headings, rows in tables:
            if not is_passage_header(headings):
                if not seen:
                    raise DataError(missing("passage", headings), file=path, where=place)
                continue
            columns = columns_named(headings, {})
            for line, cells in rows:
                title = columns.cell("title", cells)
                id = columns.cell("passage_id", cells) or columns.cell("id", cells)
                id = (id or columns.cell("file", cells) or title).strip()
                text = columns.cell("passage", cells)
                if text.strip() and id:
                    if seen.setdefault(id, text) != text:
                        raise DataError(f"passage id {id!r} occurs twice", file=path, where=line)
                    yield NamedText(id, text, title)


class _Library:
    """Passages by id or file: those named by the user, or the sheet of the same workbook."""

    def __init__(self, path: str | Path, *, is_given: bool) -> None:
        self.path = path
        self.is_given = is_given

    @cached_property
    def _texts(self) -> dict[str, NamedText]:
        texts = {text.id: text for text in named_texts(self.path)}
        if not texts:
            raise DataError("holds no passages", file=self.path)
        return texts

    def find(self, name: str) -> NamedText | None:
        """A passage by its id, or by its file's name with or without a suffix."""
        known = self._texts
        stem = name[: -len(PurePosixPath(name).suffix)] if PurePosixPath(name).suffix else name
        return known.get(name) or known.get(stem)

    def require(self, name: str) -> NamedText:
        """The same, which must be there."""
        passage = self.find(name)
        if passage is None:
            message = f"passage {clip(name)!r} is not among the {len(self._texts):,} of {self.path}"
            raise Fault("", f"{message} ({first_ids(list(self._texts))})")
        return passage


@dataclass(frozen=True)
class QuestionTable:
    """A question a row."""

    map: str = parameter("", help="columns by field, such as question=Q,answer=A1+A2+A3")
    passages: str = parameter("", help="folder, table or test that has the passages")

    def recognises(self, source: Source) -> bool:
        """A file that is called a table, unless its columns are those of predictions."""
        if source.folder is not None or not is_table(source):
            return False
        return not source.once(_is_other_table)

    def read(self, source: Source) -> Test:
        """The test in a table; rows are read as records are asked for."""
        given = parse_mapping(self.map)
        with contextlib.closing(self._tables(source, given)) as tables:
            place, headings, _ = next(tables)
            mapping = mapping_for(headings, given)
            columns = _placed_columns(headings, mapping, source.file, place)
            if not is_question_header(headings, mapping):
                raise DataError(missing("question", headings), file=source.file, where=place)
            has_passages = any(is_passage_header(names) for _, names, _ in tables)
        library = None
        if self.passages or has_passages:
            library = _Library(self.passages or source.path, is_given=bool(self.passages))
        if library is None and not {"passage", "file"} & columns.fields.keys():
            message = missing("passage", headings)
            if "passage_id" in columns.fields:
                message = (
                    "gives passages by id: `passages` names the folder, table or test that has them"
                )
            raise DataError(message, file=source.file, where=place)
        kind = kind_of_row({"id": "", "context": "", "question": "", "answers": None})
        assert kind is not None
        rows = partial(self._rows, source, mapping, library)

        def unit_rows() -> dict[str, int]:
            return {row.row["id"]: row.number for row in rows(ignore)}

        test = flat_test(source, kind, [source.file], lambda _, report: rows(report))
        return replace(test, unit_rows=unit_rows)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write one row per question; what the columns cannot hold is named."""
        return write_questions(test, path)

    def _tables(self, source: Source, given: Mapping[str, Sequence[str]]) -> Any:
        def is_header(cells: Sequence[str]) -> bool:
            return is_question_header(cells, mapping_for(cells, given))

        return tables_in(source.path, is_header, single=True)

    def _rows(
        self,
        source: Source,
        mapping: Mapping[str, Sequence[str]],
        library: _Library | None,
        report: ReportProblem,
    ) -> Iterator[PlacedRow]:
        with contextlib.closing(self._tables(source, mapping)) as tables:
            place, headings, rows = next(tables)
            columns = _placed_columns(headings, mapping, source.file, place)
            reading = _Reading(columns, library, source.path)
            asked = False
            of_passage: Counter[str] = Counter()
            for number, cells in rows:
                try:
                    row = reading.row(cells, number)
                except Fault as fault:
                    reading.faults += 1
                    report(Problem(source.file, number, fault.code, fault.message))
                    continue
                if row is None:
                    continue
                asked = True
                passage = row.get("passage_id") or text_id(row["context"])
                of_passage[passage] += 1
                row["id"] = row["id"] or f"{passage}-{of_passage[passage]}"
                for message in reading.remarks:
                    remark(report, Problem(source.file, number, FREE_TEXT, message))
                yield PlacedRow(source.file, number, None, row)
            if not asked and not reading.faults:
                report(Problem(source.file, place, "empty", "no row has a question"))


def _placed_columns(
    headings: Sequence[str], mapping: Mapping[str, Sequence[str]], file: str, place: int
) -> Columns:
    try:
        return columns_named(headings, mapping)
    except DataError as error:
        raise DataError(error.message, file=file, where=place) from None


def _is_other_table(source: Source) -> bool:
    """Whether a table has no questions: a .tsv without any known heading, or predictions."""
    from readmark.formats.prediction_rows import is_prediction_header

    with contextlib.closing(tables_in(source.path, lambda c: is_question_header(c, {}))) as tables:
        place, headings, _ = next(tables)
    columns = _placed_columns(headings, {}, source.file, place)
    if "question" in columns.fields and not PASSAGES.isdisjoint(columns.fields):
        return False
    unknown = not columns.fields and not columns.answers
    return is_prediction_header(headings) or (unknown and source.suffixes[-1:] == (".tsv",))


class _Reading:
    """One reading of a table: rows in the columns of flat files."""

    def __init__(self, columns: Columns, library: _Library | None, path: Path) -> None:
        self._columns = columns
        self._library = library
        self._folder = path.absolute().parent
        self._before: dict[str, str] = {}
        self._known: dict[str, dict[str, str]] = {}
        self._ids: dict[str, int] = {}
        self._file_text = cache(self._read_file)
        self.faults = 0
        self.remarks: list[str] = []

    def row(self, cells: Sequence[str], number: int) -> dict[str, Any] | None:
        """A row; None where nothing is asked."""
        self.remarks = []
        columns = self._columns
        shared = self._passage(cells)
        question = columns.cell("question", cells)
        answers = [(column, cells[column.index]) for column in columns.answers]
        id = columns.cell("id", cells).strip()
        if not question.strip():
            if not any(text.strip() for _, text in answers):
                return None
            if not id:  # with one it is a question without text, which a check reports
                raise Fault("", "has an answer and no question")
        if id and id in self._ids:
            message = f"id {id!r} occurs twice, first in row {self._ids[id]}"
            raise Fault("", message, "duplicate_id")
        if id:
            self._ids[id] = number
        text = shared.pop("passage", "")
        if not text.strip():
            name = shared.get("passage_id")
            raise Fault("", f"passage {name!r} has no text" if name else "has no passage")
        row: dict[str, Any] = {"id": id, "context": text, "question": question}
        row |= {name: value for name, value in shared.items() if value}
        row |= {name: v for name in _OWN if (v := columns.cell(name, cells).strip())}
        if level := columns.cell("level", cells).strip():
            row["level"] = int(level) if level.isascii() and level.isdigit() else level
        if _is_yes(columns.cell("unanswerable", cells)):
            row["unanswerable"] = True
        options = self._options(cells)
        if options:
            row["options"] = options
        placed = [
            self._answer(column, words, text, options, cells, id) for column, words in answers
        ]
        given = [answer for answer in placed if answer is not None]
        if given:
            row["answers"] = {
                "text": [words for words, _, _ in given],
                "answer_start": [start for _, start, _ in given],
                "annotator": [person for _, _, person in given],
            }
        else:
            row["answers"] = None
        own = {name: cells[index] for name, index in columns.more.items() if cells[index].strip()}
        return {**own, **row}

    def _passage(self, cells: Sequence[str]) -> dict[str, str]:
        """The passage of a row and what it has besides; empty cells repeat what was above."""
        columns = self._columns
        own = {name: columns.cell(name, cells).strip() for name in _SHARED}
        text, file = columns.cell("passage", cells), columns.cell("file", cells).strip()
        named = self._named(text.strip(), file, own["passage_id"])
        if named is not None:
            text = named.text
            own["passage_id"] = own["passage_id"] or named.id
            own["title"] = own["title"] or named.title
        if not text.strip() and not own["passage_id"]:
            before = self._before
        else:
            before = self._known.get(own["passage_id"], {}) if own["passage_id"] else {}
        shared = {name: value or before.get(name, "") for name, value in own.items()}
        shared["passage"] = text if text.strip() else before.get("passage", "")
        if shared["passage_id"]:
            self._known.setdefault(shared["passage_id"], shared)
        self._before = shared
        return dict(shared)

    def _named(self, text: str, file: str, id: str) -> NamedText | None:
        """The passage that a row names by file or id; None where its text is in the cell."""
        library = self._library
        if library is not None and library.is_given:
            name = file or id or text
            return library.require(name) if name else None
        if file or (text.lower().endswith(TEXT_FILES) and "\n" not in text):
            return self._file_text(file or text)
        if library is not None and id and not text and id not in self._known:
            return library.require(id)
        return None

    def _read_file(self, name: str) -> NamedText:
        """A text file next to the table."""
        path = self._folder / name
        if not is_within(path, self._folder):
            raise Fault("", f"{clip(name)!r} is not in the folder of the table: use `passages`")
        if not path.is_file():
            raise Fault("", f"there is no file {clip(name)!r} next to the table: use `passages`")
        return _of_file(name, decoded(read_bytes(path), str(path)))

    def _options(self, cells: Sequence[str]) -> list[str]:
        columns = self._columns
        if columns.options:
            options = [cells[index].strip() for index in columns.options]
        else:
            listed = columns.cell("options", cells)
            options = [o.strip() for o in listed.split("\n" if "\n" in listed.strip() else "|")]
        while options and not options[-1]:
            options.pop()
        return options

    def _answer(
        self,
        column: AnswerColumn,
        words: str,
        text: str,
        options: Sequence[str],
        cells: Sequence[str],
        id: str,
    ) -> tuple[str, int, str | None] | None:
        if not words.strip():
            return None
        if options:
            return chosen_option(words.strip(), options), UNPLACED, column.annotator
        given = cells[column.start].strip() if column.start is not None else ""
        words = words if given else words.strip()
        starts = places(text, words)
        start = starts[0] if len(starts) == 1 else UNPLACED
        if given and given != str(UNPLACED):
            if not given.isascii() or not given.isdigit():
                raise Fault("", f"the start of an answer is {clip(given)!r}, expected a number")
            start = int(given)
        elif not starts:
            name = f"{id}: " if id else ""
            self.remarks.append(f"{name}the answer {clip(words)!r} is not in the passage")
        return words, start, column.annotator


def _is_yes(cell: str) -> bool:
    spelt = cell.strip().lower()
    if spelt in _YES or spelt in _NO:
        return spelt in _YES
    raise Fault("", f"unanswerable is {clip(cell)!r}, expected yes or no")


TABLE = QuestionTable()
