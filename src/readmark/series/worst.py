"""Debugging a rewriter: each rewrite of a sitting beside its gold, and beside an earlier sitting.

The document's section "Our system against the Metric": the distribution, the worst rewrites, and
that no rewrite that was right before is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.records import Answer, Unit
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import SittingInput, as_sitting
from readmark.marking import mark as api
from readmark.marking.marks import Settings
from readmark.marking.metrics import METRICS, Metric
from readmark.marking.results import Marks
from readmark.series.failures import FAILURES, PERFECT, Failure, failure_of
from readmark.series.metrics.rewrites import golds
from readmark.series.tables import of_the_mean, require_series, wrong_words
from readmark.series.words import cutter

# Every rewrite of a sitting, judged: its scores, its nearest gold and what went wrong.


BINS = 20
"""Of the distribution from 0 to 1; the last one has 1 in it."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One question, what became of it, and what should have."""

    id: str
    series: str
    target: str
    question: str
    previous: tuple[str, ...]
    rewrite: str | None
    """None where the rewriter gave none, or an error."""
    gold: str
    """The nearest one."""
    golds: tuple[str, ...]
    score: float
    marks: Mapping[str, float | None]
    """Every metric's, by name."""
    failure: Failure


@dataclass(frozen=True, slots=True)
class Worse:
    """A question that a sitting does worse on than an earlier one."""

    id: str
    target: str
    question: str
    gold: str
    before: float
    after: float
    rewrite_before: str | None
    rewrite: str | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A sitting, question by question."""

    series: str
    candidate: str
    metric: str
    rewrites: Sequence[Rewrite]
    """In the order of the test."""
    baseline: str | None = None
    before: Mapping[str, float] | None = None
    """The baseline's score of every question that both were asked."""
    worse: Sequence[Worse] = ()
    """The largest loss first."""
    better: int = 0
    signature: str = ""
    """What decided the scores."""
    unanswered: Sequence[str] = ()
    """Questions without a rewrite, which count as wrong, as errors do."""
    errors: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def mean(self) -> float:
        """The mark."""
        return sum(one.score for one in self.rewrites) / len(self.rewrites)

    def worst(self, failure: str | None = None) -> list[Rewrite]:
        """What is not perfect, the worst first; ties in the order of the test."""
        found = [one for one in self.rewrites if one.failure.name != PERFECT]
        if failure is not None:
            found = [one for one in found if one.failure.name == failure]
        return sorted(found, key=lambda one: one.score)

    def groups(self) -> dict[str, tuple[int, float]]:
        """How many questions fail in each way, and their mean score; perfect ones first."""
        found = {}
        for name in (PERFECT, *FAILURES):
            scores = [one.score for one in self.rewrites if one.failure.name == name]
            if scores:
                found[name] = len(scores), sum(scores) / len(scores)
        return found

    def distribution(self) -> list[int]:
        """How many questions score in each of the bins."""
        return distribution([one.score for one in self.rewrites])

    def as_json(self) -> dict[str, Any]:
        """One document, with every question that is not perfect."""
        document: dict[str, Any] = {
            "series": self.series,
            "candidate": self.candidate,
            "metric": self.metric,
            "signature": self.signature,
            "questions": len(self.rewrites),
            "unanswered": list(self.unanswered),
            "errors": list(self.errors),
            "mean": self.mean,
            "distribution": {"bins": BINS, "counts": self.distribution()},
            "failures": {
                name: {"questions": count, "mean": mean}
                for name, (count, mean) in self.groups().items()
            },
            "worst": [asdict(one) for one in self.worst()],
        }
        if self.baseline is not None:
            document["baseline"] = {
                "candidate": self.baseline,
                "questions": len(self.before or {}),
                "better": self.better,
                "worse": [asdict(one) for one in self.worse],
            }
        return document


def distribution(scores: Sequence[float]) -> list[int]:
    """How many scores lie in each of the bins; a bin has its lower bound, the last one also 1."""
    # 1e-9: a score of 0.15 may be kept as 0.1499999.
    at = Counter(min(max(int(score * BINS + 1e-9), 0), BINS - 1) for score in scores)
    return [at[bin] for bin in range(BINS)]


LEAST = 1e-6
"""A difference of scores below this is none: it is that of their rounding."""
_QUICK = Settings(draws=1)


