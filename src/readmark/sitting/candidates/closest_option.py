"""Word overlap for multiple choice: the oldest baseline, which needs no training."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Offsets, Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.guess import lot, options_of
from readmark.text.sentences import RULES as SENTENCES
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words


@dataclass
class ClosestOption:
    """Chooses the option that, with the question, shares most words with a sentence.

    After the sliding window of "MCTest: A Challenge Dataset for the Open-Domain Machine
    Comprehension of Text", with sentences for windows: rare words of a passage count for more.
    """

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS, "ties": "by lot"}

    def _reply(self, unit: Unit) -> Row:
        options = options_of(unit)
        asked = frozenset(words(unit.item.text, self.language))
        read = _read(unit.record.text, self.language)
        found = [(read.nearest(asked, self._words(one)), one) for one in options]
        # Ties are drawn by the words, so that no place among the options is favoured.
        (score, at, shared), chosen = max(
            found, key=lambda one: (one[0][0], lot(f"{unit.id} {one[1]}"))
        )
        if at is None:
            return Row(id=unit.id, text=chosen, score=0.0)
        evidence = {"shared": sorted(shared)}
        return Row(id=unit.id, text=chosen, sentence=at, score=score, evidence=evidence)

    def _words(self, option: str) -> frozenset[str]:
        return frozenset(words(option, self.language))


Nearest = tuple[float, Offsets | None, Set[str]]


class _Read:
    """A passage's sentences as sets of words, and what each word is worth there."""

    def __init__(self, text: str, language: str) -> None:
        self._sentences = [
            (at, frozenset(words(text[slice(*at)], language))) for at in sentences(text, language)
        ]
        counts = Counter(words(text, language))
        self._worth = {word: math.log1p(1 / count) for word, count in counts.items()}

    def nearest(self, asked: Set[str], option: Set[str]) -> Nearest:
        """The best sentence for a question with an option: worth, place, and the option's words."""
        best: Nearest = (0.0, None, frozenset())
        for at, said in self._sentences:
            # Summed in one order: sets of words have another in every process.
            worth = math.fsum(self._worth[word] for word in (asked | option) & said)
            if worth > best[0]:
                best = worth, at, option & said
        return best


@functools.lru_cache(maxsize=64)
def _read(text: str, language: str) -> _Read:
    # Questions of one passage come one after another: it is read once.
    return _Read(text, language)
