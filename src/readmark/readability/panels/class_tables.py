"""Tables with the ratings of a whole class.

A table has a row per passage and a column per person, or the other way round; its cells are the
ratings. It is read as a sitting per person.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import click

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.sheets import is_table, tables_in
from readmark.formats.tables.headings import folded
from readmark.hooks import Kind
from readmark.readability.panels.written_numbers import number
from readmark.readability.scale import HIGHEST, LOWEST

LONG_FORM = frozenset(map(folded, ("stars", "rating", "judge", "score", "评分", "星级", "分数")))
"""A table with one of these headings has a rating per row, so it is no table of a class."""
OTHER_HEADINGS = frozenset(
    map(
        folded,
        (
            "title",
            "text",
            "genre",
            "topic",
            "level",
            "language",
            "class",
            "group",
            "note",
            "notes",
            "comment",
            "comments",
            "mean",
            "average",
            "median",
            "sum",
            "total",
            "sd",
            "avg",
            "stdev",
            "school",
            "grade",
            "标题",
            "题目",
            "正文",
            "体裁",
            "话题",
            "级别",
            "班级",
            "小组",
            "备注",
            "评语",
            "平均",
            "平均分",
            "平均值",
            "均值",
            "中位数",
            "总分",
            "合计",
            "总计",
            "标准差",
            "人数",
        ),
    )
)
"""Headings of columns and rows that are neither a person nor a passage."""
NOT_RATED = frozenset(("", "-", "–", "—", "/", "n/a", "na", "缺", "缺席", "未评"))
"""What teachers write into the cell of somebody who did not rate."""
_SAMPLE = 50  # rows read to recognise a table, since the whole one may be long
_SHOWN = 3  # names in a message
_SCALE = f"a number from {LOWEST} to {HIGHEST}"


@dataclass(frozen=True, slots=True)
class ClassRating:
    """A person's rating of a passage, from a cell of the table."""

    person: str
    id: str
    rating: float
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class _Cell:
    """A filled cell: the names of its row and its column, its text and its place."""

    row: str
    column: str
    text: str
    line: int
    place: str


class ClassRatings:
    """The format of a class's table; each person's ratings are a sitting."""

    def recognises(self, source: Source) -> bool:
        """A table whose cells are numbers, except in the first row and column."""
        return source.once(_is_class)

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """The ratings of one person, in a table of two columns."""
        _require_ratings(source, kind)
        cells = _cells(source)
        people = list(dict.fromkeys(cell.column for cell in cells))
        if len(people) > 1:
            raise DataError(
                f"has the ratings of {len(people)} people ({_few(people)}), expected those of one; "
                "several are given as `people`, or to `panel mark` as `novice`",
                file=source.file,
            )
        [sitting] = _sittings(source, kind, [_rating(source, cell, by_row=False) for cell in cells])
        return sitting

    def read_people(self, source: Source, test: Test, *, by_row: bool = False) -> list[Sitting]:
        """A sitting per person; the passages are those that the test has."""
        _require_ratings(source, test.kind)
        ids = {unit.id for unit in test.units()}
        return _sittings(source, test.kind, read_class(source, ids, by_row=by_row))


CLASS_RATINGS = ClassRatings()

by_row_option = click.option(
    "--by-row",
    is_flag=True,
    help="Read a table of several people with a row per person and a column per passage  [default: "
    "detected from the ids of the passages]",
)


def read_class(source: Source, ids: Container[str], *, by_row: bool = False) -> list[ClassRating]:
    """The ratings in a class's table, person by person in the table's order.

    Rows or columns are the passages: whichever has more of the ``ids``, and rows if both have as
    many. With ``by_row`` rows are persons.
    """
    cells = _cells(source)
    rows = dict.fromkeys(cell.row for cell in cells)
    columns = dict.fromkeys(cell.column for cell in cells)
    in_rows, in_columns = (sum(name in ids for name in names) for names in (rows, columns))
    by_row = by_row or in_columns > in_rows
    if not (in_columns if by_row else in_rows):
        rest = "" if by_row else f", and none of the first column ({_few(rows)})"
        raise DataError(
            f"no heading ({_few(columns)}) is a passage of the test{rest}", file=source.file
        )
    ratings = [_rating(source, cell, by_row=by_row) for cell in cells]
    people = {person: index for index, person in enumerate(rows if by_row else columns)}
    by_person: dict[str, dict[str, ClassRating]] = {person: {} for person in people}
    for rating in ratings:
        by_person[rating.person][rating.id] = rating
    means = {person for person in people if _is_mean(person, by_person)}
    people_ratings = [rating for rating in ratings if rating.person not in means]
    return sorted(people_ratings, key=lambda rating: people[rating.person])