def judge(
    test: Test,
    sitting: SittingInput,
    *,
    metric: str | None = None,
    baseline: SittingInput | None = None,
) -> Judged:
    """Every rewrite with its failure; with a baseline also what got worse."""
    require_series(test)
    read = as_sitting(sitting, test.kind)
    wanted = metric or test.kind.main_metric
    marks = api.mark(test, read, metrics=list(dict.fromkeys([wanted, *_every()])), settings=_QUICK)
    name = next(iter(marks.marks))
    if marks.metrics[name].scale != 1 or not marks.metrics[name].additive:
        raise UsageError(f"metric {name} gives no question a similarity from 0 to 1")
    rows = rewrites_of(test, read)
    scores = marks.per_unit()
    found = [
        _rewrite(unit, rows.get(unit.id), scores[unit.id], name, marks.metrics[name], test)
        for unit in test.units()
        if unit.id in scores
    ]
    notes = [*marks.notes, *(f"{marks.candidate}: {one}" for one in wrong_words(marks))]
    if marks.repeats:
        notes.append("scores are means over repeats; the rewrites shown are the first ones")
    judged = Judged(
        series=marks.test.name,
        candidate=marks.candidate,
        metric=name,
        rewrites=found,
        signature=of_the_mean(marks[name].signature),
        unanswered=list(marks.unanswered),
        errors=list(marks.errors),
        notes=notes,
    )
    return judged if baseline is None else _beside(judged, test, baseline, name)


def _beside(judged: Judged, test: Test, baseline: SittingInput, name: str) -> Judged:
    """The same with an earlier sitting's scores; what both were asked is compared."""
    read = as_sitting(baseline, test.kind)
    marks = api.mark(test, read, metrics=[name], settings=_QUICK)
    said = rewrites_of(test, read)
    scores = _scores(marks, name)
    both = [one for one in judged.rewrites if one.id in scores]
    worse = [
        Worse(
            id=one.id,
            target=one.target,
            question=one.question,
            gold=one.gold,
            before=scores[one.id],
            after=one.score,
            rewrite_before=said.get(one.id),
            rewrite=one.rewrite,
        )
        for one in both
        if one.score < scores[one.id] - LEAST
    ]
    asked = {one.id for one in judged.rewrites}
    lost = [id for id in scores if id not in asked]
    told = [*marks.notes, *(f"{marks.candidate}: {one}" for one in wrong_words(marks))]
    notes = [*judged.notes, *(one for one in told if one not in judged.notes)]
    if len(both) < len(judged.rewrites) or lost:
        apart = len(judged.rewrites) - len(both) + len(lost)
        notes.append(f"{apart} questions were asked of one of the two only, and not compared")
    return replace(
        judged,
        baseline=marks.candidate,
        before={one.id: scores[one.id] for one in both},
        worse=sorted(worse, key=lambda one: one.after - one.before),
        better=sum(one.score > scores[one.id] + LEAST for one in both),
        notes=notes,
    )


def _every() -> list[str]:
    """Every metric of rewrites that comes with Readmark."""
    return [
        name
        for name, entry in METRICS.entries.items()
        if entry.kinds == ("series",) and entry.package == "readmark"
    ]


def _scores(marks: Marks, name: str) -> dict[str, float]:
    return {id: row[name] or 0.0 for id, row in marks.per_unit().items()}


def _rewrite(
    unit: Unit,
    said: str | None,
    marks: Mapping[str, float | None],
    name: str,
    metric: Metric,
    test: Test,
) -> Rewrite:
    every = list(dict.fromkeys(golds(unit, test.kind.references(unit))))
    nearest = _nearest(unit, metric, said, every, test.language) if said else every[0]
    return Rewrite(
        id=unit.id,
        series=unit.group,
        target=unit.record.target,
        question=unit.item.text,
        previous=unit.item.previous,
        rewrite=said,
        gold=nearest,
        golds=tuple(every),
        score=marks[name] or 0.0,
        marks=marks,
        failure=failure_of(unit, said, nearest, test.language),
    )


def _nearest(unit: Unit, metric: Metric, said: str, golds: Sequence[str], language: str) -> str:
    """The gold that a rewrite has the words of, else the nearest one by the metric itself."""
    cut = cutter(language)
    words = cut(said)
    for gold in golds:
        if cut(gold) == words:
            return gold
    # The golds have known answers in them already: here nothing more is known.
    alone = Unit(
        unit.id,
        unit.group,
        msgspec.structs.replace(unit.record, questions=()),
        msgspec.structs.replace(unit.item, previous=(), previous_of=None),
    )

    def alike(gold: str) -> float:
        vector = metric.statistics(alone, [[Answer(text=gold)]], Answer(text=said))
        return vector[0] / vector[1] if vector[1] else 0.0

    return max(golds, key=alike)


def rewrites_of(test: Test, sitting: Sitting | Mapping[str, str]) -> dict[str, str]:
    """The first rewrite of each question that was given."""
    if not isinstance(sitting, Sitting):
        return dict(sitting)
    found: dict[str, str] = {}
    for id in sitting:
        for row in sitting.of(id):
            if row.answered and id not in found:
                found[id] = row.words(test.kind.answer)
    return found
