"""Ukkonen's q-gram distance, as a similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from readmark.measures.similarity.block import block
from readmark.measures.similarity.codes import Batch, each
from readmark.measures.similarity.positions import Tables
from readmark.measures.similarity.shared import Floats

Q = 3


def qgrams(a: str, b: str) -> float:
    """1 - Σ |a - b| / (Σ a + Σ b) over the counts of the substrings of three characters.

    "Approximate string-matching with q-grams and maximal matches". A text of fewer characters is
    one gram by itself.
    """
    return bags_alike(_grams(a), _grams(b))


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, qgrams, _several, shortest=Q)


def bags_alike(a: Counter[str], b: Counter[str]) -> float:
    """The share of both bags that pairs off; two empty ones are alike."""
    whole = a.total() + b.total()
    return 2 * (a & b).total() / whole if whole else 1.0


def _grams(text: str) -> Counter[str]:
    if len(text) < Q:
        return Counter([text] if text else [])
    return Counter(text[at : at + Q] for at in range(len(text) - Q + 1))


def _several(batch: Batch) -> Floats:
    # From 1 up for characters, and 0 past the end of a text.
    a, b = (np.maximum(codes, -1) + 1 for codes in (batch.a, batch.b))
    return block(Tables((a,), (b,)).at(Q))
