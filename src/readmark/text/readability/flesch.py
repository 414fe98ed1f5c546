"""Flesch's reading ease and its recalculation into school grades."""

from __future__ import annotations


def flesch(words_per_sentence: float, syllables_per_word: float) -> float:
    """Flesch, "A New Readability Yardstick" (1948): about 0 to 100, higher is easier."""
    return 206.835 - 1.015 * words_per_sentence - 84.6 * syllables_per_word


def flesch_kincaid(words_per_sentence: float, syllables_per_word: float) -> float:
    """Kincaid et al., "Derivation of New Readability Formulas" (1975): a school grade."""
    return 0.39 * words_per_sentence + 11.8 * syllables_per_word - 15.59
