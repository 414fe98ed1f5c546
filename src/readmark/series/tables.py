"""Strategies of rewriting by metrics by weights: the tables 1 to 8 of the document.

"A gold standard of question reformulations for TREC question series"; gaps are recomputed from
the columns, since some that the document prints are not the differences of its columns.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from readmark.core import numbers
from readmark.core.display import (
    GAP,
    Result,
    counted,
    fitting,
    headline,
    plain_table,
    print_signatures,
)
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import distinct_names
from readmark.core.registry import parameters_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.marking import METRICS, Marks, MarkSettings, mark
from readmark.sitting import sit
from readmark.statistics.similarity.order_weights import OrderWeights

NONE, APPEND, GOLD = "none", "append", "gold"

WEIGHTED = ("dice", "cosine", "jaccard", "block")
"""The metrics that weigh words, pairs and triples, in the document's order."""
UNIGRAMS: OrderWeights = (1, 0, 0)
CHOSEN: OrderWeights = (2, 1, 0)
WEIGHTINGS: tuple[OrderWeights, ...] = (UNIGRAMS, (1, 1, 0), (1, 1, 1), (1, 2, 0), CHOSEN)
"""Those of the document's tables 2 to 6."""
TABLE_1 = (
    "jaccard",
    "dice",
    "cosine",
    "block",
    "euclidean",
    "monge_elkan",
    "levenshtein",
    "needleman_wunsch",
    "smith_waterman",
    "qgrams",
    "jaro_winkler",
    "jaro",
)

USUAL = ("standard", "sliding")
"""The definitions of metrics that names leave out."""

Scores = Mapping[str, Mapping[str, float | None]]
"""By strategy, then by metric."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric: each strategy's mark, and the differences of the columns."""

    metric: str
    """Its canonical name, by which ``signatures`` has what decided its numbers."""
    label: str
    """Its name in a table that says the rest over itself."""
    marks: Mapping[str, float | None]
    gap: float | None
    """append less none."""
    change: float | None
    """The gap less that of words alone, where the table has other weights."""
    gains: Mapping[str, float | None]
    """Each rewriter less append."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """A table of the document's, of these series."""

    title: str
    lines: Sequence[MetricRow]
    weights: OrderWeights | None = None
    gaps: bool = True
    """Whether the gap is a column: the first table of the document has none."""


@dataclass(frozen=True, slots=True)
class StrategyTables(Result):
    """Everything that ``series table`` shows."""

    series: str
    questions: int
    unkeyed: int
    strategies: Sequence[str]
    rewriters: Sequence[str]
    tables: Sequence[StrategyTable]
    signatures: Mapping[str, str]
    failed: Mapping[str, Sequence[str]]
    """The questions that a strategy ended in an error on."""
    unanswered: Mapping[str, Sequence[str]]
    """The questions that a strategy was asked and has no rewrite of."""
    notes: Sequence[str]
    variant: str | None = None
    """The definitions of the metrics in the document's tables."""

    def as_json(self) -> dict[str, Any]:
        """One document; what was noted is on stderr."""
        document: dict[str, Any] = Result.as_json(self)
        for table in document["tables"]:
            del table["gaps"]
        return document

    def show(self, console: Console) -> None:
        """Every table, then what decided the numbers."""
        unkeyed = f", {self.unkeyed} without gold left out" if self.unkeyed else ""
        size = f": {counted(self.questions, 'question')}{unkeyed}"
        console.print(headline("rewriting", " of ", self.series, size))
        words = {
            line.label: line
            for table in self.tables
            if table.weights == UNIGRAMS
            for line in table.lines
        }
        for table in self.tables:
            _show_table(console, table, self, words)
        if any(table.gaps for table in self.tables):
            console.print("gap: append less none", style="dim")
        if any(line.change is not None for table in self.tables for line in table.lines):
            console.print("change: the gap less that of words alone", style="dim")
        if self.variant is None:
            print_signatures(console, self.signatures)
        else:
            names = [line.metric for line in self.tables[0].lines]
            print_signatures(
                console, dict(_unweighted(name, self.signatures[name]) for name in names)
            )


def every_metric(definitions: Mapping[str, str]) -> list[str]:
    """The metrics of all tables, each once."""
    wanted = [metric_name(base, UNIGRAMS, definitions) for base in TABLE_1]
    wanted += [
        metric_name(base, weights, definitions) for weights in WEIGHTINGS for base in WEIGHTED
    ]
    return list(dict.fromkeys(wanted))


