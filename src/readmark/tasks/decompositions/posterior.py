"""The combinations that explain scores, with probabilities that sum to 1, most likely first."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.count_facts import CountFact
from readmark.tasks.decompositions.histories import History
from readmark.tasks.decompositions.open_totals import OpenTotal, open_totals
from readmark.tasks.decompositions.prior import ZERO
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.score_readings import ScoreReading, sides_of
from readmark.tasks.decompositions.weights import CountsOfSides, weigh


@dataclass(frozen=True, slots=True)
class Combination:
    """How often each quantity occurred on each side, and how likely that is."""

    counts: Mapping[str, Mapping[str, int]]
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What the scores mean: every side's total at every reading, and how likely that is."""

    scores: tuple[Mapping[str, int], ...]
    probability: Fraction
    combinations: tuple[Combination, ...]

    def leader(self, reading: int = -1) -> str | None:
        """The side with the highest total at a reading; None where several have it."""
        totals = self.scores[reading]
        best = max(totals.values())
        leaders = [side for side, total in totals.items() if total == best]
        return leaders[0] if len(leaders) == 1 else None


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that scores and facts leave possible."""

    sides: tuple[str, ...]
    combinations: tuple[Combination, ...]
    hypotheses: tuple[Hypothesis, ...]
    open: tuple[OpenTotal, ...] = ()
    """Totals that no score bounds, and what is considered of them."""

    @property
    def possible(self) -> bool:
        """Whether anything explains them."""
        return bool(self.combinations)

    def leaders(self, reading: int = -1) -> dict[str | None, Fraction]:
        """How likely each side is ahead at a reading, the likeliest first; None is a tie."""
        chances: defaultdict[str | None, Fraction] = defaultdict(lambda: ZERO)
        for hypothesis in self.hypotheses:
            chances[hypothesis.leader(reading)] += hypothesis.probability
        return dict(sorted(chances.items(), key=lambda item: (-item[1], item[0] or "")))


def explain(
    scheme: Scheme,
    readings: Sequence[ScoreReading],
    *,
    sides: Sequence[str] = (),
    known: Sequence[str | CountFact] = (),
    final: bool = True,
) -> Explanation:
    """The combinations behind scores in their order, given facts that are known of the counts.

    ``final`` says whether the last score is that of a finished whole or of one that goes on.
    """
    if not readings:
        raise UsageError("there is no score to explain")
    names = sides_of(readings, sides)
    weights: defaultdict[History, defaultdict[CountsOfSides, Fraction]]
    weights = defaultdict(lambda: defaultdict(lambda: ZERO))
    for history, counts, weight in weigh(scheme, readings, names, known, final=final):
        weights[history][counts] += weight
    explanation = _normalised(scheme, names, weights)
    return replace(explanation, open=tuple(open_totals(scheme, readings, names)))


def last_event(
    scheme: Scheme,
    readings: Sequence[ScoreReading],
    *,
    at: int = -1,
    sides: Sequence[str] = (),
    known: Sequence[str | CountFact] = (),
    final: bool = True,
) -> dict[str, Fraction]:
    """How likely each quantity is to have made the score of a reading, the likeliest first."""
    at %= len(readings)
    word = readings[at].last
    quantities = scheme.named(word) if word is not None else frozenset(scheme.quantities)
    names = sides_of(readings, sides)
    weights: dict[str, Fraction] = {}
    for quantity in sorted(quantities):
        with_quantity = [*readings]
        with_quantity[at] = replace(readings[at], last=quantity)
        weighed = weigh(scheme, with_quantity, names, known, final=final)
        weights[quantity] = sum((weight for _, _, weight in weighed), ZERO)
    total = sum(weights.values(), ZERO)
    chances = {quantity: weight / total for quantity, weight in weights.items() if weight}
    return dict(sorted(chances.items(), key=lambda item: (-item[1], item[0])))


def _normalised(
    scheme: Scheme,
    names: tuple[str, ...],
    weights: Mapping[History, Mapping[CountsOfSides, Fraction]],
) -> Explanation:
    """The histories and combinations, with probabilities for weights."""
    # Over one denominator, so that whole numbers are summed and sorted.
    denominators = (
        weight.denominator for by_counts in weights.values() for weight in by_counts.values()
    )
    common = math.lcm(*denominators)
    overall: Counter[CountsOfSides] = Counter()
    by_history: dict[History, dict[CountsOfSides, int]] = {}
    for history, by_counts in weights.items():
        by_history[history] = {
            counts: weight.numerator * (common // weight.denominator)
            for counts, weight in by_counts.items()
        }
        overall.update(by_history[history])
    total = overall.total()
    combinations = _combinations(scheme, names, overall)
    hypotheses = [
        Hypothesis(
            tuple(dict(zip(names, totals, strict=True)) for totals in history),
            Fraction(sum(numerators.values()), total),
            combinations if len(by_history) == 1 else _combinations(scheme, names, numerators),
        )
        for history, numerators in by_history.items()
    ]
    hypotheses.sort(key=lambda hypothesis: -hypothesis.probability)
    return Explanation(names, combinations, tuple(hypotheses))


def _combinations(
    scheme: Scheme, names: Sequence[str], weights: Mapping[CountsOfSides, int]
) -> tuple[Combination, ...]:
    """The likeliest first; of equally likely ones, the one with fewer events."""
    quantities, total = list(scheme.quantities), sum(weights.values())
    ordered = sorted(weights.items(), key=lambda item: (-item[1], sum(map(sum, item[0])), item[0]))

    @cache  # one dictionary for all combinations in which a side has the same counts
    def by_quantity(counts: tuple[int, ...]) -> dict[str, int]:
        return dict(zip(quantities, counts, strict=True))

    return tuple(
        Combination(
            dict(zip(names, map(by_quantity, counts), strict=True)), Fraction(weight, total)
        )
        for counts, weight in ordered
    )
