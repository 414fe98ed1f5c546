"""Which weights of words, pairs and triples tell two strategies apart, or agree with people.

"Further work ... modifying these weightings using machine learning techniques", as the question
series document proposes: a search under its requirements, and a linear regression.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console

from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.errors import DataError
from readmark.series.tables import difference, score
from readmark.statistics.similarity.order_weights import OrderWeights

DRAWS = 2000
"""Real weights that are tried."""
STEPS = 200
"""Smaller and smaller steps from the best of them."""

GRID = 2**40
"""Scores are summed as this many parts of 1."""


@dataclass(frozen=True, slots=True)
class OrderSimilarities:
    """A rewrite against its golds: a row per gold with the similarity of words, pairs, triples."""

    similarities: Floats
    """Of an order that neither text has: 1 where the texts are equal, else 0."""
    present: Floats
    """1 where at least one of the two texts has n-grams of the order: only those count."""

    def scores(self, weights: Floats) -> Floats:
        """The weighted similarity to each gold by each row of weights: (gold, weighting)."""
        total, used = (self.similarities * self.present) @ weights.T, self.present @ weights.T
        # Where no order with a weight is left, all their similarities say the same.
        scores: Floats = self.similarities @ weights.T / weights.sum(axis=1)
        np.divide(total, used, out=scores, where=used != 0)
        return scores


@dataclass(frozen=True, slots=True)
class Probes:
    """The rewrites of one half of the series that weights are judged by."""

    low: Sequence[OrderSimilarities]
    high: Sequence[OrderSimilarities]
    identical: Sequence[OrderSimilarities]
    """Golds as their own rewrites."""
    moved: Sequence[OrderSimilarities]
    """Golds in which one content word was moved."""
    lost: Sequence[OrderSimilarities]
    """The same golds without that word."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Weights on one half: both strategies, and what the requirements look at."""

    low: float
    high: float
    identical: float
    moving: float
    """What moving a content word costs."""
    losing: float
    """What losing it costs."""

    @property
    def gap(self) -> float:
        """The difference between the strategies."""
        return self.high - self.low

    def meets(self, order_cost: float) -> bool:
        """Identical is 1, the gap is one, and order costs something but less than content."""
        return (
            math.isclose(self.identical, 1.0, abs_tol=1e-9)
            and self.gap > 0
            and order_cost <= self.moving < self.losing
        )


def integer_weights(most: int) -> list[OrderWeights]:
    """Every weighting in whole numbers up to the largest, each ratio once."""
    numbers = range(most + 1)
    return [
        (float(u), float(b), float(t))
        for u, b, t in itertools.product(numbers, repeat=3)
        if math.gcd(u, b, t) == 1
    ]


def real_weights(seed: int) -> list[OrderWeights]:
    """Weights that sum to 1, drawn evenly."""
    drawn = np.random.default_rng(seed).dirichlet((1.0, 1.0, 1.0), DRAWS)
    return [_weights(one) for one in drawn]


