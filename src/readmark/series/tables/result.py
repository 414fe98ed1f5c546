"""What ``series table`` gives: tables at the width of the terminal, or one JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from readmark.core.display import (
    GAP,
    Result,
    counted,
    fitting,
    headline,
    plain_table,
    print_signatures,
)
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.series.printed_scores import difference, printed_difference, score
from readmark.series.strategies import APPEND, GOLD, NONE
from readmark.series.tables.document_metrics import UNIGRAMS
from readmark.series.tables.rows import MetricRow, StrategyTable

_SCORE_WIDTH = len("+0.000")
_LESS_APPEND = " - append"


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
        """One document; notes go to stderr."""
        document: dict[str, Any] = Result.as_json(self)
        for table in document["tables"]:
            del table["gaps"]
        return document

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per table, metric and strategy."""
        return [
            {"table": table.title, "metric": row.metric, "strategy": strategy, "score": score}
            for table in self.tables
            for row in table.lines
            for strategy, score in row.marks.items()
        ]

    def show(self, console: Console) -> None:
        """Every table, then what decided the numbers."""
        unkeyed = f", {self.unkeyed} without gold left out" if self.unkeyed else ""
        size = f": {counted(self.questions, 'question')}{unkeyed}"
        console.print(headline("rewriting", " of ", self.series, size))
        words_alone = {
            row.label: row
            for table in self.tables
            if table.weights == UNIGRAMS
            for row in table.lines
        }
        for table in self.tables:
            self._show_table(console, table, words_alone)
        if any(table.gaps for table in self.tables):
            console.print("gap: append less none", style="dim")
        if any(row.change is not None for table in self.tables for row in table.lines):
            console.print("change: the gap less that of words alone", style="dim")
        if self.variant is None:
            print_signatures(console, self.signatures)
        else:
            # Every metric of the document is in the first table; each table says its own weights.
            names = [row.metric for row in self.tables[0].lines]
            print_signatures(
                console, dict(_without_weights(name, self.signatures[name]) for name in names)
            )

    def _show_table(
        self, console: Console, table: StrategyTable, words_alone: Mapping[str, MetricRow]
    ) -> None:
        console.print(table.title, style="bold")
        columns = [*(strategy for strategy in self.strategies if strategy != GOLD), GOLD]
        if table.gaps:
            columns.append("gap")
            if any(row.change is not None for row in table.lines):
                columns.append("change")
        columns += [f"{rewriter}{_LESS_APPEND}" for rewriter in self.rewriters]
        labels = max(cell_len(row.label) for row in table.lines)
        room = console.width - min(labels, console.width // 3) - GAP
        for group in fitting(columns, room, least=_SCORE_WIDTH):
            grid = plain_table("metric", *group)
            for row in table.lines:
                grid.add_row(row.label, *(_cell(row, column, words_alone) for column in group))
            console.print(grid)


def _without_weights(metric: str, signature: str) -> tuple[str, str]:
    name = parse_name(metric)
    parameters = {key: value for key, value in name.parameters.items() if key not in "ubt"}
    parts = [part for part in signature.split("|") if not part.startswith("weights:")]
    return str(ParsedName(name.base, parameters)), "|".join(parts)


def _cell(row: MetricRow, column: str, words_alone: Mapping[str, MetricRow]) -> str:
    """A mark, or the difference of the printed columns."""
    if column in row.marks:
        return score(row.marks[column])
    if column == "gap":
        return difference(_printed_gap(row))
    if column == "change":
        gap_of_words = _printed_gap(words_alone[row.label])
        return difference(printed_difference(_printed_gap(row), gap_of_words))
    rewriter = column.removesuffix(_LESS_APPEND)
    return difference(printed_difference(row.marks[rewriter], row.marks[APPEND]))


def _printed_gap(row: MetricRow) -> float | None:
    return printed_difference(row.marks[APPEND], row.marks[NONE])
