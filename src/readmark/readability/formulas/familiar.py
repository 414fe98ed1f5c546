"""Which words Dale and Chall take as known: the list of about 3,000, its regular forms, names."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files

from readmark.core.records import Offsets
from readmark.readability.formulas.english_words import COUNTED_WORD
from readmark.readability.formulas.syllables import is_numeral

FAMILIAR_RULES = "textstat-0.7.13+inflections-2"

_OPENING = frozenset("\"“‘'(:[")
# What may have stood where an ending is taken off: stud-y, mak-e, larg-e.
_ENDINGS = {
    "y": ("ies", "ied", "ier", "iest", "ily"),
    "e": ("es", "ed", "ing", "er", "est"),
    "": ("es", "s", "ed", "ing", "er", "est", "ly", "n"),
}
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


def names_in(text: str, sentences: Sequence[Offsets]) -> frozenset[str]:
    """Words (in lower case) that always have a capital, also inside a sentence.

    Persons and places are meant; organisations are not distinguished. A sentence with capitals on
    over two thirds of its words, as a heading has, tells nothing.
    """
    names: set[str] = set()
    small: set[str] = set()
    for start, end in sentences:
        words = list(COUNTED_WORD.finditer(text, start, end))
        capital = [word for word in words if word[0][0].isupper()]
        small.update(word[0].lower() for word in words if word[0][0].islower())
        if len(capital) * 3 > len(words) * 2:
            continue
        for word in capital:
            opens = word.start() == words[0].start() or text[word.start() - 1] in _OPENING
            if not opens:
                names.add(word[0].lower().replace("’", "'"))
    return frozenset(_CONTRACTED.sub("", name) for name in names - small)


def _bases(word: str) -> Iterator[str]:
    """What a regular form may be made of: study of studied, stop of stopped."""
    for before, endings in _ENDINGS.items():
        for ending in endings:
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
