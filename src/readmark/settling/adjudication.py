"""The adjudication file: a line for each place where two versions differ, with what was decided.

``set crosscheck`` and ``set adjudicate``, ``set translate`` and ``set merge`` write and read it,
and so does the exam hall. Blind answers (``set blind``) need no decisions: the key keeps them all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault, read_lines
from readmark.core.records import Offsets, Value
from readmark.core.test import SCHEMA
from readmark.core.writing import writing

V = TypeVar("V", bound=Value)
ChosenSide = Literal["a", "b", "either"]
DecidedSide = Literal["a", "b", "both", "other"]

KEEPS_BOTH = "golds"
"""The work of which both versions can be adopted: a question may have several golds."""

WRITTEN = ("decision", "other", "decided_cause", "reason", "by")
"""The members of a line that people write."""

_encode = msgspec.json.Encoder(order="deterministic").encode


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
    suggestion: ChosenSide | None = None
    why: str | None = None
    decision: DecidedSide | None = None
    other: Any = None
    """The version adopted when it is neither A's nor B's."""
    decided_cause: str | None = None
    reason: str | None = None
    """Why somebody decided so, in their words."""
    by: str | None = None
    """Who decided."""

    @property
    def touched(self) -> bool:
        """Whether a person has written anything here, a decision or part of one."""
        return any(getattr(self, name) not in (None, "") for name in WRITTEN)

    @property
    def adopted(self) -> Any:
        """The version that was decided for; the caller sees to it that there is a decision."""
        if self.decision is None:
            raise ValueError(f"{self.id} is undecided")
        if self.decision == "both":
            return list(dict.fromkeys([*self.a, *self.b]))
        return {"a": self.a, "b": self.b, "other": self.other}[self.decision]

    def is_about(self, other: Disagreement, *context_names: str) -> bool:
        """Whether two lines are about the same versions, and the same named context."""
        return self.versions(*context_names) == other.versions(*context_names)

    def versions(self, *context_names: str) -> tuple[str, bytes]:
        """What a decision is about: the id, both versions, and the named context."""
        texts = (self.beside.get(name) for name in context_names)
        return self.id, _encode((self.a, self.b, *texts))


def write_adjudication(
    path: str | Path, header: AdjudicationHeader, rows: Sequence[Disagreement]
) -> str:
    """Write the file, whole or not at all; each line has room for a decision and who made it.

    Without a disagreement nothing is written. A file of an earlier comparison then gets another
    name, so that nobody takes it for a new one; the note that comes back says so.
    """
    if not rows:
        note = f"nothing to adjudicate: {path} not written"
        if not Path(path).is_file():
            return note
        earlier = free_name(f"{path}.earlier")
        Path(path).rename(earlier)
        return f"{note}; the file of an earlier comparison is now {earlier}"
    # Members that have their defaults are not encoded, but a file must say what it is.
    identity = {"readmark": header.readmark, "file": header.file}
    with writing(path) as stream:
        stream.write(msgspec.json.encode({**identity, **msgspec.to_builtins(header)}) + b"\n")
        for row in rows:
            line = {**msgspec.to_builtins(row), "decision": row.decision, "by": row.by}
            stream.write(msgspec.json.encode(line) + b"\n")
    return ""


def free_name(path: str) -> str:
    """A file's name, with a number where that is taken."""
    numbered = (f"{path}{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([path], numbered) if not Path(name).exists())


def read_decisions(
    path: str | Path, header: AdjudicationHeader, rows: Sequence[Disagreement]
) -> tuple[AdjudicationHeader, list[Disagreement]]:
    """Read the file; where nothing is to be adjudicated there need not be one."""
    return read_adjudication(path) if rows or Path(path).exists() else (header, [])


def read_adjudication(path: str | Path) -> tuple[AdjudicationHeader, list[Disagreement]]:
    """Read the file back; an error names the line that is wrong, or whose id occurs twice."""
    lines = read_lines(path)
    place, first = next(lines, (1, b""))
    header = _decoded(first, AdjudicationHeader, path, place)
    if header.file != "adjudication":
        message = f"is a {header.file} file, expected an adjudication file"
        raise DataError(message, file=path, where=place)
    rows: dict[str, Disagreement] = {}
    for place, line in lines:
        row = _decoded(line, Disagreement, path, place)
        if row.id in rows:
            raise DataError(f"{row.id!r} occurs twice", file=path, where=place)
        if row.decision == "both" and header.work != KEEPS_BOTH:
            message = f"decision 'both' of {row.id!r} is for {KEEPS_BOTH}; expected a, b or other"
            raise DataError(message, file=path, where=place)
        rows[row.id] = row
    return header, list(rows.values())


def _decoded(line: bytes, into: type[V], path: str | Path, place: int) -> V:
    try:
        return msgspec.json.decode(line, type=into)
    except msgspec.ValidationError as error:
        fault = str(error)
    except JSON_ERRORS as error:
        fault = json_fault(line, error)[0]
    raise DataError(f"is not a line of an adjudication file: {fault}", file=path, where=place)


def read_earlier(path: str | Path) -> tuple[AdjudicationHeader, list[Disagreement]] | None:
    """An adjudication file that is to be written again, if it exists and is not empty.

    One that cannot be read is refused: it may contain people's work.
    """
    file = Path(path)
    if not file.exists() or (file.is_file() and not file.stat().st_size):
        return None
    try:
        return read_adjudication(path)
    except DataError as error:
        raise DataError(
            f"{error}; it may contain people's decisions: fix it, or write to another file"
        ) from None


def carry_decisions(
    rows: Iterable[Disagreement], earlier: Iterable[Disagreement], *context_names: str
) -> tuple[list[Disagreement], list[Disagreement]]:
    """Rows with what people wrote about the same versions, and written lines without such a row.

    ``context_names`` are texts that a decision also depends on. Whoever decided a line accepted
    the cause suggested in it. Where another is suggested now, the accepted one is kept as theirs.
    """
    decided = {line.versions(*context_names): line for line in earlier if line.touched}
    carried = []
    for row in rows:
        line = decided.pop(row.versions(*context_names), None)
        if line is not None:
            written = {name: getattr(line, name) for name in WRITTEN}
            if line.decision is not None and line.cause != row.cause:
                written["decided_cause"] = line.decided_cause or line.cause
            row = msgspec.structs.replace(row, **written)
        carried.append(row)
    return carried, list(decided.values())


def require_work(header: AdjudicationHeader, work: str, file: str) -> None:
    """Refuse decisions on other work."""
    if header.work != work:
        file_work = header.work or "other work"
        raise DataError(f"has decisions on {file_work}, expected {work}", file=file, where=1)