def _is_mean(person: str, by_person: Mapping[str, Mapping[str, ClassRating]]) -> bool:
    """Whether a column, whatever its name, has the means of the others, rounded in any way.

    At least two of its values must be neither whole nor half stars: else a person who agrees with
    the mean by chance would be left out.
    """
    odd_fractions = 0
    for id, rating in by_person[person].items():
        others = [
            ratings[id].rating
            for name, ratings in by_person.items()
            if name != person and id in ratings
        ]
        # Half of the cell's last decimal, and a little for binary fractions.
        places = min(len(rating.text.replace(",", ".").partition(".")[2]), 6)
        if not others or abs(sum(others) / len(others) - rating.rating) > 0.501 * 10**-places:
            return False
        odd_fractions += 2 * rating.rating % 1 != 0
    return odd_fractions > 1


def _rating(source: Source, cell: _Cell, *, by_row: bool) -> ClassRating:
    value = number(cell.text, "stars")
    person, id = (cell.row, cell.column) if by_row else (cell.column, cell.row)
    if value is None or not LOWEST <= value <= HIGHEST:
        message = f"{person} on {id}: {cell.text!r}, expected {_SCALE} or an empty cell"
        raise DataError(message, file=source.file, where=cell.place)
    return ClassRating(person, id, value, cell.text, cell.line)


def _require_ratings(source: Source, kind: Kind) -> None:
    if kind.answer != "rating":
        raise DataError(
            f"has ratings, and a {kind.name} test is answered by a {kind.answer}", file=source.file
        )


def _sittings(source: Source, kind: Kind, ratings: Sequence[ClassRating]) -> list[Sitting]:
    rows: dict[str, dict[str, Row | tuple[Row, ...]]] = {}
    for rating in ratings:
        row = Row(id=rating.id, answer=rating.rating)
        rows.setdefault(rating.person, {})[rating.id] = row
    return [
        Sitting(SittingHeader(kind=kind.name, candidate=person), rows_of_person, source.file)
        for person, rows_of_person in rows.items()
    ]


def _is_header(cells: Sequence[str]) -> bool:
    """Whether a row names columns; a title above the table fills one cell alone."""
    return sum(bool(cell.strip()) for cell in cells) > 1


def _is_class(source: Source) -> bool:
    if source.folder is not None or not is_table(source):
        return False
    with contextlib.closing(tables_in(source.path, _is_header)) as tables:
        _, names, rows = next(tables)
        if len(names) < 2 or not LONG_FORM.isdisjoint(map(folded, names)):
            return False
        used = [
            index
            for index, name in enumerate(names)
            if index and folded(name) not in OTHER_HEADINGS
        ]
        filled = [
            cells[index].strip()
            for _, cells in islice(rows, _SAMPLE)
            for index in used
            if cells[index].strip().lower() not in NOT_RATED
        ]
    # Single cells may be wrong, which is said later with their place.
    ratings = sum(number(text, "stars") is not None for text in filled)
    return ratings > len(filled) / 2


def _cells(source: Source) -> list[_Cell]:
    """The filled cells, row by row; a name that is missing or occurs twice is an error."""
    with contextlib.closing(tables_in(source.path, _is_header)) as tables:
        header_line, names, rows = next(tables)
        headings = [name.strip() for name in names]
        _require_distinct([heading for heading in headings[1:] if heading], source, header_line)
        cells: list[_Cell] = []
        seen: dict[str, int] = {}
        for line, texts in rows:
            name = texts[0].strip()
            if folded(name) in OTHER_HEADINGS:
                continue
            if name in seen:
                message = f"{name!r} is in line {seen[name]} already"
                raise DataError(message, file=source.file, where=line)
            filled = [
                (index, text.strip())
                for index, text in enumerate(texts)
                if index
                and text.strip().lower() not in NOT_RATED
                and folded(headings[index]) not in OTHER_HEADINGS
            ]
            if not filled:
                continue
            if not name:
                raise DataError("has ratings and no name", file=source.file, where=line)
            seen[name] = line
            for index, text in filled:
                place = f"{_letters(index)}{line}"
                if not headings[index]:
                    raise DataError("is in a column without a name", file=source.file, where=place)
                cells.append(_Cell(name, headings[index], text, line, place))
    if not cells:
        raise DataError("the table has no ratings", file=source.file)
    return cells


def _require_distinct(names: Sequence[str], source: Source, line: int) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise DataError(f"two columns are called {name!r}", file=source.file, where=line)


def _letters(index: int) -> str:
    """The name of a column in spreadsheets: A to Z, AA, AB, ..."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _few(names: Iterable[str]) -> str:
    return first_ids(list(islice(names, _SHOWN + 1)), _SHOWN)
