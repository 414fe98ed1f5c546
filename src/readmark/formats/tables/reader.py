"""Where the rows of flat files come from: a file, or the shards of a folder, each row placed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import decode, in_words, read_lines
from readmark.core.fingerprint import text_id
from readmark.core.folders import Folder
from readmark.core.problems import Problem, Report
from readmark.core.records import PUBLISHER, Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Placed
from readmark.formats.members import Fault, others
from readmark.formats.tables.columns import UNPLACED, Habit
from readmark.formats.tables.recast import recast
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

LINES = (".jsonl", ".ndjson")
_COMPRESSED = (".gz", ".zst")
_SPLIT = re.compile(r"(?:^|[-_.])(train|validation|valid|dev|test)(?=$|[-_.])", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


class PlacedRow(NamedTuple):
    """A row with its file and number; ``split`` is what its file's name tells."""

    file: str
    number: int
    split: str | None
    row: dict[str, Any]


Rows = Callable[[Report], Iterator[PlacedRow]]


def rows_of_lines(file: str, split: str | None, report: Report) -> Iterator[PlacedRow]:
    """The rows of JSON Lines; a line that is none is reported."""
    decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
    for number, line in read_lines(file):
        row = decode(file, number, line, decoder, report)
        if row is not None:
            yield PlacedRow(file, number, split, row)


def shards(folder: Folder, suffixes: tuple[str, ...]) -> list[Path]:
    """The files of a folder that make one test, in order; none where it holds no such files.

    A hub's folder may hold a set in several versions, a folder each: one must be named.
    """
    if folder.is_zip:
        return []
    names = [name for name in folder.names if _suffix(name) in suffixes]
    places = sorted({str(PurePosixPath(name).parent) for name in names})
    if len(places) > 1:
        raise DataError(
            f"holds tests in several folders ({', '.join(places[:4])}): name one of them",
            file=folder.path,
        )
    return [folder.path / name for name in names]


def split_of(path: Path) -> str | None:
    """The split that a shard's name tells: ``test-00000-of-00001.parquet`` is of test."""
    found = _SPLIT.search(stem(path))
    return found[1].lower() if found is not None else None


def stem(path: Path) -> str:
    """A file's name without its suffixes."""
    name = path.name
    for suffix in (*_COMPRESSED, *LINES, ".json", ".parquet"):
        name = name.removesuffix(suffix)
    return name


def is_shard(path: Path) -> bool:
    """Whether a name is that of a part of a set, such as ``train-00000-of-00002.parquet``."""
    return _SHARD.search(stem(path)) is not None


