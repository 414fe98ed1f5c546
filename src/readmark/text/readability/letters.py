"""The two grade formulas that count letters instead of syllables."""

from __future__ import annotations


def ari(characters_per_word: float, words_per_sentence: float) -> float:
    """Automated Readability Index, Smith and Senter (1967): a school grade; digits count."""
    return 4.71 * characters_per_word + 0.5 * words_per_sentence - 21.43


def coleman_liau(letters_per_100_words: float, sentences_per_100_words: float) -> float:
    """Coleman and Liau, "A Computer Readability Formula Designed for Machine Scoring" (1975)."""
    return 0.0588 * letters_per_100_words - 0.296 * sentences_per_100_words - 15.8
