"""``readmark people``."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.marking import MarkSettings


@click.command("people")
@click.argument("test")
@click.argument("sittings", nargs=-1, metavar="[SITTING...]")
@options.metrics_option
@options.by_option
@click.option(
    "-o", "--output", metavar="MARKSHEET", help="Write a marksheet to this file.", type=OUTPUT_FILE
)
@options.settings_option(
    MarkSettings, "redact", help="Omit what people answered from the marksheet."
)
@options.seed_option
@options.draws_option
@options.confidence_option
@options.paired_interval_option
@options.split_option
@options.from_option
@options.full_option
@options.format_option
@options.json_option
def people_command(
    test: str,
    sittings: tuple[str, ...],
    by: str | None,
    output: str | None,
    split: str | None,
    from_format: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
    **fields: Any,
) -> None:
    """Measure how well people do on a TEST, from the key's answers or from people's SITTINGs.

    Without SITTINGs, each person's answers in the key are marked against everybody else's
    (leave-one-out), and the scores are averaged; questions with answers from fewer than two people
    are skipped and counted. SITTINGs are a panel's, marked against the whole key.
    """
    from readmark.formats.inputs import load
    from readmark.marking import people

    result = people(
        load(test, format=from_format, split=split),
        *sittings,
        settings=MarkSettings(by=options.fields(by), **fields),
        marksheet=output,
    )
    options.notify(result.notes)
    options.print_result(result, as_json=as_json, as_format=as_format, full=full)
    if output:
        options.notify([f"marksheet written to {output}"])
