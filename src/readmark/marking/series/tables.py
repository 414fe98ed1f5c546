"""Strategies of rewriting by metrics by weights: the tables 1 to 8 of the document.

"A gold standard of question reformulations for TREC question series"; gaps are recomputed from
the columns, since some that the document prints are not the differences of its columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from readmark.corpus.names import Name
from readmark.corpus.registry import parameters_of
from readmark.marking.metrics import METRICS
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


@dataclass(frozen=True, slots=True)
class Line:
    """One metric: each strategy's mark, and the differences of the columns."""

    metric: str
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
    notes: Sequence[str]

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


def document_tables(
    marked: Mapping[str, Marks], rewriters: Sequence[str], variant: str
) -> list[StrategyTable]:
    """All of the document's: every metric, then the weighted ones at each weighting."""

    def lines(bases: Sequence[str], weights: Weights) -> list[Line]:
        found = []
        for base in bases:
            words = _line(marked, rewriters, named(base, UNIGRAMS, variant), base)
            line = _line(marked, rewriters, named(base, weights, variant), base)
            other = weights != UNIGRAMS
            change = _less(line.gap, words.gap) if other else None
            found.append(Line(base, line.marks, line.gap, change, line.gains))
        return found

    tables = [StrategyTable("every metric, words alone", lines(TABLE_1, UNIGRAMS), UNIGRAMS, False)]
    tables += [
        StrategyTable(f"weights {spelt(weights)}", lines(WEIGHTED, weights), weights)
        for weights in WEIGHTINGS
    ]
    return tables


def one_table(marked: Mapping[str, Marks], rewriters: Sequence[str]) -> StrategyTable:
    """The metrics that were asked for, under the names they were asked by."""
    names = marked[NONE].marks
    lines = [_line(marked, rewriters, name, name) for name in names]
    return StrategyTable("metrics", lines)


def _line(marked: Mapping[str, Marks], rewriters: Sequence[str], name: str, shown: str) -> Line:
    marks = {strategy: done.marks[name].score for strategy, done in marked.items()}
    gains = {one: _less(marks[one], marks[APPEND]) for one in rewriters}
    return Line(shown, marks, _less(marks[APPEND], marks[NONE]), None, gains)


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def spelt(weights: Weights) -> str:
    """Weights as the document writes them."""
    return ", ".join(f"{name}:{weight:g}" for name, weight in zip("UBT", weights, strict=True))
