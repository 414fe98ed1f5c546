"""Tables of questions that people write: CSV, TSV and XLSX, with columns known by their headings.

Passages are in the cells, in a sheet or file of their own by id, or text files in a folder.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.folders import is_within
from readmark.core.problems import Problem, ReportProblem, ignore, remark
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.spans import clip, places
from readmark.core.test import Test
from readmark.formats.members import Fault
from readmark.formats.sheets import SheetTable, is_table, tables_in
from readmark.formats.tables.cells import FREE_TEXT, chosen_option, is_yes
from readmark.formats.tables.column_map import mapping_for
from readmark.formats.tables.columns import UNPLACED
from readmark.formats.tables.headings import (
    AnswerColumn,
    Columns,
    columns_named,
    is_passage_header,
    is_question_header,
    missing,
)
from readmark.formats.tables.named_rows import question_kind, renamed_columns, say_names
from readmark.formats.tables.named_texts import TEXT_FILES, NamedText, TextLibrary, text_of_file
from readmark.formats.tables.question_writer import write_questions
from readmark.formats.tables.rows import PlacedRow, flat_test

_OF_PASSAGE = (
    "passage_id",
    "title",
    "split",
    "genre",
    "topic",
    "dateline",
    "parallel",
    "article",
)
"""What the rows of a passage have in common; an empty cell has what the first one has."""
_OF_QUESTION = ("type", "difficulty")
_PASSAGE_FIELDS = frozenset({"passage", "passage_id", "file"})
"""What a table may have its passages by."""


@dataclass(frozen=True)
class QuestionTable:
    """A question a row."""

    passages: str = parameter("", help="folder, table or test that has the passages")

    def recognises(self, source: Source) -> bool:
        """A file that is called a table, unless its columns are those of predictions."""
        if source.folder is not None or not is_table(source):
            return False
        return not source.once(_is_other_table)

    def read(self, source: Source) -> Test:
        """The test in a table; rows are read as records are asked for."""
        with contextlib.closing(_tables(source)) as tables:
            place, headings, _ = next(tables)
            mapping = mapping_for(headings)
            columns = _placed_columns(headings, mapping, source.file, place)
            if not is_question_header(headings, mapping):
                raise DataError(missing("question", headings), file=source.file, where=place)
            has_passage_sheet = any(is_passage_header(names) for _, names, _ in tables)
        library = None
        if self.passages or has_passage_sheet:
            library = TextLibrary(
                self.passages or source.path, is_named_by_user=bool(self.passages)
            )
        if library is None and not {"passage", "file"} & columns.fields.keys():
            message = missing("passage", headings)
            if "passage_id" in columns.fields:
                message = (
                    "gives passages by id: `passages` names the folder, table or test that has them"
                )
            raise DataError(message, file=source.file, where=place)
        kind = question_kind()
        say_names(source.file, renamed_columns(headings, columns))
        rows = partial(_rows, source, mapping, library)

        def unit_rows() -> dict[str, int]:
            return {row.row["id"]: row.number for row in rows(ignore)}

        test = flat_test(source, kind, [source.file], lambda _, report: rows(report))
        return replace(test, unit_rows=unit_rows)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write one row per question; what the columns cannot hold is named."""
        return write_questions(test, path)


def _is_other_table(source: Source) -> bool:
    """Whether a table has no questions: a .tsv without any known heading, or predictions."""
    from readmark.formats.prediction_rows import is_prediction_header

    with contextlib.closing(
        tables_in(source.path, lambda cells: is_question_header(cells, mapping_for(cells)))
    ) as tables:
        place, headings, _ = next(tables)
    columns = _placed_columns(headings, mapping_for(headings), source.file, place)
    if "question" in columns.fields and not _PASSAGE_FIELDS.isdisjoint(columns.fields):
        return False
    is_unknown = not columns.fields and not columns.answers
    return is_prediction_header(headings) or (is_unknown and source.suffixes[-1:] == (".tsv",))


def _tables(
    source: Source, mapping: Mapping[str, Sequence[str]] | None = None
) -> Generator[SheetTable, None, None]:
    def is_header(cells: Sequence[str]) -> bool:
        return is_question_header(cells, mapping_for(cells) if mapping is None else mapping)

    return tables_in(source.path, is_header, single=True)


def _placed_columns(
    headings: Sequence[str], mapping: Mapping[str, Sequence[str]], file: str, place: int
) -> Columns:
    """The columns by their headings; an error names the row of the headings."""
    try:
        return columns_named(headings, mapping)
    except DataError as error:
        raise DataError(error.message, file=file, where=place) from None


def _rows(
    source: Source,
    mapping: Mapping[str, Sequence[str]],
    library: TextLibrary | None,
    report: ReportProblem,
) -> Iterator[PlacedRow]:
    """The rows of a table with a question; one without an id gets its number in its passage."""
    with contextlib.closing(_tables(source, mapping)) as tables:
        place, headings, rows = next(tables)
        columns = _placed_columns(headings, mapping, source.file, place)
        reader = _RowReader(columns, library, source.path)
        has_rows = False
        count_in: Counter[str] = Counter()
        for number, cells in rows:
            try:
                row = reader.row(cells, number)
            except Fault as fault:
                has_rows = True
                report(Problem(source.file, number, fault.code, fault.message))
                continue
            if row is None:
                continue
            has_rows = True
            passage = row.get("passage_id") or text_id(row["context"])
            count_in[passage] += 1
            row["id"] = row["id"] or f"{passage}-{count_in[passage]}"
            for message in reader.remarks:
                remark(report, Problem(source.file, number, FREE_TEXT, message))
            yield PlacedRow(source.file, number, None, row)
        if not has_rows:
            report(Problem(source.file, place, "empty", "no row has a question"))


