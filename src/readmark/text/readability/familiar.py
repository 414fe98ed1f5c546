"""Which words Dale and Chall take as known: the list of about 3,000, its regular forms, names.

The forms are those of "A Formula for Predicting Readability: Instructions" (1948): regular plurals
and possessives; -s, -ies, -ing, -n, -ed, -ied of verbs; -er, -est of adjectives; -ly; numerals;
hyphenated words whose parts are known; names of persons and places.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files

from readmark.corpus.values import Offsets
from readmark.text.readability.syllables import is_numeral

RULES = "inflections-2"

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_OPENING = frozenset("\"“‘'(:[")
# What is taken off, and what may have stood there before: studi-es, mak-ing, larg-er.
_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
    ("iest", "y"),
    ("ily", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
    ("n", ""),
)
_DOUBLED = frozenset({"ed", "ing", "er", "est"})  # stopp-ed, bigg-er
_CONTRACTED = re.compile(r"(?:n't|'(?:s|d|ll|ve|re|m)|')$")


def is_familiar(word: str, names: Collection[str] = ()) -> bool:
    """Whether a word (in lower case) counts as known; ``names`` are the passage's own names."""
    word = word.replace("’", "'")
    if word in _listed() or word in names:
        return True
    if "-" in word:
        return all(is_familiar(part, names) for part in word.split("-"))
    base = _CONTRACTED.sub("", word)
    if base != word:
        return base == "" or is_familiar(base, names)
    if is_numeral(word) or not any(character.isalpha() for character in word):
        return True
    return any(form in _listed() for form in _bases(word))


def names(text: str, sentences: Sequence[Offsets]) -> frozenset[str]:
    """Words (in lower case) that only stand with a capital, and do so inside a sentence.

    Persons and places are meant; organisations are not told apart. A sentence with capitals on
    over two thirds of its words, as a heading has, tells nothing.
    """
    found: set[str] = set()
    small: set[str] = set()
    for start, end in sentences:
        words = list(_WORD.finditer(text, start, end))
        capital = [word for word in words if word[0][0].isupper()]
        small.update(word[0].lower() for word in words if word[0][0].islower())
        if len(capital) * 3 > len(words) * 2:
            continue
        for word in capital:
            opens = word.start() == words[0].start() or text[word.start() - 1] in _OPENING
            if not opens:
                found.add(word[0].lower().replace("’", "'"))
    return frozenset(_CONTRACTED.sub("", name) for name in found - small)


def source() -> str:
    """The list and the rules, for signatures."""
    return f"textstat-0.7.13+{RULES}"


def _bases(word: str) -> Iterator[str]:
    for ending, before in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem + before
        if ending in _DOUBLED and stem[-1] == stem[-2]:
            yield stem[:-1]


@functools.cache
def _listed() -> frozenset[str]:
    text = files("readmark.text").joinpath("data/familiar_words.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
