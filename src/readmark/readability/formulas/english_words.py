"""What the English formulas count as a sentence, and as a word."""

from __future__ import annotations

import re

from readmark.core.records import Offsets
from readmark.readability import prose
from readmark.text import sentences as sentence_rules

SENTENCE_RULES = f"{sentence_rules.RULES}+lower-1+{prose.RULES}"

_STOP = re.compile(r"((?<=\w\w)[.!?…]+[\"'”’)\]]*\s+[\"'“‘(\[]*)([A-Za-z])")


def sentences_as_counted(text: str) -> list[Offsets]:
    """The sentences; where most begin with a small letter, as in chats, small letters begin them.

    The rules of sentences want a capital, without which such a text would be a single sentence.
    """
    first_letters = [match[2] for match in _STOP.finditer(text)]
    small = sum(map(str.islower, first_letters))
    if small > 1 and 2 * small > len(first_letters):  # a single one may be an abbreviation's stop
        text = _STOP.sub(lambda match: match[1] + match[2].upper(), text)
    return sentence_rules.sentences(text, "en")


WORD_RULES = "flesch-1"

COUNTED_WORD = re.compile(
    r"[^\W\d_](?:\.[^\W\d_])+\b\.?"  # U.S., e.g., 7 a.m.
    r"|\d+(?:[.,]\d+)+\w*(?:['’-]\w+)*"  # 1,066, 3.5, 1,200-metre
    r"|\w+(?:['’-]\w+)*"
)


def words_as_counted(text: str) -> list[str]:
    """The words of a text in lower case; a figure or an abbreviation with points is one word.

    So Flesch counts: what white space surrounds is one word ("How to Write Plain English").
    """
    return COUNTED_WORD.findall(text.lower())
