"""Noun phrases that may name the same, found without comparing each with every other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from readmark.corpus.notation.spacing import is_han
from readmark.corpus.values import Offsets

_WORD = re.compile(r"[\w’'‧·-]+")
_NO_NAMES = frozenset(
    {
        *("i", "me", "my", "mine", "you", "your", "yours", "we", "us", "our", "ours"),
        *("he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs"),
        *("the", "a", "an", "this", "that", "these", "those", "such", "one", "ones"),
        *("who", "which", "whom"),
        *("what", "whose", "some", "any", "all", "both", "each", "every", "other", "another"),
    }
)
"""Words that name nobody: determiners and pronouns."""
SHORTEST_NAME = 2
"""Characters that a Chinese name has at least; 他 and 它 are none."""
LAST = "\U0010ffff"
"""Sorts behind every character of a name."""

English = tuple[str, frozenset[str]]
"""The last word, which is the head, and all words."""


class Names:
    """The names of a text's noun phrases.

    Thomas Edison and Thomas Alva Edison may be the same: in English the last words are equal and
    all words of the one are in the other; in Chinese the one ends in the other.
    """

    def __init__(self, text: str, phrases: Sequence[Offsets]) -> None:
        self._spans: dict[English | str, list[Offsets]] = {}
        for start, end in phrases:
            name = name_of(text[start:end])
            if name is not None:
                self._spans.setdefault(name, []).append((start, end))
        self._backwards = sorted(name[::-1] for name in self._spans if isinstance(name, str))
        english = [name for name in self._spans if not isinstance(name, str)]
        self._counts = Counter((head, word) for head, words in english for word in words)
        self._with: dict[tuple[str, str], list[English]] = {}
        self._told_by: dict[tuple[str, str], list[English]] = {}
        for head, words in english:
            for word in words:
                self._with.setdefault((head, word), []).append((head, words))
            self._told_by.setdefault(self._rarest(head, words), []).append((head, words))
        self._found: dict[English | str, list[Offsets]] = {}

    def like(self, phrase: str) -> list[Offsets]:
        """Where the noun phrases stand that may name the same as this, in order."""
        name = name_of(phrase)
        if name is None:
            return []
        if name not in self._found:
            alike: set[English | str] = set()
            alike.update(self._chinese(name) if isinstance(name, str) else self._english(*name))
            self._found[name] = sorted(span for one in alike for span in self._spans[one])
        return self._found[name]

    def _chinese(self, name: str) -> Iterator[str]:
        for start in range(1, len(name) - SHORTEST_NAME + 1):
            if name[start:] in self._spans:
                yield name[start:]
        backwards = name[::-1]
        first = bisect_left(self._backwards, backwards)
        last = bisect_left(self._backwards, backwards + LAST)
        for one in self._backwards[first:last]:
            yield one[::-1]

    def _english(self, head: str, words: frozenset[str]) -> Iterator[English]:
        for one in self._with.get(self._rarest(head, words), ()):
            if words <= one[1]:
                yield one
        for word in words:
            for one in self._told_by.get((head, word), ()):
                if one[1] <= words:
                    yield one

    def _rarest(self, head: str, words: frozenset[str]) -> tuple[str, str]:
        return min(((head, word) for word in words), key=lambda one: (self._counts[one], one))


def name_of(phrase: str) -> English | str | None:
    """What of a noun phrase may be compared; None for pronouns and single Chinese characters."""
    if is_han(phrase[-1:]):
        return phrase if len(phrase) >= SHORTEST_NAME else None
    words = [word for word in _WORD.findall(phrase.casefold()) if word not in _NO_NAMES]
    return (words[-1], frozenset(words)) if words else None
