"""Gunning's fog index and McLaughlin's SMOG: what many words of three syllables cost."""

from __future__ import annotations

import math


def fog(words_per_sentence: float, complex_words: float) -> float:
    """Gunning, "The Technique of Clear Writing" (1952): years of school.

    ``complex_words`` is the percentage of words of three syllables or more without names,
    compounds of short words, and forms that -ed or -es made so long.
    """
    return 0.4 * (words_per_sentence + complex_words)


def smog(polysyllables: int, sentences: int) -> float:
    """McLaughlin, "SMOG Grading: a New Readability Formula" (1969): years of school.

    Made for 30 sentences; fewer are taken as if they went on alike.
    """
    return 1.0430 * math.sqrt(polysyllables * 30 / sentences) + 3.1291
