"""Smith and Waterman's local alignment, as a similarity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.codes import Batch, each
from readmark.stats.similarity.local import Scores, best_local, best_locals
from readmark.stats.similarity.shared import Floats

_SCORES = Scores(match=1, mismatch=-1, gap=1)


def smith_waterman(a: str, b: str) -> float:
    """The best score of aligning a stretch of each text, over the shorter text's length.

    A match counts 1, a mismatch -1, a gap -1: "Identification of common molecular subsequences",
    with the usual scores of today. A text that stands in the other is wholly like it.
    """
    shorter = min(len(a), len(b))
    return best_local(a, b, _SCORES) / shorter if shorter else float(a == b)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, smith_waterman, _several)


def _several(batch: Batch) -> Floats:
    return best_locals(batch, _SCORES) / np.minimum(batch.size_a, batch.size_b)