def metric_name(base: str, weights: OrderWeights, definitions: Mapping[str, str]) -> str:
    """A metric's canonical name, with the parameters that it takes."""
    takes = parameters_of(METRICS.load(base))
    given: dict[str, Any] = {}
    if "u" in takes:
        given |= dict(zip("ubt", map(float, weights), strict=True))
    given |= {name: value for name, value in definitions.items() if name in takes}
    name, _ = METRICS.build(ParsedName(base, given))
    return str(name)


def document_tables(
    scores: Scores, rewriters: Sequence[str], definitions: Mapping[str, str]
) -> list[StrategyTable]:
    """All of the document's: every metric, then the weighted ones at each weighting."""

    def lines(bases: Sequence[str], weights: OrderWeights) -> list[MetricRow]:
        metric_rows = []
        for base in bases:
            words = _line(scores, rewriters, metric_name(base, UNIGRAMS, definitions), base)
            line = _line(scores, rewriters, metric_name(base, weights, definitions), base)
            other = weights != UNIGRAMS
            metric_rows.append(replace(line, change=_minus(line.gap, words.gap) if other else None))
        return metric_rows

    by = f", {definitions['variant']}" if "variant" in definitions else ""
    tables = [
        StrategyTable(f"every metric, words alone{by}", lines(TABLE_1, UNIGRAMS), UNIGRAMS, False)
    ]
    by += f", {definitions['pairs']} pairs" if "pairs" in definitions else ""
    tables += [
        StrategyTable(f"weights {weights_text(weights)}{by}", lines(WEIGHTED, weights), weights)
        for weights in WEIGHTINGS
    ]
    return tables


def asked_table(scores: Scores, rewriters: Sequence[str]) -> StrategyTable:
    """The metrics that were asked for, under the names they were asked by."""
    lines = [_line(scores, rewriters, name, name) for name in scores[NONE]]
    return StrategyTable("metrics", lines)


def _line(scores: Scores, rewriters: Sequence[str], name: str, shown: str) -> MetricRow:
    marks = {strategy: every[name] for strategy, every in scores.items()}
    gains = {rewriter: _minus(marks[rewriter], marks[APPEND]) for rewriter in rewriters}
    return MetricRow(name, shown, marks, _minus(marks[APPEND], marks[NONE]), None, gains)


def _minus(row: float | None, other: float | None) -> float | None:
    return None if row is None or other is None else row - other


def weights_text(weights: OrderWeights) -> str:
    """Weights as the document writes them."""
    return ", ".join(f"{name}:{weight:g}" for name, weight in zip("UBT", weights, strict=True))


# Strategies of rewriting side by side: each sits the series, each sitting is marked.


_QUICK = MarkSettings(draws=1)
"""Tables show no intervals; compare has those of a difference."""
_INTERVAL = ("interval", "confidence", "draws", "seed")


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
    pairs: str = "sliding",
) -> StrategyTables:
    """Mark none, append, every rewriter and gold by the metrics, or by the document's tables.

    All of them on the same questions: those that every sitting was asked.
    """
    test.require_kind("series")
    given = {"variant": variant, "pairs": pairs}
    definitions = {name: value for name, value in given.items() if value not in USUAL}
    for name, value in definitions.items() if metrics else ():
        text = f"{metrics[0]}({name}={value})"
        raise UsageError(f"{name} is for the tables without metrics; name it as in {text}")
    named = list(metrics) if metrics else every_metric(definitions)
    added = [fromkey for fromkey in dict.fromkeys(rewriters) if fromkey not in (NONE, APPEND, GOLD)]
    marked: dict[str, Marks] = {}
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        for index, name in enumerate((NONE, APPEND, *added)):
            path = Path(folder) / f"{index}.jsonl"
            sit(test, name, path)
            marked[name] = mark(test, path, metrics=named, settings=_QUICK)
    taken = [*marked, GOLD]
    read = [open_sitting(sitting, test.kind) for sitting in sittings]
    files = _names(read, taken)
    for name, sitting in zip(files, read, strict=True):
        marked[name] = mark(test, sitting, metrics=named, settings=_QUICK)
    marked[GOLD] = mark(test, first_golds(test), metrics=named, settings=_QUICK)
    others = [*added, *files]
    first = marked[NONE]
    asked = [frozenset(done.unit_vectors.ids) for done in marked.values()]
    common = [id for id in first.unit_vectors.ids if all(id in ids for ids in asked)]
    if not common:
        raise DataError("the sittings were asked no question in common", file=test.file)
    scores = {name: done.scores_on(common) for name, done in marked.items()}
    return StrategyTables(
        series=first.test.name,
        questions=len(common),
        unkeyed=first.coverage.unkeyed,
        strategies=list(marked),
        rewriters=others,
        tables=(
            [asked_table(scores, others)]
            if metrics
            else document_tables(scores, others, definitions)
        ),
        signatures={name: without_interval(own.signature) for name, own in first.marks.items()},
        failed={
            name: list(done.coverage.errors)
            for name, done in marked.items()
            if done.coverage.errors
        },
        unanswered={
            name: list(done.coverage.unanswered)
            for name, done in marked.items()
            if done.coverage.unanswered
        },
        notes=_notes(marked, len(common)),
        variant=None if metrics else variant,
    )


