"""What a check finds on a passage, and the passage as checks look at it."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from readmark.core.records import Value
from readmark.formats.passage_decisions import Verdict
from readmark.making.screening.characters import Characters, count_characters
from readmark.making.screening.science_topic import term_segmenter
from readmark.text.script import simplified


class CheckFinding(Value, frozen=True):
    """What one check measured on one passage."""

    value: float | None
    """None where nothing was measured; ``note`` says why."""
    threshold: Any
    verdict: Verdict
    note: str | None = None
    """What the value is made of, in words: the field of science, the passage resembled."""


class ScreenedText:
    """A passage as the checks look at it; what several of them need is made once."""

    def __init__(self, text: str, characters: Characters | None = None) -> None:
        self.text = text
        self.characters = count_characters(text) if characters is None else characters

    @cached_property
    def words(self) -> Counter[str]:
        """The words of a Chinese text, in simplified characters."""
        return Counter(term_segmenter().words(simplified(self.text)))


def at_most(value: float, most: float, note: str | None = None) -> CheckFinding:
    """The finding of a check that discards what is over its threshold."""
    verdict: Verdict = "discard" if value > most else "keep"
    return CheckFinding(value=round(value, 4), threshold=most, verdict=verdict, note=note)
