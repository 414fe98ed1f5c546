"""How near a Chinese translation is to the English: which words of it the other says too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.setting.translation.cutting import ASK, Word
from readmark.setting.translation.likeness import likeness
from readmark.text.bilingual import said
from readmark.text.stop_words import STOP_WORDS
from readmark.text.wording import asked_in_chinese, asked_in_english, asks_the_same

UNSAID = 0.5
"""What a word costs that the English does not have."""
TOGETHER = 0.5
"""What two words add that stand beside each other in both."""
ASKED = 1.0
"""What the right question word adds."""

_MORE = """
an for from by with on as did does will would can could may what who whom whose which when where
why how not no if so
"""
_EMPTY = STOP_WORDS["en"] | frozenset(_MORE.split())


@dataclass(frozen=True, slots=True)
class Nearness:
    """The score of a translation, the English words it has, and its words without a source."""

    score: float
    covered: tuple[str, ...]
    unsaid: tuple[str, ...]


class English:
    """The content words of an English text with their translations."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [
            (word, tuple(one for sense in senses for one in sense))
            for word, senses in said(text)
            if word not in _EMPTY
        ]

    @property
    def unknown(self) -> list[str]:
        """The words that the list does not have: names, for the most part."""
        return [word for word, chinese in self.words if not chinese]

    def source(self, word: str) -> int | None:
        """The place of the English word that a Chinese word translates."""
        for at, (_, chinese) in enumerate(self.words):
            if any(_says(word, one) for one in chinese):
                return at
        for at, (_, chinese) in enumerate(self.words):
            if any(len(one) > 1 and likeness(word, one) for one in chinese):
                return at
        return None


def nearness(english: English, text: str, words: Sequence[Word], own: Sequence[Word]) -> Nearness:
    """Score a translation; ``own`` are the words that the other translation has not."""
    sources = {word.text: english.source(word.text) for word in words if not word.light}
    covered = {at for at in sources.values() if at is not None}
    asking_words = "".join(word.text for word in words if word.tag == ASK)
    for at, (_, chinese) in enumerate(english.words):
        if any(one in asking_words or (len(one) > 1 and one in text) for one in chinese):
            covered.add(at)
    unsaid = [word.text for word in own if not word.light and sources.get(word.text) is None]
    content = [sources[word.text] for word in words if not word.light]
    mine = {word.text for word in own}
    which = [word.text for word in words if not word.light]
    together = sum(
        first is not None
        and second is not None
        and second - first == 1
        and bool({which[at], which[at + 1]} & mine)
        for at, (first, second) in enumerate(pairwise(content))
    )
    score = len(covered) + TOGETHER * together - UNSAID * len(unsaid)
    asked, asking = asked_in_english(english.text), asked_in_chinese(text)
    if asked and asking:
        score += ASKED if asked & asking else ASKED / 2 if asks_the_same(asked, asking) else 0.0
    return Nearness(
        score, tuple(english.words[at][0] for at in sorted(covered)), tuple(dict.fromkeys(unsaid))
    )


def _says(word: str, translation: str) -> bool:
    return word == translation or (len(translation) > 1 and translation in word)
