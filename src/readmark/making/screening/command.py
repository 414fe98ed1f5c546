"""A screening as a table for a terminal: checks, what each discarded, and how people agree."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import ABSENT, counted, make_console, number, plain_table, some
from readmark.core.files import require_apart
from readmark.making.screening.report import CheckTally, Pairwise, Screening

# ``readmark set screen``.


def _show_config(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from readmark.making.screening.checks import default_config

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
)
@click.option(
    "--report",
    metavar="FILE",
    help="Report to write, one line per passage  [default: OUT with the suffix .screening.jsonl]",
)
@click.option("--discarded", metavar="FILE", help="Test to write, with the discarded passages.")
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format of OUT and --discarded  [default: detected from their suffixes]",
)
@click.option(
    "--form", metavar="FILE", help="CSV form to write, for a person to decide on each passage."
)
@click.option(
    "--config", metavar="FILE", help="TOML file that overrides the built-in checks and thresholds."
)
@click.option(
    "--decisions",
    multiple=True,
    metavar="FILE",
    help="People's decisions as JSON Lines or CSV (repeatable).",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    help="Worker processes",
)
@click.option(
    "--show-config",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_config,
    help="Print the built-in checks and thresholds, then exit.",
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
    """Select the passages of a TEST that are suitable for reading questions.

    OUT has the retained passages with their questions. The report lists every passage with the
    measurements of each check, people's decisions, and the reasons. People's decisions take
    precedence over the rules.
    """
    from readmark.formats.registry import format_for, open_test
    from readmark.formats.returned_work import Decisions
    from readmark.making.screening.checks import load_config
    from readmark.making.screening.screen import screen

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

    options.notify(done.lost)
    print_screening(done)
    options.notify([f"{report}: every passage with its reasons"])
    if not done.kept:
        options.notify([f"{output}: no passage was kept"])


def report_beside(output: str) -> str:
    """Where the report goes when nobody says: beside OUT."""
    path = Path(output)
    name = path.name
    for suffix in (".gz", ".zst", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return str(path.with_name(f"{name}.screening.jsonl"))


def print_screening(done: Screening) -> None:
    """How many passages were kept, which checks discarded the others, and people's part."""
    console = make_console()
    console.print(
        f"{counted(done.passages, 'passage')}: {done.kept:,} kept, {done.discarded:,} discarded"
        + _questions(done)
    )
    table = plain_table("check", "threshold", "discards", "of all", "alone")
    for name, tally in done.checks.items():
        share = f"{100 * tally.discarded / done.passages:.1f}%" if done.passages else ABSENT
        table.add_row(name, _threshold(tally), f"{tally.discarded:,}", share, f"{tally.alone:,}")
    console.print(table)
    if done.people:
        _print_people(done)


def _print_people(done: Screening) -> None:
    console = make_console()
    for person, votes in done.people.items():
        console.print(f"{person}: {votes['keep']:,} to keep, {votes['discard']:,} to discard")
    console.print(f"people against the rules: {counted(done.overruled, 'passage')}")
    if done.undecided:
        console.print(f"people divided, kept until somebody decides: {some(done.undecided)}")
    table = plain_table("agreement", "passages", "percent", "kappa")
    for one in done.agreement:
        table.add_row(f"{one.a} – {one.b}", f"{one.passages:,}", _percent(one), number(one.kappa))
    console.print(table)
    for one in done.agreement:
        if one.reason is not None:
            console.print(f"kappa of {one.a} – {one.b}: {one.reason}", style="dim")


def _questions(done: Screening) -> str:
    if not done.questions_kept and not done.questions_discarded:
        return ""
    return f" (questions: {done.questions_kept:,} and {done.questions_discarded:,})"


def _percent(one: Pairwise) -> str:
    return ABSENT if one.percent is None else f"{one.percent:.1f}%"


def _threshold(tally: CheckTally) -> str:
    if isinstance(tally.threshold, list):
        return "–".join(f"{bound:g}" for bound in tally.threshold)
    return ABSENT if tally.threshold is None else f"{tally.threshold:g}"
