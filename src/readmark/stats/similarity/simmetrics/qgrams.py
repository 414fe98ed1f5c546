"""SimMetrics' q-grams: three characters, the text between two number signs on each side."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.stats.similarity import qgrams as plain
from readmark.stats.similarity.shared import Floats

_PAD = "##"


def qgrams(a: str, b: str) -> float:
    """The share of both bags of q-grams that pairs off."""
    return plain.qgrams(f"{_PAD}{a}{_PAD}", f"{_PAD}{b}{_PAD}")


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return plain.many(*([f"{_PAD}{text}{_PAD}" for text in side] for side in (a, b)))
