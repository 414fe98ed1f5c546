"""``readmark mark``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from readmark import console as options
from readmark.console import Ticker, traffic_of, traffic_options
from readmark.core.streams import is_standard


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

    Of a file that holds two sides both are marked: with SITTING run.jsonl, run.en.jsonl and
    run.zh.jsonl, as readmark sit writes them.
    """
    from readmark.formats.registry import load
    from readmark.marking.mark import mark
    from readmark.marking.notes import error_words
    from readmark.marking.settings import MarkSettings

    one = is_standard(sitting) or Path(sitting).exists()  # of which side must be said
    sides = [] if one else options.two_sides(test, from_format)
    if sides:
        one_side = {"people": people, "format csv": as_format == "csv"}
        options.require_side(test, one_side, *one_side)
    found: dict[str, Any] = {}
    failed = unmet = False
    for side, format in sides or [("", from_format)]:
        answers = options.of_side(sitting, side) if side else sitting
        marksheet = options.of_side(output, side) if side and output else output
        ticker = Ticker()
        result = mark(
            load(test, format=format, split=split),
            answers,
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
            marksheet=marksheet,
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
            found[side] = result.as_json(units=not no_units)
        else:
            options.print_side(side, result, as_format=as_format, full=full)
        if marksheet:
            options.notify([f"marksheet written to {marksheet}"])
        for name, many in result.failed.items():
            said = f"answers without a reply: {many:,}; mark again to ask again"
            options.notify([f"{answers}: {name}: {said}"])
        if result.errors and not errors_as_wrong:
            options.notify([f"{answers}: {error_words(result.errors)}"])
        options.notify(result.unmet)
        failed |= bool(result.failed or (result.errors and not errors_as_wrong))
        unmet |= bool(result.unmet)
    if as_json:
        options.print_json({"sides": found} if sides else found[""])
    if failed:
        ctx.exit(1)
    if unmet:
        ctx.exit(options.UNMET)
