"""A check that looks for holes: sentences that an extractor took something out of.

Extractors of Wikipedia drop templates, formulas and links, and leave 《》, 还有、、等 or formula_1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from readmark.making.screening.findings import CheckFinding, ScreenedText, at_most

_EMPTY = r"《\s*》|「\s*」|『\s*』|“\s*”|〈\s*〉|【\s*】"
_PLACEHOLDER = r"(?<![A-Za-z])(?:formula|codice)_\d+"
_HOLES = re.compile(
    rf"{_EMPTY}|[、，；](?=\s?[、，；。])|(?:还有|還有|包括|包含|分别是|分別是|例如|：)、|(?<=有)、(?=等)|{_PLACEHOLDER}"
)
_ENGLISH_HOLES = re.compile(
    rf'(?<=\s)""(?=[\s,.;:)])|\(\s*[,;]|\( (?:or|to|and)\b|(?<=\w) ,|,\s,|{_PLACEHOLDER}'
)
_QUOTED_HOLES = 3
"""Holes that the note of a finding quotes."""
_SENTENCE_END, _ENGLISH_END = re.compile(r"[。！？\n]"), re.compile(r"[.!?][\"')\]]*\s|\n")
_SIGNS = {
    **{pattern[0]: re.compile(pattern) for pattern in _EMPTY.split("|")},
    "，": re.compile(r"，\s?[、，；。]"),
    "；": re.compile(r"；\s?[、，；。]"),
    "、": re.compile(r"、(?:\s?[、，；。等]|(?<=[有括含是如：]、))"),
    "_": re.compile("_"),
}
"""Signs that there may be a hole, by the character that each of these patterns begins with.

A pattern is tried only where its character occurs, which is many times as fast as to search with
the whole expression: most texts have no hole.
"""
_ENGLISH_SIGNS = {
    '"': re.compile('""'),
    "(": re.compile(r"\((?:\s*[,;]| [ota])"),
    ",": re.compile(r",(?:(?<= ,)|\s,)"),
    "_": re.compile("_"),
}


def holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Sentences of a Chinese text with a hole."""
    return _holes(_SIGNS, _HOLES, _SENTENCE_END, reading.text, settings)


def english_holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Sentences of an English text with a hole."""
    return _holes(_ENGLISH_SIGNS, _ENGLISH_HOLES, _ENGLISH_END, reading.text, settings)


def _holes(
    signs: Mapping[str, re.Pattern[str]],
    hole: re.Pattern[str],
    sentence_end: re.Pattern[str],
    text: str,
    settings: Mapping[str, float],
) -> CheckFinding:
    """Holes of one sentence count once: a list that lacks five items is one broken sentence."""
    if not any(character in text and sign.search(text) for character, sign in signs.items()):
        return at_most(0, settings["most"])
    holes: list[str] = []
    broken_sentences = last = 0
    for match in hole.finditer(text):
        if not holes or sentence_end.search(text, last, match.start()):
            broken_sentences += 1
        holes.append(match[0].strip())
        last = match.start()
    note = " ".join(dict.fromkeys(holes[:_QUOTED_HOLES])) or None
    return at_most(broken_sentences, settings["most"], note)
