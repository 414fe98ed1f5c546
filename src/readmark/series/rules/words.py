"""The words of questions and golds as the rules compare them, in English and Chinese."""

from __future__ import annotations

import re
from typing import NamedTuple

from readmark.series.words import grammar_words
from readmark.text.stems import stem

GRAMMAR_WORDS = grammar_words("rules")
"""Words that need no source: those of grammar, of asking, and "the person who"."""
_WORD = re.compile(r"\w+(?:[-_]\w+)*|['’]s\b")


class RuleWord(NamedTuple):
    """A word as written, its position, and the form that it is compared in."""

    text: str
    start: int
    base: str

    @property
    def is_name(self) -> bool:
        """Whether it is written as names are."""
        return self.text[:1].isupper() or self.text[:1].isdecimal()


def words_of(text: str, language: str) -> list[RuleWord]:
    """The words of a text in order; a possessive 's is one of its own."""
    if language == "zh":
        return _chinese_words(text)
    return [RuleWord(match[0], match.start(), _base(match[0])) for match in _WORD.finditer(text)]


def content_of(text: str, language: str) -> list[RuleWord]:
    """The words of a text that say something of their own."""
    return [word for word in words_of(text, language) if word.base not in GRAMMAR_WORDS[language]]


def _base(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return lower if lower in GRAMMAR_WORDS["en"] else stem(lower)


def _chinese_words(text: str) -> list[RuleWord]:
    from readmark.text.segmenter import segmenter

    spans = segmenter().spans(text)
    words = [RuleWord(text[start:end], start, text[start:end].lower()) for start, end in spans]
    return [word for word in words if word.text[0].isalnum()]
