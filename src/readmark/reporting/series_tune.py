"""Tuned weights in a terminal, with the halves they were found and reported on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from readmark.marking.series.tuned import Correlations, Fit, Halves, Tuned, Weighting
from readmark.reporting.series import difference, score
from readmark.reporting.terminal import counted, headline, make_console, plain_table


def print_tuned(found: Tuned) -> None:
    """The best weightings, then known ones, each on both halves."""
    console = make_console()
    told = f": {found.tried:,} weightings tried, {found.met:,} meet the requirements"
    console.print(headline("weights", " for ", found.series, told))
    _print_halves(console, found.halves)
    if not found.found:
        console.print("no weighting meets the requirements on the train half")
    table = plain_table("metric", "gap", "held", found.high, "moving", "losing", "meets")
    for one in (*found.found, *found.beside):
        table.add_row(*_cells(one))
    console.print(table)
    console.print(
        f"gap: {found.high} less {found.low} on the train half, held: on the other; moving and "
        "losing: what a content word that is moved or lost costs; meets: identical is 1, the gap "
        f"is above 0, and {found.order_cost:g} <= moving < losing, on train and held",
        style="dim",
    )
    _print_signature(console, found.signature, found.seed)


def _print_signature(console: Console, signature: str, seed: int) -> None:
    console.print(f"signature {signature}|seed:{seed}", style="dim", soft_wrap=True)


def _cells(one: Weighting) -> Sequence[str]:
    meets = f"{'yes' if one.meets else 'no'}, {'yes' if one.meets_held else 'no'}"
    name = f"{one.metric} ({one.why})" if one.why else one.metric
    return (
        name,
        difference(one.train.gap),
        difference(one.held.gap),
        score(one.train.high),
        score(one.train.moving),
        score(one.train.losing),
        meets,
    )


def print_fit(found: Fit) -> None:
    """The weights, and how they and the default go with people on each half."""
    console = make_console()
    told = f": fitted to judgements of {found.candidate}"
    console.print(headline("weights", " for ", found.series, told))
    _print_halves(console, found.halves)
    made = found.regression
    console.print(f"judgement = {made.intercept:.3f} + {made.slope:.3f} x {found.metric}")
    console.print(f"root mean square left: {made.residual:.3f}")
    table = plain_table("metric", "half", "questions", "Pearson", "Spearman")
    rows: Sequence[tuple[str, str, Correlations]] = (
        (found.metric, "train", found.train),
        (found.metric, "held", found.held),
        (found.default_metric, "train", found.default_train),
        (found.default_metric, "held", found.default_held),
    )
    for metric, half, one in rows:
        table.add_row(metric, half, str(one.questions), score(one.pearson), score(one.spearman))
    console.print(table)
    _print_signature(console, found.signature, found.seed)


def _print_halves(console: Console, halves: Halves) -> None:
    both = (
        ("train", halves.train, halves.train_questions),
        ("held", halves.held, halves.held_questions),
    )
    for name, ids, questions in both:
        size = f"{counted(len(ids), 'series')}, {counted(questions, 'question')}"
        console.print(f"{name}: {size}: {', '.join(ids)}")