def _suffix(name: str) -> str:
    suffixes = [one.lower() for one in PurePosixPath(name).suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


# Reading flat files: lines gathered into passages and series, wherever in the file they stand.


class _Answers(msgspec.Struct):
    text: list[str] = []
    answer_start: list[int | None] | None = None
    annotator: list[str | None] | None = None


class _PassageRow(msgspec.Struct):
    context: str
    question: str
    id: str | int = ""
    passage_id: str | int | None = None
    title: str | None = None
    article: str | None = None
    dateline: str | None = None
    genre: str | None = None
    topic: str | None = None
    parallel: str | None = None
    split: str | None = None
    options: list[str] | None = None
    answers: _Answers | None = None
    unanswerable: bool | None = None
    type: str | None = None
    level: int | str | None = None
    difficulty: str | None = None


class _SeriesRow(msgspec.Struct):
    id: str | int
    series_id: str | int
    target: str
    question: str
    target_type: str | None = None
    split: str | None = None
    turn: int | None = None
    category: str | None = None
    previous: list[str] | None = None
    previous_of: str | None = None
    rewrites: list[str] | None = None


S = TypeVar("S", _PassageRow, _SeriesRow)
_SHARED = ("id", "text", "title", "article", "dateline", "genre", "topic", "parallel", "split")


def passages(rows: Iterable[PlacedRow], report: Report, habit: Habit) -> Iterator[Placed]:
    """The passages, each at its first line; one without an id has one made of its text.

    A question without an id is numbered among those of its passage.
    """
    found: dict[tuple[Any, ...], tuple[int, Passage, list[Question]]] = {}
    ours = _recast(rows, report, habit)
    for placed, row, more in _taken(ours, _PassageRow, report):
        try:
            key = _key(row, more)
        except Fault as fault:
            said = f"{fault.where}: {fault.message}"
            report(Problem(placed.file, placed.number, fault.code, said))
            continue
        passage = Passage(
            id=text_id(row.context) if row.passage_id is None else str(row.passage_id),
            text=row.context,
            title=row.title or None,
            article=row.article,
            dateline=row.dateline,
            genre=row.genre,
            topic=row.topic,
            parallel=row.parallel,
            split=row.split or placed.split,
        )
        # Lines of one id that differ in any of these are two passages, and told of as such.
        shared = tuple(getattr(passage, name) for name in _SHARED)
        questions = found.setdefault(shared, (placed.number, passage, []))[2]
        id = str(row.id) or f"{passage.id}-{len(questions) + 1}"
        asked = Question(id=id, text=row.question, options=tuple(row.options or ()), key=key)
        questions.append(asked)
    for number, passage, questions in found.values():
        yield number, msgspec.structs.replace(passage, questions=tuple(questions))


def series(rows: Iterable[PlacedRow], report: Report, habit: Habit) -> Iterator[Placed]:
    """The series, each at its first line."""
    found: dict[tuple[Any, ...], tuple[int, _SeriesRow, list[SeriesQuestion]]] = {}
    for placed, row, more in _taken(rows, _SeriesRow, report):
        rewrites = tuple(Answer(text=one) for one in row.rewrites or ())
        asked = SeriesQuestion(
            id=str(row.id),
            text=row.question,
            turn=row.turn,
            category=row.category,
            previous=tuple(row.previous or ()),
            previous_of=row.previous_of,
            key=SeriesQuestionKey(rewrites=rewrites, fields=more) if rewrites or more else None,
        )
        shared = (str(row.series_id), row.target, row.target_type, row.split or placed.split)
        found.setdefault(shared, (placed.number, row, []))[2].append(asked)
    for (id, target, target_type, split), (number, _, questions) in found.items():
        yield (
            number,
            Series(
                id=id,
                target=target,
                target_type=target_type,
                split=split,
                questions=tuple(questions),
            ),
        )


READERS: dict[str, Callable[[Iterable[PlacedRow], Report, Habit], Iterator[Placed]]] = {
    "comprehension": passages,
    "series": series,
}
"""What makes records of rows, by kind of test."""


def _recast(rows: Iterable[PlacedRow], report: Report, habit: Habit) -> Iterator[PlacedRow]:
    for placed in rows:
        try:
            yield placed._replace(row=recast(placed.row, habit))
        except Fault as fault:
            report(Problem(placed.file, placed.number, fault.code, fault.message))


def _taken(
    rows: Iterable[PlacedRow], struct: type[S], report: Report
) -> Iterator[tuple[PlacedRow, S, dict[str, Any]]]:
    """Every row as it should be, and its other columns that have something."""
    known = frozenset(struct.__struct_fields__)
    for placed in rows:
        try:
            row = msgspec.convert(placed.row, struct)
        except msgspec.ValidationError as error:
            report(Problem(placed.file, placed.number, "schema", in_words(error)))
            continue
        more = others(placed.row, known)
        yield placed, row, {name: value for name, value in more.items() if value is not None}


def _key(row: _PassageRow, more: Mapping[str, Any]) -> QuestionKey | None:
    """What is said of a question's answer; nothing at all is a key that was withheld."""
    given = row.answers or _Answers()
    number = len(given.text)
    starts = given.answer_start or [None] * number
    people = given.annotator or [None] * number
    if not len(starts) == len(people) == number:
        raise Fault(str(row.id), "the lists in answers differ in length")
    told = (row.unanswerable, row.type, row.level, row.difficulty)
    if not number and not more and all(one is None for one in told):
        return None
    answers = [
        Answer(text=text, start=None if start == UNPLACED else start, annotator=who or None)
        for text, start, who in zip(given.text, starts, people, strict=True)
    ]
    return QuestionKey(
        answers=tuple(one for one in answers if one.annotator != PUBLISHER),
        published=tuple(Phrase(text=one.text) for one in answers if one.annotator == PUBLISHER),
        unanswerable=bool(row.unanswerable),
        type=row.type,
        level=row.level,
        difficulty=row.difficulty,
        fields=dict(more),
    )
