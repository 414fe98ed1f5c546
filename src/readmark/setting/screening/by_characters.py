"""Checks that look at characters alone: other scripts, symbols, classical style, length."""

from __future__ import annotations

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
