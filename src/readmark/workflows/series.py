"""Strategies of rewriting side by side: each sits the series, each sitting is marked."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_sitting
from readmark.corpus.sitting import Sitting
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
    scores_on,
)
from readmark.marking.settings import Settings
from readmark.sitting.noted import some
from readmark.workflows import api

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
    """Mark none, append, every rewriter and gold by the metrics, or by the document's tables.

    All of them on the same questions: those that every sitting was asked.
    """
    require_series(test)
    if metrics and variant != "standard":
        said = f"{metrics[0]}(variant={variant})"
        raise UsageError(f"the variant is one of the tables without metrics; name it as in {said}")
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
    read = [open_sitting(one, test.kind) for one in sittings]
    files = _names(read, taken)
    for name, sitting in zip(files, read, strict=True):
        mark(name, sitting)
    mark(GOLD, first_golds(test))
    others = [*added, *files]
    first = marked[NONE]
    common = [id for id in first.ids if all(id in done.ids for done in marked.values())]
    if not common:
        raise DataError("the sittings were asked no question in common", file=test.file)
    scores = {name: scores_on(done, common) for name, done in marked.items()}
    return Tables(
        series=first.test.name,
        questions=len(common),
        unkeyed=first.unkeyed,
        strategies=list(marked),
        rewriters=others,
        tables=(
            [one_table(scores, others)] if metrics else document_tables(scores, others, variant)
        ),
        signatures={name: of_the_mean(mark.signature) for name, mark in first.marks.items()},
        failed={name: list(done.errors) for name, done in marked.items() if done.errors},
        unanswered={
            name: list(done.unanswered) for name, done in marked.items() if done.unanswered
        },
        notes=_notes(marked, len(common)),
        variant=None if metrics else variant,
    )


def _names(read: Sequence[Sitting], taken: Sequence[str]) -> list[str]:
    """What sittings are called: their candidates, and their files where that is no name yet."""
    times = Counter([*taken, *(one.candidate for one in read)])
    found = []
    for one in read:
        file = Path(one.file).name.partition(".")[0]
        apart = times[one.candidate] == 1 or file == one.candidate
        found.append(one.candidate if apart else f"{one.candidate} ({file})")
    return told_apart([*taken, *found])[len(taken) :]


def of_the_mean(signature: str) -> str:
    """A signature without what decides intervals: a table has none."""
    parts = signature.split("|")
    return "|".join(one for one in parts if one.partition(":")[0] not in _INTERVAL)


def wrong_words(done: Marks) -> list[str]:
    """What counts as wrong without having been rewritten."""
    said = []
    if done.errors:
        said.append(f"error rows, counted as wrong: {some(done.errors)}; resume the sitting")
    if done.unanswered:
        said.append(f"unanswered, counted as wrong: {some(done.unanswered)}")
    return said


def _notes(marked: Mapping[str, Marks], common: int) -> list[str]:
    """What all strategies' marks note is told once, the rest by the strategy's name."""
    every = [frozenset(done.notes) for done in marked.values()]
    shared = frozenset.intersection(*every)
    told = [said for said in marked[NONE].notes if said in shared]
    whole = marked[NONE].units
    for name, done in marked.items():
        told += [f"{name}: {said}" for said in done.notes if said not in shared]
        if done.units != whole:
            told.append(f"{name}: was asked {done.units} questions of {whole}")
        told += [f"{name}: {said}" for said in wrong_words(done)]
    if common != whole:
        told.append(f"every strategy is marked on the {common} questions that all were asked")
    return told
