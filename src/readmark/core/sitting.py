"""A sitting: what a candidate answered, unit by unit, bound to the paper it sat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from readmark.core.counts import counted
from readmark.core.kinds import kind_named
from readmark.core.records import LARGEST, Offsets, Value
from readmark.core.test import SCHEMA, Header

if TYPE_CHECKING:
    from readmark.hooks import Kind
MOST_REPEATS = 1_000
Repeats = Annotated[int, msgspec.Meta(ge=1, le=MOST_REPEATS)]
REFUSED = "refused"
"""The reason of a reply that declines to answer."""
CUT_OFF = "cut off"
"""The reason of a reply that reached its greatest length."""
NO_ANSWER_REASONS = frozenset(
    (REFUSED, "empty", "unreadable", CUT_OFF, "cut off while reasoning", "reasoning only")
)
"""The reasons in evidence that tell an answer which was not given from one that there is none."""
PER_LANGUAGE = "per_language"
"""The member of a signature that lists others which differ between languages by design."""


class SittingHeader(Value, frozen=True):
    """The first line of a sitting: who sat which paper, and how."""

    readmark: int = SCHEMA
    file: str = "sitting"
    kind: str | None = None
    paper: str | None = None
    candidate: str = ""
    name: str | None = None
    """What the candidate is called in tables, where it was named."""
    signature: dict[str, Any] = {}
    repeats: Repeats = 1
    limit: int | None = None
    without: str | None = None
    cross: str | None = None
    """The languages of questions and passages, such as en-zh, when they are not one."""
    rewrite: str | None = None
    """The rewriter that the questions of a series went through before they were asked."""
    shuffle_options: int | None = None
    """The seed of the order in which options were shown, where it is not the test's."""
    covers: tuple[str, ...] | None = None
    """The units that were to be sat, when they are not all of the test's."""
    splits: dict[str, str] = {}
    """The fingerprint of each split of the paper, where there are several; "" has no name."""
    fields: dict[str, Any] = {}


class Row(Value, frozen=True, gc=False, kw_only=False):
    """One answer, or one error.

    The kind of test says what an answer is, such as a text or a number, and what its member is
    called in files; ``readmark.core.row_lines`` reads and writes them.
    """

    id: str
    answer: Any = msgspec.UNSET
    start: int | None = None
    end: int | None = None
    sentence: Offsets | None = None
    score: float | None = None
    evidence: Any = None
    seconds: float | None = None
    repeat: int = 0
    attempt: int = 1
    usage: dict[str, Any] | None = None
    order: tuple[int, ...] | None = None
    """The options as they were shown, by their places in the test from 0, when they were mixed."""
    error: str | None = None

    def __post_init__(self) -> None:
        for name in _COUNTED if self.usage is not None else ():
            value = self.usage.get(name)  # type: ignore[union-attr]
            if value is not None and not _is_amount(value):
                raise ValueError(f"usage: {name} is {value!r:.40}, expected a number from 0")

    @property
    def no_answer_reason(self) -> str | None:
        """Why there is no answer; None where an empty text states that there is none.

        A row without an answer has none either, if its evidence gives a reason.
        """
        if not isinstance(self.evidence, dict):  # a million rows come by, most of them here
            return None
        said = "" if self.answer is msgspec.UNSET else self.answer
        if not isinstance(said, str) or said.strip():
            return None
        reason = self.evidence.get("reason")
        return reason if isinstance(reason, str) and reason in NO_ANSWER_REASONS else None

    @property
    def answered(self) -> bool:
        """Whether it holds an answer: no error, and not a text that is empty for want of words."""
        return self.error is None and self.no_answer_reason is None

    @property
    def states_answer(self) -> bool:
        """Whether it says what the answer is, or why there is none."""
        return self.answer is not msgspec.UNSET or self.no_answer_reason is not None

    @property
    def text(self) -> str:
        """The answer in words; nothing where it is none or no text."""
        return self.answer if isinstance(self.answer, str) else ""


_COUNTED = ("input", "output", "cost", "uncounted")
"""What of a row's usage is summed up."""


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value <= LARGEST


Rows = dict[str, Row | tuple[Row, ...]]


class PackedRows(MutableMapping[str, Row | tuple[Row, ...]]):
    """Rows kept as JSON and decoded when asked for: a million, evidence and all, fit in memory."""

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}

    def __getitem__(self, id: str) -> Row | tuple[Row, ...]:
        return _ROWS.decode(self._packed[id])

    def __setitem__(self, id: str, rows: Row | tuple[Row, ...]) -> None:
        self._packed[id] = msgspec.json.encode(rows)

    def __delitem__(self, id: str) -> None:
        del self._packed[id]

    def take(self, id: str, other: PackedRows) -> None:
        """Take over the rows of a unit as they are."""
        self._packed[id] = other._packed[id]

    def __contains__(self, id: object) -> bool:
        return id in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


_ROWS: msgspec.json.Decoder[Row | tuple[Row, ...]] = msgspec.json.Decoder(Row | tuple[Row, ...])


@dataclass(frozen=True, slots=True, repr=False)
class Sitting:
    """The answers of one candidate: one row per id, or a tuple of rows when there are repeats."""

    header: SittingHeader
    rows: Mapping[str, Row | tuple[Row, ...]]
    file: str = "<memory>"
    notes: tuple[str, ...] = field(default=())
    papers: tuple[str, ...] = ()
    """The papers of its parts, where each was sat by itself: parts of the test."""
    kind_name: str | None = None
    """The kind of test, where the header does not say it."""

    @property
    def candidate(self) -> str:
        """Who sat; a sitting that does not say is known by its file's name."""
        return self.header.name or self.header.candidate or Path(self.file).name

    @property
    def kind(self) -> Kind:
        """The kind of test; files that do not name one are of the default kind."""
        return kind_named(self.header.kind or self.kind_name or Header().kind)

    def of(self, id: str) -> tuple[Row, ...]:
        """The rows of a unit, one a repeat; none when it was not answered."""
        rows = self.rows.get(id)
        if rows is None:
            return ()
        return rows if isinstance(rows, tuple) else (rows,)

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"<Sitting of {self.candidate}: {counted(len(self.rows), 'unit')} answered or tried>"


def keep(rows: MutableMapping[str, Row | tuple[Row, ...]], row: Row) -> None:
    """Take a row into a sitting: the last one for an id and repeat wins; repeats are in order."""
    if row.id not in rows:
        rows[row.id] = row
        return
    before = rows[row.id]
    earlier = before if isinstance(before, tuple) else (before,)
    kept = tuple(one for one in earlier if one.repeat != row.repeat)
    rows[row.id] = tuple(sorted((*kept, row), key=lambda row: row.repeat)) if kept else row


class Failed:
    """Stands for the answer of a row that holds an error."""


FAILED = Failed()


def evidence_without(evidence: Any, member: str) -> dict[str, Any]:
    """Evidence that a member can be added to; what has no room for it moves to ``evidence``."""
    if evidence is None:
        return {}
    if isinstance(evidence, dict) and member not in evidence:
        return evidence
    return {"evidence": evidence}
