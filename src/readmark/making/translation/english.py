"""How near a Chinese translation is to the English: which words of it the other has too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from readmark.making.translation.chinese_words import ASK, ChineseWord
from readmark.making.translation.word_similarity import word_similarity
from readmark.text.bilingual import words_with_senses
from readmark.text.questions.same_question import (
    asked_in_chinese,
    asked_in_english,
    asks_the_same,
)
from readmark.text.stop_words import STOP_WORDS

UNSAID = 0.5
"""What a word costs that the English does not have."""
ADJACENT_BONUS = 0.5
"""What two words add if they are adjacent in both."""
ASKED = 1.0
"""What the right question word adds."""

_FURTHER_STOP_WORDS = """
an for from by with on as did does will would can could may what who whom whose which when where
why how not no if so
"""
_STOP_WORDS = STOP_WORDS["en"] | frozenset(_FURTHER_STOP_WORDS.split())


class EnglishWords:
    """The content words of an English text with their translations."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [
            (word, tuple(form for sense in senses for form in sense))
            for word, senses in words_with_senses(text)
            if word not in _STOP_WORDS
        ]

    def source(self, word: str) -> int | None:
        """The place of the English word that a Chinese word translates."""
        for index, (_, translations) in enumerate(self.words):
            if any(word == form or (len(form) > 1 and form in word) for form in translations):
                return index
        # Only now by similarity: a listed translation further on is better than a similar word.
        for index, (_, translations) in enumerate(self.words):
            if any(len(form) > 1 and word_similarity(word, form) for form in translations):
                return index
        return None


def match_english(
    english: EnglishWords, text: str, words: Sequence[ChineseWord], unshared: Sequence[ChineseWord]
) -> tuple[float, list[str]]:
    """The score of a translation, and the English words that it has.

    ``unshared`` are words that the other translation lacks.
    """
    content = [word.text for word in words if not word.light]
    sources = {word: english.source(word) for word in content}
    covered = {source for source in sources.values() if source is not None}
    asking_words = "".join(word.text for word in words if word.tag == ASK)
    for index, (_, translations) in enumerate(english.words):
        if any(form in asking_words or (len(form) > 1 and form in text) for form in translations):
            covered.add(index)
    unsaid = [word for word in unshared if not word.light and sources.get(word.text) is None]
    # Pairs of words that both translations have speak for neither.
    unshared_texts = {word.text for word in unshared}
    adjacent = 0
    for word, following in pairwise(content):
        source, next_source = sources[word], sources[following]
        if source is not None and next_source is not None and next_source - source == 1:
            adjacent += word in unshared_texts or following in unshared_texts
    score = len(covered) + ADJACENT_BONUS * adjacent - UNSAID * len(unsaid)
    in_english, in_chinese = asked_in_english(english.text), asked_in_chinese(text)
    if in_english & in_chinese:
        score += ASKED
    elif in_english and in_chinese and asks_the_same(in_english, in_chinese):
        score += ASKED / 2
    return score, [english.words[index][0] for index in sorted(covered)]
