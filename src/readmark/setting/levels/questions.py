"""A question taken apart: the phrase that asks, the words that say something, whom it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.corpus.values import Offsets
from readmark.setting.levels.chinese_topics import chinese_topics
from readmark.setting.levels.english_topics import english_topics
from readmark.setting.levels.passages import Reading, joined, tagged
from readmark.setting.levels.tokens import Token, folded, keys, tokens
from readmark.setting.levels.topics import Topic
from readmark.text.reasoning_cues import Cues, cues
from readmark.text.segmenter import Tagged

_MOST_WORDS = 4
_ENGLISH_WORD = re.compile(r"[\w'’-]+")
_TAKES_NOUN = re.compile(r"^(?!为|因|缘).*(?:什么|啥|哪.*|几|多.*|何.*|样)$")
_SELDOM_ASK = ("何", "几")
"""Parts of names and numbers more often than questions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is compared with a passage."""

    text: str
    tokens: tuple[Token, ...]
    phrases: tuple[Offsets, ...]
    """Where the question phrase may stand, the bare question word first."""
    content: frozenset[int]
    topics: tuple[Topic, ...]
    """The one that it is about first; then others that are the passage's own subject."""

    @property
    def keys(self) -> list[str]:
        """What its tokens are compared by."""
        return keys(self.tokens)


def asked(question: str, passage: Reading, title: str) -> Asked:
    """The question beside the passage that it is asked of."""
    language = passage.language
    known = cues(language)
    text = folded(question, language)
    found = tuple(tokens(text, language))
    words = tagged(text) if language == "zh" else []
    phrases = tuple(_phrases(text, language, known, words))
    core = phrases[0] if phrases else (len(text), len(text))
    content = frozenset(
        at
        for at, token in enumerate(found)
        if not core[0] <= token.start < core[1] and token.key not in known.closed
    )
    of_title = joined(keys(tokens(folded(title, language), language)))
    topics = (
        chinese_topics(text, found, words, phrases, passage, of_title, known)
        if language == "zh"
        else english_topics(text, found, phrases, content, passage, of_title)
    )
    return Asked(text, found, phrases, content, tuple(topics))


def _phrases(text: str, language: str, known: Cues, words: Sequence[Tagged]) -> Iterator[Offsets]:
    """The question word alone, then with more and more of its noun."""
    lowered = text if language == "zh" else text.lower()
    found = list(known.question_word.finditer(lowered))
    if not found:
        return
    asking = next((one for one in found if one[0] not in _SELDOM_ASK), found[-1])
    start, end = asking.span()
    yield start, end
    if language == "en":
        yield from ((start, last) for last in _english_nouns(text, end, asking[0], known))
        return
    if not _TAKES_NOUN.search(asking[0]):
        return
    taken = 0
    for first, last, tag in words:
        if last <= end or first < start:
            continue
        if first > end or taken == _MOST_WORDS:
            return
        word = text[first:last]
        if not (first < end or word in known.quantity or tag[0] in "nqmjlb" or tag == "vn"):
            return
        end = last
        taken += 1
        yield start, end


def _english_nouns(text: str, end: int, asking: str, known: Cues) -> list[int]:
    """Where the noun of an English question word may end.

    After *which* it may be any of the next words; after *what* it ends before an auxiliary, since
    "what fell …" has none.
    """
    if not asking.startswith(("which", "whose", "what", "how m")):
        return []
    ends: list[int] = []
    for word in _ENGLISH_WORD.finditer(text, end):
        if word[0] in known.quantity:
            return ends
        if not word[0].islower() or len(ends) == _MOST_WORDS:
            break
        ends.append(word.end())
    return [] if asking == "what" else ends
