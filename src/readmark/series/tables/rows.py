"""Rows and tables of marks: a row per metric, with the differences between strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.series.strategies import APPEND, NONE
from readmark.series.tables.document_metrics import (
    TABLE_1,
    UNIGRAMS,
    WEIGHTED,
    WEIGHTINGS,
    metric_name,
    weights_text,
)
from readmark.statistics.similarity.order_weights import OrderWeights

Scores = Mapping[str, Mapping[str, float | None]]
"""By strategy, then by metric."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric: each strategy's mark, and the differences of the columns."""

    metric: str
    """Its canonical name, by which ``signatures`` has what decided its numbers."""
    label: str
    """Its name in a table whose title has the weights and definitions."""
    marks: Mapping[str, float | None]
    gap: float | None
    """append less none."""
    change: float | None
    """The gap less that of words alone, where the table has other weights."""
    gains: Mapping[str, float | None]
    """Each rewriter less append."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """Rows under one title."""

    title: str
    lines: Sequence[MetricRow]
    weights: OrderWeights | None = None
    gaps: bool = True
    """Whether the gap is a column: the first table of the document has none."""


def document_tables(
    scores: Scores, rewriters: Sequence[str], definitions: Mapping[str, str]
) -> list[StrategyTable]:
    """The document's tables: every metric on words, then the weighted ones at each weighting.

    Gaps are recomputed from the columns: some that the document prints are not the differences
    of its columns.
    """

    def rows(bases: Sequence[str], weights: OrderWeights) -> list[MetricRow]:
        metric_rows = []
        for base in bases:
            words = _row(scores, rewriters, metric_name(base, UNIGRAMS, definitions), base)
            row = _row(scores, rewriters, metric_name(base, weights, definitions), base)
            if weights != UNIGRAMS:
                row = replace(row, change=_difference(row.gap, words.gap))
            metric_rows.append(row)
        return metric_rows

    variant = f", {definitions['variant']}" if "variant" in definitions else ""
    pairs = f", {definitions['pairs']} pairs" if "pairs" in definitions else ""
    return [
        StrategyTable(
            f"every metric, words alone{variant}", rows(TABLE_1, UNIGRAMS), UNIGRAMS, gaps=False
        ),
        *(
            StrategyTable(
                f"weights {weights_text(weights)}{variant}{pairs}", rows(WEIGHTED, weights), weights
            )
            for weights in WEIGHTINGS
        ),
    ]


def requested_table(scores: Scores, rewriters: Sequence[str]) -> StrategyTable:
    """The metrics that the user named, under the names that the user wrote."""
    return StrategyTable("metrics", [_row(scores, rewriters, name, name) for name in scores[NONE]])


def _row(scores: Scores, rewriters: Sequence[str], metric: str, label: str) -> MetricRow:
    marks = {strategy: strategy_scores[metric] for strategy, strategy_scores in scores.items()}
    gains = {rewriter: _difference(marks[rewriter], marks[APPEND]) for rewriter in rewriters}
    gap = _difference(marks[APPEND], marks[NONE])
    return MetricRow(metric, label, marks, gap, None, gains)


def _difference(mark: float | None, other: float | None) -> float | None:
    return None if mark is None or other is None else mark - other
