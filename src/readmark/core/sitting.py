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
"""The reason of a reply that reached its maximum length."""
NO_ANSWER_REASONS = frozenset(
    (REFUSED, "empty", "unreadable", CUT_OFF, "cut off while reasoning", "reasoning only")
)
"""The reasons in evidence that tell a missing answer from the answer that there is none."""
PER_LANGUAGE = "per_language"
"""The member of a signature that lists the ones which differ between languages by design."""


class SittingHeader(Value, frozen=True):
    """The first line of a sitting: who sat which paper, and how."""

    readmark: int = SCHEMA
    file: str = "sitting"
    kind: str | None = None
    paper: str | None = None
    candidate: str = ""
    name: str | None = None
    """The candidate's name in tables, if it was given one."""
    signature: dict[str, Any] = {}
    repeats: Repeats = 1
    limit: int | None = None
    without: str | None = None
    cross: str | None = None
    """The languages of questions and passages, such as en-zh, if they differ."""
    rewrite: str | None = None
    """The rewriter of the questions of a series."""
    shuffle_options: int | None = None
    """The seed of the order of options, if it is not the test's."""
    covers: tuple[str, ...] | None = None
    """The units that were to be sat, if they are not all of the test's."""
    splits: dict[str, str] = {}
    """The fingerprint of each split of the paper, if there are several; "" has no name."""
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
    """The options as they were shown, by their index in the test, if they were shuffled."""
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
        answer = "" if self.answer is msgspec.UNSET else self.answer
        if not isinstance(answer, str) or answer.strip():
            return None
        reason = self.evidence.get("reason")
        return reason if isinstance(reason, str) and reason in NO_ANSWER_REASONS else None

    @property
    def answered(self) -> bool:
        """Whether it has an answer, which may be that there is none."""
        return self.error is None and self.no_answer_reason is None

    @property
    def states_answer(self) -> bool:
        """Whether it has an answer, or a reason why there is none."""
        return self.answer is not msgspec.UNSET or self.no_answer_reason is not None

    @property
    def text(self) -> str:
        """The answer, if it is a text; else nothing."""
        return self.answer if isinstance(self.answer, str) else ""


_COUNTED = ("input", "output", "cost", "uncounted")
"""The members of a row's usage that are summed up."""


def _is_amount(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value <= LARGEST


Rows = dict[str, Row | tuple[Row, ...]]


class PackedRows(MutableMapping[str, Row | tuple[Row, ...]]):
    """Rows kept as JSON and decoded when they are used: a million with evidence fit in memory."""

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
    """The papers of its parts, if each part of the test was sat by itself."""
    kind_name: str | None = None
    """The kind of test, if the header does not say it."""

    @property
    def candidate(self) -> str:
        """The name of the candidate; without one, of the file."""
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
    """Add a row to a sitting: the last one of an id and repeat wins; repeats are in order."""
    if row.id not in rows:
        rows[row.id] = row
        return
    earlier = rows[row.id]
    repeats = earlier if isinstance(earlier, tuple) else (earlier,)
    others = tuple(other for other in repeats if other.repeat != row.repeat)
    rows[row.id] = tuple(sorted((*others, row), key=lambda row: row.repeat)) if others else row


class Failed:
    """Stands for the answer of a row that holds an error."""


FAILED = Failed()


def evidence_without(evidence: Any, member: str) -> dict[str, Any]:
    """Evidence as a dictionary to which ``member`` can be added.

    If it is none, or has such a member, it becomes the member ``evidence`` of a new one.
    """
    if evidence is None:
        return {}
    if isinstance(evidence, dict) and member not in evidence:
        return evidence
    return {"evidence": evidence}
