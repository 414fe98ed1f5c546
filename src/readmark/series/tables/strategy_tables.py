"""Strategies of rewriting side by side: rewriters sit the series, and all sittings are marked."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.records import distinct_names
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.marking import Marks, mark
from readmark.series.quick_marks import QUICK, without_interval, wrong_notes
from readmark.series.strategies import APPEND, GOLD, NONE, first_golds
from readmark.series.tables.document_metrics import document_metrics
from readmark.series.tables.result import StrategyTables
from readmark.series.tables.rows import document_tables, requested_table
from readmark.sitting import sit

_DEFAULTS = {"variant": "standard", "pairs": "sliding"}  # names of metrics leave these out


def strategy_tables(
    test: Test,
    *,
    rewriters: Sequence[str] = (),
    sittings: Sequence[str | Path] = (),
    metrics: Sequence[str] = (),
    variant: str = "standard",
    pairs: str = "sliding",
) -> StrategyTables:
    """Mark none, append, every rewriter and gold by the metrics, or by the document's tables.

    All of them on the same questions: those that every sitting was asked.
    """
    test.require_kind("series")
    definitions = {
        name: value
        for name, value in {"variant": variant, "pairs": pairs}.items()
        if value != _DEFAULTS[name]
    }
    if metrics and definitions:
        name, value = next(iter(definitions.items()))
        raise UsageError(
            f"{name} is for the tables without metrics; name it as in {metrics[0]}({name}={value})"
        )
    names = list(metrics) if metrics else document_metrics(definitions)

    added = [name for name in dict.fromkeys(rewriters) if name not in (NONE, APPEND, GOLD)]
    marked: dict[str, Marks] = {}
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for index, rewriter in enumerate((NONE, APPEND, *added)):
            path = Path(folder) / f"{index}.jsonl"
            sit(test, rewriter, path)
            marked[rewriter] = mark(test, path, metrics=names, settings=QUICK)
    opened = [open_sitting(sitting, test.kind) for sitting in sittings]
    sitting_names = _sitting_names(opened, [*marked, GOLD])
    for name, sitting in zip(sitting_names, opened, strict=True):
        marked[name] = mark(test, sitting, metrics=names, settings=QUICK)
    marked[GOLD] = mark(test, first_golds(test), metrics=names, settings=QUICK)

    none = marked[NONE]
    ids_of_each = [frozenset(marks.unit_vectors.ids) for marks in marked.values()]
    common = [id for id in none.unit_vectors.ids if all(id in ids for ids in ids_of_each)]
    if not common:
        raise DataError("the sittings have no question in common", file=test.file)
    scores = {name: marks.scores_on(common) for name, marks in marked.items()}
    compared = [*added, *sitting_names]
    return StrategyTables(
        series=none.test.name,
        questions=len(common),
        unkeyed=none.coverage.unkeyed,
        strategies=list(marked),
        rewriters=compared,
        tables=(
            [requested_table(scores, compared)]
            if metrics
            else document_tables(scores, compared, definitions)
        ),
        signatures={
            name: without_interval(metric_mark.signature)
            for name, metric_mark in none.marks.items()
        },
        failed={
            name: list(marks.coverage.errors)
            for name, marks in marked.items()
            if marks.coverage.errors
        },
        unanswered={
            name: list(marks.coverage.unanswered)
            for name, marks in marked.items()
            if marks.coverage.unanswered
        },
        notes=_notes(marked, len(common)),
        variant=None if metrics else variant,
    )


def _sitting_names(sittings: Sequence[Sitting], taken: Sequence[str]) -> list[str]:
    """Sittings are called by their candidates, with their files where that is no name yet."""
    counts = Counter([*taken, *(sitting.candidate for sitting in sittings)])
    names = []
    for sitting in sittings:
        file = Path(sitting.file).name.partition(".")[0]
        is_clear = counts[sitting.candidate] == 1 or file == sitting.candidate
        names.append(sitting.candidate if is_clear else f"{sitting.candidate} ({file})")
    return distinct_names([*taken, *names])[len(taken) :]


def _notes(marked: Mapping[str, Marks], common: int) -> list[str]:
    """Notes that all strategies share are given once, the others with the strategy's name."""
    shared = frozenset.intersection(*(frozenset(marks.notes) for marks in marked.values()))
    notes = [note for note in marked[NONE].notes if note in shared]
    whole = marked[NONE].units
    for name, marks in marked.items():
        notes += [f"{name}: {note}" for note in marks.notes if note not in shared]
        if marks.units != whole:
            notes.append(f"{name}: was asked {counted(marks.units, 'question')} of {whole}")
        notes += [f"{name}: {note}" for note in wrong_notes(marks)]
    if common != whole:
        notes.append(
            f"every strategy is marked on the {counted(common, 'question')} that all were asked"
        )
    return notes
