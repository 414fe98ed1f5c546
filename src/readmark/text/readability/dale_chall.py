"""Dale-Chall, as "Design and Development of a Bilingual Reading Comprehension Corpus" takes it
from Dale and Chall, "A Formula for Predicting Readability" (1948).
"""

from __future__ import annotations

from bisect import bisect_right

_BOUNDS = (5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
GRADES = ("4 and below", "5–6", "7–8", "9–10", "11–12", "13–15", "16+")
"""School grades; a band begins at its bound (7.0 is grades 9–10) and ends before the next."""


def dale_chall(words_per_sentence: float, unfamiliar: float) -> float:
    """The raw score; ``unfamiliar`` is the percentage of words off the list, 0 to 100.

    The constant is always added, as in the document (some programs add it only above 5%).
    """
    return 0.0496 * words_per_sentence + 0.1579 * unfamiliar + 3.6365


def grades(score: float) -> str:
    """The school grades that a raw score stands for."""
    return GRADES[bisect_right(_BOUNDS, score)]
