"""Strategies of rewriting by metrics by weights: the tables 1 to 8 of the document.

"A gold standard of question reformulations for TREC question series"; gaps are recomputed from
the columns, since some that the document prints are not the differences of its columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from readmark.corpus.names import Name
from readmark.corpus.registry import parameters_of
from readmark.marking.metrics import METRICS, Floats
from readmark.marking.results import Marks
from readmark.measures.similarity.orders import Weights

NONE, APPEND, GOLD = "none", "append", "gold"

WEIGHTED = ("dice", "cosine", "jaccard", "block")
"""The metrics that weigh words, pairs and triples, in the document's order."""
UNIGRAMS: Weights = (1, 0, 0)
CHOSEN: Weights = (2, 1, 0)
WEIGHTINGS: tuple[Weights, ...] = (UNIGRAMS, (1, 1, 0), (1, 1, 1), (1, 2, 0), CHOSEN)
"""Those of the document's tables 2 to 6."""
TABLE_1 = (
    *("jaccard", "dice", "cosine", "block", "euclidean", "monge_elkan", "levenshtein"),
    *("needleman_wunsch", "smith_waterman", "qgrams", "jaro_winkler", "jaro"),
)

Scores = Mapping[str, Mapping[str, float | None]]
"""By strategy, then by metric."""


@dataclass(frozen=True, slots=True)
class Line:
    """One metric: each strategy's mark, and the differences of the columns."""

    metric: str
    """Its canonical name, by which ``signatures`` has what decided its numbers."""
    label: str
    """Its name in a table that says the rest over itself."""
    marks: Mapping[str, float | None]
    gap: float | None
    """append less none."""
    change: float | None
    """The gap less that of words alone, where the table has other weights."""
    gains: Mapping[str, float | None]
    """Each rewriter less append."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """A table of the document's, of these series."""

    title: str
    lines: Sequence[Line]
    weights: Weights | None = None
    gaps: bool = True
    """Whether the gap is a column: the first table of the document has none."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything that ``series table`` shows."""

    series: str
    questions: int
    unkeyed: int
    strategies: Sequence[str]
    rewriters: Sequence[str]
    tables: Sequence[StrategyTable]
    signatures: Mapping[str, str]
    failed: Mapping[str, Sequence[str]]
    """The questions that a strategy ended in an error on."""
    unanswered: Mapping[str, Sequence[str]]
    """The questions that a strategy was asked and has no rewrite of."""
    notes: Sequence[str]
    variant: str | None = None
    """The definitions of the metrics in the document's tables."""

    def as_json(self) -> dict[str, Any]:
        """One document; what was noted is on stderr."""
        document = asdict(self)
        del document["notes"]
        for table in document["tables"]:
            del table["gaps"]
        return document


def every_metric(variant: str) -> list[str]:
    """The metrics of all tables, each once."""
    wanted = [named(base, UNIGRAMS, variant) for base in TABLE_1]
    wanted += [named(base, weights, variant) for weights in WEIGHTINGS for base in WEIGHTED]
    return list(dict.fromkeys(wanted))


def named(base: str, weights: Weights, variant: str) -> str:
    """A metric's canonical name, with the parameters that it takes."""
    takes = parameters_of(METRICS.load(base))
    given: dict[str, Any] = {}
    if "u" in takes:
        given |= dict(zip("ubt", map(float, weights), strict=True))
    if "variant" in takes and variant != takes["variant"].default:
        given["variant"] = variant
    name, _ = METRICS.build(Name(base, given))
    return str(name)


def scores_on(done: Marks, ids: Sequence[str]) -> dict[str, float | None]:
    """Every metric's mark on these questions alone."""
    at = {id: row for row, id in enumerate(done.ids)}
    rows = np.array([at[id] for id in ids], dtype=np.intp)
    return {name: _on(metric, done.vectors[name][rows]) for name, metric in done.metrics.items()}


def _on(metric: Any, rows: Floats) -> float | None:
    value = metric.aggregate(rows.sum(axis=0)) if metric.additive else metric.score(rows)
    return float(value) * metric.scale if math.isfinite(value) else None


def document_tables(scores: Scores, rewriters: Sequence[str], variant: str) -> list[StrategyTable]:
    """All of the document's: every metric, then the weighted ones at each weighting."""

    def lines(bases: Sequence[str], weights: Weights) -> list[Line]:
        found = []
        for base in bases:
            words = _line(scores, rewriters, named(base, UNIGRAMS, variant), base)
            line = _line(scores, rewriters, named(base, weights, variant), base)
            other = weights != UNIGRAMS
            found.append(replace(line, change=_less(line.gap, words.gap) if other else None))
        return found

    by = "" if variant == "standard" else f", {variant}"
    tables = [
        StrategyTable(f"every metric, words alone{by}", lines(TABLE_1, UNIGRAMS), UNIGRAMS, False)
    ]
    tables += [
        StrategyTable(f"weights {spelt(weights)}{by}", lines(WEIGHTED, weights), weights)
        for weights in WEIGHTINGS
    ]
    return tables


def one_table(scores: Scores, rewriters: Sequence[str]) -> StrategyTable:
    """The metrics that were asked for, under the names they were asked by."""
    lines = [_line(scores, rewriters, name, name) for name in scores[NONE]]
    return StrategyTable("metrics", lines)


def _line(scores: Scores, rewriters: Sequence[str], name: str, shown: str) -> Line:
    marks = {strategy: every[name] for strategy, every in scores.items()}
    gains = {one: _less(marks[one], marks[APPEND]) for one in rewriters}
    return Line(name, shown, marks, _less(marks[APPEND], marks[NONE]), None, gains)


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def spelt(weights: Weights) -> str:
    """Weights as the document writes them."""
    return ", ".join(f"{name}:{weight:g}" for name, weight in zip("UBT", weights, strict=True))
