"""The rewrites of a sitting as tuning needs them, and the golds that they are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.marking import mark
from readmark.series.metrics.golds import golds
from readmark.series.quick_marks import QUICK, without_interval, wrong_notes
from readmark.series.strategies import rewrites_of
from readmark.series.tuning.weighted_metric import Words
from readmark.series.words import cutter


@dataclass(frozen=True, slots=True)
class SittingRewrites:
    """The rewrites of a sitting, and what a reader should know of them."""

    candidate: str
    rewrites: Mapping[str, str | None]
    """By the questions that were asked; None where there is no rewrite."""
    errors: Sequence[str]
    notes: Sequence[str]
    signature: str
    """What decides the scores besides the metric and its weights."""


def read_rewrites(test: Test, path: str | Path, metric: str) -> SittingRewrites:
    """The rewrites of a sitting; marking refuses one of another paper."""
    sitting = open_sitting(path, test.kind)
    marks = mark(test, sitting, metrics=[metric], settings=QUICK)
    [metric_mark] = marks.marks.values()
    texts = rewrites_of(test, sitting)
    parts = without_interval(metric_mark.signature).split("|")
    return SittingRewrites(
        candidate=sitting.candidate,
        rewrites={id: texts.get(id) for id in marks.unit_vectors.ids},
        errors=list(marks.coverage.errors),
        notes=[*marks.notes, *(f"{sitting.candidate}: {note}" for note in wrong_notes(marks))],
        signature="|".join(part for part in parts if not part.startswith(("metric:", "weights:"))),
    )


def keyed_units(test: Test) -> Iterator[Unit]:
    """The questions that have a gold."""
    return (unit for unit in test.units() if test.kind.references(unit))


def gold_words(test: Test, unit: Unit) -> list[Words]:
    """The words of every gold of a question, known answers filled in."""
    cut = cutter(test.language)
    return [cut(gold) for gold in dict.fromkeys(golds(unit, test.kind.references(unit)))]
