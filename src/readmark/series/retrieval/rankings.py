"""The texts that a strategy's rewrites retrieve, question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from readmark.core.arrays import Floats
from readmark.series.retrieval.bm25 import Bm25
from readmark.series.retrieval.questions import SearchQuestion
from readmark.series.retrieval.texts import SearchedTexts
from readmark.statistics.grid import to_grid
from readmark.statistics.ranking import ndcg, recall, reciprocal_rank

_DEPTHS = (1, 5)  # of recall
_NDCG_DEPTH = 10

RankMeasure = Callable[[Floats, Floats], float]
"""A measure of a ranking, from every text's score and grade."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """One strategy's rankings."""

    vectors: Mapping[str, Floats]
    """By measure, a row (value, 1) for each question."""
    best: Mapping[str, str]
    """The passage of the first text, by question; none where no text shares a word with it."""
    values: Mapping[str, Mapping[str, float]]
    """By question, then measure."""


def measures_of(questions: Sequence[SearchQuestion]) -> dict[str, RankMeasure]:
    """What rankings are measured by; graded passages have one more."""
    measures: dict[str, RankMeasure] = {"mrr": reciprocal_rank}
    measures |= {f"recall@{depth}": partial(recall, depth=depth) for depth in _DEPTHS}
    if any(question.graded for question in questions):
        measures[f"ndcg@{_NDCG_DEPTH}"] = partial(ndcg, depth=_NDCG_DEPTH)
    return measures


def rank_all(
    questions: Sequence[SearchQuestion],
    rewrites: Mapping[str, str],
    index: Bm25,
    searched: SearchedTexts,
) -> Rankings:
    """Rank every text by each rewrite; a question without one finds nothing."""
    measures = measures_of(questions)
    vectors = {name: np.zeros((len(questions), 2)) for name in measures}
    best: dict[str, str] = {}
    values: dict[str, dict[str, float]] = {}
    for row, question in enumerate(questions):
        scores = index.scores(rewrites.get(question.id, ""))
        grades = searched.grades(question)
        if scores.any():  # of equals the first, by the ids
            best[question.id] = searched.places[int(np.argmax(scores))][0]
        values[question.id] = {
            name: float(measure(scores, grades)) for name, measure in measures.items()
        }
        for name, value in values[question.id].items():
            vectors[name][row] = to_grid(value), 1.0
    return Rankings(vectors, best, values)
