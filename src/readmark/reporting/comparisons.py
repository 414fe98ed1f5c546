"""Comparisons in a terminal: each candidate against the first, with a verdict in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from readmark.core.display import (
    GAP,
    counted,
    folded,
    headline,
    make_console,
    number,
    p_value,
    p_words,
    plain_table,
    plural,
    signed,
    span,
)
from readmark.marking.significance import Comparison
from readmark.reporting.terminal import print_signatures

NARROWEST = 16
"""The column of names, however little room there is."""


def print_comparisons(found: Sequence[Comparison], *, alpha: float, noun: str) -> None:
    """Each candidate against the first, with a verdict in words."""
    console = make_console()
    first = found[0]
    # A's score depends on the units it shares with the other, so it may differ from row to row.
    alike = len({one.score_a for one in found}) == 1
    score = f" ({number(first.score_a)})" if alike else ""
    console.print(headline(first.metric, ", each against ", first.a, score))
    if first.lower_is_better:
        console.print("lower is better")
    columns, rows = _cells(found, alike=alike, stacked=False)
    if _room(columns, rows, console.width) < NARROWEST:
        columns, rows = _cells(found, alike=alike, stacked=True)
    room = max(_room(columns, rows, console.width), NARROWEST)
    table = plain_table("candidate", *columns)
    for one, cells in zip(found, rows, strict=True):
        table.add_row(folded(one.b, room), *cells)
    console.print(table)
    for one in found:
        console.print(f"{one.b}: {verdict(one, alpha, noun)}")
        if out_of_reach(one, found, alpha):
            console.print(f"{one.b}: {_never(one, found, alpha, noun)}")
    for note in dict.fromkeys(one.interval_note for one in found if one.interval_note):
        console.print(note)
    print_signatures(console, {first.metric: first.signature})


def out_of_reach(one: Comparison, found: Sequence[Comparison], alpha: float) -> bool:
    """Whether no difference, however large, could have been significant.

    Holm's method multiplies the least p by the number of comparisons.
    """
    if one.significant(alpha) or one.p is None or not one.discordant:
        return False
    return one.least_p >= alpha or len(found) * min(two.least_p for two in found) >= alpha


def _never(one: Comparison, found: Sequence[Comparison], alpha: float, noun: str) -> str:
    least = f"no p below {one.least_p:.4f} can be reached"
    holm = f", {min(1.0, len(found) * one.least_p):.4f} after Holm" if len(found) > 1 else ""
    said = f"{least}{holm}: with so few {plural(noun)} that differ"
    return f"{said}, no difference could be significant at {alpha:g}"


def _cells(
    found: Sequence[Comparison], *, alike: bool, stacked: bool
) -> tuple[list[str], list[list[str]]]:
    """Columns and rows; where there is little room the interval stands under the difference."""
    several = len(found) > 1
    columns = ["score", *(() if alike else ("against",))]
    columns += ["difference"] if stacked else ["difference", "interval"]
    columns += ["p", *(("p (Holm)",) if several else ())]
    rows = []
    for one in found:
        scores = [number(one.score_b), *(() if alike else (number(one.score_a),))]
        difference = [signed(one.difference), span(one.low, one.high, signed)]
        shown = ["\n".join(difference)] if stacked else difference
        p_values = [p_value(one.p), *((p_value(one.adjusted_p),) if several else ())]
        rows.append([*scores, *shown, *p_values])
    return columns, rows


def _room(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> int:
    """What the numbers leave for the names."""
    cells = [[head, *column] for head, *column in zip(columns, *rows, strict=True)]
    lines = [[line for cell in column for line in cell.split("\n")] for column in cells]
    return width - sum(max(map(cell_len, column)) + GAP for column in lines)


def verdict(one: Comparison, alpha: float, noun: str) -> str:
    """A comparison in words."""
    p = one.decisive_p
    if p is None or one.difference is None:
        said = "the difference is undefined"
    elif one.better(alpha) or one.worse(alpha):
        side = "better" if one.better(alpha) else "worse"
        said = f"{side} than {one.a} (p {p_words(p)})"
    else:
        said = f"no significant difference from {one.a} (p {p_words(p)})"
    clusters = counted(one.clusters, noun)
    said += f"; {one.discordant} of {counted(one.units, 'unit')} differ, in {clusters}"
    if one.left_out:
        said += f"; left out, as not both have a value there: {counted(one.left_out, 'unit')}"
    if one.detectable:
        said += f"; a difference of {number(one.detectable)} would be found four times in five"
    return said
