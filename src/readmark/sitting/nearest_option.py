"""From stretches of a passage to an option: the one that overlaps most with what is likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.corpus.values import Offsets, Unit
from readmark.sitting.candidates.guess import lot, options_of
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

RULES = f"greatest expected f1, ties by lot; words {WORDS}"
"""How an option is chosen, for signatures."""
WEIGHED = 20
"""How many likely answers are weighed."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """An option, its expected F1, and the stretch that speaks most for it."""

    option: str
    expected: float
    place: Offsets


def nearest_option(unit: Unit, likely: Sequence[tuple[Offsets, float]], language: str) -> Nearest:
    """The option with the greatest expected F1, when each stretch is the answer as often as likely.

    The best stretch alone shares no word with any option in over a third of C3's questions.
    """
    text = unit.record.text
    said = [(place, chance, _Words(text[slice(*place)], language)) for place, chance in likely]
    found: list[tuple[float, int, Nearest]] = []
    for option in options_of(unit):
        own = _Words(option, language)
        shares = [(chance * one.f1(own), place) for place, chance, one in said]
        expected = sum(share for share, _ in shares)
        # The likeliest is the first, and stays so where nothing speaks for an option.
        place = max(shares, key=lambda share: share[0])[1]
        # Ties are drawn by the words, so that no place among the options is favoured.
        found.append((expected, lot(f"{unit.id} {option}"), Nearest(option, expected, place)))
    return max(found, key=lambda one: one[:2])[2]


class _Words:
    """The words of a text, each as often as it stands there."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text.strip()
        self._counts = Counter(words(text, language))

    def f1(self, other: _Words) -> float:
        """Twice the words shared by all words of both; 1 for equal texts, if of signs alone."""
        if self._text == other._text:
            return 1.0
        shared = (self._counts & other._counts).total()
        return 2 * shared / (self._counts.total() + other._counts.total()) if shared else 0.0
