"""``readmark set screen``."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.outputs import require_apart


def _show_config(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from readmark.setting.screening.config import default_config

        click.echo(default_config(), nl=False)
        ctx.exit()


@click.command("screen")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="OUT", help="The kept passages, a test.")
@click.option(
    "--report",
    metavar="FILE",
    help="A line for every passage; OUT with the suffix .screening.jsonl if absent.",
)
@click.option("--discarded", metavar="FILE", help="The discarded passages, a test as well.")
@click.option(
    "--to", "to_format", metavar="FORMAT", help="The format of both; by their suffixes if absent."
)
@click.option("--form", metavar="FILE", help="A CSV file for a person to decide on each passage.")
@click.option("--config", metavar="FILE", help="Checks and thresholds, over those that ship.")
@click.option(
    "--decisions",
    multiple=True,
    metavar="FILE",
    help="A person's decisions, JSON Lines or CSV; may be repeated.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that look at passages.",
)
@click.option(
    "--show-config",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_config,
    help="Print the checks and thresholds that ship, and exit.",
)
@options.from_option
@options.json_option
def screen_command(
    test: str,
    output: str,
    report: str | None,
    discarded: str | None,
    to_format: str | None,
    form: str | None,
    config: str | None,
    decisions: tuple[str, ...],
    workers: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Keep the passages of a TEST that are fit for reading questions; list the others.

    OUT has the kept passages with their questions. The report has every passage with what each
    check measured, what people decided, and the reasons. People's decisions go before the rules'.
    """
    from readmark.corpus.formats import format_for, open_test
    from readmark.setting.screening.config import load_config
    from readmark.setting.screening.decisions import Decisions
    from readmark.setting.screening.screen import screen

    report = report or report_beside(output)
    inputs = [test, *decisions, *([config] if config is not None else [])]
    require_apart([output, report, discarded, form], inputs)
    checks = load_config(config)
    source = open_test(test, format=from_format)
    format, other = (
        to_format or (format_for(Path(one), source) if one is not None else "native")
        for one in (output, discarded)
    )
    ticker = Ticker()
    began = time.monotonic()
    total = source.facts.records if sys.stderr.isatty() else 0

    def watch(done: int) -> None:
        if total:
            from readmark.sitting.runner import Progress

            ticker.show(Progress(total, 0, done, 0, time.monotonic() - began))

    try:
        done = screen(
            source,
            output,
            report,
            config=checks,
            decisions=Decisions(decisions),
            discarded=discarded,
            form=form,
            formats=(format, other),
            workers=workers,
            watch=watch,
        )
    finally:
        ticker.end()
    if as_json:
        files = {"report": report, "discarded_file": discarded, "form": form}
        options.print_json({"output": output, "format": format, **files, **asdict(done)})
        return
    from readmark.reporting.screening import print_screening

    options.say(done.lost)
    print_screening(done)
    options.say([f"{report}: every passage with its reasons"])
    if not done.kept:
        options.say([f"{output}: no passage was kept"])


def report_beside(output: str) -> str:
    """Where the report goes when nobody says: beside OUT."""
    path = Path(output)
    name = path.name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return str(path.with_name(f"{name}.screening.jsonl"))
