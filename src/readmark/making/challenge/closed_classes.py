"""Words of closed classes in a text: colours, animals, seasons, languages, titles and counts.

No entity tagger marks these. The classes and their words are in ``text/data/classes.toml``.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from typing import Any

from readmark.core.language import primary
from readmark.core.records import Offsets
from readmark.text.analysers.word_tables import table_words
from readmark.text.chinese_numbers import NUMERALS
from readmark.text.script import simplified

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
    """Where members of each class occur in a text; longer ones before shorter ones."""
    plain = simplified(text).lower()
    if len(plain) != len(text):
        # A letter such as İ is longer in lower case, and the offsets must be those of the text.
        plain = text
    spans = {
        name: [match.span() for match in pattern.finditer(plain)]
        for name, pattern in _patterns(primary(language))
    }
    spans["work"] = [match.span() for match in _WORKS.finditer(text)]
    return {name: class_spans for name, class_spans in spans.items() if class_spans}


@functools.cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = files("readmark.text").joinpath("data/classes.toml")
    lists: dict[str, Any] = tomllib.loads(data.read_text("utf-8")).get(language, {})
    patterns = []
    for name, words in lists.items():
        if name == "endings":
            continue
        longest_first = sorted(words.split(), key=len, reverse=True)
        if language == "zh":
            pattern = _chinese_pattern(longest_first, lists["endings"].get(name, ""))
        else:
            pattern = rf"\b(?:{'|'.join(longest_first)})(?:s|es)?\b"
        patterns.append((name, re.compile(pattern)))
    return tuple(patterns)


def _chinese_pattern(words: list[str], ending: str) -> str:
    long = "|".join(word for word in words if len(word) > 1)
    if not ending:
        return long
    # A single character counts only with the ending of its class: 红 occurs in 红军 (army) too.
    characters = "".join(word for word in words if len(word) == 1)
    return f"(?:{long})(?:{ending})?|[{characters}]{{1,2}}{ending}"


def counted(text: str, span: Offsets, language: str) -> Offsets | None:
    """The part of a phrase that says how many: 5 members of *Later 5 members*, 25名 of 25名学生.

    None if the phrase counts nothing, or counts time: *5 years*, *5 June*, *the 1990 election*.
    """
    start, end = span
    if primary(language) == "zh":
        heads = _CHINESE_HEADS.search(simplified(text[start:end]))
        return None if heads is None else (start + heads.start(), end)
    for number in _ENGLISH_COUNT.finditer(text, start, end):
        words = [match[0] for match in _ENGLISH_WORD.finditer(text, number.end(), end)]
        if words and not _YEAR.fullmatch(number[0]) and not any(map(_is_of_time, words)):
            return number.start(), end
    return None


def _is_of_time(word: str) -> bool:
    lower = word.lower().replace("’", "'")
    if word in table_words("en", "time", "capitalised") or lower in ("millennia", "bc", "ad"):
        return True
    singulars = {lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y"}
    lists = (table_words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not singulars.isdisjoint(words) for words in lists)
