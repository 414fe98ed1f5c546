"""What tuning gives back: weightings on both halves, or a fit with its correlations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from readmark.marking.series.weights import Regression, Tried
from readmark.measures.similarity.orders import Weights


@dataclass(frozen=True, slots=True)
class Halves:
    """The series that weights are sought on, and those they are only reported on."""

    train: Sequence[str]
    held: Sequence[str]
    train_questions: int
    held_questions: int


@dataclass(frozen=True, slots=True)
class Weighting:
    """Weights with what they do on both halves."""

    metric: str
    weights: Weights
    train: Tried
    held: Tried
    meets: bool
    meets_held: bool
    why: str = ""
    """What they are shown for, when they were not found."""

    def as_json(self) -> dict[str, Any]:
        """Both halves with their gaps."""
        document = asdict(self)
        document["train"]["gap"], document["held"]["gap"] = self.train.gap, self.held.gap
        return document


@dataclass(frozen=True, slots=True)
class Tuned:
    """The weightings with the largest gap that meet the requirements, then known ones."""

    series: str
    low: str
    high: str
    halves: Halves
    tried: int
    met: int
    order_cost: float
    seed: int
    found: Sequence[Weighting]
    beside: Sequence[Weighting]
    signature: str
    """What decided the numbers, beside weights and seed."""
    errors: Mapping[str, Sequence[str]]
    """The questions that a sitting ended in an error on, which count as wrong."""
    notes: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """One document."""
        document = asdict(self)
        del document["notes"]
        document["found"] = [one.as_json() for one in self.found]
        document["beside"] = [one.as_json() for one in self.beside]
        return document


@dataclass(frozen=True, slots=True)
class Correlations:
    """How a metric's scores go with people's, on one half."""

    questions: int
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights fitted to people's judgements, beside the document's."""

    series: str
    candidate: str
    metric: str
    halves: Halves
    seed: int
    regression: Regression
    train: Correlations
    held: Correlations
    default_metric: str
    default_train: Correlations
    default_held: Correlations
    signature: str
    errors: Sequence[str]
    """The questions that the sitting ended in an error on: they are passed over."""
    notes: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """One document."""
        document = asdict(self)
        del document["notes"]
        return document
