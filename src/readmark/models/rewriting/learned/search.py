"""Step by step: one edit of a question, then one of what it made, until none is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readmark.models.rewriting.learned.features import GUIDED, KEEP, Rows, rows_of
from readmark.models.rewriting.learned.values import Asking, Phrase, Place

Fill = Callable[[str, Place, Phrase, str], tuple[int, int, str] | None]
Words = Callable[[str], frozenset[str]]
Span = tuple[int, int, str]
STEPS = 3


@dataclass(frozen=True)
class Tongue:
    """What a language brings: how a phrase is put in, and what the content words are."""

    fill: Fill
    words: Words


@dataclass(frozen=True)
class Draft:
    """A question with the edits made so far."""

    asking: Asking
    edits: tuple[Span, ...] = ()
    whole: str | None = None
    """What the guidelines made of it, where that was chosen; nothing can be added then."""

    @property
    def text(self) -> str:
        return applied(self.asking.text, self.edits) if self.whole is None else self.whole

    def rows(self, tongue: Tongue) -> Rows:
        """What may be done next."""
        used = [(start, end) for start, end, _ in self.edits]
        words = tongue.words(self.text)
        return rows_of(self.asking, words, step=len(self.edits), used=used)

    def with_pair(self, pair: tuple[int, int], tongue: Tongue) -> Draft | None:
        """The draft with a candidate taken; None where it changes nothing."""
        place, phrase = pair
        if place == KEEP:
            return self
        if place == GUIDED:
            return Draft(self.asking, self.edits, self.asking.guided)
        made = tongue.fill(
            self.asking.text, self.asking.places[place], self.asking.phrases[phrase],
            self.asking.before,
        )  # fmt: skip
        return None if made is None else Draft(self.asking, (*self.edits, made))


def applied(text: str, edits: Sequence[Span]) -> str:
    """The text with its edits made."""
    made: list[str] = []
    done = 0
    for start, end, now in sorted(edits, key=lambda one: one[:2]):
        made += [text[done:start], now]
        done = end
    return "".join([*made, text[done:]])
