"""Members of closed classes in a text: colours, seasons, animals, languages, and titles of works.

People, places, bodies, times and numbers are the analysers' entities; this finds the rest.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from typing import Any

from readmark.corpus.language import primary
from readmark.corpus.values import Offsets
from readmark.text.analysers import tables
from readmark.text.numerals import NUMERALS
from readmark.text.simplified import simplified

_WORKS = re.compile(r"《[^《》]{1,60}》")
_CHINESE_HEADS = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[名位人]")
_ENGLISH_COUNT = re.compile(
    r"(?<![\w.,-])(?:\d+(?:[.,]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|dozens?|hundreds?|thousands?|millions?|billions?)(?=\s)",
    re.IGNORECASE,
)
_ENGLISH_WORD = re.compile(r"[^\W\d_][\w.'’]*")
_YEAR = re.compile(r"1\d{3}|20\d{2}|2100")


def members(text: str, language: str) -> dict[str, list[Offsets]]:
    """Where members of each class stand in a text; longer ones before shorter ones."""
    code = primary(language)
    plain = simplified(text).lower()
    if len(plain) != len(text):  # a letter whose small form is longer
        plain = text
    found = {name: [one.span() for one in shape.finditer(plain)] for name, shape in _shapes(code)}
    found["work"] = [one.span() for one in _WORKS.finditer(text)]
    return {name: spans for name, spans in found.items() if spans}


def counted(text: str, span: Offsets, language: str) -> Offsets | None:
    """The part of a phrase that says how many: 5 members of *Later 5 members*, 25名 of 25名学生.

    None where nothing is counted, or time is: *5 years*, *5 June*, *the 1990 election*.
    """
    start, end = span
    if primary(language) == "zh":
        heads = _CHINESE_HEADS.search(simplified(text[start:end]))
        return None if heads is None else (start + heads.start(), end)
    for found in _ENGLISH_COUNT.finditer(text, start, end):
        after = [one[0] for one in _ENGLISH_WORD.finditer(text, found.end(), end)]
        if after and not _YEAR.fullmatch(found[0]) and not any(map(_is_of_time, after)):
            return found.start(), end
    return None


def _is_of_time(word: str) -> bool:
    lower = word.lower().replace("’", "'")
    one = {lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y"}
    if word in tables.words("en", "time", "capitalised") or lower in ("millennia", "bc", "ad"):
        return True
    lists = (tables.words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not one.isdisjoint(words) for words in lists)


@functools.cache
def _shapes(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists: dict[str, Any] = _lists().get(language, {})
    shapes = []
    for name, words in lists.items():
        if name == "endings":
            continue
        longest_first = sorted(words.split(), key=len, reverse=True)
        ending = lists["endings"].get(name, "")
        if language == "zh":
            shape = _chinese(longest_first, ending)
        else:
            shape = rf"\b(?:{'|'.join(longest_first)})(?:s|es)?\b"
        shapes.append((name, re.compile(shape)))
    return tuple(shapes)


def _chinese(words: list[str], ending: str) -> str:
    """A single character is a member only with its class's ending: 红 stands in 红军 too."""
    long = "|".join(word for word in words if len(word) > 1)
    short = "".join(word for word in words if len(word) == 1)
    if ending:
        return f"(?:{long})(?:{ending})?|[{short}]{{1,2}}{ending}"
    return long


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/classes.toml")
    return tomllib.loads(data.read_text("utf-8"))
