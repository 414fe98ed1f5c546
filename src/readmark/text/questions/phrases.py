"""The phrase that asks: the question word, alone and with more and more of its noun.

Also the word lists behind the question types, which hold its patterns.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from readmark.core.records import Offsets
from readmark.text.segmenter import Tagged

_MOST_WORDS = 4
_ENGLISH_WORD = re.compile(r"[\w'’-]+")
_TAKES_NOUN = re.compile(r"^(?!为|因|缘).*(?:什么|啥|哪.*|几|多.*|何.*|样)$")
_SELDOM_ASK = ("何", "几")
"""Parts of names and numbers more often than questions."""


@functools.cache
def word_lists(language: str) -> dict[str, Any]:
    """What ``data/question_types.LANGUAGE.toml`` holds; white space parts the words of a list."""
    data = files("readmark.text").joinpath(f"data/question_types.{language}.toml")
    return tomllib.loads(data.read_text("utf-8"))


@functools.cache
def words_of(language: str, *path: str) -> frozenset[str]:
    """One list of words, or all lists of a table together."""
    found: Any = word_lists(language)
    for name in path:
        found = found[name]
    lists = found.values() if isinstance(found, dict) else (found,)
    return frozenset(word for words in lists for word in words.split())


@functools.cache
def between_words(language: str) -> frozenset[str]:
    """What may stand between a Chinese question word and its noun, or ends an English noun."""
    return words_of(language, "phrase", "between")


@functools.cache
def _question_word(language: str) -> re.Pattern[str]:
    return re.compile(word_lists(language)["phrase"]["word"])


def question_phrases(text: str, language: str, words: Sequence[Tagged]) -> Iterator[Offsets]:
    """Where the question word stands, then the same with more and more of its noun.

    ``words`` are the tagged words of a Chinese text, in simplified characters.
    """
    found = list(_question_word(language).finditer(text if language == "zh" else text.lower()))
    if not found:
        return
    asking = next((word for word in found if word[0] not in _SELDOM_ASK), found[-1])
    start, end = asking.span()
    yield start, end
    if language == "en":
        yield from ((start, last) for last in _english_nouns(text, end, asking[0]))
        return
    if not _TAKES_NOUN.search(asking[0]):
        return
    taken = 0
    for first, last, tag in words:
        if last <= end or first < start:
            continue
        if first > end or taken == _MOST_WORDS:
            return
        between = text[first:last] in between_words(language)
        if not (first < end or between or tag[0] in "nqmjlb" or tag == "vn"):
            return
        end = last
        taken += 1
        yield start, end


def _english_nouns(text: str, end: int, asking: str) -> list[int]:
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
