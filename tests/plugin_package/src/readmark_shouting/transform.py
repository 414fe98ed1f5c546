"""A paper transform, and a candidate that lacks what a candidate must have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from readmark.hooks import PaperTransform, Row, Test, parameter


@dataclass
class ShoutQuestions:
    """Asks the questions in capitals, with a mark at the end."""

    mark: str = parameter("!", help="what follows each question")
    _asked: int = field(default=0, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Nothing depends on the test."""

    def signature(self) -> Mapping[str, Any]:
        """The mark decides what is asked."""
        return {"shout": self.mark}

    def asks(self, asks: Iterator[Any], repeat: int) -> Iterator[Any]:
        """Papers with loud questions."""
        for ask in asks:
            self._asked += len(ask.wanted)
            questions = tuple(
                type(one)(id=one.id, text=one.text.upper() + self.mark)
                for one in ask.record.questions
            )
            record = type(ask.record)(id=ask.record.id, text=ask.record.text, questions=questions)
            yield replace(ask, record=record)

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows as they come."""
        return rows

    def closing_notes(self) -> Sequence[str]:
        """How many questions were asked so."""
        return [f"questions in capitals: {self._asked}"]


@dataclass
class Mute:
    """Has no method ``answer``."""

    def prepare(self, kind: Any, language: str) -> None:
        """Nothing to load."""

    def signature(self) -> Mapping[str, Any]:
        """Nothing decides anything."""
        return {}
