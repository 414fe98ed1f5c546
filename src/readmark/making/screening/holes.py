"""A check that looks for holes: sentences from which an extractor left something out."""

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
_SHOWN_HOLES = 3
"""Holes that the note of a finding quotes."""
_SENTENCE_END, _ENGLISH_END = re.compile(r"[。！？\n]"), re.compile(r"[.!?][\"')\]]*\s|\n")
# Signs that there may be a hole: an expression that begins with one character is tried only where
# that character occurs, which is many times as fast as the whole pattern.
_HOLE_SIGNS = {
    **{pattern[0]: re.compile(pattern) for pattern in _EMPTY.split("|")},
    "，": re.compile(r"，\s?[、，；。]"),
    "；": re.compile(r"；\s?[、，；。]"),
    "、": re.compile(r"、(?:\s?[、，；。等]|(?<=[有括含是如：]、))"),
    "_": re.compile("_"),
}
_ENGLISH_HOLE_SIGNS = {
    '"': re.compile('""'),
    "(": re.compile(r"\((?:\s*[,;]| [ota])"),
    ",": re.compile(r",(?:(?<= ,)|\s,)"),
    "_": re.compile("_"),
}


def holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Sentences from which an extractor left something out: 《》, 还有、、等, formula_1."""
    return _holes(_HOLE_SIGNS, _HOLES, _SENTENCE_END, reading.text, settings)


def english_holes(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Sentences of an English text from which an extractor left something out."""
    return _holes(_ENGLISH_HOLE_SIGNS, _ENGLISH_HOLES, _ENGLISH_END, reading.text, settings)


def _holes(
    signs: Mapping[str, re.Pattern[str]],
    pattern: re.Pattern[str],
    end: re.Pattern[str],
    text: str,
    settings: Mapping[str, float],
) -> CheckFinding:
    """Holes of one sentence count once: a list that lacks five items is one of them."""
    if not any(sign in text and sign_pattern.search(text) for sign, sign_pattern in signs.items()):
        return at_most(0, settings["most"])
    matches: list[str] = []
    broken_sentences = last = 0
    for match in pattern.finditer(text):
        starts_sentence = not matches or end.search(text, last, match.start()) is not None
        broken_sentences += starts_sentence
        matches.append(match[0].strip())
        last = match.start()
    note = " ".join(dict.fromkeys(matches[:_SHOWN_HOLES])) or None
    return at_most(broken_sentences, settings["most"], note)
