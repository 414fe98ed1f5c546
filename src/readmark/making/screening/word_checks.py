"""Checks that look at words: rare ones, and those of the sciences."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.making.screening.findings import CheckFinding, ScreenedText, at_most
from readmark.making.screening.rare_words import RareWords, rare_chinese, rare_english
from readmark.making.screening.science_topic import science_topic

LEAST_TERMS, LETTERS_A_TERM, FEW_TERMS = 2, 40, 1.5
"""Different terms that a short text needs, the letters to each, and how much higher their share."""


def terms(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Rare words of a Chinese text, names apart."""
    return _rare_share(rare_chinese(reading.words), settings)


def english_terms(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Rare words of an English text, names apart."""
    return _rare_share(rare_english(reading.text), settings)


def topic(reading: ScreenedText, settings: Mapping[str, float]) -> CheckFinding:
    """Words of the sciences and of technology, as a share of the letters of the text.

    A short text has few different ones, so fewer are enough if their share is higher.
    """
    science = science_topic(reading.words)
    letters = reading.characters.han + reading.characters.latin
    share = science.weight / letters if letters else 0.0
    note = f"{science.field}: {' '.join(science.examples)}" if science.field else None
    most = settings["most"]
    if science.words < settings["words"]:
        most *= FEW_TERMS
        if science.words < max(LEAST_TERMS, letters // LETTERS_A_TERM):
            # Little more than its subject's name; what was measured is still reported.
            return CheckFinding(value=round(share, 4), threshold=most, verdict="keep", note=note)
    return at_most(share, most, note)


def _rare_share(rare: RareWords, settings: Mapping[str, float]) -> CheckFinding:
    return at_most(rare.share, settings["most"], " ".join(rare.examples) or None)
