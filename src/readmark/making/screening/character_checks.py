"""Checks that look at characters alone: other scripts, symbols, classical style, length."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from readmark.core import numbers
from readmark.making.screening.classical_style import classical_style
from readmark.making.screening.findings import CheckFinding, ScreenedText, at_most

LEFTOVERS = ("formula_", "codice_", "</", "<br", "<ref", "&lt;", "&nbsp;", "{{", "}}", "[[", "]]")
"""What extractors leave of markup: placeholders of formulas and code, tags, templates, links.
Each has a symbol or & in it."""
_HAN_ONLY = re.compile("[\u4e00-\u9fff]+")
UNSETTLED = 1.0, 6.0
"""Scores of particles, clauses and verse between which words are looked at."""
SINGLE_WEIGHT, MODERN_SINGLE = 8.0, 0.39
"""What a share of one-character words above that of most modern prose counts for."""


def non_chinese(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Letters of other scripts and digits, as a share of all characters but white space."""
    characters = reading.characters
    return at_most(
        _share(characters.latin + characters.other + characters.digits, characters.size),
        settings["most"],
    )


def non_latin(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Letters that are not Latin, and digits, as a share of all characters of an English text."""
    characters = reading.characters
    return at_most(
        _share(characters.han + characters.other + characters.digits, characters.size),
        settings["most"],
    )


def symbols(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Signs other than punctuation, and leftovers of markup, as a share of the characters."""
    characters, text = reading.characters, reading.text
    if not characters.symbols and "&" not in text:
        return at_most(0.0, settings["most"])
    leftovers = {mark: count for mark in LEFTOVERS if (count := text.count(mark))}
    signs = characters.symbols + settings["leftover"] * sum(leftovers.values())
    note = ", ".join(f"{mark} {count}" for mark, count in leftovers.items()) or None
    return at_most(min(1.0, _share(signs, characters.size)), settings["most"], note)


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def classical(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Classical Chinese: particles, short clauses and verse against the words of modern prose.

    Where these do not settle it, the share of words of one character does.
    """
    style = classical_style(reading.text, reading.characters)
    parts = {"particles": style.particles, "clauses": style.clauses, "verse": style.verse}
    if UNSETTLED[0] < style.score < UNSETTLED[1]:
        parts["words"] = SINGLE_WEIGHT * (_single_words(reading.words) - MODERN_SINGLE)
    finding = at_most(sum(parts.values()), settings["most"])
    if finding.verdict == "keep":
        return finding
    note = ", ".join(
        f"{name} {numbers.decimal(value, 1)}" for name, value in parts.items() if value
    )
    return msgspec.structs.replace(finding, note=note)


def _single_words(words: Mapping[str, int]) -> float:
    """The share of a text's Han characters that are words of their own."""
    han = {word: count for word, count in words.items() if _HAN_ONLY.fullmatch(word)}
    size = sum(len(word) * count for word, count in han.items())
    return sum(count for word, count in han.items() if len(word) == 1) / size if size else 0.0


def length(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Characters, white space not counted: neither too few nor too many."""
    size, least, most = reading.characters.size, settings["least"], settings["most"]
    return CheckFinding(
        value=size,
        threshold=[least, most],
        verdict="keep" if least <= size <= most else "discard",
        note="too short" if size < least else "too long" if size > most else None,
    )
