"""Answers that a series gives, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """What is known at each question: answers, and the place of the question that they answer."""

    by_question: Sequence[Sequence[str]] = ()
    of: Sequence[int | None] = ()
    """None if unknown: then they answer the question that this one refers to."""

    def answers(self, index: int, earlier: int | None) -> tuple[str, ...]:
        """Answers to an earlier question that are known by now; none that answer another."""
        meant = index - 1 if earlier is None else earlier
        answers, of = self._known_at(index)
        if answers and of in (None, meant):
            return answers
        before = (self._known_at(place) for place in range(index))
        return next((answers for answers, of in before if answers and of == meant), ())

    def _known_at(self, index: int) -> tuple[tuple[str, ...], int | None]:
        answers = tuple(self.by_question[index]) if index < len(self.by_question) else ()
        return answers, self.of[index] if index < len(self.of) else None
