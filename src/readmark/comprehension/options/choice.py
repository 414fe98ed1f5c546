"""The option with the greatest expected F1 against the stretches that are likely answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.comprehension.best_option import best_option, options_of
from readmark.comprehension.options.chinese import ChineseOptions
from readmark.core.records import Offsets, Unit
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

RULES = f"greatest expected f1, in zh ten figures (2); ties by lot; words {WORDS}"
"""How an option is chosen, for signatures."""
WEIGHED = 20
"""How many likely answers are weighed."""


@dataclass(frozen=True, slots=True)
class NearestOption:
    """An option, its score, and the stretch that speaks most for it."""

    option: str
    score: float
    """The expected F1; in Chinese the option's share of all that speaks for the options."""
    place: Offsets


def nearest_option(
    unit: Unit, likely: Sequence[tuple[Offsets, float]], language: str
) -> NearestOption:
    """The option with the greatest expected F1, when each stretch is the answer as often as likely.

    The best stretch alone shares no word with any option in over a third of C3's questions, so
    Chinese options are also compared with what surrounds the stretches (``ChineseOptions``).
    """
    text = unit.record.text
    options = options_of(unit)
    stretches = [
        (place, probability, _WordCounts(text[slice(*place)], language))
        for place, probability in likely
    ]
    scores: list[float] = []
    places: list[Offsets] = []
    for option in options:
        counts = _WordCounts(option, language)
        shares = [
            (probability * stretch.f1(counts), place) for place, probability, stretch in stretches
        ]
        scores.append(sum(share for share, _ in shares))
        # The likeliest is the first, and stays so where nothing speaks for an option.
        places.append(max(shares, key=lambda share: share[0])[1])
    if language == "zh":
        scores = ChineseOptions(text, likely).scores(unit.item.text, options)
    best = best_option(unit, scores)
    return NearestOption(options[best], scores[best], places[best])


class _WordCounts:
    """The words of a text, as often as each occurs."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text.strip()
        self._counts = Counter(words(text, language))

    def f1(self, other: _WordCounts) -> float:
        """Twice the words shared by all words of both; 1 for equal texts, if of signs alone."""
        if self._text == other._text:
            return 1.0
        shared = (self._counts & other._counts).total()
        return 2 * shared / (self._counts.total() + other._counts.total()) if shared else 0.0
