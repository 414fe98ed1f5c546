"""The formats that tests and sittings come in: found by content, or asked for by name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from readmark.core.errors import DataError, UsageError
from readmark.core.registry import Registry
from readmark.core.sitting import Sitting
from readmark.core.source import Source, suffixes_of, unknown
from readmark.core.splits import select_split
from readmark.core.streams import is_standard
from readmark.core.test import Test
from readmark.hooks import Kind, TestFormat, hook

FORMATS = Registry("format", "readmark.formats")


def reads_tests(format: object) -> bool:
    """Whether a format holds tests."""
    return (hook(format, "read") is not None) and (hook(format, "recognises") is not None)


def reads_sittings(format: object) -> bool:
    """Whether a format holds sittings."""
    return hook(format, "read_sitting") is not None


def format_named(text: str) -> Any:
    """The format of a name such as ``brcc(side=zh)``."""
    _, format = FORMATS.set(text)
    return format


def sides_of(path: str | Path, *, format: str | None = None) -> list[str | None]:
    """The formats to read a file in, a side each, where it holds the two of a parallel corpus."""
    if format is None or format in FORMATS:  # one with parameters has chosen its side
        source = Source(path)
        for name, one in _with_hook("sides"):
            if format in (None, name) and one.recognises(source):
                found = [f"{name}(side={side})" for side in one.sides(source)]
                return [*found] if len(found) > 1 else [format]
    return [format]


def _with_hook(name: str) -> Iterator[tuple[str, Any]]:
    return ((own, one) for own, one in FORMATS.working() if hook(one, name) is not None)


def open_test(
    path: str | Path | Source, *, format: str | None = None, split: str | None = None
) -> Test:
    """Read a test, or one split of it, in the format named or in the one that recognises it."""
    if split is not None:
        return select_split(open_test(path, format=format), split)
    source = path if isinstance(path, Source) else Source(path)
    if format is not None:
        named = format_named(format)
        if not reads_tests(named):
            raise UsageError(f"format {format!r} does not hold tests")
        return _read(named, source)
    for _, one in FORMATS.working():
        if reads_tests(one) and one.recognises(source):
            return _read(one, source)
    known = ", ".join(name for name, one in FORMATS.working() if reads_tests(one))
    folders = ", ".join(name for name, one in FORMATS.working() if hook(one, "folders", False))
    raise unknown(source, "a test of a format", known, folders)


def _read(format: TestFormat, source: Source) -> Test:
    if source.side is not None and hook(format, "sides") is None:
        raise UsageError(
            f"{source.file}: a file of one side; the side {source.side} is for files of two, "
            "such as BRCC"
        )
    return format.read(source)


def open_sides(
    path: str | Path, *, target: str | None, format: str | None = None, split: str | None = None
) -> list[Test]:
    """Both sides of a file that holds two, where the target's format can; else the one test.

    ``target`` is the format to write; None is one that cannot hold two.
    """
    formats = sides_of(path, format=format)
    named = format_named(target) if len(formats) > 1 and target is not None else None
    if hook(named, "write_sides") is not None:
        return [open_test(path, format=side, split=split) for side in formats]
    return [open_test(path, format=format, split=split)]


def save_tests(tests: Sequence[Test], path: str | Path, *, format: str) -> list[str]:
    """Write one test, or the two sides of a parallel corpus; what cannot be held is named."""
    if len(tests) == 1:
        return save_test(tests[0], path, format=format)
    named = format_named(format)
    if hook(named, "write_sides") is None:
        raise UsageError(f"two sides cannot be written into one file as {format!r}")
    lost: list[str] = named.write_sides(tests, Path(path))
    return lost


def format_of_name(path: str | Path) -> str | None:
    """The format of two sides that a file's name asks for; None for any other name."""
    suffix = suffixes_of(path)[-1:]
    names = (name for name, _ in _with_hook("write_sides") if suffix == (f".{name}",))
    return next(names, None)


def open_sitting(path: str | Path, kind: Kind) -> Sitting:
    """Read a sitting: native, or predictions in a dictionary or in rows."""
    source = Source(path)
    for _, one in FORMATS.working(sittings=True):
        if reads_sittings(one) and one.recognises(source):
            sitting: Sitting = one.read_sitting(source, kind)
            return sitting
    known = ", ".join(name for name, one in FORMATS.working(sittings=True) if reads_sittings(one))
    from readmark.formats.sheets import is_table

    columns = "; a table of predictions has the columns id and prediction"
    raise unknown(source, "a sitting of a format", known + (columns if is_table(source) else ""))


def open_people(path: str | Path, test: Test) -> list[Sitting]:
    """Read the sittings of people: those of a file that holds several, or the one in a file."""
    source = Source(path)
    for _, one in _with_hook("read_people"):
        if one.recognises(source):
            sittings: list[Sitting] = one.read_people(source, test)
            return sittings
    return [open_sitting(path, test.kind)]


