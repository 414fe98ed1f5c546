"""Predictions a row each: the id and the answer under the names that public tools give them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.csv_text import SheetCell
from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault, read_lines
from readmark.core.json_lines import json_line
from readmark.core.kinds import KINDS
from readmark.core.row_lines import holds_json, row_lines
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.core.source import Source, suffixes_of
from readmark.core.spans import clip
from readmark.core.writing import writing
from readmark.formats.native_sitting import sound_row
from readmark.formats.number_formats import shown
from readmark.formats.sheets import is_table, is_table_name, tables_in, write_sheet
from readmark.formats.tables.column_map import PREDICTION, mapping_for
from readmark.formats.tables.headings import HEADINGS, folded, is_question_header
from readmark.formats.tables.named_rows import say_names
from readmark.formats.tables.parquet import is_parquet, parquet_rows
from readmark.formats.tables.row_kinds import is_question
from readmark.formats.tables.shards import LINES, stem
from readmark.hooks import Kind


def _folded(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(folded, names)))


ID_NAMES = _folded(*HEADINGS["id"], "query id", "example id", "unit", "unit id", "uid", "uuid")
PREDICTION_NAMES = _folded(
    "prediction text",
    "prediction",
    "predicted answer",
    "predicted",
    "pred",
    "pred answer",
    "pred text",
    "model answer",
    "model output",
    "model response",
    "generated answer",
    "predictions",
    "hypothesis",
    "预测",
    "预测答案",
    "模型答案",
)
"""Names that only predictions have."""
ANSWER_NAMES = _folded(
    "answer",
    "text",
    "response",
    "output",
    "reply",
    "generated text",
    "generation",
    "completion",
    "result",
    "答案",
    "回答",
    "输出",
    "rewrite",
    "rating",
    "评分",
)
"""Names that answers may have, besides the kind's own member."""
_NUMBERS: dict[str, type] = {"start": int, "end": int, "score": float, "repeat": int}
_MEMBERS = ("start", "end", "score", "repeat", "error")
"""What a row holds besides id and answer."""


def answer_names(kind: Kind) -> tuple[str, ...]:
    """What the member or column of answers may be called, the surest first."""
    return _folded(*PREDICTION_NAMES, kind.answer, *ANSWER_NAMES)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the ids and the answers of a file may be called, folded, the surest first."""

    ids: tuple[str, ...]
    answers: tuple[str, ...]


def _names(columns: Sequence[str], kind: Kind) -> _Names:
    mapping = mapping_for(columns, ("id", PREDICTION))
    return _Names(
        _folded(*mapping.get("id", ()), *ID_NAMES),
        _folded(*mapping.get(PREDICTION, ()), *answer_names(kind)),
    )


def is_prediction_header(names: Sequence[str]) -> bool:
    """Whether columns or members have an id and an answer, and are no questions with their key."""
    known = set(map(folded, names))
    mapping = mapping_for(names, ("id", PREDICTION))
    if "id" not in mapping and known.isdisjoint(ID_NAMES):
        return False
    if PREDICTION in mapping or not known.isdisjoint(PREDICTION_NAMES):
        return True
    return not known.isdisjoint(ANSWER_NAMES) and not is_question_header(names, mapping_for(names))


def kind_of_predictions(source: Source) -> str | None:
    """The kind whose answers the rows have; None where nothing tells."""
    names = set(map(folded, source.once(_first_names)))
    kinds = (name for name, kind in KINDS.working() if folded(kind.answer) in names)
    return next(kinds, None)


def _first_names(source: Source) -> Sequence[str]:
    """The columns of a table, or the members of the first row."""
    if source.folder is not None:
        return ()
    if is_table(source):
        with contextlib.closing(tables_in(source.path, is_prediction_header)) as tables:
            return next(tables)[1]
    if is_parquet(source):
        row = next(parquet_rows(source.path), None)
        return () if row is None or _is_of_test(row) else tuple(row)
    if not source.looks_json or source.readmark_file is not None:
        return ()
    row = source.first_line
    if row is None or isinstance(row, list):
        is_lines = source.suffixes[-1:] in [(suffix,) for suffix in LINES]
        row = None if is_lines or source.head.lstrip()[:1] != b"[" else source.document
        row = row[0] if isinstance(row, list) and row else None
    if not isinstance(row, dict):
        return ()
    return () if _is_of_test(row) else tuple(row)


def _is_of_test(row: Mapping[str, Any]) -> bool:
    """Whether a row is a question of a test, and not one with a candidate's answer to it."""
    return is_question(row) and set(map(folded, row)).isdisjoint(PREDICTION_NAMES)


