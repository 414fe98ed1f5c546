"""The texts that a strategy's rewrites retrieve, question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from readmark.marking.metrics import Floats
from readmark.measures.grid import to_grid
from readmark.measures.ranking_quality import ndcg, recall, reciprocal_rank
from readmark.models.retrieval.bm25 import Bm25
from readmark.workflows.series_search import Asked, Searched

DEPTHS = (1, 5)
NDCG_DEPTH = 10

Measure = Callable[[Floats, Floats], float]
"""A measure of a ranking, from every text's score and grade."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One strategy's rankings."""

    vectors: Mapping[str, Floats]
    """By measure, a row (value, 1) a question."""
    best: Mapping[str, str]
    """The passage of the first text, by question; none where no text shares a word with it."""
    values: Mapping[str, Mapping[str, float]]
    """By question, then measure."""


def measures_of(asked: Sequence[Asked]) -> dict[str, Measure]:
    """What rankings are measured by; graded passages have one more."""
    found: dict[str, Measure] = {"mrr": reciprocal_rank}
    found |= {f"recall@{depth}": partial(recall, depth=depth) for depth in DEPTHS}
    if any(one.graded for one in asked):
        found[f"ndcg@{NDCG_DEPTH}"] = partial(ndcg, depth=NDCG_DEPTH)
    return found


def rank_all(
    asked: Sequence[Asked], rewrites: Mapping[str, str], index: Bm25, searched: Searched
) -> Ranked:
    """Rank every text by each rewrite; a question without one finds nothing."""
    measures = measures_of(asked)
    vectors = {name: np.zeros((len(asked), 2)) for name in measures}
    best: dict[str, str] = {}
    values: dict[str, dict[str, float]] = {}
    for at, one in enumerate(asked):
        scores = index.scores(rewrites.get(one.id, ""))
        grades = searched.grades(one)
        if scores.any():  # of equals the first, by the ids
            best[one.id] = searched.places[int(np.argmax(scores))][0]
        values[one.id] = {name: float(score(scores, grades)) for name, score in measures.items()}
        for name, value in values[one.id].items():
            vectors[name][at] = to_grid(value), 1.0
    return Ranked(vectors, best, values)