def format_for(target: Path, test: Test) -> str:
    """The format that a file's name asks for: JSON Lines are native, JSON is SQuAD's.

    A series in JSON is one of golds. Standard output is native.
    """
    suffix = "".join(suffixes_of(target)[-1:])
    if suffix == ".json" and test.kind.name == "series":
        return "series_gold"
    if suffix == ".json":
        return "squad2" if test.facts.unanswerable else "squad"
    if is_standard(target) or suffix == ".jsonl":
        return "native"
    if suffix in (".brcc", ".conllu", ".parquet"):
        return suffix[1:]
    if suffix in (".csv", ".tsv", ".xlsx"):
        return "table"
    raise UsageError(
        f"{target}: name the format with `format`, or a file that ends in .jsonl, .json, .csv, "
        ".xlsx, .parquet or .brcc"
    )


def save_test(test: Test, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named (native by default); what it cannot hold is named."""
    named = format_named(format or "native")
    if hook(named, "write") is None:
        known = ", ".join(name for name, _ in _with_hook("write"))
        raise UsageError(f"tests cannot be written as {format!r}, only as {known}")
    writer: TestFormat = named
    other_files = hook(test.kind, "other_files")
    lost = [] if other_files is None else list(other_files(test))
    return [*lost, *writer.write(test, Path(path))]


# What the public functions take: a test or a sitting, or where to find one.


@runtime_checkable
class AnswerSeries(Protocol):
    """What is used of a pandas ``Series``: answers, with the units' ids as its index."""

    def dropna(self) -> Any:
        """The series without missing values."""


@runtime_checkable
class AnswerFrame(Protocol):
    """What is used of a pandas ``DataFrame``: a column of answers, and ids in one or the index."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def set_index(self, name: str) -> Any:
        """The frame with a column as its index."""


TestInput = Test | str | os.PathLike[str]
"""A test, or the file of one."""
SittingInput = Sitting | str | os.PathLike[str] | Mapping[str, Any] | AnswerSeries | AnswerFrame
"""A sitting, a file of one, a dictionary of answers by id, or a pandas object of answers."""
ANSWER_COLUMNS = ("prediction_text", "prediction", "answer", "text")
"""Columns of a data frame that may hold the answers, besides the kind's own member."""


def load(path: str | Path, *, format: str | None = None, split: str | None = None) -> Test:
    """Read a test in any registered format, found by its content unless it is named.

    ``split`` selects one split, which is a test of its own.
    """
    return open_test(path, format=format, split=split)


def save(test: TestInput, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named, or that the file's name asks for.

    A name in .jsonl asks for the native format, one in .json for SQuAD's. What the format
    cannot hold comes back, one per line.
    """
    saved = as_test(test)
    return save_test(saved, path, format=format or format_for(Path(path), saved))


def as_test(test: TestInput) -> Test:
    """The test itself, read where a path is given."""
    return test if isinstance(test, Test) else open_test(os.fspath(test))


def as_sitting(sitting: SittingInput, kind: Kind) -> Sitting:
    """The sitting itself, read where a path is given, or made of answers by id."""
    if isinstance(sitting, Sitting):
        return sitting
    if isinstance(sitting, (str, os.PathLike)):
        return open_sitting(os.fspath(sitting), kind)
    from readmark.formats.predictions import PREDICTIONS

    answers = sitting if isinstance(sitting, Mapping) else _answers_of_frame(sitting, kind)
    return PREDICTIONS.sitting(answers, kind, file="<answers>", candidate="answers")


def as_people(sittings: Sequence[SittingInput], test: Test) -> list[Sitting]:
    """The sittings of people; a file may hold those of several."""
    people: list[Sitting] = []
    for sitting in sittings:
        if isinstance(sitting, (str, os.PathLike)):
            people += open_people(os.fspath(sitting), test)
        else:
            people.append(as_sitting(sitting, test.kind))
    return people


def _answers_of_frame(frame: AnswerSeries | AnswerFrame, kind: Kind) -> dict[str, Any]:
    """Answers by id of a pandas object; a missing value is no answer."""
    column: Any = frame
    if isinstance(frame, AnswerFrame):
        names = list(frame.columns)
        known = dict.fromkeys((kind.answer, *ANSWER_COLUMNS))
        name = next((one for one in known if one in names), None)
        if name is None:
            raise UsageError(f"the data frame has no column of answers: {' or '.join(known)}")
        column = (frame.set_index("id") if "id" in names else frame)[name]  # type: ignore[index]
    if not isinstance(column, AnswerSeries):
        raise UsageError(
            "a sitting is a file, a dictionary, a Sitting, or a pandas Series or DataFrame, "
            f"not {type(frame).__name__}"
        )
    answers: dict[str, Any] = {}
    for id, answer in column.dropna().items():
        if str(id) in answers:
            raise DataError("the id occurs twice among the answers", file="<answers>", where=id)
        answers[str(id)] = answer
    return answers