def nearby_weights(best: OrderWeights, seed: int) -> list[OrderWeights]:
    """Weights that sum to 1 around some, nearer and nearer, itself the first."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(STEPS, 3)) * np.geomspace(0.1, 0.0005, STEPS)[:, None]
    moved = np.clip(np.array(best) + steps, 0.0, None)
    moved = moved[moved.sum(axis=1) > 0]
    return [best, *(_weights(one / one.sum()) for one in moved)]


def try_weights(probes: Probes, every: Sequence[OrderWeights]) -> list[Tried]:
    """Each weighting on the probes."""
    columns = (
        mean_scores(probes.low, every),
        mean_scores(probes.high, every),
        mean_scores(probes.identical, every),
        1.0 - mean_scores(probes.moved, every),
        1.0 - mean_scores(probes.lost, every),
    )
    return [Tried(*map(float, row)) for row in zip(*columns, strict=True)]


def mean_scores(rewrites: Sequence[OrderSimilarities], every: Sequence[OrderWeights]) -> Floats:
    """The mean over rewrites of the best weighted similarity to a gold, for each weighting."""
    weights = np.array(every, dtype=np.float64)
    # Whole numbers: their sum is the same in any order of the rewrites.
    total = np.zeros(len(weights), dtype=np.int64)
    for parts in rewrites:
        total += np.rint(parts.scores(weights).max(axis=0) * GRID).astype(np.int64)
    return total / (GRID * len(rewrites))


@dataclass(frozen=True, slots=True)
class Regression:
    """judgement = intercept + slope · (weighted similarity), weights summing to 1."""

    weights: OrderWeights
    slope: float
    intercept: float
    residual: float
    """The root of the mean square that is left."""


def regress(
    rewrites: Sequence[OrderSimilarities],
    judged: Sequence[float],
    start: OrderWeights,
    *,
    file: object = None,
) -> Regression:
    """Least squares with weights of at least 0; the nearest golds are found again each round.

    Every order must be present in ``rewrites``: only then is a score linear in the weights. An
    error names ``file``, which the judgements are from.
    """
    weights = start
    seen: set[bytes] = set()
    while True:
        nearest = [int(np.argmax(parts.scores(np.array([weights])))) for parts in rewrites]
        rows = np.array(
            [parts.similarities[gold] for parts, gold in zip(rewrites, nearest, strict=True)]
        )
        regression = _least_squares(rows, np.array(judged, dtype=np.float64))
        if regression is None:
            raise DataError(
                "the judgements do not rise with similarity to a gold: no weights fit them",
                file=file,
            )
        weights = regression.weights
        if rows.tobytes() in seen:
            return regression
        seen.add(rows.tobytes())


def _least_squares(rows: Floats, judged: Floats) -> Regression | None:
    """All subsets of the three orders are solved: the best one without a negative weight wins.

    None where every such weight is 0.
    """
    centred, wanted = rows - rows.mean(axis=0), judged - judged.mean()
    best: tuple[float, Floats] | None = None
    for used in itertools.product((False, True), repeat=3):
        chosen = np.array(used)
        weights = np.zeros(3)
        if chosen.any():
            weights[chosen] = np.linalg.lstsq(centred[:, chosen], wanted, rcond=None)[0]
        if (weights < 0).any():
            continue
        left = float(((wanted - centred @ weights) ** 2).sum())
        if best is None or left < best[0] - 1e-12:
            best = left, weights
    if best is None or not best[1].any():
        return None
    left, weights = best
    slope = float(weights.sum())
    return Regression(
        weights=_weights(weights / slope),
        slope=slope,
        intercept=float(judged.mean() - rows.mean(axis=0) @ weights),
        residual=math.sqrt(left / len(judged)),
    )


def _weights(numbers: Floats) -> OrderWeights:
    u, b, t = (round(float(number), 6) for number in numbers)
    return u, b, t


# What tuning gives back: weightings on both halves, or a fit with its correlations.


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
    weights: OrderWeights
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
class TunedWeights(Result):
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
    """What decided the numbers, besides weights and seed."""
    errors: Mapping[str, Sequence[str]]
    """The questions that a sitting ended in an error on, which count as wrong."""
    notes: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """One document."""
        document: dict[str, Any] = Result.as_json(self)
        document["found"] = [weighting.as_json() for weighting in self.found]
        document["beside"] = [weighting.as_json() for weighting in self.beside]
        return document

    def show(self, console: Console) -> None:
        """The best weightings, then known ones, each on both halves."""
        text = f": {self.tried:,} weightings tried, {self.met:,} meet the requirements"
        console.print(headline("weights", " for ", self.series, text))
        _print_halves(console, self.halves)
        if not self.found:
            console.print("no weighting meets the requirements on the train half")
        table = plain_table("metric", "gap", "held", self.high, "moving", "losing", "meets")
        for weighting in (*self.found, *self.beside):
            table.add_row(*_cells(weighting))
        console.print(table)
        console.print(
            f"gap: {self.high} less {self.low} on the train half, held: on the other; moving and "
            "losing: what a content word that is moved or lost costs; meets: identical is 1, the "
            f"gap is above 0, and {self.order_cost:g} <= moving < losing, on train and held",
            style="dim",
        )
        _print_signature(console, self.signature, self.seed)

    @property
    def failed(self) -> bool:
        """Whether nothing was found, or a rewrite is an error."""
        return bool(self.errors) or not self.found


@dataclass(frozen=True, slots=True)
class Correlations:
    """How a metric's scores correlate with people's, on one half."""

    questions: int
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class FittedWeights(Result):
    """Weights fitted to people's judgements, compared with the document's."""

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
        """The document that ``--json`` prints; notes go to stderr."""
        return {name: value for name, value in asdict(self).items() if name != "notes"}

    def show(self, console: Console) -> None:
        """The weights, and how they and the default correlate with people on each half."""
        text = f": fitted to judgements of {self.candidate}"
        console.print(headline("weights", " for ", self.series, text))
        _print_halves(console, self.halves)
        made = self.regression
        console.print(
            f"judgement = {numbers.decimal(made.intercept, 3)} + "
            f"{numbers.decimal(made.slope, 3)} x {self.metric}"
        )
        console.print(f"root mean square left: {numbers.decimal(made.residual, 3)}")
        table = plain_table("metric", "half", "questions", "Pearson", "Spearman")
        rows: Sequence[tuple[str, str, Correlations]] = (
            (self.metric, "train", self.train),
            (self.metric, "held", self.held),
            (self.default_metric, "train", self.default_train),
            (self.default_metric, "held", self.default_held),
        )
        for metric, half, correlations in rows:
            table.add_row(
                metric,
                half,
                str(correlations.questions),
                score(correlations.pearson),
                score(correlations.spearman),
            )
        console.print(table)
        _print_signature(console, self.signature, self.seed)

    @property
    def failed(self) -> bool:
        """Whether a rewrite is an error."""
        return bool(self.errors)


def _print_signature(console: Console, signature: str, seed: int) -> None:
    console.print(f"signature {signature}|seed:{seed}", style="dim", soft_wrap=True)


def _cells(weighting: Weighting) -> Sequence[str]:
    meets = f"{'yes' if weighting.meets else 'no'}, {'yes' if weighting.meets_held else 'no'}"
    name = f"{weighting.metric} ({weighting.why})" if weighting.why else weighting.metric
    return (
        name,
        difference(weighting.train.gap),
        difference(weighting.held.gap),
        score(weighting.train.high),
        score(weighting.train.moving),
        score(weighting.train.losing),
        meets,
    )


def _print_halves(console: Console, halves: Halves) -> None:
    both = (
        ("train", halves.train, halves.train_questions),
        ("held", halves.held, halves.held_questions),
    )
    for name, ids, questions in both:
        size = f"{counted(len(ids), 'series')}, {counted(questions, 'question')}"
        console.print(f"{name}: {size}: {', '.join(ids)}")
