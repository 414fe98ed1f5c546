"""The combinations that explain scores, with probabilities that sum to 1, most likely first."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from readmark.corpus.errors import UsageError
from readmark.reasoning.decompositions.facts import Fact
from readmark.reasoning.decompositions.prior import ZERO
from readmark.reasoning.decompositions.readings import Reading, Totals, sides_of
from readmark.reasoning.decompositions.scheme import Scheme
from readmark.reasoning.decompositions.weighing import Key, weigh


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
        ahead = [side for side, total in totals.items() if total == best]
        return ahead[0] if len(ahead) == 1 else None


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that scores and facts leave possible."""

    sides: tuple[str, ...]
    combinations: tuple[Combination, ...]
    hypotheses: tuple[Hypothesis, ...]

    @property
    def possible(self) -> bool:
        """Whether anything explains them."""
        return bool(self.combinations)

    def chance(self, fact: Fact) -> Fraction:
        """How likely a fact about the counts is."""
        return sum((c.probability for c in self.combinations if fact.holds(c.counts)), ZERO)

    def leaders(self, reading: int = -1) -> dict[str | None, Fraction]:
        """How likely each side is ahead at a reading, the likeliest first; None is a tie."""
        found: defaultdict[str | None, Fraction] = defaultdict(lambda: ZERO)
        for one in self.hypotheses:
            found[one.leader(reading)] += one.probability
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0] or "")))

    def of_side(self, side: str) -> tuple[Combination, ...]:
        """One side's combinations, whatever the others have."""
        found: defaultdict[tuple[tuple[str, int], ...], Fraction] = defaultdict(lambda: ZERO)
        for one in self.combinations:
            found[tuple(one.counts[side].items())] += one.probability
        likely = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Combination({side: dict(key)}, chance) for key, chance in likely)


def explain(
    scheme: Scheme,
    readings: Sequence[Reading],
    *,
    sides: Sequence[str] = (),
    known: Sequence[str | Fact] = (),
    final: bool = True,
) -> Explanation:
    """The combinations behind scores in their order, given facts that are known of the counts.

    ``final`` says whether the last score is that of a finished whole or of one that goes on.
    """
    if not readings:
        raise UsageError("there is no score to explain")
    names = sides_of(readings, sides)
    weights: defaultdict[tuple[Totals, ...], defaultdict[Key, Fraction]]
    weights = defaultdict(lambda: defaultdict(lambda: ZERO))
    for history, key, weight in weigh(scheme, readings, names, known, final=final):
        weights[history][key] += weight
    return _explanation(scheme, names, weights)


def last_event(
    scheme: Scheme,
    readings: Sequence[Reading],
    *,
    at: int = -1,
    sides: Sequence[str] = (),
    known: Sequence[str | Fact] = (),
    final: bool = True,
) -> dict[str, Fraction]:
    """How likely each quantity is to have made the score of a reading, the likeliest first."""
    at %= len(readings)
    word = readings[at].last
    asked = scheme.named(word) if word is not None else frozenset(scheme.quantities)
    names = sides_of(readings, sides)
    found: dict[str, Fraction] = {}
    for quantity in sorted(asked):
        narrowed = replace(readings[at], last=quantity)
        whole = [*readings[:at], narrowed, *readings[at + 1 :]]
        weights = (one for _, _, one in weigh(scheme, whole, names, known, final=final))
        found[quantity] = sum(weights, ZERO)
    total = sum(found.values(), ZERO)
    likely = {name: one / total for name, one in found.items() if one}
    return dict(sorted(likely.items(), key=lambda item: (-item[1], item[0])))


def _explanation(
    scheme: Scheme,
    names: tuple[str, ...],
    weights: Mapping[tuple[Totals, ...], Mapping[Key, Fraction]],
) -> Explanation:
    # Over one denominator, so that whole numbers are summed and sorted.
    over = math.lcm(*(one.denominator for found in weights.values() for one in found.values()))
    together: Counter[Key] = Counter()
    whole: dict[tuple[Totals, ...], dict[Key, int]] = {}
    for history, found in weights.items():
        whole[history] = {
            key: one.numerator * (over // one.denominator) for key, one in found.items()
        }
        together.update(whole[history])
    total = together.total()
    everything = _combinations(scheme, names, together)
    hypotheses = [
        Hypothesis(
            tuple(dict(zip(names, totals, strict=True)) for totals in history),
            Fraction(sum(found.values()), total),
            everything if len(whole) == 1 else _combinations(scheme, names, found),
        )
        for history, found in whole.items()
    ]
    hypotheses.sort(key=lambda one: -one.probability)
    return Explanation(names, everything, tuple(hypotheses))


def _combinations(
    scheme: Scheme, names: Sequence[str], found: Mapping[Key, int]
) -> tuple[Combination, ...]:
    """The likeliest first; of equally likely ones, the one with fewer events."""
    quantities, total = list(scheme.quantities), sum(found.values())
    ordered = sorted(found.items(), key=lambda item: (-item[1], sum(map(sum, item[0])), item[0]))

    @cache
    def counts(key: tuple[int, ...]) -> dict[str, int]:
        return dict(zip(quantities, key, strict=True))

    return tuple(
        Combination(dict(zip(names, map(counts, key), strict=True)), Fraction(weight, total))
        for key, weight in ordered
    )
