"""People's labels of levels: read from files, put together, and which of them counts."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.comprehension.levels.scale import REASONS, as_level, level_of
from readmark.core.errors import DataError, did_you_mean
from readmark.core.numbers import first_ids
from readmark.formats.sheets import read_rows

UNNAMED_PERSON = "person"
"""Who gave a label without a name."""

_BETWEEN = re.compile(r"[\s,;|+]+")


@dataclass(frozen=True, slots=True)
class LevelLabel:
    """A person's level of a question, with the reasons if they were given."""

    level: int
    reasons: tuple[str, ...] = ()
    person: str = UNNAMED_PERSON
    file: str | None = field(default=None, compare=False)
    """Where it was read, and in which line; None if it is in the test itself."""
    line: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.level}" + (f" ({', '.join(self.reasons)})" if self.reasons else "")


LevelLabels = dict[str, list[LevelLabel]]
"""By question, in the order of the file."""


def read_labels(path: str | Path) -> LevelLabels:
    """The labels of a file: ``{"id", "level", "reasons", "person"}`` a line, or those columns.

    ``annotator`` may be the name of ``person``.
    """
    labels: LevelLabels = {}
    for line, row in read_rows(path):
        question, label = read_label(row, path, line)
        of_question = labels.setdefault(question, [])
        if any(earlier.person == label.person for earlier in of_question):
            message = f"{label.person!r} labels {question!r} a second time"
            raise DataError(message, file=path, where=line)
        of_question.append(label)
    if not labels:
        raise DataError("has no labels", file=path)
    return labels


def read_label(row: Mapping[str, Any], path: str | Path, line: int) -> tuple[str, LevelLabel]:
    """The question and the label of a row; a level that its reasons do not make is an error."""
    question = row.get("id")
    if not isinstance(question, str) or not question:
        raise DataError(f"no id (found {question!r})", file=path, where=line)
    reasons = _reasons(row.get("reasons"), path, line)
    cell = row.get("level")
    level = as_level(cell)
    if level is None and reasons and cell in (None, ""):
        level = level_of(reasons)
    if level is None:
        found = "there is no level" if cell is None else f"the level is {cell!r}"
        message = f"{question!r}: {found}, expected 1, 2, 3 or 4"
        raise DataError(message, file=path, where=line)
    if reasons and level_of(reasons) != level:
        contradiction = f"{', '.join(reasons)} make level {level_of(reasons)}"
        message = f"{question!r}: level {level}, but {contradiction}"
        raise DataError(message, file=path, where=line)
    person = str(row.get("person") or row.get("annotator") or "").strip() or UNNAMED_PERSON
    return question, LevelLabel(level, reasons, person, str(path), line)


def _reasons(cell: object, path: str | Path, line: int) -> tuple[str, ...]:
    if cell is None:
        return ()
    if isinstance(cell, str):
        cell = [reason for reason in _BETWEEN.split(cell) if reason]
    if not isinstance(cell, list):
        raise DataError(f"reasons are {cell!r}, expected a list", file=path, where=line)
    reasons = [str(spelt).strip().lower() for spelt in cell]
    for reason, spelt in zip(reasons, cell, strict=True):
        if reason not in REASONS:
            hint = did_you_mean(reason, REASONS)
            raise DataError(f"no reason {spelt!r}; {hint}", file=path, where=line)
    return tuple(dict.fromkeys(reasons))


def combined(
    question: str, in_test: Sequence[LevelLabel], in_file: Sequence[LevelLabel]
) -> tuple[LevelLabel, ...]:
    """The labels in a test with those of a file; nobody may say two things of a question."""
    by_person = {label.person: label for label in in_test}
    for label in in_file:
        earlier = by_person.setdefault(label.person, label)
        differ = label.reasons and earlier.reasons and set(label.reasons) != set(earlier.reasons)
        if earlier.level != label.level or differ:
            message = (
                f"{label.person!r} labels {question!r} {label}, "
                f"in the test {earlier}: take one of them out, or name another person"
            )
            raise DataError(message, file=label.file, where=label.line)
        if not earlier.reasons:
            by_person[label.person] = label
    return tuple(by_person.values())


def require_known(labels: LevelLabels, questions: Container[str], test: str) -> None:
    """Refuse labels of questions that the test does not have."""
    unknown = [id for id in labels if id not in questions]
    if unknown:
        first = labels[unknown[0]][0]
        ids = first_ids(unknown, quoted=True)
        message = f"{test} has no question {ids} ({len(unknown)} unknown)"
        raise DataError(message, file=first.file, where=first.line)


def standing(labels: Sequence[LevelLabel]) -> LevelLabel:
    """The label that counts if several people gave one: the majority's, else the first."""
    votes = [sum(label.level == other.level for other in labels) for label in labels]
    return labels[votes.index(max(votes))]
