"""A short phrase around the word that looks most like the answer: the rest of a name or number."""

from __future__ import annotations

import re

from readmark.corpus.values import Offsets
from readmark.models.evidence.readings import ReadPassage

# What may stand between the words of one name, number or date.
_JOINS = re.compile(r"[\s\-–·•.,/%$€£]{0,2}")


def phrase_around(text: str, passage: ReadPassage, place: int) -> Offsets:
    """The offsets of the name or number that a word stands in; the word itself if in none."""
    first = last = place
    if _belongs(passage, place):
        while first > 0 and _belongs(passage, first - 1) and _joined(text, passage, first - 1):
            first -= 1
        while _belongs(passage, last + 1) and _joined(text, passage, last):
            last += 1
    return int(passage.offsets[first]), _end(passage, last)


def _belongs(passage: ReadPassage, place: int) -> bool:
    """Whether a word is part of a name, a number or a date, and no sentence's end."""
    if place >= len(passage.keys) or passage.keys[place] < 0:
        return False
    named = passage.capitals[place] > 0 and passage.figures[place, 1] == 0
    return bool(named or passage.figures[place, 2:5].any())


def _joined(text: str, passage: ReadPassage, place: int) -> bool:
    between = text[_end(passage, place) : int(passage.offsets[place + 1])]
    return _JOINS.fullmatch(between) is not None


def _end(passage: ReadPassage, place: int) -> int:
    return int(passage.offsets[place]) + len(passage.words[place])
