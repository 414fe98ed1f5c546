"""The phrase around the word that looks most like the answer: a whole name, number or date."""

from __future__ import annotations

import re

from readmark.comprehension.evidence.readings import CUES, FUNCTION_WORD, NUMBER, ReadPassage
from readmark.core.records import Offsets

# What may come between the words of one name, number or date.
_JOINS = re.compile(r"[\s\-–·•.,/%$€£]{0,2}")
# A number, and the first cues of spelling: quantity and time.
_FIGURES = slice(NUMBER, CUES.start + 2)


def phrase_around(text: str, passage: ReadPassage, place: int) -> Offsets:
    """The offsets of the name or number that a word occurs in; the word itself if in none."""
    first = last = place
    if _belongs(passage, place):
        while first > 0 and _belongs(passage, first - 1) and _joined(text, passage, first - 1):
            first -= 1
        while _belongs(passage, last + 1) and _joined(text, passage, last):
            last += 1
    return int(passage.offsets[first]), _end(passage, last)


def _belongs(passage: ReadPassage, place: int) -> bool:
    """Whether a word is part of a name, a number or a date, and not the end of a sentence."""
    if place >= len(passage.keys) or passage.keys[place] < 0:
        return False
    is_name = passage.names[place] > 0 and passage.figures[place, FUNCTION_WORD] == 0
    return bool(is_name or passage.figures[place, _FIGURES].any())


def _joined(text: str, passage: ReadPassage, place: int) -> bool:
    """Whether a word and the next one can be of one name, by what stands between."""
    between = text[_end(passage, place) : int(passage.offsets[place + 1])]
    return _JOINS.fullmatch(between) is not None


def _end(passage: ReadPassage, place: int) -> int:
    return int(passage.offsets[place]) + len(passage.words[place])
