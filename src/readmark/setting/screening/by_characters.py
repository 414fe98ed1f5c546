"""Checks that look at characters alone: other scripts, symbols, holes, classical style, length."""

from __future__ import annotations

import re
from collections.abc import Mapping

from readmark.setting.screening import Finding, Reading, at_most
from readmark.text.classical import classical_score

LEFTOVERS = ("formula_", "codice_", "</", "<br", "<ref", "&lt;", "&nbsp;", "{{", "}}", "[[", "]]")
"""What extractors leave of markup: placeholders of formulas and code, tags, templates, links.
Each has a symbol or & in it."""


def non_chinese(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Letters of other scripts and digits, as a share of all characters but white space."""
    found = reading.characters
    return at_most(_share(found.latin + found.other + found.digits, found.size), settings["most"])


def non_latin(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """The same of an English text: letters that are not Latin, and digits."""
    found = reading.characters
    return at_most(_share(found.han + found.other + found.digits, found.size), settings["most"])


def symbols(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Signs other than punctuation, and leftovers of markup, as a share of the characters."""
    found, text = reading.characters, reading.text
    if not found.symbols and "&" not in text:
        return at_most(0.0, settings["most"])
    left = {mark: count for mark in LEFTOVERS if (count := text.count(mark))}
    signs = found.symbols + settings["leftover"] * sum(left.values())
    note = ", ".join(f"{mark} {count}" for mark, count in left.items()) or None
    return at_most(min(1.0, _share(signs, found.size)), settings["most"], note)


_EMPTY = r"《\s*》|「\s*」|『\s*』|“\s*”|〈\s*〉|【\s*】"
_PLACEHOLDER = r"(?<![A-Za-z])(?:formula|codice)_\d+"
_HOLES = re.compile(
    rf"{_EMPTY}|[、，；](?=\s?[、，；。])|(?:还有|還有|包括|包含|分别是|分別是|例如|：)、|(?<=有)、(?=等)|{_PLACEHOLDER}"
)
_ENGLISH_HOLES = re.compile(
    rf'(?<=\s)""(?=[\s,.;:)])|\(\s*[,;]|\( (?:or|to|and)\b|(?<=\w) ,|,\s,|{_PLACEHOLDER}'
)
_SHOWN_HOLES = 3
_SENTENCE_END, _ENGLISH_END = re.compile(r"[。！？\n]"), re.compile(r"[.!?][\"')\]]*\s|\n")
# Whether there may be any: an expression that begins with one character is tried only where that
# stands, which is many times as fast as the whole.
_MAY_HOLD = {
    **{one[0]: re.compile(one) for one in _EMPTY.split("|")},
    "，": re.compile(r"，\s?[、，；。]"),
    "；": re.compile(r"；\s?[、，；。]"),
    "、": re.compile(r"、(?:\s?[、，；。等]|(?<=[有括含是如：]、))"),
    "_": re.compile("_"),
}
_ENGLISH_MAY_HOLD = {
    '"': re.compile('""'),
    "(": re.compile(r"\((?:\s*[,;]| [ota])"),
    ",": re.compile(r",(?:(?<= ,)|\s,)"),
    "_": re.compile("_"),
}


def holes(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Sentences of which an extractor left something out: 《》, 还有、、等, formula_1."""
    return _holes(_MAY_HOLD, _HOLES, _SENTENCE_END, reading.text, settings)


def english_holes(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """The same of an English text."""
    return _holes(_ENGLISH_MAY_HOLD, _ENGLISH_HOLES, _ENGLISH_END, reading.text, settings)


def _holes(
    may_hold: Mapping[str, re.Pattern[str]],
    pattern: re.Pattern[str],
    end: re.Pattern[str],
    text: str,
    settings: Mapping[str, float],
) -> Finding:
    """Holes of one sentence count once: a list of which five items are gone is one of them."""
    if not any(first in text and one.search(text) for first, one in may_hold.items()):
        return at_most(0, settings["most"])
    found: list[str] = []
    broken = last = 0
    for one in pattern.finditer(text):
        broken += not found or end.search(text, last, one.start()) is not None
        found.append(one[0].strip())
        last = one.start()
    note = " ".join(dict.fromkeys(found[:_SHOWN_HOLES])) or None
    return at_most(broken, settings["most"], note)


def classical(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """The particles of classical Chinese against those of the modern language."""
    found = reading.characters
    return at_most(classical_score(found.classical, found.han), settings["most"])


def length(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Characters, white space not counted: neither too few nor too many."""
    size, least, most = reading.characters.size, settings["least"], settings["most"]
    return Finding(
        value=size,
        threshold=[least, most],
        verdict="keep" if least <= size <= most else "discard",
        note="too short" if size < least else "too long" if size > most else None,
    )


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0
