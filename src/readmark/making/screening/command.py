"""``readmark set screen``: which passages of a test are fit to ask about."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.formats.registry import open_test
from readmark.making.screening.config import default_config
from readmark.making.screening.screen import screen


def _show_config(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(default_config(), nl=False)
        ctx.exit()


@click.command("screen")
@click.argument("test")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Test to write, with the retained passages.",
    type=OUTPUT_FILE,
)
@click.option(
    "--report",
    metavar="FILE",
    help="Report to write, one line per passage  [default: OUT with the suffix .screening.jsonl]",
    type=OUTPUT_FILE,
)
@click.option(
    "--discarded",
    metavar="FILE",
    help="Test to write, with the discarded passages.",
    type=OUTPUT_FILE,
)
@click.option(
    "--to",
    "format",
    metavar="FORMAT",
    help="Format of OUT and --discarded  [default: detected from their suffixes]",
)
@click.option(
    "--form",
    metavar="FILE",
    help="CSV form to write, for a person to decide on each passage.",
    type=OUTPUT_FILE,
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    help="Apply the checks of one document only, cmrc or smart, or those that a TOML file "
    "changes  [default: all checks]",
)
@click.option(
    "--decisions",
    multiple=True,
    metavar="FILE",
    help="People's decisions as JSON Lines or CSV (repeatable).",
)
@options.workers_option
@options.engine_option
@click.option(
    "--show-config",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_config,
    help="Print the built-in checks and thresholds, then exit.",
)
@options.split_option
@options.from_option
@options.json_option
def screen_command(
    test: str, output: str, split: str | None, from_format: str | None, as_json: bool, **how: Any
) -> None:
    """Select the passages of a TEST that are suitable for reading questions.

    OUT has the retained passages with their questions. The report lists every passage with the
    measurements of each check, people's decisions, and the reasons. People's decisions take
    precedence over the rules.
    """
    source = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        progress = ticker.count if ticker.is_terminal else None
        screening = screen(source, output, progress=progress, **how)
    options.print_result(screening, as_json=as_json)
    if not as_json:
        options.notify(screening.notes)
