"""The phrase that asks: the question word, alone and with more and more of its noun."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from readmark.text.questions.word_lists import word_lists, words_of

if TYPE_CHECKING:
    from readmark.core.records import Offsets
    from readmark.text.segmenter import Tagged

_MOST_WORDS = 4
"""Words of a noun that are taken to the question word."""
_ENGLISH_WORD = re.compile(r"[\w'’-]+")
_TAKES_NOUN = re.compile(r"^(?!为|因|缘).*(?:什么|啥|哪.*|几|多.*|何.*|样)$")
"""Question words that a noun may follow: what, which, how many. Those of reasons take none."""
_SELDOM_ASK = ("何", "几")
"""Parts of names and numbers more often than questions."""
_NOUN_TAGS = frozenset("nqmjlb")
"""The first letters of jieba's tags of nouns, numbers and what comes before nouns."""


def question_phrases(text: str, language: str, words: Sequence[Tagged]) -> Iterator[Offsets]:
    """Where the question word occurs, then the same with more and more of its noun.

    ``words`` are the tagged words of a Chinese text, in simplified characters.
    """
    matches = list(_question_word(language).finditer(text if language == "zh" else text.lower()))
    if not matches:
        return
    asking = next((match for match in matches if match[0] not in _SELDOM_ASK), matches[-1])
    start, end = asking.span()
    yield start, end
    if language == "en":
        yield from ((start, noun_end) for noun_end in _english_noun_ends(text, end, asking[0]))
        return
    if not _TAKES_NOUN.search(asking[0]):
        return
    count = 0
    for first, last, tag in words:
        if last <= end or first < start:
            continue
        if first > end or count == _MOST_WORDS:
            return
        is_between = text[first:last] in between_words(language)
        if not (first < end or is_between or tag[0] in _NOUN_TAGS or tag == "vn"):
            return
        end = last
        count += 1
        yield start, end


@functools.cache
def between_words(language: str) -> frozenset[str]:
    """What may come between a Chinese question word and its noun, or ends an English noun."""
    return words_of(language, "phrase", "between")


@functools.cache
def _question_word(language: str) -> re.Pattern[str]:
    return re.compile(word_lists(language)["phrase"]["word"])


def _english_noun_ends(text: str, end: int, asking: str) -> list[int]:
    """Where the noun of an English question word may end.

    After *which* it may be any of the next words; after *what* it ends before an auxiliary, since
    "what fell …" has none.
    """
    if not asking.startswith(("which", "whose", "what", "how m")):
        return []
    ends: list[int] = []
    for word in _ENGLISH_WORD.finditer(text, end):
        if word[0] in between_words("en"):
            return ends
        if not word[0].islower() or len(ends) == _MOST_WORDS:
            break
        ends.append(word.end())
    return [] if asking == "what" else ends
