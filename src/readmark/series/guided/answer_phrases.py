"""An earlier question as a phrase for its answer: the dam that caused the flood."""

from __future__ import annotations

import re

from readmark.series.guided.answers import Expected
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.word_forms import past

_BE = ("is", "are", "was", "were")
_AUX = ("did", "does", "do", "has", "have", "had", "can", "could", "will", "would", *_BE)
_PREPOSITIONS = ("in", "on", "at", "for", "from", "of", "to", "by", "with", "under", "near", "over")


def as_phrase(asked: ParsedText, rewritten: str, expected: Expected) -> str:
    """The answer of an earlier question described by it; nothing where it cannot be turned."""
    text = re.sub(r"[\s?.!]+$", "", rewritten)
    words = text.split()
    if len(words) < 3:
        return ""
    first = words[0].lower()
    if first in ("who", "whom"):
        return _who(words)
    preposition = ""
    if first in _PREPOSITIONS and words[1].lower() in ("what", "which"):
        preposition, words = words[0].lower(), words[1:]
        first = words[0].lower()
    if first in ("what", "which") and expected.phrase:
        return _what(words, expected.phrase, preposition)
    if first in ("what", "which") and words[1].lower() in _BE:
        return " ".join(words[2:])
    if first == "where" and words[1].lower() in _AUX:
        clause = _uninverted(words[1:])
        return f"the place where {clause}" if clause else ""
    return ""


def _who(words: list[str]) -> str:
    """Who led the mission -> the person who led the mission; who is the mayor -> the mayor."""
    if words[1].lower() in _BE and words[-1].lower() not in _PREPOSITIONS:
        rest = " ".join(words[2:])
        if re.match(r"(?:the|a|an|[A-Z].*['’]s?)\b", rest) or "'s" in rest:
            return rest
        return f"the person who {words[1]} {rest}"
    if words[1].lower() in ("did", "does", "do", *_BE):
        clause = _uninverted(words[1:])
        return f"the person {clause}" if clause else ""
    return f"the person who {' '.join(words[1:])}"


def _what(words: list[str], phrase: str, preposition: str) -> str:
    """In what city did they meet -> the city in which they met."""
    size = len(phrase.split())
    if words[1].lower() in _BE:  # What is the largest meteorite …
        return " ".join(words[2:])
    rest = words[1 + size :]
    if not rest or words[1 : 1 + size] != phrase.split():
        return ""
    if rest[0].lower() in _AUX and (preposition or _is_inverted(rest)):
        clause = _uninverted(rest)
        link = f"{preposition} which" if preposition else "that"
        return f"the {phrase} {link} {clause}" if clause else ""
    return f"the {phrase} that {' '.join(rest)}"


def _is_inverted(rest: list[str]) -> bool:
    """Whether a subject follows the auxiliary: did she found, not has won."""
    return rest[0].lower() in ("did", "does", "do") or (len(rest) > 2 and rest[1][:1].isupper())


def _uninverted(words: list[str]) -> str:
    """Did Rose Crumb found -> Rose Crumb founded; is Johnstown -> Johnstown is."""
    aux, rest = words[0], words[1:]
    if not rest:
        return ""
    if aux.lower() in _BE and rest[0][:1].isupper():  # is Otto Lang the hero
        size = next((i for i, word in enumerate(rest) if not word[:1].isupper()), len(rest))
        return " ".join([*rest[:size], aux, *rest[size:]])
    place = next(
        (i for i, word in enumerate(rest) if i and word[:1].islower() and word != "the"), None
    )
    while (
        place is not None
        and rest[place].lower() in (*_PREPOSITIONS, "and")
        and place + 1 < len(rest)
    ):
        place = next((i for i in range(place + 1, len(rest)) if rest[i][:1].islower()), None)
    if place is None:
        return f"{' '.join(rest)} {aux}" if aux.lower() in _BE else ""
    subject, verb, after = rest[:place], rest[place], rest[place + 1 :]
    if aux.lower() == "did":
        verb = past(verb)
    elif aux.lower() == "does":
        verb = f"{verb}s"
    elif aux.lower() != "do":
        verb = f"{aux} {verb}"
    return " ".join([*subject, verb, *after])
