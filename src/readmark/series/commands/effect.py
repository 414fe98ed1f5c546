"""``readmark series effect``."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import (
    counted,
    fitting,
    folded,
    headline,
    make_console,
    p_value,
    plain_table,
    print_signatures,
)
from readmark.marking.marks import Mark
from readmark.marking.significance import Comparison
from readmark.series.effect import Effect, Part
from readmark.stats.randomisation import least_p


@click.command("effect")
@click.argument("series", required=False)
@click.argument("passages", required=False)
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to test (repeatable)  [default: none, append, guided and gold]",
)
@click.option(
    "-s",
    "--sitting",
    "sittings",
    multiple=True,
    metavar="SITTING",
    help="Sitting whose rewrites are also tested (repeatable).",
)
@click.option(
    "-r",
    "--reader",
    default="evidence(answer_with=phrase)",
    metavar="READER",
    help="Reader that answers from the retrieved text",
)
@click.option(
    "--unit",
    type=click.Choice(["passage", "paragraph", "sentence"]),
    default="passage",
    help="Unit of text to retrieve",
)
@click.option(
    "--background",
    multiple=True,
    metavar="TEST",
    help="Test with additional passages to search (repeatable).",
)
@click.option(
    "--previous",
    type=click.Choice(["known", "none"]),
    default="known",
    help="Replacement for PREVIOUS_ANSWER: the answer known to the series, or nothing",
)
@click.option("--k1", type=float, default=1.2, help="BM25's parameter k1")
@click.option("--b", type=float, default=0.75, help="BM25's parameter b")
@options.metrics_option
@options.trials_option
@options.draws_option
@options.confidence_option
@options.paired_interval_option
@options.seed_option
@options.from_option
@options.json_option
@click.pass_context
def effect_command(
    ctx: click.Context,
    series: str | None,
    passages: str | None,
    rewriters: tuple[str, ...],
    sittings: tuple[str, ...],
    reader: str,
    unit: str,
    background: tuple[str, ...],
    previous: str,
    k1: float,
    b: float,
    metrics: tuple[str, ...],
    trials: int,
    draws: int,
    confidence: float,
    interval: str,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Show the effect of rewriting on retrieval (BM25) and on reading the retrieved text.

    SERIES names passages and answers; PASSAGES is the comprehension test that contains them.
    Without both, the bundled ones are used, each language with its backgrounds. Intervals are
    by series; differences are paired, against none. Exits with status 1 if a rewriter or the
    reader failed on a question.
    """
    from readmark.console import stdout_kept_for_the_result
    from readmark.core.errors import UsageError
    from readmark.formats.registry import load
    from readmark.marking.marks import Settings
    from readmark.series.effect import METRICS, STRATEGIES, Asking, bundled_effects, series_effect

    if series is not None and passages is None:
        raise UsageError(f"{series} needs the test that has its passages: effect SERIES PASSAGES")
    if series is None and sittings:
        raise UsageError("--sitting needs the series that it is of: effect SERIES PASSAGES")
    how = Asking(
        rewriters=rewriters or STRATEGIES,
        sittings=sittings,
        reader=reader,
        metrics=metrics or METRICS,
        unit=unit,
        background=[load(one) for one in background],
        previous=previous,
        k1=k1,
        b=b,
        settings=Settings(
            seed=seed, draws=draws, trials=trials, confidence=confidence, interval=interval
        ),
    )
    ticker = Ticker()
    try:
        with stdout_kept_for_the_result():
            if series is None or passages is None:
                found = bundled_effects(how, watch=ticker.show)
            else:
                both = load(series, format=from_format), load(passages)
                found = [series_effect(*both, how, watch=ticker.show)]
    finally:
        ticker.end()
    for one in found:
        options.notify(f"{one.series}: {said}" for said in one.notes)
    if as_json:
        options.print_json({"effects": [one.as_json() for one in found]})
    else:
        print_effects(found)
    if any(one.failed for one in found):
        ctx.exit(1)


# What rewriting does to retrieval and reading, in a terminal: a table a component.


NAME = 24
"""The most columns of a strategy's name."""
STRATEGY = "strategy"
CELL = len("+0.000 (p 0.0000)")


def print_effects(found: Sequence[Effect]) -> None:
    """Every series test apart: languages have no mark in common."""
    console = make_console()
    for at, one in enumerate(found):
        if at:
            console.print()
        _print(console, one)


def _print(console: Console, one: Effect) -> None:
    left = f", {one.left_out} without an answer in a known passage left out" if one.left_out else ""
    size = f"{counted(one.questions, 'question')} in {counted(one.clusters, 'series')}{left}"
    _say(console, headline("rewriting", " of ", one.series, f": {size}"))
    more = f", {counted(one.background, 'passage')} of background among them" * bool(one.background)
    console.print(f"retrieval of {one.unit}s: {one.searched:,} ranked{more}", style="bold")
    _print_part(console, one.retrieval)
    console.print(f"reading what was retrieved, by {one.reader}", style="bold")
    _print_part(console, one.retrieved)
    console.print(f"reading the right passage, by {one.reader}", style="bold")
    _print_part(console, one.right)
    adjusted = ", Holm-adjusted" if len(one.strategies) > 2 else ""
    first = one.strategies[0]
    under = f"under a mark its interval, then the difference from {first} with its p{adjusted}"
    _say(console, Text(under, "dim"))
    notes = {
        note: None
        for part in (one.retrieval, one.retrieved, one.right)
        for against in part.differences.values()
        for difference in against.values()
        if (note := difference.interval_note)
    }
    for note in notes:
        _say(console, Text(note, "dim"))
    least = least_p(one.clusters)
    if least >= 0.01:
        few = f"{counted(one.clusters, 'series')} can give no p much below {least:.3f}"
        _say(console, Text(f"{few}, before adjustment", "dim"))
    for part in (one.retrieval, one.retrieved):
        marks = part.marks[first]
        print_signatures(console, {name: mark.signature for name, mark in marks.items()})


def _say(console: Console, text: Text) -> None:
    """A text over as many lines as it needs, none with a blank at its end."""
    for line in text.wrap(console, console.width):
        line.rstrip()
        console.print(line)


def _print_part(console: Console, part: Part) -> None:
    widest = min(NAME, max(map(cell_len, (*part.marks, STRATEGY))))
    room = console.width - widest
    for shown in fitting(part.metrics, room, least=CELL):
        table = plain_table(STRATEGY, *shown)
        for name, marks in part.marks.items():
            against = part.differences.get(name, {})
            cells = [_cell(marks[metric], against.get(metric)) for metric in shown]
            table.add_row(folded(name, NAME), *cells)
        console.print(table)


def _cell(mark: Mark, against: Comparison | None) -> Text:
    places = 3 if mark.scale == 1 else 2
    said = Text("–" if mark.score is None else f"{mark.score:.{places}f}", "bold")
    if mark.low is not None and mark.high is not None:
        said.append(f"\n{mark.low:.{places}f}–{mark.high:.{places}f}", "not bold dim")
    if against is not None and against.difference is not None:
        p = p_value(against.decisive_p)
        less = round(against.difference, places) + 0.0
        said.append(f"\n{less:+.{places}f} (p {p})", "not bold")
    return said
