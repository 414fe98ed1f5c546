"""What rewriting does to what comes after it: retrieval, and reading what was retrieved.

The document on TREC question series names it as future work: "the effect of question reformulation
... upon the performance of downstream components in the QA system, such as document retrieval".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.corpus.kinds import Kind
from readmark.marking.marks import Mark, make_marks
from readmark.marking.metrics import Floats, Metric
from readmark.marking.metrics.ratio import Ratio
from readmark.marking.settings import Settings
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair


@dataclass(frozen=True)
class RankingMetric(Ratio):
    """The mean over questions of a measure of rankings; a unit's vector is (value, 1)."""

    scale: ClassVar[float] = 1.0
    retriever: str = ""
    unit: str = "passage"
    previous: str = "known"

    def resolve(self, test: object) -> RankingMetric:
        """Nothing hangs on the test."""
        return self

    def statistics(self, *_: object) -> Sequence[float]:
        """Rankings are measured where they are made; there is no answer to look at."""
        raise NotImplementedError("a ranking's vectors are made where it is measured")

    def signature(self) -> Mapping[str, str]:
        """What ranked what, and how ties count."""
        return {
            "retriever": self.retriever,
            "unit": self.unit,
            "previous": self.previous,
            "ties": "expected",
            "units": "mean",
        }


@dataclass(frozen=True, slots=True)
class Part:
    """One downstream component: every strategy's marks, and its differences from the first."""

    metrics: Sequence[str]
    marks: Mapping[str, Mapping[str, Mark]]
    """By strategy, then metric."""
    differences: Mapping[str, Mapping[str, Comparison]]
    """Of every strategy but the first, by metric; Holm-adjusted over strategies."""

    def as_json(self) -> dict[str, Any]:
        """A document a strategy, the difference beside the mark."""
        found: dict[str, Any] = {}
        for name, marks in self.marks.items():
            found[name] = {}
            for metric, mark in marks.items():
                found[name][metric] = asdict(mark)
                if name in self.differences:
                    found[name][metric]["against"] = _difference(self.differences[name][metric])
        return found


@dataclass(frozen=True, slots=True)
class Effect:
    """Everything that ``series effect`` shows of one series test."""

    series: str
    passages: str
    language: str
    questions: int
    clusters: int
    left_out: int
    """Questions without known passages, or without answers in them."""
    unit: str
    searched: int
    """How many units were ranked, those of the background included."""
    background: int
    retriever: str
    reader: str
    previous: str
    strategies: Sequence[str]
    signatures: Mapping[str, Mapping[str, Any]]
    """What decided the rewrites of each strategy that sat, and the reader's answers."""
    papers: Mapping[str, str]
    """The fingerprints of what was asked and read."""
    retrieval: Part
    retrieved: Part
    """Reading what was retrieved."""
    right: Part
    """Reading the passage that has the answer."""
    each: Sequence[Mapping[str, Any]]
    """Every question: what each strategy made of it, found and answered."""
    failed: Mapping[str, Sequence[str]]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """One document; what was noted is on stderr."""
        return {
            **{name: getattr(self, name) for name in _TOLD},
            "retrieval": self.retrieval.as_json(),
            "reading": {"retrieved": self.retrieved.as_json(), "right": self.right.as_json()},
            "each": self.each,
            "failed": self.failed,
        }


_TOLD = (
    *("series", "passages", "language", "questions", "clusters", "left_out", "unit", "searched"),
    *("background", "retriever", "reader", "previous", "strategies", "signatures", "papers"),
)


def make_part(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Mapping[str, Floats]],
    ids: Sequence[str],
    groups: Sequence[str],
    kind: Kind,
    settings: Settings,
) -> Part:
    """Marks with intervals by series, and paired differences from the first strategy.

    ``vectors`` are by strategy, then metric, a row a question; ``groups`` are the series' ids.
    """
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    codes = codes.reshape(-1).astype(np.int64)
    first, *rest = vectors
    marks = {name: make_marks(metrics, own, codes, kind, settings) for name, own in vectors.items()}
    differences: dict[str, dict[str, Comparison]] = {name: {} for name in rest}
    for metric, one in metrics.items():
        before = Paired(first, ids, codes, vectors[first][metric])
        compared = [
            compare_pair(
                metric, one, before, Paired(name, ids, codes, vectors[name][metric]), kind, settings
            )
            for name in rest
        ]
        for name, difference in zip(rest, adjusted(compared), strict=True):
            differences[name][metric] = difference
    return Part(list(metrics), marks, differences)


def _difference(one: Comparison) -> dict[str, Any]:
    kept = ("a", "difference", "low", "high", "p", "adjusted_p", "discordant", "detectable")
    return {name: getattr(one, name) for name in (*kept, "signature")}
