"""The effect on a series test: marks and differences of each component, printed or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    Result,
    counted,
    fitting,
    folded,
    headline,
    plain_table,
    print_signatures,
)
from readmark.marking import Comparison, Mark
from readmark.statistics.randomisation import least_p

_NAME_WIDTH = 24  # columns of a strategy's name at most
_STRATEGY = "strategy"
_CELL_WIDTH = len("+0.000 (p 0.0000)")


@dataclass(frozen=True, slots=True)
class EffectPart:
    """One downstream component: every strategy's marks, and its differences from the first."""

    metrics: Sequence[str]
    marks: Mapping[str, Mapping[str, Mark]]
    """By strategy, then metric."""
    differences: Mapping[str, Mapping[str, Comparison]]
    """Of every strategy but the first, by metric; Holm-adjusted over strategies."""

    def as_json(self) -> dict[str, Any]:
        """One document per strategy, with the difference from the baseline next to the mark."""
        document: dict[str, Any] = {}
        for name, marks in self.marks.items():
            document[name] = {}
            for metric, mark in marks.items():
                document[name][metric] = mark.as_json()
                if name in self.differences:
                    comparison = self.differences[name][metric]
                    document[name][metric]["against"] = {
                        member: getattr(comparison, member) for member in _COMPARISON_MEMBERS
                    }
        return document

    def show(self, console: Console) -> None:
        """A row for each strategy; metrics that do not fit go into further tables."""
        name_width = min(_NAME_WIDTH, max(map(cell_len, (*self.marks, _STRATEGY))))
        for metrics in fitting(self.metrics, console.width - name_width, least=_CELL_WIDTH):
            table = plain_table(_STRATEGY, *metrics)
            for name, marks in self.marks.items():
                comparisons = self.differences.get(name, {})
                cells = [_cell(marks[metric], comparisons.get(metric)) for metric in metrics]
                table.add_row(folded(name, _NAME_WIDTH), *cells)
            console.print(table)


@dataclass(frozen=True, slots=True)
class Effect(Result):
    """Everything that ``series effect`` shows of one series test."""

    series: str
    passages: str
    language: str
    questions: int
    clusters: int
    left_out: int
    """Questions without known passages, or without answers in them."""
    unit: str
    searched: int
    """How many units were ranked, those of the background included."""
    background: int
    retriever: str
    reader: str
    previous: str
    strategies: Sequence[str]
    signatures: Mapping[str, Mapping[str, Any]]
    """What decided the rewrites of each strategy that sat, and the reader's answers."""
    papers: Mapping[str, str]
    """The fingerprints of what was asked and read."""
    retrieval: EffectPart
    retrieved: EffectPart
    """Reading what was retrieved."""
    right: EffectPart
    """Reading the passage that has the answer."""
    each: Sequence[Mapping[str, Any]]
    """Every question: what each strategy made of it, found and answered."""
    failed: Mapping[str, Sequence[str]]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """One document; notes go to stderr."""
        return {
            **{name: getattr(self, name) for name in _JSON_MEMBERS},
            "retrieval": self.retrieval.as_json(),
            "reading": {"retrieved": self.retrieved.as_json(), "right": self.right.as_json()},
            "each": self.each,
            "failed": self.failed,
        }

    def show(self, console: Console) -> None:
        """Sizes, a table for each component, and what decided the numbers."""
        size = f"{counted(self.questions, 'question')} in {counted(self.clusters, 'series')}"
        if self.left_out:
            size += f", {self.left_out} without an answer in a known passage left out"
        _print_wrapped(console, headline("rewriting", " of ", self.series, f": {size}"))
        searched = f"retrieval of {self.unit}s: {self.searched:,} ranked"
        if self.background:
            searched += f", {counted(self.background, 'passage')} of background among them"
        console.print(searched, style="bold")
        self.retrieval.show(console)
        console.print(f"reading what was retrieved, by {self.reader}", style="bold")
        self.retrieved.show(console)
        console.print(f"reading the right passage, by {self.reader}", style="bold")
        self.right.show(console)

        first = self.strategies[0]
        adjusted = ", Holm-adjusted" if len(self.strategies) > 2 else ""
        legend = f"under a mark its interval, then the difference from {first} with its p{adjusted}"
        _print_wrapped(console, Text(legend, "dim"))
        interval_notes = [
            comparison.interval_note
            for part in (self.retrieval, self.retrieved, self.right)
            for comparisons in part.differences.values()
            for comparison in comparisons.values()
            if comparison.interval_note
        ]
        for note in dict.fromkeys(interval_notes):
            _print_wrapped(console, Text(note, "dim"))
        least = least_p(self.clusters)
        if least >= 0.01:
            caution = (
                f"{counted(self.clusters, 'series')} can give no p much below "
                f"{numbers.p_value(least)}, before adjustment"
            )
            _print_wrapped(console, Text(caution, "dim"))
        for part in (self.retrieval, self.retrieved):
            marks = part.marks[first]
            print_signatures(console, {name: mark.signature for name, mark in marks.items()})


@dataclass(frozen=True, slots=True)
class Effects(Result):
    """The effect on each series test; languages have no mark in common."""

    effects: Sequence[Effect]

    @property
    def notes(self) -> list[str]:
        """The notes of each effect, with the name of its series."""
        return [f"{effect.series}: {note}" for effect in self.effects for note in effect.notes]

    @property
    def failed(self) -> bool:
        """Whether a rewriter or the reader failed on a question."""
        return any(effect.failed for effect in self.effects)

    def as_json(self) -> dict[str, Any]:
        """One document."""
        return {"effects": [effect.as_json() for effect in self.effects]}

    def show(self, console: Console) -> None:
        """Every series test, with an empty line between them."""
        for index, effect in enumerate(self.effects):
            if index:
                console.print()
            effect.show(console)


_JSON_MEMBERS = (
    "series",
    "passages",
    "language",
    "questions",
    "clusters",
    "left_out",
    "unit",
    "searched",
    "background",
    "retriever",
    "reader",
    "previous",
    "strategies",
    "signatures",
    "papers",
)
_COMPARISON_MEMBERS = (
    "a",
    "difference",
    "low",
    "high",
    "p",
    "adjusted_p",
    "discordant",
    "detectable",
    "signature",
)


def _cell(mark: Mark, comparison: Comparison | None) -> Text:
    """A mark, its interval, and the difference from the first strategy, a line each."""
    text = Text(numbers.mark(mark.score, mark.scale), "bold")
    if mark.low is not None and mark.high is not None:
        text.append(f"\n{numbers.narrow_interval(mark.low, mark.high, mark.scale)}", "not bold dim")
    if comparison is not None and comparison.difference is not None:
        difference = numbers.mark(comparison.difference, mark.scale, signed=True)
        p = numbers.p_value(comparison.decisive_p)
        text.append(f"\n{difference} (p {p})", "not bold")
    return text


def _print_wrapped(console: Console, text: Text) -> None:
    """Print a text wrapped to the console, without trailing blanks."""
    for line in text.wrap(console, console.width):
        line.rstrip()
        console.print(line)
