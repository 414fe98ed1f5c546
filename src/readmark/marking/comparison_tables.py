"""Comparisons in a terminal: a table for each metric, verdicts in words, slices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from readmark.core import numbers
from readmark.core.display import counted, folded, headline, plain_table, plural, room_beside
from readmark.marking.interval_notes import few_in_slices
from readmark.marking.significance import Comparison
from readmark.statistics.interval_methods import FEW_CLUSTERS, PERCENTILE

NARROWEST = 16
"""The column of names, however little room there is."""


def show_table(console: Console, comparisons: Sequence[Comparison]) -> None:
    """One metric's comparisons, each in a row."""
    first = comparisons[0]
    # A's score depends on the units it shares with the other, so it may differ from row to row.
    is_shared = len({comparison.score_a for comparison in comparisons}) == 1
    score = f" ({numbers.mark(first.score_a, first.scale)})" if is_shared else ""
    console.print(headline(first.metric, ", each against ", first.a, score))
    if first.lower_is_better:
        console.print("lower is better")
    columns, rows = _cells(comparisons, score_of_a=not is_shared, stacked=False)
    if room_beside(columns, rows, console.width) < NARROWEST:
        columns, rows = _cells(comparisons, score_of_a=not is_shared, stacked=True)
    room = max(room_beside(columns, rows, console.width), NARROWEST)
    table = plain_table("candidate", *columns)
    for comparison, cells in zip(comparisons, rows, strict=True):
        table.add_row(folded(comparison.b, room), *cells)
    console.print(table)


def _cells(
    comparisons: Sequence[Comparison], *, score_of_a: bool, stacked: bool
) -> tuple[list[str], list[list[str]]]:
    """Columns and rows; ``stacked`` puts the interval under the difference, to save room."""
    is_adjusted = len(comparisons) > 1
    columns = ["score", "against", "difference"] if score_of_a else ["score", "difference"]
    if not stacked:
        columns.append("interval")
    columns.append("p")
    if is_adjusted:
        columns.append("p (Holm)")
    rows = []
    for comparison in comparisons:
        row = [numbers.mark(comparison.score_b, comparison.scale)]
        if score_of_a:
            row.append(numbers.mark(comparison.score_a, comparison.scale))
        difference = _difference(comparison)
        row += ["\n".join(difference)] if stacked else difference
        row.append(numbers.p_value(comparison.p))
        if is_adjusted:
            row.append(numbers.p_value(comparison.adjusted_p))
        rows.append(row)
    return columns, rows


def _difference(comparison: Comparison) -> list[str]:
    """The difference and its interval."""
    scale = comparison.scale
    return [
        numbers.mark(comparison.difference, scale, signed=True),
        numbers.interval(comparison.low, comparison.high, scale, signed=True),
    ]


def show_verdicts(
    console: Console,
    comparisons: Sequence[Comparison],
    alpha: float,
    noun: str,
    *,
    full: bool = False,
) -> None:
    """One metric's comparisons in words; ``noun`` is what the paired test swaps."""
    for comparison in comparisons:
        details = details_words(comparison, noun) if full else ""
        console.print(f"{comparison.b}: {comparison.verdict(alpha)}{details}")
        if is_out_of_reach(comparison, comparisons, alpha):
            words = _out_of_reach_words(comparison, len(comparisons), alpha, noun)
            console.print(f"{comparison.b}: {words}")
    for note in dict.fromkeys(
        comparison.interval_note for comparison in comparisons if comparison.interval_note
    ):
        console.print(note)


def details_words(comparison: Comparison, noun: str) -> str:
    """How many units differ, and which difference would have been found."""
    units, clusters = counted(comparison.units, "unit"), counted(comparison.clusters, noun)
    differ = "1 differs" if comparison.discordant == 1 else f"{comparison.discordant} differ"
    text = f"; of {units} in {clusters}, {differ}"
    if comparison.left_out:
        left_out = counted(comparison.left_out, "unit")
        text += f"; left out, as not both have a value there: {left_out}"
    if comparison.detectable:
        least = numbers.mark(comparison.detectable, comparison.scale)
        text += f"; a difference of {least} would be found four times in five"
    return text


def is_out_of_reach(
    comparison: Comparison, comparisons: Sequence[Comparison], alpha: float
) -> bool:
    """Whether no difference, however large, could have been significant.

    Holm's method multiplies the least p by the number of comparisons.
    """
    if comparison.significant(alpha) or comparison.p is None or not comparison.discordant:
        return False
    least = min(each.least_p for each in comparisons)
    return comparison.least_p >= alpha or len(comparisons) * least >= alpha


def _out_of_reach_words(comparison: Comparison, comparisons: int, alpha: float, noun: str) -> str:
    reached = f"no p below {numbers.p_value(comparison.least_p)} can be reached"
    if comparison.p is not None and comparison.p < comparison.least_p:
        reached += f" ({numbers.p_value(comparison.p)} is an estimate of it)"
    if comparisons > 1:
        adjusted = min(1.0, comparisons * comparison.least_p)
        reached += f", {numbers.p_value(adjusted)} after Holm"
    few = f"with so few {plural(noun)} that differ"
    return f"{reached}: {few}, no difference could be significant at {alpha:g}"


def show_slices(console: Console, comparisons: Sequence[Comparison], noun: str) -> None:
    """One metric's comparisons slice by slice: a table per field and sitting."""
    few: dict[str, int] = {}
    for comparison in comparisons:
        for name, values in comparison.by.items():
            console.print(f"{comparison.metric} by {name}: {comparison.b} − {comparison.a}")
            console.print(_slices_table(name, values, console.width))
            few |= {
                f"{name} {label}": part.clusters
                for label, part in values.items()
                if part.clusters < FEW_CLUSTERS and f"interval:{PERCENTILE}" in part.signature
            }
    if few:
        console.print(few_in_slices(few, noun, PERCENTILE))
    if comparisons[0].by:
        others = " and all candidates" if len(comparisons) > 1 else ""
        console.print(f"p (Holm) is adjusted over all slices of a field{others}")


def _gain(comparison: Comparison) -> float:
    return -math.inf if comparison.difference is None else comparison.difference


def _slices_table(name: str, values: Mapping[str, Comparison], width: int) -> Table:
    """One row per slice, from the largest gain to the largest loss, with both scores.

    With little room the interval is under the difference, with less only the adjusted p is there.
    """
    values = dict(sorted(values.items(), key=lambda value: -_gain(value[1])))
    first = next(iter(values.values()))
    heads = [
        "units",
        *(folded(name, NARROWEST) for name in (first.a, first.b)),
        "difference",
        "interval",
        "p",
        "p (Holm)",
    ]
    rows = [
        [
            f"{part.units:,}",
            *(numbers.mark(score, part.scale) for score in (part.score_a, part.score_b)),
            *_difference(part),
            numbers.p_value(part.p),
            numbers.p_value(part.decisive_p),
        ]
        for part in values.values()
    ]
    labels = max(map(cell_len, (name, *values)))
    if room_beside(heads, rows, width) < min(labels, NARROWEST):
        heads.remove("interval")
        rows = [
            [*scores, f"{difference}\n{interval}", p, adjusted]
            for *scores, difference, interval, p, adjusted in rows
        ]
    if room_beside(heads, rows, width) < min(labels, NARROWEST):
        heads.remove("p")
        rows = [[*cells, adjusted] for *cells, _, adjusted in rows]
    room = max(room_beside(heads, rows, width), NARROWEST)
    table = plain_table(name, *heads)
    for label, cells in zip(values, rows, strict=True):
        table.add_row(folded(label, room), *cells)
    return table
