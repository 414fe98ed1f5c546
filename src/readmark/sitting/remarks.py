"""What is noticed in the rows of a run and reported at its end.

Its memory grows with the number of different messages of errors, not with the number of rows.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from readmark.core.counts import counted
from readmark.core.numbers import SHOWN, listed_ids
from readmark.core.sitting import CUT_OFF, REFUSED, Row
from readmark.core.spans import is_astray
from readmark.core.spent import Spent

SHOWN_REASONS = 3
"""Reasons of errors that are reported: many failures are usually of one kind."""
MOST_CHARACTERS = 2**24
"""Characters of passages that wait for their answers; the oldest are then not checked."""


class UnitCount:
    """How many answers something was seen with, and the first of their units' ids in order."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[str] = []
        self._lock = threading.Lock()

    def add(self, id: str) -> None:
        """Count an answer to a unit; threads of several workers may do so at once."""
        with self._lock:
            self.count += 1
            if id in self._first:  # a repeat
                return
            insort(self._first, id, key=lambda id: (len(id), id))  # q2 before q10
            del self._first[SHOWN:]

    def __str__(self) -> str:
        return listed_ids(self._first, self.count)


class OffsetCheck:
    """Whether offsets of answers point at them, checked while the passage is at hand.

    Passages are kept until their answers come. A candidate may leave units unanswered, so the
    oldest go when there are too many characters.
    """

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self.astray = UnitCount()
        self._most = most
        self._size = 0
        self._passages: dict[str, str] = {}
        self._lock = threading.Lock()

    def expect(self, passage: object, ids: Sequence[str]) -> None:
        """Units of a passage go out."""
        if not isinstance(passage, str):
            return
        with self._lock:
            for id in ids:
                self._take(id)  # one that still waits for an earlier answer
                self._passages[id] = passage
                self._size += len(passage)
            while self._size > self._most:
                self._take(next(iter(self._passages)))

    def check(self, row: Row) -> None:
        """An answer came."""
        with self._lock:
            passage = self._take(row.id)
        if is_astray(row, passage):
            self.astray.add(row.id)

    def _take(self, id: str) -> str | None:
        passage = self._passages.pop(id, None)
        self._size -= len(passage or "")
        return passage


@dataclass
class Remarks:
    """Counts of what a reader of a sitting should know, row by row."""

    answered: int = 0
    errors: int = 0
    spent: Spent = field(default_factory=Spent)
    offsets: OffsetCheck = field(default_factory=OffsetCheck)
    unscored: UnitCount = field(default_factory=UnitCount)
    refused: UnitCount = field(default_factory=UnitCount)
    cut_off: UnitCount = field(default_factory=UnitCount)
    without_answer: defaultdict[str, UnitCount] = field(
        default_factory=lambda: defaultdict(UnitCount)
    )
    """Replies without an answer other than refusals, by the reason that they give."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Errors by their messages."""

    def add(self, row: Row) -> None:
        """Take in the next row."""
        self.offsets.check(row)
        self.spent = self.spent.with_row(row)
        if row.error is not None:
            self.errors += 1
            self.reasons[row.error] += 1
        else:
            self.answered += 1
        reason = row.no_answer_reason
        if reason == REFUSED:
            self.refused.add(row.id)
        elif reason is not None:
            self.without_answer[reason].add(row.id)
        elif isinstance(row.evidence, dict) and row.evidence.get("reason") == CUT_OFF:
            self.cut_off.add(row.id)  # it has an answer all the same

    @property
    def silent(self) -> int:
        """Replies without an answer, refusals not counted."""
        return sum(units.count for units in self.without_answer.values())

    def answer_lines(self) -> Iterator[str]:
        """What is odd about the answers."""
        if self.refused.count:
            yield f"refusals, counted as unanswered: {self.refused}"
        for reason, units in sorted(self.without_answer.items()):
            yield f"replies without an answer ({reason}), counted as unanswered: {units}"
        if self.cut_off.count:
            yield f"replies cut off before their end: {self.cut_off}; max_tokens sets their length"
        if self.offsets.astray.count:
            yield (
                f"offsets of {self.offsets.astray} do not point at their answers; "
                "the answer's text was trusted"
            )
        if self.unscored.count:
            yield f"scores that are not finite numbers were left out: {self.unscored}"

    def error_lines(self) -> Iterator[str]:
        """The most common reasons of errors."""
        for reason, count in self.reasons.most_common(SHOWN_REASONS):
            yield f"{counted(count, 'error')}: {reason}"
        if len(self.reasons) > SHOWN_REASONS:
            yield f"and errors with {len(self.reasons) - SHOWN_REASONS:,} other reasons"
