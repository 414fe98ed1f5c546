"""``readmark series effect``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker


@click.command("effect")
@click.argument("series", required=False)
@click.argument("passages", required=False)
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="none, append, guided and gold when absent; may be repeated.",
)
@click.option(
    "-s",
    "--sitting",
    "sittings",
    multiple=True,
    metavar="SITTING",
    help="The rewrites of a sitting beside them; may be repeated.",
)
@click.option(
    "-r",
    "--reader",
    default="evidence(answer_with=phrase)",
    show_default=True,
    metavar="READER",
    help="Who reads.",
)
@click.option(
    "--unit",
    type=click.Choice(["passage", "paragraph", "sentence"]),
    default="passage",
    show_default=True,
    help="What is ranked.",
)
@click.option(
    "--background",
    multiple=True,
    metavar="TEST",
    help="More passages to search among; may be repeated.",
)
@click.option(
    "--previous",
    type=click.Choice(["known", "none"]),
    default="known",
    show_default=True,
    help="What PREVIOUS_ANSWER becomes: the answer that the series knows, or nothing.",
)
@click.option("--k1", type=float, default=1.2, show_default=True, help="BM25's k1.")
@click.option("--b", type=float, default=0.75, show_default=True, help="BM25's b.")
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
    """Show what rewriting does to retrieval (BM25) and to reading what was retrieved.

    SERIES names passages and answers, PASSAGES is the comprehension test that has them; without
    both the bundled ones are taken, a language at a time, each with the backgrounds in it.
    Intervals are by series, differences are paired, against none. Exit 1 when a rewriter or the
    reader failed on a question.
    """
    from readmark.cli.sit import stdout_kept_for_the_result
    from readmark.corpus.errors import UsageError
    from readmark.marking.settings import Settings
    from readmark.workflows import api
    from readmark.workflows.series_effect import (
        METRICS,
        STRATEGIES,
        Asking,
        bundled_effects,
        series_effect,
    )

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
        background=[api.load(one) for one in background],
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
                both = api.load(series, format=from_format), api.load(passages)
                found = [series_effect(*both, how, watch=ticker.show)]
    finally:
        ticker.end()
    for one in found:
        options.say(f"{one.series}: {said}" for said in one.notes)
    if as_json:
        options.print_json({"effects": [one.as_json() for one in found]})
    else:
        from readmark.reporting.series_effect import print_effects

        print_effects(found)
    if any(one.failed for one in found):
        ctx.exit(1)
