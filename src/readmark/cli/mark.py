"""``readmark mark``."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, settings_option
from readmark.marking import MarkSettings


@click.command("mark")
@click.argument("test")
@click.argument("sitting")
@options.metrics_option
@options.by_option
@click.option(
    "-o", "--output", metavar="MARKSHEET", help="Write a marksheet to this file.", type=OUTPUT_FILE
)
@settings_option(MarkSettings, "people", metavar="SITTING")
@options.seed_option
@options.draws_option
@options.confidence_option
@options.interval_option
@settings_option(MarkSettings, "strict")
@options.errors_option
@settings_option(MarkSettings, "redact")
@click.option(
    "--no-classes",
    is_flag=True,
    help="Skip the analysis of errors: their classes, and which slices stand out.",
)
@click.option(
    "--no-units",
    is_flag=True,
    help="Omit per_unit, the scores of single units, from the JSON output.",
)
@settings_option(
    MarkSettings,
    "fail_under",
    metavar="METRIC=X",
    help="Exit with status 3 if the score of METRIC is under X, or with METRIC.low=X the low end "
    "of its interval (repeatable).",
)
@settings_option(MarkSettings, "count_seen")
@settings_option(MarkSettings, "workers", metavar="N")
@options.traffic_options
@options.split_option
@options.from_option
@options.plot_option
@options.full_option
@options.format_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    /,
    test: str,
    sitting: str,
    by: str | None,
    output: str | None,
    errors_as_wrong: bool,
    no_classes: bool,
    no_units: bool,
    split: str | None,
    from_format: str | None,
    plot: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
    **fields: Any,
) -> None:
    """Mark a SITTING of a TEST: scores with intervals, slices, and a comparison with people.

    Prints the scores with their intervals, a line on people, and what to look at next. --full
    adds the comparison with people, the error classes and the signatures.

    SITTING is a native sitting, a dictionary of predictions {id: text}, or predictions in rows
    with an id and an answer (CSV, XLSX, JSON Lines). A missing id counts as wrong and is
    reported. Empty text is an answer, unless its evidence gives a reason for it. Error rows are
    marked as wrong and listed separately; the exit status is then 1, unless --errors-as-wrong is
    given. --parallel, --max-cost and --cache apply to metrics that use a network, such as judge;
    if requests fail, the exit status is 1 too.
    """
    from readmark.core.error_rows import listed_errors
    from readmark.formats.inputs import load
    from readmark.marking import mark

    settings = MarkSettings(
        by=options.fields(by),
        classes=not no_classes,
        units=as_json and not no_units,
        traffic=options.take_traffic(fields),
        **fields,
    )
    options.require_plot(plot, test, sitting, output, *fields["people"])
    source = load(test, format=from_format, split=split)
    with options.Ticker() as ticker:
        marks = mark(
            source,
            sitting,
            settings,
            marksheet=output,
            watch=ticker.count,
            watch_replies=ticker.replies,
        )
    options.notify(marks.notes)
    if as_json:
        options.print_json(marks.as_json(units=not no_units))
    else:
        options.print_result(marks, as_json=False, as_format=as_format, full=full)
    if output:
        options.notify([f"marksheet written to {output}"])
    if plot is not None:
        marks.plot().save(plot)
        options.notify([f"{plot} written"])
    for name, count in marks.scores.failed.items():
        message = f"answers without a reply: {count:,}; run the command again to retry them"
        options.notify([f"{sitting}: {name}: {message}"])
    has_errors = bool(marks.coverage.errors) and not errors_as_wrong
    if has_errors:
        options.notify([f"{sitting}: {listed_errors(marks.coverage.errors)}"])
    options.notify(marks.scores.unmet)
    if marks.scores.failed or has_errors:
        ctx.exit(1)
    if marks.scores.unmet:
        ctx.exit(options.UNMET)
