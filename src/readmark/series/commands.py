"""``readmark series``: what is particular to question series.

Heavy modules are imported when a verb runs.
"""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import METRIC_NAME, OUTPUT_FILE, candidate_name
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.series_commands")


@click.group("series", cls=options.CommandGroup, registry=VERBS)
def series_command() -> None:
    """Ask, compare and tune rewriters, which make each question of a series stand alone.

    Rewriting is readmark sit SERIES -r REWRITER, and marking is readmark mark.
    """


@click.command("table")
@click.argument("series")
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to mark in addition to none and append (repeatable).",
    type=candidate_name("series"),
)
@click.option(
    "-s",
    "--sitting",
    "sittings",
    multiple=True,
    metavar="SITTING",
    help="Sitting whose rewrites are also marked (repeatable).",
)
@options.metrics_option
@click.option(
    "--variant",
    type=click.Choice(["standard", "simmetrics"]),
    default="standard",
    help="Definitions of the metrics, if no --metric is given",
)
@click.option(
    "--pairs",
    type=click.Choice(["sliding", "disjoint"]),
    default="sliding",
    help="Where pairs and triples of words begin, if no --metric is given: at each word, or "
    "where the one before ended",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def table_command(
    ctx: click.Context,
    /,
    series: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Mark the strategies none, append, gold and any REWRITER with every metric and weighting.

    The tables are those of the question series document; gaps are recomputed from the columns.
    With --metric, there is one table of the given metrics. Exits with status 1 if a rewriter
    failed on a question.
    """
    from readmark.formats.inputs import load
    from readmark.series.tables import strategy_tables

    with options.candidate_output_to_stderr():
        result = strategy_tables(load(series, format=from_format, split=split), **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)


@click.command("worst")
@click.argument("series")
@click.argument("sitting")
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    help="Metric that ranks the rewrites  [default: jaccard]",
    type=METRIC_NAME,
)
@click.option("--show", type=int, default=10, help="Number of rewrites to show")
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot the distribution of scores to this file, .svg or .png.",
    type=OUTPUT_FILE,
)
@click.option(
    "--baseline",
    metavar="SITTING",
    help="Earlier sitting to compare with; lists what got worse, and exits with status "
    "1 if anything did.",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def worst_command(
    ctx: click.Context,
    /,
    series: str,
    sitting: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Show the worst rewrites of a SITTING with target, question, gold and every metric.

    Rewrites are grouped by error: wrong antecedent, over-expansion, missing target, grammar.
    --json lists every question that is not perfect. Exits with status 1 if a rewrite is an
    error.
    """
    from readmark.formats.inputs import load
    from readmark.series.worst import worst_rewrites

    test = load(series, format=from_format, split=split)
    result = worst_rewrites(test, sitting, **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.worse or result.errors:
        ctx.exit(1)


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
    **settings: Any,
) -> None:
    """Show the effect of rewriting on retrieval (BM25) and on reading the retrieved text.

    SERIES names passages and answers; PASSAGES is the comprehension test that contains them.
    Without both, the bundled ones are used, each language with its backgrounds. Intervals are
    by series; differences are paired, against none. Exits with status 1 if a rewriter or the
    reader failed on a question.
    """
    from readmark.formats.inputs import load
    from readmark.marking import MarkSettings
    from readmark.series.effect import METRICS, STRATEGIES, EffectSettings, rewriting_effect

    how = EffectSettings(
        rewriters=rewriters or STRATEGIES,
        sittings=sittings,
        reader=reader,
        metrics=metrics or METRICS,
        unit=unit,
        background=[load(one) for one in background],
        previous=previous,
        settings=MarkSettings(**settings),
    )
    ticker = options.Ticker()
    try:
        with options.candidate_output_to_stderr():
            result = rewriting_effect(
                series, passages, how, format=from_format, split=split, progress=ticker.show
            )
    finally:
        ticker.end()
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)


@click.command("tune")
@click.argument("series")
@click.argument("sittings", nargs=-1, metavar="[SITTING...]")
@click.option(
    "-m",
    "--metric",
    default="jaccard",
    metavar="METRIC",
    help="Metric whose weights are searched: jaccard, dice, cosine or block",
    type=METRIC_NAME,
)
@click.option("--most", type=int, default=5, help="Largest whole-number weight to try")
@click.option(
    "--real", is_flag=True, help="Search real weights that sum to 1, sampled with --seed."
)
@click.option(
    "--order-cost",
    type=float,
    default=0.1,
    help="Minimum average loss of score that a changed word order must cause",
)
@click.option(
    "--judgements",
    metavar="FILE",
    help="Table with people's scores of SITTING's rewrites: id and score.",
)
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def tune_command(
    ctx: click.Context,
    /,
    series: str,
    sittings: tuple[str, ...],
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Search the weights u, b and t with the largest gap between two SITTINGs, the worse one first.

    Without SITTINGs, the gap is that of append over none. One half of the series is searched;
    the other half is only reported. With --judgements, weights are fitted to people's scores of
    one SITTING instead, and the correlation is measured on the other half. Exits with status 1
    if no weighting meets the requirements or a rewrite is an error.
    """
    from readmark.core.errors import UsageError
    from readmark.formats.inputs import load
    from readmark.series.weight_search import tune_weights

    if settings["judgements"] is not None:
        given = [name for name in ("most", "real", "order_cost") if _was_given(ctx, name)]
        if given:
            named = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise UsageError(f"{named} is for a search of weights, not for --judgements")
    if settings["real"] and _was_given(ctx, "most"):
        raise UsageError("--most is for whole weights, not for --real")
    test = load(series, format=from_format, split=split)
    result = tune_weights(test, sittings, **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)


def _was_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