class PredictionRows:
    """A row a prediction; the file's name is the candidate's, and it binds to no paper."""

    def recognises(self, source: Source) -> bool:
        """A table, JSON or Parquet whose rows have an id and an answer."""
        return is_prediction_header(source.once(_first_names))

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per id and repeat; an id that occurs twice is an error."""
        rows = PackedRows()
        notes: list[str] = []
        seen: dict[tuple[str, int], object] = {}
        names = _names(source.once(_first_names), kind)
        _say_names(source, kind)
        for place, cells in _rows(source):
            row = _sitting_row(cells, kind, names, source.file, place)
            if row is None:
                continue
            if (row.id, row.repeat) in seen:
                first = seen[row.id, row.repeat]
                raise DataError(
                    f"id {row.id!r} occurs twice, first in row {first}",
                    file=source.file,
                    where=place,
                )
            seen[row.id, row.repeat] = place
            keep(rows, sound_row(row, kind, f"{source.file}:{place}", notes))
        header = SittingHeader(candidate=stem(source.path))
        return Sitting(header, rows, source.file, tuple(notes), kind_name=kind.name)

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """A row an answer or error; evidence, times and costs are named and left out."""
        lines, known = row_lines(sitting.kind), ("id", sitting.kind.answer, *_MEMBERS)
        members: dict[str, None] = {}
        with_more = empty_replies = 0
        rows: list[dict[str, Any]] = []
        for id in sitting:
            for row in sitting.of(id):
                if row.no_answer_reason is not None:
                    empty_replies += 1
                    continue
                values = lines.members(row)
                rows.append({name: values[name] for name in known if name in values})
                members.update(dict.fromkeys(rows[-1]))
                with_more += bool(values.keys() - rows[-1].keys() - {"attempt"})
        columns = [name for name in known if name in members]
        if is_table_name(path):
            write_sheet(path, columns, ([_cell(row.get(name)) for name in columns] for row in rows))
        else:
            with writing(path) as stream:
                if suffixes_of(path)[-1:] == (".json",):
                    stream.write(json_line(rows))
                else:
                    stream.writelines(map(json_line, rows))
        lost = {
            "left out, replies in which nothing was said": empty_replies,
            "rows with evidence, times or costs that rows of predictions cannot store": with_more,
        }
        return [f"{what}: {count:,}" for what, count in lost.items() if count]


def _rows(source: Source) -> Iterator[tuple[object, dict[str, Any]]]:
    """The rows of a file with their places, by folded names."""
    if is_table(source):
        with contextlib.closing(
            tables_in(source.path, is_prediction_header, single=True)
        ) as tables:
            _, headings, rows = next(tables)
            names = list(map(folded, headings))
            for number, cells in rows:
                yield number, dict(zip(names, cells, strict=True))
        return
    values = enumerate(parquet_rows(source.path), 1) if is_parquet(source) else _json_values(source)
    for place, row in values:
        if not isinstance(row, dict):
            raise DataError("expected an object with id and answer", file=source.file, where=place)
        yield place, {folded(name): value for name, value in row.items()}


def _json_values(source: Source) -> Iterator[tuple[object, Any]]:
    """The values of a JSON list, or of JSON Lines, with their numbers."""
    is_list = source.head.lstrip()[:1] == b"["
    if is_list or (source.first_line is None and source.suffixes[-1:] == (".json",)):
        document = source.json
        yield from enumerate(document if isinstance(document, list) else [document], 1)
        return
    for place, raw in read_lines(source.path):
        try:
            yield place, msgspec.json.decode(raw)
        except JSON_ERRORS as error:
            raise DataError(json_fault(raw, error)[0], file=source.file, where=place) from None


def id_and_answer(columns: Sequence[str], kind: Kind) -> tuple[str | None, str | None]:
    """The columns that hold the ids and the answers; None where there is none."""
    names = _names(columns, kind)
    by_name = {folded(column): column for column in reversed(columns)}
    id = next((by_name[name] for name in names.ids if name in by_name), None)
    answer = next((by_name[name] for name in names.answers if name in by_name), None)
    return id, answer


def _say_names(source: Source, kind: Kind) -> None:
    """Log which columns were read as id and answer, unless their names are the usual ones."""
    id, answer = id_and_answer(source.once(_first_names), kind)
    known = set(_folded("id", kind.answer, "prediction", "prediction text", "answer", "text"))
    assigned = [
        f"{field} = {column}"
        for field, column in (("id", id), (PREDICTION, answer))
        if column is not None and folded(column) not in known
    ]
    say_names(source.file, ", ".join(assigned))


def _sitting_row(
    cells: Mapping[str, Any], kind: Kind, names: _Names, file: str, place: object
) -> Row | None:
    """A row of a sitting; None for null, and for an empty cell where a number is due."""
    id = next((cells[name] for name in names.ids if name in cells), None)
    if isinstance(id, bool) or not isinstance(id, (str, int)) or not str(id).strip():
        raise DataError(
            f"has no id (expected one of {', '.join(ID_NAMES[:4])}; name yours with `map`, such as "
            "COLUMN=id)",
            file=file,
            where=place,
        )
    name = next((name for name in names.answers if name in cells), None)
    error = cells.get("error")
    values: dict[str, Any] = {"id": str(id).strip()}
    if isinstance(error, str) and error.strip():
        values["error"] = error
    elif name is None:
        known = f"{kind.answer}, {', '.join(PREDICTION_NAMES[:2])}"
        raise DataError(
            f"has no answer (expected one of {known}; name yours with `map`, such as "
            f"COLUMN={PREDICTION})",
            file=file,
            where=place,
        )
    else:
        answer = _answer(cells[name], kind)
        if answer is None:
            return None
        values[kind.answer] = answer
    for member, number_type in _NUMBERS.items():
        if cells.get(member) not in (None, ""):
            values[member] = _number(cells[member], number_type, member, file, place)
    try:
        return row_lines(kind).convert(values)
    except msgspec.ValidationError:
        value = clip(json.dumps(cells.get(name or ""), ensure_ascii=False))
        expected = "a number" if kind.answer_type is float else "text"
        raise DataError(
            f"the prediction is {value}, expected {expected}", file=file, where=place
        ) from None


def _answer(value: Any, kind: Kind) -> Any:
    """An answer as its member holds it: text, or a number where the kind's answers are numbers."""
    if isinstance(value, list) and len(value) == 1 and not holds_json(kind):
        value = value[0]
    if kind.answer_type is float and isinstance(value, str):
        with contextlib.suppress(ValueError):
            return float(value) if value.strip() else None
    if kind.answer_type is str and isinstance(value, (int, float)):
        return None if value != value else shown(value)  # NaN is how pandas writes no answer
    return value


def _number(value: Any, number_type: type, member: str, file: str, place: object) -> Any:
    """A number that a cell or member holds."""
    with contextlib.suppress(TypeError, ValueError):
        number = float(value)
        if number_type is float or number.is_integer():
            return number_type(number)
    expected = "a whole number" if number_type is int else "a number"
    raise DataError(
        f"{member} is {clip(str(value))!r}, expected {expected}", file=file, where=place
    )


def _cell(value: Any) -> SheetCell:
    if value is None or isinstance(value, (str, int, float)):
        return value
    return json.dumps(value, ensure_ascii=False)


PREDICTION_ROWS = PredictionRows()
