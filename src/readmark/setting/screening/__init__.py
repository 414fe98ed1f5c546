"""Screening: which passages are fit for a test, by named checks and by people's decisions.

The rules are those of "A Span-Extraction Dataset for Chinese Machine Reading Comprehension"
(CMRC 2018) and "SMART: A Stratified Machine Reading Test". Nothing vanishes: every passage has a
line in the report, with what each check measured and who decided.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any, Literal

from readmark.corpus.values import Value
from readmark.text.characters import Characters, characters
from readmark.text.simplified import simplified
from readmark.text.topics import term_segmenter

Verdict = Literal["keep", "discard"]


class Finding(Value, frozen=True):
    """What one check measured on one passage."""

    value: float | None
    """None where nothing was measured; ``note`` says why."""
    threshold: Any
    verdict: Verdict
    note: str | None = None
    """What the value is made of, in words: the field of science, the passage resembled."""


class Reading:
    """A passage as the checks look at it; what several of them need is made once."""

    def __init__(self, text: str, counted: Characters | None = None) -> None:
        self.text = text
        self.characters = characters(text) if counted is None else counted

    @cached_property
    def words(self) -> Counter[str]:
        """The words of a Chinese text, in simplified characters."""
        return Counter(term_segmenter().words(simplified(self.text)))


def at_most(value: float, most: float, note: str | None = None) -> Finding:
    """The finding of a check that discards what is over its threshold."""
    verdict: Verdict = "discard" if value > most else "keep"
    return Finding(value=round(value, 4), threshold=most, verdict=verdict, note=note)
