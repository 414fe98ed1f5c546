"""Judging the rewrites of a sitting: marks by every metric, the nearest gold, the failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.pictures import require_picture
from readmark.core.records import Answer, Unit
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput, as_sitting
from readmark.hooks import Metric, hook
from readmark.marking import METRICS, mark
from readmark.series.failures import failure_of
from readmark.series.metrics.golds import golds
from readmark.series.quick_marks import QUICK, without_interval, wrong_notes
from readmark.series.strategies import rewrites_of
from readmark.series.words import cutter
from readmark.series.worst.baseline import compared_with_baseline
from readmark.series.worst.judged_rewrites import JudgedRewrite, JudgedRewrites
from readmark.series.worst.picture import write_distribution


def worst_rewrites(
    test: Test,
    sitting: SittingInput,
    *,
    metric: str | None = None,
    baseline: SittingInput | None = None,
    plot: str | Path | None = None,
    show: int = 10,
) -> JudgedRewrites:
    """Every rewrite with its failure; with a baseline also what got worse.

    With ``plot`` the distribution of scores is drawn to that file. ``show`` is how many of the
    worst are printed.
    """
    test.require_kind("series")
    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    if plot is not None:
        require_picture(plot)
        paths = [path for path in (sitting, baseline) if isinstance(path, (str, Path))]
        require_distinct_files([plot], [test.file, *paths])
    opened = as_sitting(sitting, test.kind)
    metrics = list(dict.fromkeys([metric or test.kind.main_metric, *_bundled_metrics()]))
    marks = mark(test, opened, metrics=metrics, settings=QUICK)
    name = next(iter(marks.marks))  # the canonical name of the metric that ranks
    ranking = marks.scores.metrics[name]
    if ranking.facts.scale != 1 or hook(ranking, "score") is not None:
        raise UsageError(f"metric {name} does not score each question from 0 to 1")
    texts = rewrites_of(test, opened)
    scores = marks.per_unit()
    rewrites = [
        _judged(unit, texts.get(unit.id), scores[unit.id], name, ranking, test)
        for unit in test.units()
        if unit.id in scores
    ]
    notes = [*marks.notes, *(f"{marks.candidate}: {note}" for note in wrong_notes(marks))]
    if marks.scores.repeats:
        notes.append("scores are means over repeats; the rewrites shown are the first ones")
    judged = JudgedRewrites(
        series=marks.test.name,
        candidate=marks.candidate,
        metric=name,
        rewrites=rewrites,
        signature=without_interval(marks[name].signature),
        unanswered=list(marks.coverage.unanswered),
        errors=list(marks.coverage.errors),
        notes=notes,
        shown=show,
    )
    if baseline is not None:
        judged = compared_with_baseline(judged, test, baseline)
    if plot is not None:
        write_distribution(judged, plot)
        judged = replace(judged, notes=[*judged.notes, f"{plot}: the distribution of scores"])
    return judged


def _bundled_metrics() -> list[str]:
    """Every metric of rewrites that comes with Readmark."""
    return [
        name
        for name, entry in METRICS.entries.items()
        if entry.kinds == ("series",) and entry.package == "readmark"
    ]


def _judged(
    unit: Unit,
    rewrite: str | None,
    marks: Mapping[str, float | None],
    name: str,
    metric: Metric,
    test: Test,
) -> JudgedRewrite:
    unit_golds = list(dict.fromkeys(golds(unit, test.kind.references(unit))))
    nearest = unit_golds[0]
    if rewrite:
        nearest = _nearest(unit, metric, rewrite, unit_golds, test.language)
    return JudgedRewrite(
        id=unit.id,
        series=unit.group,
        target=unit.record.target,
        question=unit.item.text,
        previous=unit.item.previous,
        rewrite=rewrite,
        gold=nearest,
        golds=tuple(unit_golds),
        score=marks[name] or 0.0,
        marks=marks,
        failure=failure_of(unit, rewrite, nearest, test.language),
    )


def _nearest(unit: Unit, metric: Metric, rewrite: str, golds: Sequence[str], language: str) -> str:
    """The gold that a rewrite has the words of, else the nearest one by the metric itself."""
    cut = cutter(language)
    words = cut(rewrite)
    for gold in golds:
        if cut(gold) == words:
            return gold
    # The golds have known answers in them already: the metric must not fill in any more.
    alone = Unit(
        unit.id,
        unit.group,
        msgspec.structs.replace(unit.record, questions=()),
        msgspec.structs.replace(unit.item, previous=(), previous_of=None),
    )

    def similarity(gold: str) -> float:
        vector = metric.statistics(alone, [[Answer(text=gold)]], Answer(text=rewrite))
        return vector[0] / vector[1] if vector[1] else 0.0

    return max(golds, key=similarity)
