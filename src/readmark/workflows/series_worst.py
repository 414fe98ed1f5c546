"""Debugging a rewriter: each rewrite of a sitting beside its gold, and beside an earlier sitting.

The document's section "Our system against the Metric": the distribution, the worst rewrites, and
that no rewrite that was right before is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from readmark.corpus.errors import UsageError
from readmark.corpus.formats import open_sitting
from readmark.corpus.sitting import Sitting
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Unit
from readmark.marking.metrics import METRICS, Metric
from readmark.marking.metrics.rewrites import golds
from readmark.marking.results import Marks
from readmark.marking.series.failures import failure_of
from readmark.marking.series.judged import Judged, Rewrite, Worse
from readmark.marking.settings import Settings
from readmark.measures.similarity.words import cutter
from readmark.workflows import api
from readmark.workflows.series import of_the_mean, require_series, wrong_words

LEAST = 1e-6
"""A difference of scores below this is none: it is that of their rounding."""
_QUICK = Settings(draws=1)


def judge(
    test: Test,
    sitting: api.SomeSitting,
    *,
    metric: str | None = None,
    baseline: api.SomeSitting | None = None,
) -> Judged:
    """Every rewrite with its failure; with a baseline also what got worse."""
    require_series(test)
    read = sitting if isinstance(sitting, (Sitting, Mapping)) else open_sitting(sitting, test.kind)
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


def _beside(judged: Judged, test: Test, baseline: api.SomeSitting, name: str) -> Judged:
    """The same with an earlier sitting's scores; what both were asked is compared."""
    read = (
        baseline if isinstance(baseline, (Sitting, Mapping)) else open_sitting(baseline, test.kind)
    )
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
