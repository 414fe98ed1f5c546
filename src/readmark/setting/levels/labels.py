"""People's labels in a file beside the test: JSON Lines or CSV, a row a question and person."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, did_you_mean
from readmark.corpus.rows import read_rows
from readmark.setting.levels.values import LEVELS, REASONS, level_of

PERSON = "person"
"""Who gave a label that no name stands beside."""

_SHOWN = 3
_BETWEEN = re.compile(r"[\s,;|+]+")


@dataclass(frozen=True, slots=True)
class Label:
    """A person's level of a question, with the reasons where they were given."""

    level: int
    reasons: tuple[str, ...] = ()
    person: str = PERSON
    file: str | None = field(default=None, compare=False)
    """Where it was read, and in which line; None where it stands in the test itself."""
    line: int | None = field(default=None, compare=False)


Labels = dict[str, list[Label]]
"""By question, in the order of the file."""


def read_labels(path: str | Path) -> Labels:
    """The labels of a file: ``{"id", "level", "reasons", "person"}`` a line, or those columns."""
    found: Labels = {}
    for line, row in read_rows(path):
        question, label = _label(row, path, line)
        known = found.setdefault(question, [])
        if any(one.person == label.person for one in known):
            message = f"{label.person!r} labels {question!r} a second time"
            raise DataError(message, file=path, where=line)
        known.append(label)
    if not found:
        raise DataError("has no labels", file=path)
    return found


def together(question: str, given: Sequence[Label], more: Sequence[Label]) -> tuple[Label, ...]:
    """The labels in a test with those of a file; nobody may say two things of a question."""
    found = {one.person: one for one in given}
    for one in more:
        before = found.setdefault(one.person, one)
        if before.level != one.level or (
            before.reasons and one.reasons and set(before.reasons) != set(one.reasons)
        ):
            message = (
                f"{one.person!r} labels {question!r} {_said(one)}, in the test {_said(before)}: "
                "take one of them out, or name another person"
            )
            raise DataError(message, file=one.file, where=one.line)
        if not before.reasons:
            found[one.person] = one
    return tuple(found.values())


def require_known(labels: Labels, known: Container[str], test: str) -> None:
    """Refuse labels of questions that the test does not have."""
    unknown = [id for id in labels if id not in known]
    if unknown:
        first = labels[unknown[0]][0]
        named = ", ".join(map(repr, unknown[:_SHOWN])) + ", …" * (len(unknown) > _SHOWN)
        message = f"{test} has no question {named} ({len(unknown)} unknown)"
        raise DataError(message, file=first.file, where=first.line)


def standing(labels: Sequence[Label]) -> Label:
    """The label that stands where several people gave one: what most say, else the first."""
    votes = [sum(one.level == other.level for other in labels) for one in labels]
    return labels[votes.index(max(votes))]


def as_level(value: object) -> int | None:
    """A level that a file holds, as a number or in a string; None for anything else."""
    if isinstance(value, str) and value.strip() in {str(level) for level in LEVELS}:
        return int(value)
    known = isinstance(value, int) and not isinstance(value, bool) and value in LEVELS
    return value if known and isinstance(value, int) else None


def _label(row: Mapping[str, Any], path: str | Path, line: int) -> tuple[str, Label]:
    question = row.get("id")
    if not isinstance(question, str) or not question:
        raise DataError(f"no id (found {question!r})", file=path, where=line)
    reasons = _reasons(row.get("reasons"), path, line)
    given = row.get("level")
    level = as_level(given)
    if level is None and (reasons and given in (None, "")):
        level = level_of(reasons)
    if level is None:
        message = f"{question!r}: the level is {given!r}, expected 1, 2, 3 or 4"
        raise DataError(message, file=path, where=line)
    if reasons and level_of(reasons) != level:
        made = f"{', '.join(reasons)} make level {level_of(reasons)}"
        raise DataError(f"{question!r}: level {level}, but {made}", file=path, where=line)
    person = str(row.get("person") or PERSON).strip() or PERSON
    return question, Label(level, reasons, person, str(path), line)


def _said(label: Label) -> str:
    return f"{label.level}" + (f" ({', '.join(label.reasons)})" if label.reasons else "")


def _reasons(given: object, path: str | Path, line: int) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [reason for reason in _BETWEEN.split(given) if reason]
    if given is None:
        return ()
    if not isinstance(given, list):
        raise DataError(f"reasons are {given!r}, expected a list", file=path, where=line)
    reasons = [str(reason).strip().lower() for reason in given]
    for reason, spelt in zip(reasons, given, strict=True):
        if reason not in REASONS:
            hint = did_you_mean(reason, REASONS)
            raise DataError(f"no reason {spelt!r}; {hint}", file=path, where=line)
    return tuple(dict.fromkeys(reasons))
