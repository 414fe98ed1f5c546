"""Strategies of rewriting side by side: each sits the series, each sitting is marked."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.corpus.test import Test
from readmark.marking.people import told_apart
from readmark.marking.results import Marks
from readmark.marking.series.tables import (
    APPEND,
    GOLD,
    NONE,
    Tables,
    document_tables,
    every_metric,
    one_table,
)
from readmark.marking.settings import Settings
from readmark.workflows import api
from readmark.workflows.notes import error_words

_QUICK = Settings(draws=1)
"""Tables show no intervals; compare has those of a difference."""
_INTERVAL = ("interval", "confidence", "draws", "seed")


def require_series(test: Test) -> None:
    """A test of another kind has no strategies of rewriting."""
    if test.kind.name != "series":
        raise UsageError(f"{test.file} is a {test.kind.name} test, expected a series test")


def first_golds(test: Test) -> dict[str, str]:
    """Each question's first gold as its rewrite: the strategy that nothing is better than."""
    found = {}
    for unit in test.units():
        golds = [gold.text for person in test.kind.references(unit) for gold in person]
        if golds:
            found[unit.id] = golds[0]
    return found


def strategy_tables(
    test: Test,
    *,
    rewriters: Sequence[str] = (),
    sittings: Sequence[str | Path] = (),
    metrics: Sequence[str] = (),
    variant: str = "standard",
) -> Tables:
    """Mark none, append, every rewriter and gold by the metrics, or by the document's tables."""
    require_series(test)
    named = list(metrics) if metrics else every_metric(variant)
    added = [one for one in dict.fromkeys(rewriters) if one not in (NONE, APPEND, GOLD)]
    marked: dict[str, Marks] = {}

    def mark(name: str, sitting: api.SomeSitting) -> None:
        marked[name] = api.mark(test, sitting, metrics=named, settings=_QUICK)

    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for at, name in enumerate((NONE, APPEND, *added)):
            path = Path(folder) / f"{at}.jsonl"
            api.sit(test, name, path)
            mark(name, path)
    taken = [*marked, GOLD]
    files = told_apart([*taken, *(Path(one).stem for one in sittings)])[len(taken) :]
    for name, sitting in zip(files, sittings, strict=True):
        mark(name, sitting)
    mark(GOLD, first_golds(test))
    others = [*added, *files]
    first = marked[NONE]
    return Tables(
        series=first.test.name,
        questions=first.units,
        unkeyed=first.unkeyed,
        strategies=list(marked),
        rewriters=others,
        tables=(
            [one_table(marked, others)] if metrics else document_tables(marked, others, variant)
        ),
        signatures={name: _of_the_mean(mark.signature) for name, mark in first.marks.items()},
        failed={name: done.errors for name, done in marked.items() if done.errors},
        notes=_notes(marked),
    )


def _of_the_mean(signature: str) -> str:
    """A signature without what decides intervals: a table has none."""
    parts = signature.split("|")
    return "|".join(one for one in parts if one.partition(":")[0] not in _INTERVAL)


def _notes(marked: Mapping[str, Marks]) -> list[str]:
    """What all strategies' marks note is told once, the rest by the strategy's name."""
    every = [frozenset(done.notes) for done in marked.values()]
    shared = frozenset.intersection(*every)
    told = [said for said in marked[NONE].notes if said in shared]
    whole = marked[NONE].units
    for name, done in marked.items():
        told += [f"{name}: {said}" for said in done.notes if said not in shared]
        if done.units != whole:
            told.append(f"{name}: was marked on {done.units} questions of {whole}")
        if done.errors:
            told.append(f"{name}: {error_words(done.errors)}")
    return told
