"""``readmark mark``."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import Ticker, traffic_of, traffic_options


@click.command("mark")
@click.argument("test")
@click.argument("sitting")
@options.metrics_option
@options.by_option
@click.option("-o", "--output", metavar="MARKSHEET", help="Write a marksheet to this file.")
@click.option(
    "--people",
    multiple=True,
    metavar="SITTING",
    help="Sitting of a panel member, for comparison with people (repeatable).",
)
@options.seed_option
@options.draws_option
@options.confidence_option
@options.interval_option
@click.option(
    "--strict", is_flag=True, help="Fail if the sitting has answers to units that the test lacks."
)
@options.errors_option
@click.option("--redact", is_flag=True, help="Omit the gold answers from the marksheet.")
@click.option("--no-classes", is_flag=True, help="Skip the error-class analysis.")
@click.option(
    "--no-units",
    is_flag=True,
    help="Omit per_unit, the scores of single units, from the JSON output.",
)
@click.option(
    "--fail-under",
    multiple=True,
    metavar="METRIC=X",
    help="Exit with status 3 if the score of METRIC is under X, or with METRIC.low=X the low end "
    "of its interval (repeatable).",
)
@click.option(
    "--count-seen",
    is_flag=True,
    help="Compare the candidate with people, and let it lead tables, even if it learnt from "
    "passages of TEST.",
)
@click.option(
    "--workers",
    type=int,
    default=1,
    help="Processes that mark the parts of a test that is a folder of parts",
)
@traffic_options
@options.split_option
@options.from_option
@options.full_option
@options.format_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    /,
    test: str,
    sitting: str,
    metrics: tuple[str, ...],
    by: str | None,
    output: str | None,
    people: tuple[str, ...],
    seed: int,
    draws: int,
    confidence: float,
    interval: str,
    strict: bool,
    errors_as_wrong: bool,
    redact: bool,
    no_classes: bool,
    no_units: bool,
    fail_under: tuple[str, ...],
    count_seen: bool,
    workers: int,
    split: str | None,
    from_format: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
    **traffic: Any,
) -> None:
    """Mark a SITTING of a TEST: scores with intervals, slices, and a comparison with people.

    Prints the marks with their intervals, a line on people, and what to look at next. --full
    adds the comparison with people, the error classes and the signatures.

    SITTING is a native sitting, a dictionary of predictions {id: text}, or predictions in rows
    with an id and an answer (CSV, XLSX, JSON Lines). A missing id counts as wrong and is
    reported. Empty text is an answer, unless its evidence gives a reason for it. Error rows are
    marked as wrong and listed separately; the exit status is then 1 unless --errors-as-wrong is
    given. The options for requests apply to metrics that use a network,
    such as judge; if requests fail, the exit status is also 1.
    """
    from readmark.formats.registry import load
    from readmark.marking.mark import mark
    from readmark.marking.notes import error_words
    from readmark.marking.settings import MarkSettings

    ticker = Ticker()
    result = mark(
        load(test, format=from_format, split=split),
        sitting,
        metrics=metrics,
        by=options.fields(by),
        people=people,
        settings=MarkSettings(
            seed=seed,
            draws=draws,
            confidence=confidence,
            interval=interval,
            count_seen=count_seen,
        ),
        strict=strict,
        marksheet=output,
        redact=redact,
        classes=not no_classes,
        fail_under=fail_under,
        traffic=traffic_of(traffic),
        workers=workers,
        units=as_json and not no_units,
        watch=ticker.count,
        watch_replies=ticker.replies,
    )
    ticker.end()
    options.notify(result.notes)
    if as_json:
        options.print_json(result.as_json(units=not no_units))
    else:
        options.print_result(result, as_json=False, as_format=as_format, full=full)
    if output:
        options.notify([f"marksheet written to {output}"])
    for name, count in result.failed.items():
        message = f"answers without a reply: {count:,}; mark again to ask again"
        options.notify([f"{sitting}: {name}: {message}"])
    if result.errors and not errors_as_wrong:
        options.notify([f"{sitting}: {error_words(result.errors)}"])
    options.notify(result.unmet)
    if result.failed or (result.errors and not errors_as_wrong):
        ctx.exit(1)
    if result.unmet:
        ctx.exit(options.UNMET)
