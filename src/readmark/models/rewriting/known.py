"""Answers that a series tells, and whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """What is known at each question: answers, and the place of the question that they answer."""

    told: Sequence[Sequence[str]] = ()
    of: Sequence[int | None] = ()
    """None where it is not told: then they are what the question leans on."""

    def answers(self, at: int, earlier: int | None) -> tuple[str, ...]:
        """Answers to an earlier question that were told by now; none that answer another."""
        meant = at - 1 if earlier is None else earlier
        own, of = self._told(at)
        if own and of in (None, meant):
            return own
        before = (self._told(one) for one in range(at))
        return next((told for told, of in before if told and of == meant), ())

    def _told(self, at: int) -> tuple[tuple[str, ...], int | None]:
        told = tuple(self.told[at]) if at < len(self.told) else ()
        return told, self.of[at] if at < len(self.of) else None
