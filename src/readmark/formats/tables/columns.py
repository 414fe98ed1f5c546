"""The columns of flat files, a question a line: those that SQuAD has on the Hugging Face hub.

One definition gives the rows, a data card's table and features, and Croissant's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from readmark.core.records import AS_WRITTEN, PUBLISHER, Answer, Unit
from readmark.core.spans import places
from readmark.core.test import Test
from readmark.formats.tables.option_keys import Habit
from readmark.hooks import Kind

if TYPE_CHECKING:
    from readmark.core.problems import ReportProblem
    from readmark.core.test import Placed
    from readmark.formats.losses import Losses
    from readmark.formats.tables.rows import PlacedRow

UNPLACED = -1
"""The answer_start of an answer whose place is not known."""

OWN_FIELD = "a field of the question's"
"""The ``about`` of a column that holds one of the questions' own fields."""
SPLIT = "split"
"""The column that a file of one split does without."""

Type = Literal["string", "int32", "bool"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it holds, of which type; ``parts`` are parallel lists."""

    name: str
    about: str
    type: Type = "string"
    repeated: bool = False
    value: Callable[[Unit], Any] = lambda unit: None
    always: bool = True
    """Whether it is there even where no question has it."""
    parts: tuple[Column, ...] = ()

    def of(self, unit: Unit) -> Any:
        """The cell of a question."""
        return (
            {part.name: part.value(unit) for part in self.parts} if self.parts else self.value(unit)
        )


@runtime_checkable
class WrittenInRows(Protocol):
    """A kind of test that tables hold."""

    def table_rows(self) -> TableRows:
        """How the kind's records are read from and written to tables, a unit a row."""


class TableRows(Protocol):
    """A kind's records as rows of a table, a unit each: what its ``table_rows`` returns."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns that its rows may have."""

    def is_row(self, row: Mapping[str, Any]) -> bool:
        """Whether a row's columns are those of this kind."""

    def read(
        self, rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit
    ) -> Iterator[Placed]:
        """The records with their places; what is wrong with a row is reported."""

    def losses(self, losses: Losses, record: Any, columns: Sequence[Column]) -> None:
        """Name what of a record the columns cannot hold."""


def rows_of(kind: Kind) -> TableRows:
    """How a kind of test is written as rows; a kind that cannot be has no columns."""
    rows: TableRows = kind.table_rows() if isinstance(kind, WrittenInRows) else _NO_ROWS
    return rows


def columns_of(test: Test) -> list[Column]:
    """The columns of a test: those that every one has, and those that some question needs."""
    known = rows_of(test.kind).columns
    needed: set[str] = set()
    has_word_levels = False
    for unit in test.units():
        for column in known:
            value = column.of(unit)
            # "Not unanswerable" follows from an answer. Without one it must be written: it tells a
            # key without answers from a key that is withheld.
            if value is False and answers_of(unit):
                continue
            if value is not None and value != []:
                needed.add(column.name)
                if column.name == "level" and _cell_type(value) != ("int32", False):
                    has_word_levels = True
    return [
        replace(column, type="string") if column.name == "level" and has_word_levels else column
        for column in known
        if column.always or column.name in needed
    ]


def field_columns(test: Test) -> list[Column]:
    """A column for each hidden field of questions whose values are all of one type that fits."""
    taken = {column.name for column in rows_of(test.kind).columns} | {"readmark"}
    types: dict[str, set[tuple[Type, bool] | None]] = {}
    for unit in test.units():
        for name, value in (unit.key.fields if unit.key is not None else {}).items():
            if name not in taken and name != AS_WRITTEN:
                types.setdefault(name, set()).add(_cell_type(value))
    columns = []
    for name, of_field in types.items():
        (cell_type, *others) = of_field
        if cell_type is None or others:
            continue
        type, repeated = cell_type
        columns.append(Column(name, OWN_FIELD, type=type, repeated=repeated, value=_of_field(name)))
    return columns


def _cell_type(value: Any) -> tuple[Type, bool] | None:
    """The type of a value, and whether it is a list; None for what no column holds."""
    if isinstance(value, list):
        return ("string", True) if all(isinstance(item, str) for item in value) else None
    if isinstance(value, bool):
        return "bool", False
    if isinstance(value, int):
        return ("int32", False) if -(2**31) <= value < 2**31 else None
    return ("string", False) if isinstance(value, str) else None


def row(unit: Unit, columns: Sequence[Column]) -> dict[str, Any]:
    """A question in its columns; numbers are spelt out in a column of words."""
    cells = {column.name: column.of(unit) for column in columns}
    for column in columns:
        if column.type == "string" and isinstance(cells[column.name], int):
            cells[column.name] = str(cells[column.name])
    return cells


def answers_of(unit: Unit) -> list[Answer]:
    """People's answers, then the publisher's; a question without an answer has none."""
    key = unit.key
    if key is None or key.unanswerable:
        return []
    published = [Answer(text=phrase.text, annotator=PUBLISHER) for phrase in key.published]
    return [*key.answers, *published]


def _start(unit: Unit, answer: Answer) -> int:
    if answer.start is not None:
        return answer.start
    if unit.item.options:  # an option is chosen, not found
        return UNPLACED
    starts = places(unit.record.text, answer.text)
    return starts[0] if len(starts) == 1 else UNPLACED


def of_record(name: str) -> Callable[[Unit], Any]:
    """Reads a member of the passage."""
    return lambda unit: getattr(unit.record, name)


def of_item(name: str) -> Callable[[Unit], Any]:
    """Reads a member of the question."""
    return lambda unit: getattr(unit.item, name)


def _of_key(name: str) -> Callable[[Unit], Any]:
    return lambda unit: getattr(unit.key, name, None)


def _of_field(name: str) -> Callable[[Unit], Any]:
    return lambda unit: unit.key.fields.get(name) if unit.key is not None else None


PASSAGE_COLUMNS = (
    Column("id", "the question's id", value=lambda unit: unit.id),
    Column("passage_id", "the passage's id", value=lambda unit: unit.group),
    Column("article", "the article of the passage", value=of_record("article"), always=False),
    Column(
        "title",
        "the passage's title, empty where it has none",
        value=lambda unit: unit.record.title or "",
    ),
    Column("dateline", "place and date over the text", value=of_record("dateline"), always=False),
    Column("genre", "such as news or story", value=of_record("genre"), always=False),
    Column("topic", "such as sport or history", value=of_record("topic"), always=False),
    Column(
        "parallel",
        "the passage's id in the other language",
        value=of_record("parallel"),
        always=False,
    ),
    Column(SPLIT, "such as train, dev or test", value=of_record("split"), always=False),
    Column("context", "the passage", value=of_record("text")),
    Column("question", "the question", value=of_item("text")),
    Column(
        "options",
        "what may be chosen",
        repeated=True,
        always=False,
        value=lambda unit: list(unit.item.options),
    ),
    Column(
        "answers",
        "people's answers; empty where there is none, or where the key is withheld",
        parts=(
            Column(
                "text",
                "the answers",
                repeated=True,
                value=lambda unit: [answer.text for answer in answers_of(unit)],
            ),
            Column(
                "answer_start",
                "where each begins in the passage, in Unicode code points; "
                f"{UNPLACED} where that is not known",
                type="int32",
                repeated=True,
                value=lambda unit: [_start(unit, answer) for answer in answers_of(unit)],
            ),
            Column(
                "annotator",
                "who gave each, empty where nobody is named",
                repeated=True,
                value=lambda unit: [answer.annotator or "" for answer in answers_of(unit)],
            ),
        ),
    ),
    Column(
        "unanswerable",
        "whether the passage has no answer; null where the key is withheld",
        type="bool",
        value=_of_key("unanswerable"),
        always=False,
    ),
    Column("type", "the question's type", value=_of_key("type"), always=False),
    Column("level", "the question's level", type="int32", value=_of_key("level"), always=False),
    Column("difficulty", "how hard the question is", value=_of_key("difficulty"), always=False),
)


class _NoRows:
    """The rows of a kind that no table holds: without columns nobody reads or writes them."""

    columns = ()


_NO_ROWS: Any = _NoRows()