class _RowReader:
    """Rows of a table in the columns of flat files; empty cells repeat what was above them."""

    def __init__(self, columns: Columns, library: TextLibrary | None, path: Path) -> None:
        self.remarks: list[str] = []
        """What is odd about the last row."""
        self._columns = columns
        self._library = library
        self._folder = path.absolute().parent
        self._previous: dict[str, str] = {}
        """The passage of the row before."""
        self._passages: dict[str, dict[str, str]] = {}
        self._rows_of_ids: dict[str, int] = {}
        self._file_text = cache(self._read_file)

    def row(self, cells: Sequence[str], number: int) -> dict[str, Any] | None:
        """A row; None where nothing is asked."""
        self.remarks = []
        columns = self._columns
        passage = self._passage(cells)
        question = columns.cell("question", cells)
        answers = [(column, cells[column.index]) for column in columns.answers]
        id = columns.cell("id", cells).strip()
        if not question.strip():
            if not any(text.strip() for _, text in answers):
                return None
            if not id:  # with one it is a question without text, which a check reports
                raise Fault("", "has an answer and no question")
        if id and id in self._rows_of_ids:
            message = f"id {id!r} occurs twice, first in row {self._rows_of_ids[id]}"
            raise Fault("", message, "duplicate_id")
        if id:
            self._rows_of_ids[id] = number
        text = passage.pop("passage", "")
        if not text.strip():
            name = passage.get("passage_id")
            raise Fault("", f"passage {name!r} has no text" if name else "has no passage")
        row: dict[str, Any] = {"id": id, "context": text, "question": question}
        row |= {name: value for name, value in passage.items() if value}
        row |= {
            name: value for name in _OF_QUESTION if (value := columns.cell(name, cells).strip())
        }
        if level := columns.cell("level", cells).strip():
            row["level"] = int(level) if level.isascii() and level.isdigit() else level
        if is_yes(columns.cell("unanswerable", cells)):
            row["unanswerable"] = True
        options = self._options(cells)
        if options:
            row["options"] = options
        placed = [
            self._answer(column, words, text, options, cells, id)
            for column, words in answers
            if words.strip()
        ]
        row["answers"] = None
        if placed:
            row["answers"] = {
                "text": [words for words, _, _ in placed],
                "answer_start": [start for _, start, _ in placed],
                "annotator": [annotator for _, _, annotator in placed],
            }
        authors = {name: cells[i] for name, i in columns.more.items() if cells[i].strip()}
        return {**authors, **row}

    def _passage(self, cells: Sequence[str]) -> dict[str, str]:
        """The passage of a row and what it has besides."""
        columns = self._columns
        stated = {name: columns.cell(name, cells).strip() for name in _OF_PASSAGE}
        text, file = columns.cell("passage", cells), columns.cell("file", cells).strip()
        named = self._named_text(text.strip(), file, stated["passage_id"])
        if named is not None:
            text = named.text
            stated["passage_id"] = stated["passage_id"] or named.id
            stated["title"] = stated["title"] or named.title
        earlier: dict[str, str] = {}
        if stated["passage_id"]:
            earlier = self._passages.get(stated["passage_id"], {})
        elif not text.strip():
            earlier = self._previous
        passage = {name: value or earlier.get(name, "") for name, value in stated.items()}
        passage["passage"] = text if text.strip() else earlier.get("passage", "")
        if passage["passage_id"]:
            self._passages.setdefault(passage["passage_id"], passage)
        self._previous = passage
        return dict(passage)

    def _named_text(self, text: str, file: str, id: str) -> NamedText | None:
        """The passage that a row names by file or id; None where its text is in the cell."""
        library = self._library
        if library is not None and library.is_named_by_user:
            name = file or id or text
            return library.require(name) if name else None
        if file or (text.lower().endswith(TEXT_FILES) and "\n" not in text):
            return self._file_text(file or text)
        if library is not None and id and not text and id not in self._passages:
            return library.require(id)
        return None

    def _read_file(self, name: str) -> NamedText:
        """A text file next to the table."""
        path = self._folder / name
        if not is_within(path, self._folder):
            raise Fault("", f"{clip(name)!r} is not in the folder of the table: use `passages`")
        if not path.is_file():
            raise Fault("", f"there is no file {clip(name)!r} next to the table: use `passages`")
        return text_of_file(name, decoded(read_bytes(path), str(path)))

    def _options(self, cells: Sequence[str]) -> list[str]:
        columns = self._columns
        if columns.options:
            options = [cells[index].strip() for index in columns.options]
        else:
            cell = columns.cell("options", cells)
            separator = "\n" if "\n" in cell.strip() else "|"
            options = [option.strip() for option in cell.split(separator)]
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
    ) -> tuple[str, int, str | None]:
        """An answer, where it begins, and whose it is."""
        if options:
            return chosen_option(words.strip(), options), UNPLACED, column.annotator
        stated = cells[column.start].strip() if column.start is not None else ""
        # Where the table states a place, it may be the place of the white space.
        words = words if stated else words.strip()
        starts = places(text, words)
        start = starts[0] if len(starts) == 1 else UNPLACED
        if stated and stated != str(UNPLACED):
            if not stated.isascii() or not stated.isdigit():
                raise Fault("", f"the start of an answer is {clip(stated)!r}, expected a number")
            start = int(stated)
        elif not starts:
            name = f"{id}: " if id else ""
            self.remarks.append(f"{name}the answer {clip(words)!r} is not in the passage")
        return words, start, column.annotator


TABLE = QuestionTable()
