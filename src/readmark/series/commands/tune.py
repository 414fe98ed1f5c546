"""``readmark series tune``."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console

from readmark import console as options
from readmark.core.display import counted, headline, make_console, plain_table
from readmark.series.commands.table import difference, score
from readmark.series.weights import Correlations, Fit, Halves, Tuned, Weighting


@click.command("tune")
@click.argument("series")
@click.argument("sittings", nargs=-1, metavar="[SITTING...]")
@click.option(
    "-m",
    "--metric",
    default="jaccard",
    metavar="METRIC",
    help="Metric whose weights are searched: jaccard, dice, cosine or block",
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
@options.from_option
@options.json_option
@click.pass_context
def tune_command(
    ctx: click.Context,
    series: str,
    sittings: tuple[str, ...],
    metric: str,
    most: int,
    real: bool,
    order_cost: float,
    judgements: str | None,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Search the weights u, b and t with the largest gap between two SITTINGs, the worse one first.

    Without SITTINGs, the gap is that of append over none. One half of the series is searched;
    the other half is only reported. With --judgements, weights are fitted to people's scores of
    one SITTING instead, and the correlation is measured on the other half. Exits with status 1
    if no weighting meets the requirements or a rewrite is an error.
    """
    from readmark.core.errors import UsageError
    from readmark.formats.registry import load
    from readmark.series.weight_search import fit_judgements, search_weights

    if judgements is not None:
        given = [name for name in ("most", "real", "order_cost") if _was_given(ctx, name)]
        if given:
            named = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise UsageError(f"{named} is for a search of weights, not for --judgements")
    if real and _was_given(ctx, "most"):
        raise UsageError("--most is for whole weights, not for --real")
    loaded = load(series, format=from_format)
    if judgements is not None:
        fitted = fit_judgements(loaded, sittings, judgements, metric=metric, seed=seed)
        options.notify(fitted.notes)
        if as_json:
            options.print_json(fitted.as_json())
        else:
            print_fit(fitted)
        if fitted.errors:
            ctx.exit(1)
        return
    tuned = search_weights(
        loaded, sittings, metric=metric, most=most, real=real, order_cost=order_cost, seed=seed
    )
    options.notify(tuned.notes)
    if as_json:
        options.print_json(tuned.as_json())
    else:
        print_tuned(tuned)
    if tuned.errors or not tuned.found:
        ctx.exit(1)


def _was_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


# Tuned weights in a terminal, with the halves they were found and reported on.


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
