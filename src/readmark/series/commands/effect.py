"""``readmark series effect``: what rewriting does for retrieval and reading."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import candidate_name


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
    type=candidate_name("series"),
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
    default="evidence(answer_with=phrase,encoder=false)",
    metavar="READER",
    help="Reader that answers from the retrieved text",
    type=candidate_name("comprehension"),
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
@options.metrics_option
@options.trials_option
@options.draws_option
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def effect_command(
    ctx: click.Context,
    /,
    series: str | None,
    passages: str | None,
    rewriters: tuple[str, ...],
    sittings: tuple[str, ...],
    reader: str,
    unit: str,
    background: tuple[str, ...],
    previous: str,
    metrics: tuple[str, ...],
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **mark_settings: Any,
) -> None:
    """Show the effect of rewriting on retrieval (BM25) and on reading the retrieved text.

    SERIES names passages and answers; PASSAGES is the comprehension test that contains them.
    Without both, the bundled ones are used, each language with its backgrounds. Intervals are
    by series; differences are paired, against none. Exits with status 1 if a rewriter or the
    reader failed on a question.
    """
    from readmark.formats.inputs import load
    from readmark.marking import MarkSettings
    from readmark.series.effect.rewriting_effect import rewriting_effect
    from readmark.series.effect.settings import METRICS, STRATEGIES, EffectSettings

    effect_settings = EffectSettings(
        rewriters=rewriters or STRATEGIES,
        sittings=sittings,
        reader=reader,
        metrics=metrics or METRICS,
        unit=unit,
        background=[load(test) for test in background],
        previous=previous,
        settings=MarkSettings(**mark_settings),
    )
    ticker = options.Ticker()
    try:
        with options.candidate_output_to_stderr():
            result = rewriting_effect(
                series,
                passages,
                effect_settings,
                format=from_format,
                split=split,
                progress=ticker.show,
            )
    finally:
        ticker.end()
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)
