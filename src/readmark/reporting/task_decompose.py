"""Decompositions in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich.table import Table
from rich.text import Text

from readmark.reasoning.decompositions.posterior import Explanation
from readmark.reasoning.decompositions.scheme import Scheme
from readmark.reasoning.decompositions.telling import told
from readmark.reporting.terminal import counted, make_console, plain_table


def print_decomposed(
    scheme: Scheme,
    explanation: Explanation,
    lasts: Mapping[int, Mapping[str, Fraction]],
    *,
    most: int,
) -> None:
    """The hypotheses where there are several, what made scores, and the likeliest combinations."""
    console = make_console()
    if not explanation.possible:
        console.print("impossible: nothing explains it")
        return
    for at, events in lasts.items():
        words = ", ".join(
            f"{scheme.quantities[name].one or name} {chance_of(one)}"
            for name, one in events.items()
        )
        console.print(Text(f"score {at + 1} was made by: {words}"))
    if len(explanation.hypotheses) > 1:
        table = _table("probability", "scores", "ahead at last")
        for one in explanation.hypotheses:
            scores = "; ".join(
                ", ".join(f"{side} {total}" for side, total in each.items()) for each in one.scores
            )
            table.add_row(chance_of(one.probability), scores, one.leader() or "none")
        console.print(table)
    console.print(counted(len(explanation.combinations), "combination"))
    table = _table("probability", *explanation.sides)
    for each in explanation.combinations[:most]:
        sides = (told(scheme, each.counts[side]) for side in explanation.sides)
        table.add_row(chance_of(each.probability), *sides)
    console.print(table)


def print_stated(
    scheme: Scheme, totals: Sequence[tuple[str, str, int, Explanation]], *, most: int
) -> None:
    """For each total (document, whose it is, the total, what explains it) the likeliest."""
    console = make_console()
    table = _table("document", "of", "total", "probability", "made up of")
    for document, subject, total, explanation in totals:
        head = (document, subject, str(total))
        if not explanation.possible:
            table.add_row(*head, "0", "impossible")
        for one in explanation.combinations[:most]:
            counts = next(iter(one.counts.values()))
            table.add_row(*head, chance_of(one.probability), told(scheme, counts))
            head = ("", "", "")
    console.print(table)


def chance_of(one: Fraction) -> str:
    """A probability; only what is certain is shown as 1."""
    if one == 1:
        return "1"
    told_ = f"{float(one):.4f}"
    if told_ == "1.0000":
        return "> 0.9999"
    return f"{float(one):.1e}" if told_ == "0.0000" else told_


def _table(*headings: str) -> Table:
    """One whose columns hold words."""
    table = plain_table(*headings)
    for column in table.columns:
        column.justify = "left"
    return table
