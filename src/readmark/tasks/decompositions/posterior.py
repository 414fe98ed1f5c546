"""The combinations that explain scores, with probabilities that sum to 1, most likely first."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from readmark.core.errors import DataError, UsageError
from readmark.tasks.decompositions.combinations import (
    Key,
    OpenTotal,
    ScoreReading,
    Totals,
    open_totals,
    sides_of,
    weigh,
)
from readmark.tasks.decompositions.scheme import ZERO, CountFact, Scheme, Term
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.terms import Literal, Name, written


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
        found: defaultdict[str | None, Fraction] = defaultdict(lambda: ZERO)
        for hypothesis in self.hypotheses:
            found[hypothesis.leader(reading)] += hypothesis.probability
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0] or "")))


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
    weights: defaultdict[tuple[Totals, ...], defaultdict[Key, Fraction]]
    weights = defaultdict(lambda: defaultdict(lambda: ZERO))
    for history, key, weight in weigh(scheme, readings, names, known, final=final):
        weights[history][key] += weight
    explanation = _explanation(scheme, names, weights)
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
    over = math.lcm(*(one.denominator for weight in weights.values() for one in weight.values()))
    combined: Counter[Key] = Counter()
    whole: dict[tuple[Totals, ...], dict[Key, int]] = {}
    for history, found in weights.items():
        whole[history] = {
            key: one.numerator * (over // one.denominator) for key, one in found.items()
        }
        combined.update(whole[history])
    total = combined.total()
    everything = _combinations(scheme, names, combined)
    hypotheses = [
        Hypothesis(
            tuple(dict(zip(names, totals, strict=True)) for totals in history),
            Fraction(sum(found.values()), total),
            everything if len(whole) == 1 else _combinations(scheme, names, found),
        )
        for history, found in whole.items()
    ]
    hypotheses.sort(key=lambda hypothesis: -hypothesis.probability)
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


# Totals in statements taken apart: which counts they leave possible.


class ExplainedTotal(NamedTuple):
    """An entity's total with what explains it."""

    subject: Name
    total: int
    explanation: Explanation


def explain_totals(scheme: Scheme, statements: Iterable[Statement]) -> list[ExplainedTotal]:
    """Every entity that has a total, explained with the counts that are stated of it."""
    if scheme.total is None:
        raise DataError("the quantities name no property of their total")
    properties = {
        quantity.property: quantity.name
        for quantity in scheme.quantities.values()
        if quantity.property
    }
    totals: dict[Name, int] = {}
    known: defaultdict[Name, list[CountFact]] = defaultdict(list)
    for statement in statements:
        value = statement.object.value if isinstance(statement.object, Literal) else None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            continue
        if statement.predicate.text == scheme.total:
            totals[statement.subject] = value
        elif quantity := properties.get(statement.predicate.text):
            text = f"{quantity} == {value}"
            known[statement.subject].append(
                CountFact(text, (Term(1, quantity),), "==", (Term(value),))
            )
    return [
        ExplainedTotal(
            subject,
            total,
            explain(scheme, [ScoreReading({written(subject): total})], known=known[subject]),
        )
        for subject, total in totals.items()
    ]


# Scores read from a line of text.


_TAIL = re.compile(
    r"^(?P<score>.*?)(?:\s+by\s+(?P<last>[^\W\d]\w*))?(?P<settled>\s+settled)?$", re.S
)
_EITHER = re.compile(r"\d+(?:\s*(?:-|–|:|比|\bto\b)\s*\d+)*")
_SIDE = re.compile(r"(?P<name>[^\d,;、][^,;、]*?)(?:\s+|(?<=[\u3400-\u9fff]))(?P<total>\d+)")
_SIDES = re.compile(r"(?:[^\d,;\s]\S*\s+(?:(?!\d+\s)\S+\s+)*\d+(?:\s+|$)){2,}")
"""Several sides without a comma between them; a name's own number does not end it (49ers)."""

FORMS = "'Falcons 3, Jets 0', '6 to 3', '7 by touchdown', 'Jets 10 settled'"


def read_reading(text: str) -> ScoreReading:
    """A score as one writes it: totals with their sides, or totals alone.

    ``by WORD`` names what made it this score; ``settled`` says that nothing can follow that.
    """
    parts = _TAIL.match(unicodedata.normalize("NFKC", text).strip())
    score = parts["score"].strip() if parts else ""
    last, settled = (parts["last"], bool(parts["settled"])) if parts else (None, False)
    if _EITHER.fullmatch(score):
        totals = tuple(int(one) for one in re.findall(r"\d+", score))
        return ScoreReading(either=totals, last=last, settled=settled)
    scores: dict[str, int] = {}
    for one in _sides(score):
        match = _SIDE.fullmatch(one)
        if match is None or match["name"] in scores:
            raise UsageError(f"{text!r} is no score; write it as {FORMS}")
        scores[match["name"]] = int(match["total"])
    return ScoreReading(scores, last=last, settled=settled)


def _sides(score: str) -> list[str]:
    """The sides of a score, each with its total; commas may be missing."""
    if _SIDES.fullmatch(score):
        return [side.strip() for side in re.findall(r".*?\s\d+(?=\s|$)", score)]
    return [side.strip() for side in re.split(r"[,;、]", score)]


# Totals that nothing can have made up: what the domain's quantities and the counts rule out.


class Impossible(NamedTuple):
    """A graph with the total and the counts of one entity that do not go together."""

    graph: str
    statements: tuple[Statement, ...]


def impossible_totals(scheme: Scheme, found: Iterable[Derived]) -> Iterator[Impossible]:
    """Every entity whose total no combination of the quantities has, with its stated counts."""
    counted = {quantity.property for quantity in scheme.quantities.values()} | {scheme.total}
    counts: defaultdict[tuple[str, Name], list[Statement]] = defaultdict(list)
    for derived in found:
        if derived.statement.predicate.text in counted and isinstance(
            derived.statement.object, Literal
        ):
            counts[derived.graph, derived.statement.subject].append(derived.statement)
    known: dict[tuple[tuple[str, object], ...], bool] = {}
    for (graph, _), statements in sorted(counts.items(), key=lambda item: item[0]):
        if not any(statement.predicate.text == scheme.total for statement in statements):
            continue
        # Many entities have the same numbers.
        numbers = tuple(
            sorted((statement.predicate.text, str(statement.object)) for statement in statements)
        )
        if numbers not in known:
            known[numbers] = all(
                explain_total.explanation.possible
                for explain_total in explain_totals(scheme, statements)
            )
        if not known[numbers]:
            yield Impossible(graph, tuple(statements))
