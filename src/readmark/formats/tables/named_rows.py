"""Rows of JSON and Parquet under other names than ours, put into the columns of flat files.

What people's tables may be called is what these rows may be called: ``{"qid", "passage", "query",
"gold"}`` is a question, and so is what ``--map`` names.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import DataError
from readmark.core.problems import Problem, ReportProblem, remark
from readmark.core.spans import clip, places
from readmark.formats.members import Fault, is_integer, unexpected
from readmark.formats.number_formats import shown as shown_number
from readmark.formats.tables.cells import FREE_TEXT, is_yes
from readmark.formats.tables.column_map import is_mapped, mapping_for
from readmark.formats.tables.columns import UNPLACED
from readmark.formats.tables.headings import Columns, columns_named, folded
from readmark.formats.tables.row_kinds import kind_of_row
from readmark.formats.tables.rows import PlacedRow

_PROSE = re.compile(r"\s|[\u3400-\u9fff]")
"""What a text has and an id does not: space between words, or Chinese."""
_LOG = logging.getLogger(__name__)
_PLAIN = {
    "passage": ("passage", "context"),
    "answer": ("answer", "answers"),
}
"""The usual names of fields, which need no message."""


@dataclass(slots=True)
class NamedRows:
    """How the members of rows are called; rows of one file may have different members."""

    _columns: dict[tuple[str, ...], Columns] = field(default_factory=dict)

    def put(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row in our columns; those of the author's own keep their names."""
        columns = self._columns_of(tuple(row))
        values = list(row.values())
        put = {name: values[index] for name, index in columns.more.items()}
        put["id"] = ""
        for name, index in columns.fields.items():
            put["context" if name == "passage" else name] = values[index]
        put["context"] = _passage(put.get("context"))
        if "unanswerable" in put and isinstance(put["unanswerable"], str):
            put["unanswerable"] = is_yes(put["unanswerable"])
        if isinstance(level := put.get("level"), str) and level.isascii() and level.isdigit():
            put["level"] = int(level)
        options = [values[index] for index in columns.options]
        while options and options[-1] in (None, ""):
            options.pop()
        if not options and isinstance(put.get("options"), str):
            options = [option.strip() for option in put["options"].split("|")]
        if options:
            put["options"] = options
        if put.get("options"):  # which option is meant is known where rows are recast
            key = next((values[column.index] for column in columns.answers), None)
            return {**put, "answer": str(key) if is_integer(key) else key}
        put["answers"] = _answers(columns, values, put["context"] or "")
        return put

    def are_of_questions(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has a passage, a question and an answer, by any of their names.

        A row without an answer may have one under a name that is not known, so it is taken only
        where columns were named.
        """
        columns = self._columns_of(tuple(row))
        values = list(row.values())
        passage = _passage(values[columns.fields["passage"]]) if "passage" in columns.fields else ""
        if "question" not in columns.fields or not isinstance(passage, str):
            return False
        mapping = mapping_for(tuple(row))
        # A document may also be named by its id, as in answers to the queries of a reading task.
        is_text = bool(_PROSE.search(passage.strip())) or "passage" in mapping
        return is_text and bool(columns.answers or mapping)

    def described(self, row: Mapping[str, Any]) -> str:
        """Which members were read as which fields, unless their names are the usual ones."""
        return renamed_columns(list(row), self._columns_of(tuple(row)))

    def _columns_of(self, names: tuple[str, ...]) -> Columns:
        if names not in self._columns:
            self._columns[names] = columns_named(names, mapping_for(names))
        return self._columns[names]


def renamed_columns(names: Sequence[str], columns: Columns) -> str:
    """``question = query, answer = gold``: the columns whose names are not the fields' own."""
    fields = [
        *columns.fields.items(),
        *(
            ("answer", column.index)
            for column in columns.answers
            # ``answer (Ann)`` says itself what it is; a column that was named is called as she is.
            if column.annotator in (None, names[column.index].strip())
        ),
    ]
    return ", ".join(
        f"{name} = {names[index].strip()}"
        for name, index in fields
        if folded(names[index]) not in map(folded, _PLAIN.get(name, (name,)))
    )


def say_names(file: str, names: str) -> None:
    """Log how columns were read; a command prints it."""
    if names:
        _LOG.info("%s: read as %s", file, names)


def recognised(row: Any) -> tuple[str, NamedRows | None] | None:
    """The kind of test that a row is of, and how its members are called if not as ours are."""
    if not isinstance(row, dict) or not row:
        return None
    kind = kind_of_row(row)
    if kind is not None and not mapping_for(tuple(row)):
        return kind, None
    names = NamedRows()
    try:
        if names.are_of_questions(row):
            return question_kind(), names
    except DataError:  # two members are called alike, or one that was named is not there
        if is_mapped():
            raise
    return None if kind is None else (kind, None)


def question_kind() -> str:
    """The kind of test that a row with a passage and a question is of."""
    kind = kind_of_row({"id": "", "context": "", "question": "", "answers": None})
    assert kind is not None
    return kind


def named_rows(
    rows: Iterable[PlacedRow], names: NamedRows, report: ReportProblem
) -> Iterator[PlacedRow]:
    """Rows in our columns; an answer that the passage does not have is named."""
    for placed in rows:
        try:
            row = names.put(placed.row)
        except Fault as fault:
            report(Problem(placed.file, placed.number, fault.code, fault.message))
            continue
        answers = row.get("answers") or {"text": [], "answer_start": []}
        for text, start in zip(answers["text"], answers["answer_start"], strict=True):
            if start == UNPLACED and text not in (row["context"] or ""):
                name = row["id"] or "the row"
                message = f"{name}: the answer {clip(text)!r} is not in the passage"
                remark(report, Problem(placed.file, placed.number, FREE_TEXT, message))
        yield placed._replace(row=row)


def _passage(value: Any) -> Any:
    is_lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "\n".join(value) if is_lines else value


def _answers(columns: Columns, values: Sequence[Any], passage: str) -> dict[str, list[Any]] | None:
    """Answers as parallel lists; None where there is none."""
    texts: list[str] = []
    starts: list[int] = []
    annotators: list[str | None] = []
    for column in columns.answers:
        value = values[column.index]
        if isinstance(value, dict) and isinstance(value.get("text"), list):
            stated = value.get("answer_start") or value.get("start") or [None] * len(value["text"])
            pairs = list(zip(value["text"], stated, strict=False))
        elif isinstance(value, list):
            pairs = [_pair(each) for each in value]
        else:
            pairs = [_pair(value)]
        if column.start is not None and len(pairs) == 1:
            pairs = [(pairs[0][0], values[column.start])]
        for text, start in pairs:
            words = _words(text)
            if words is None:
                continue
            texts.append(words)
            starts.append(start if is_integer(start) else _only_place(passage, words))
            annotators.append(column.annotator)
    if not texts:
        return None
    return {"text": texts, "answer_start": starts, "annotator": annotators}


def _only_place(passage: str, words: str) -> int:
    begins = places(passage, words)
    return begins[0] if len(begins) == 1 else UNPLACED


def _pair(value: Any) -> tuple[Any, Any]:
    if isinstance(value, dict) and "text" in value:
        return value["text"], value.get("answer_start", value.get("start"))
    return value, None


def _words(value: Any) -> str | None:
    """An answer's words; None where there is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return shown_number(value)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise Fault("", unexpected("the answer", value, "text"))
    if len(value.strip()) == 1 and value.strip().isascii() and value.strip().isalpha():
        expected = "the answer's words, since there are no options"
        raise Fault("", unexpected("the answer", value, expected))
    return value
