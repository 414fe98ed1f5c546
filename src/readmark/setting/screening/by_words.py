"""Checks that look at words: rare ones, and those of the sciences."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.setting.screening import Finding, Reading, at_most
from readmark.text.rare_words import Rare, rare_chinese, rare_english
from readmark.text.topics import topic as topic_of


def terms(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Rare words of a Chinese text, names apart."""
    return _terms(rare_chinese(reading.words), settings)


def english_terms(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Rare words of an English text, names apart."""
    return _terms(rare_english(reading.text), settings)


def topic(reading: Reading, settings: Mapping[str, float]) -> Finding:
    """Words of the sciences and of technology, as a share of the letters of the text."""
    found = topic_of(reading.words)
    letters = reading.characters.han + reading.characters.latin
    share = found.weight / letters if letters else 0.0
    note = f"{found.field}: {' '.join(found.examples)}" if found.field else None
    if found.words < settings["words"]:
        # A short text with its subject's name in it; what was measured is still told.
        return Finding(value=round(share, 4), threshold=settings["most"], verdict="keep", note=note)
    return at_most(share, settings["most"], note)


def _terms(found: Rare, settings: Mapping[str, float]) -> Finding:
    return at_most(found.share, settings["most"], " ".join(found.examples) or None)
