"""Noun phrases that may name the same, found without comparing each with every other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from readmark.core.records import Offsets
from readmark.text.script import is_han

_WORD = re.compile(r"[\w’'‧·-]+")
_FUNCTION_WORDS = """
i me my mine you your yours we us our ours he him his she her hers it its they them their theirs
the a an this that these those such one ones who which whom what whose some any all both each every
other another
"""
NO_NAMES = frozenset(_FUNCTION_WORDS.split())
"""Words that name nobody: determiners and pronouns."""
_SHORTEST_NAME = 2
"""Characters that a Chinese name has at least: 他 and 它 are pronouns."""
_LAST = "\U0010ffff"
"""Sorts behind every character of a name."""

EnglishName = tuple[str, frozenset[str]]
"""The last word, which is the head, and all words."""


def name_of(phrase: str) -> EnglishName | str | None:
    """What of a noun phrase may be compared; None for pronouns and single Chinese characters."""
    if is_han(phrase[-1:]):
        return phrase if len(phrase) >= _SHORTEST_NAME else None
    words = [word for word in _WORD.findall(phrase.casefold()) if word not in NO_NAMES]
    return (words[-1], frozenset(words)) if words else None


class NameIndex:
    """The names of a text's noun phrases.

    Thomas Edison and Thomas Alva Edison may be the same: in English the last words are equal and
    all words of the one are in the other; in Chinese the one ends in the other.
    """

    def __init__(self, text: str, phrases: Sequence[Offsets]) -> None:
        self._spans: dict[EnglishName | str, list[Offsets]] = {}
        for start, end in phrases:
            name = name_of(text[start:end])
            if name is not None:
                self._spans.setdefault(name, []).append((start, end))
        self._backwards = sorted(name[::-1] for name in self._spans if isinstance(name, str))
        english = [name for name in self._spans if not isinstance(name, str)]
        # A longer name has each of its words here; a shorter one has its rarest word there.
        self._counts = Counter((head, word) for head, words in english for word in words)
        self._by_word: dict[tuple[str, str], list[EnglishName]] = {}
        self._by_rarest_word: dict[tuple[str, str], list[EnglishName]] = {}
        for head, words in english:
            for word in words:
                self._by_word.setdefault((head, word), []).append((head, words))
            rarest = self._rarest_word(head, words)
            self._by_rarest_word.setdefault(rarest, []).append((head, words))
        self._alike: dict[EnglishName | str, list[Offsets]] = {}

    def like(self, phrase: str) -> list[Offsets]:
        """Where the noun phrases occur that may name the same as this, in order."""
        name = name_of(phrase)
        if name is None:
            return []
        if name not in self._alike:
            names: set[EnglishName | str] = set()
            names.update(self._chinese(name) if isinstance(name, str) else self._english(*name))
            self._alike[name] = sorted(span for alike in names for span in self._spans[alike])
        return self._alike[name]

    def _chinese(self, name: str) -> Iterator[str]:
        """The names that this one ends in, and those that end in it."""
        for start in range(1, len(name) - _SHORTEST_NAME + 1):
            if name[start:] in self._spans:
                yield name[start:]
        backwards = name[::-1]
        first = bisect_left(self._backwards, backwards)
        last = bisect_left(self._backwards, backwards + _LAST)
        for longer in self._backwards[first:last]:
            yield longer[::-1]

    def _english(self, head: str, words: frozenset[str]) -> Iterator[EnglishName]:
        """The names that have all of these words, and those that have only some of them."""
        for name in self._by_word.get(self._rarest_word(head, words), ()):
            if words <= name[1]:
                yield name
        for word in words:
            for name in self._by_rarest_word.get((head, word), ()):
                if name[1] <= words:
                    yield name

    def _rarest_word(self, head: str, words: frozenset[str]) -> tuple[str, str]:
        return min(((head, word) for word in words), key=lambda pair: (self._counts[pair], pair))