def _names(read: Sequence[Sitting], taken: Sequence[str]) -> list[str]:
    """What sittings are called: their candidates, and their files where that is no name yet."""
    times = Counter([*taken, *(sitting.candidate for sitting in read)])
    found = []
    for sitting in read:
        file = Path(sitting.file).name.partition(".")[0]
        apart = times[sitting.candidate] == 1 or file == sitting.candidate
        found.append(sitting.candidate if apart else f"{sitting.candidate} ({file})")
    return distinct_names([*taken, *found])[len(taken) :]


def without_interval(signature: str) -> str:
    """A signature without what decides intervals: a table has none."""
    parts = signature.split("|")
    return "|".join(part for part in parts if part.partition(":")[0] not in _INTERVAL)


def wrong_notes(done: Marks) -> list[str]:
    """What counts as wrong without having been rewritten."""
    said = []
    if done.coverage.errors:
        said.append(
            f"error rows, counted as wrong: {listed_ids(done.coverage.errors)}; resume the sitting"
        )
    if done.coverage.unanswered:
        said.append(f"unanswered, counted as wrong: {listed_ids(done.coverage.unanswered)}")
    return said


def _notes(marked: Mapping[str, Marks], common: int) -> list[str]:
    """Notes that all strategies share are given once, the others with the strategy's name."""
    every = [frozenset(done.notes) for done in marked.values()]
    shared = frozenset.intersection(*every)
    notes = [note for note in marked[NONE].notes if note in shared]
    whole = marked[NONE].units
    for name, done in marked.items():
        notes += [f"{name}: {note}" for note in done.notes if note not in shared]
        if done.units != whole:
            notes.append(f"{name}: was asked {counted(done.units, 'question')} of {whole}")
        notes += [f"{name}: {note}" for note in wrong_notes(done)]
    if common != whole:
        notes.append(
            f"every strategy is marked on the {counted(common, 'question')} that all were asked"
        )
    return notes


# Strategies of rewriting in a terminal: a table a weighting, at the width that there is.


SCORE = len("+0.000")
PLACES = 3
LESS = " - append"


def _unweighted(metric: str, signature: str) -> tuple[str, str]:
    """A metric and its signature without the weights: each table says its own."""
    name = parse_name(metric)
    rest = {key: value for key, value in name.parameters.items() if key not in "ubt"}
    parts = [part for part in signature.split("|") if not part.startswith("weights:")]
    return str(ParsedName(name.base, rest)), "|".join(parts)


def score(value: float | None) -> str:
    """A similarity."""
    return numbers.mark(value, 1)


def difference(value: float | None) -> str:
    """A difference of similarities with its sign."""
    return numbers.mark(value, 1, signed=True)


def printed_difference(mark: float | None, other: float | None) -> float | None:
    """The difference of two numbers as they are printed."""
    return None if mark is None or other is None else round(mark, PLACES) - round(other, PLACES)


def _show_table(
    console: Console,
    table: StrategyTable,
    strategy_table: StrategyTables,
    words: Mapping[str, MetricRow],
) -> None:
    console.print(table.title, style="bold")
    columns = [*(strategy for strategy in strategy_table.strategies if strategy != GOLD), GOLD]
    if table.gaps:
        columns.append("gap")
        if any(line.change is not None for line in table.lines):
            columns.append("change")
    over = [f"{rewriter}{LESS}" for rewriter in strategy_table.rewriters]
    labels = max(cell_len(line.label) for line in table.lines)
    room = console.width - min(labels, console.width // 3) - GAP
    for shown in fitting([*columns, *over], room, least=SCORE):
        out = plain_table("metric", *shown)
        for line in table.lines:
            out.add_row(line.label, *(_cell(line, column, words) for column in shown))
        console.print(out)


def _cell(line: MetricRow, column: str, words: Mapping[str, MetricRow]) -> str:
    """A mark, or the difference of the printed columns."""
    if column in line.marks:
        return score(line.marks[column])
    if column == "gap":
        return difference(_gap(line))
    if column == "change":
        return difference(printed_difference(_gap(line), _gap(words[line.label])))
    return difference(printed_difference(line.marks[column.removesuffix(LESS)], line.marks[APPEND]))


def _gap(line: MetricRow) -> float | None:
    return printed_difference(line.marks[APPEND], line.marks[NONE])
