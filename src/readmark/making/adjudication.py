"""Disagreements of two people and what was decided of each: one file for every sort of work.

A line is a disagreement. Two versions stand side by side with a suggested cause and adoption; who
adjudicates writes ``decision`` (and ``by``), in this file or on a page, and the file is read back.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault, read_lines, writing
from readmark.core.records import Offsets, Value
from readmark.core.test import SCHEMA

V = TypeVar("V", bound=Value)
Choice = Literal["a", "b", "either"]
Decision = Literal["a", "b", "other"]


class AdjudicationHeader(Value, frozen=True):
    """The first line: what was compared, and whose versions A and B are."""

    readmark: int = SCHEMA
    file: str = "adjudication"
    work: str = ""
    """The sort of work: translation or annotation."""
    a: str = ""
    b: str = ""
    paper: str | None = None
    """The fingerprint of the paper that both worked on, where they did on one."""
    fields: dict[str, Any] = {}


class Disagreement(Value, frozen=True):
    """Two versions of one thing, what is suggested, and what was decided."""

    id: str
    """Stable: the same disagreement has the same id when the files are compared again."""
    what: str
    """Question, key, token, np, ne, mention, sentence: the sort of thing."""
    record: str
    unit: str | None = None
    place: Offsets | None = None
    """Where in the text, in code points."""
    a: Any = None
    b: Any = None
    beside: dict[str, Any] = {}
    """What an adjudicator wants to see: the text around, the parallel English."""
    cause: str | None = None
    """The suggested cause; ``decided_cause`` is a person's, where that is another."""
    confidence: Literal["high", "low"] | None = None
    suggestion: Choice | None = None
    why: str | None = None
    decision: Decision | None = None
    other: Any = None
    """The version adopted when it is neither A's nor B's."""
    decided_cause: str | None = None
    by: str | None = None
    """Who decided."""

    @property
    def touched(self) -> bool:
        """Whether a person has written anything here, a decision or part of one."""
        said = (self.decision, self.other, self.decided_cause, self.by)
        return any(one not in (None, "") for one in said)

    @property
    def adopted(self) -> Any:
        """The version that was decided for; undecided is an error of the caller's."""
        if self.decision is None:
            raise ValueError(f"{self.id} is undecided")
        return {"a": self.a, "b": self.b, "other": self.other}[self.decision]


def write_adjudication(
    path: str | Path, header: AdjudicationHeader, rows: Iterable[Disagreement]
) -> None:
    """Write the file, whole or not at all; each line has room for a decision and who made it."""
    known = {"readmark": header.readmark, "file": header.file}
    with writing(path) as stream:
        stream.write(msgspec.json.encode({**known, **msgspec.to_builtins(header)}) + b"\n")
        for one in rows:
            told = {**msgspec.to_builtins(one), "decision": one.decision, "by": one.by}
            stream.write(msgspec.json.encode(told) + b"\n")


def read_adjudication(path: str | Path) -> tuple[AdjudicationHeader, list[Disagreement]]:
    """Read the file back; a line that is none, or an id that occurs twice, is placed."""
    lines = read_lines(path)
    place, first = next(lines, (1, b""))
    header = _decoded(first, AdjudicationHeader, path, place)
    if header.file != "adjudication":
        raise DataError(
            f"is a {header.file} file, expected an adjudication file", file=path, where=place
        )
    rows: dict[str, Disagreement] = {}
    for place, line in lines:
        row = _decoded(line, Disagreement, path, place)
        if row.id in rows:
            raise DataError(f"{row.id!r} occurs twice", file=path, where=place)
        rows[row.id] = row
    return header, list(rows.values())


def _decoded(line: bytes, into: type[V], path: str | Path, place: int) -> V:
    try:
        return msgspec.json.decode(line, type=into)
    except msgspec.ValidationError as error:
        fault = str(error)
    except JSON_ERRORS as error:
        fault = json_fault(line, error)[0]
    raise DataError(f"is no line of an adjudication file: {fault}", file=path, where=place)
