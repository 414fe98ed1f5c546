"""What public functions take for a test or a sitting: itself, its file, or answers by id."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.prediction_rows import id_and_answer
from readmark.formats.predictions import PREDICTIONS
from readmark.formats.registry import format_for, open_people, open_sitting, open_test, save_test
from readmark.formats.tables.column_map import mapped
from readmark.hooks import Kind


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


def load(
    path: str | Path,
    *,
    format: str | None = None,
    split: str | None = None,
    map: Mapping[str, str] | None = None,
) -> Test:
    """Read a test in any registered format, found by its content unless it is named.

    ``split`` selects one split, which is a test of its own. ``map`` says what the columns of a
    table, or the members of rows, are: ``{"prompt": "question", "gold": "answer"}``.
    """
    with mapped(map, path):
        return open_test(path, format=format, split=split)


def save(test: TestInput, path: str | Path, *, format: str | None = None) -> list[str]:
    """Write a test in the format named, or that the file's name asks for.

    A name in .jsonl asks for the native format, one in .json for SQuAD's. What the format
    cannot hold comes back, one per line.
    """
    opened = as_test(test)
    return save_test(opened, path, format=format or format_for(Path(path), opened))


def as_test(test: TestInput) -> Test:
    """The test itself, read where a path is given."""
    return test if isinstance(test, Test) else open_test(os.fspath(test))


def as_sitting(sitting: SittingInput, kind: Kind) -> Sitting:
    """The sitting itself, read where a path is given, or made of answers by id."""
    if isinstance(sitting, Sitting):
        return sitting
    if isinstance(sitting, (str, os.PathLike)):
        return open_sitting(os.fspath(sitting), kind)
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
        id, answer = id_and_answer([str(name) for name in frame.columns], kind)
        if answer is None:
            names = ", ".join(map(str, frame.columns))
            raise UsageError(
                f"the data frame has no column of answers, such as {kind.answer} or prediction; "
                f"columns: {names}"
            )
        column = (frame if id is None else frame.set_index(id))[answer]  # type: ignore[index]
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
