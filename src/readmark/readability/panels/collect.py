"""``readmark panel collect``."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.core.display import ABSENT, counted, make_console, number, plain_table, span
from readmark.core.errors import DataError, UsageError
from readmark.core.files import line, require_apart, same_file, writing
from readmark.core.folders import making_folder
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.panels.collection import Collected
from readmark.readability.panels.collection import collect as collected
from readmark.readability.panels.ratings import CODES, filled_cells, read_ratings
from readmark.readability.panels.rounds import plan_file, read_plan
from readmark.readability.panels.sheets import files_of, unfinished, write_remaining
from readmark.stats.agreement.value import Agreement, Resampling


@click.command("collect")
@click.argument("test")
@click.argument("plan")
@click.argument("ratings", nargs=-1, required=True, metavar="RATINGS...")
@click.option(
    "-o",
    "--output",
    metavar="RATED",
    help="Test to write: TEST with the experts' ratings as its key.",
)
@click.option(
    "--novices", metavar="FOLDER", help="Folder to write the novices' sittings to, one per novice."
)
@click.option("--report", metavar="FILE", help="Write every finding to this file, as JSON Lines.")
@click.option(
    "--remaining",
    metavar="FOLDER",
    help="Folder to write sheets to, for rounds that are not finished.",
)
@click.option(
    "--real", is_flag=True, help="Accept any number from 1 to 5 as stars, not only whole ones."
)
@click.option(
    "--fastest",
    type=float,
    metavar="N",
    help="Words per minute above which a reading time is flagged as too short  "
    "[default: 600 words in English, 1200 characters in Chinese]",
)
@options.seed_option
@options.draws_option
@options.confidence_option
@options.from_option
@options.json_option
def collect_command(
    test: str,
    plan: str,
    ratings: tuple[str, ...],
    output: str | None,
    novices: str | None,
    report: str | None,
    remaining: str | None,
    real: bool,
    fastest: float | None,
    seed: int,
    draws: int,
    confidence: float,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Collect the RATINGS of a panel from the judges' sheets: CSV, TSV or JSON Lines.

    PLAN is plan.json or its folder. Missing and unusual ratings are reported, and nothing is
    dropped silently: ranks that contradict stars, identical ratings throughout and very fast
    reading are kept. Several files of the same judge are combined. Agreement is printed within
    each panel and between them.
    """
    from readmark.core.errors import UsageError
    from readmark.stats.agreement.value import Resampling

    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    done, late = collect(
        test,
        plan,
        ratings,
        output=output,
        novices=novices,
        report=report,
        remaining=remaining,
        real=real,
        fastest=fastest,
        resampling=Resampling(seed=seed, draws=draws, level=confidence),
        format=from_format,
    )
    if as_json:
        written = {"output": output, "novices_folder": novices, "report": report}
        options.print_json({**written, "unfinished": late, **collect_json(done)})
        return

    print_collected(done)
    if output is not None:
        options.notify(
            [f"{output}: {len(done.findings)} findings; the experts' ratings are its key"]
        )
    if remaining is not None:
        options.notify([f"{remaining}: what is left for {', '.join(late) or 'nobody'}"])


# What a panel said, in a terminal: who did how much, what is odd, how far they agree.


SHOWN = 3
"""Findings of a code that are shown; the report has them all."""
CRITERIA = 15


def print_collected(done: Collected) -> None:
    """Judges, findings, agreement, criteria."""
    console = make_console()
    console.print(
        f"{counted(done.rows, 'row')} read: {done.rated:,} of {done.expected:,} ratings are present"
    )
    table = plain_table("judge", "panel", "rated", "mean", "sd", "with panel", "with experts")
    for name, one in done.agreement.judges.items():
        table.add_row(
            name,
            one.panel,
            f"{one.rated:,}",
            number(one.mean),
            number(one.deviation),
            number(one.with_panel.value),
            number(one.with_experts.value),
        )
    console.print(table)
    console.print("with panel, with experts: correlation with the mean of the others", style="dim")
    _print_findings(console, done)
    _print_agreement(console, done)
    if done.criteria:
        criteria = plain_table("criterion", "times", "experts")
        for each in done.criteria[:CRITERIA]:
            criteria.add_row(each.text, str(each.times), ", ".join(each.experts))
        console.print(criteria)
        if len(done.criteria) > CRITERIA:
            console.print(f"… and {len(done.criteria) - CRITERIA} more; --json has them all")


def _print_findings(console: Console, done: Collected) -> None:
    counts = Counter(one.code for one in done.findings)
    for code, what in CODES.items():
        if not counts[code]:
            continue
        console.print(f"{code}: {counts[code]:,} – {what}", highlight=False)
        found = [one for one in done.findings if one.code == code]
        for one in found[:SHOWN]:
            who = f"{one.judge}: " if one.judge else ""
            where = f"{one.file}:{one.line}: " if one.file else ""
            console.print(f"  {where}{who}{one.message}", markup=False, highlight=False)
        if len(found) > SHOWN:
            console.print(f"  … and {len(found) - SHOWN} more")


def _print_agreement(console: Console, done: Collected) -> None:
    table = plain_table("agreement", "judges", "measure", "value", "interval", "n")
    reasons: list[str] = []
    for panel, within in done.agreement.panels.items():
        for one in within.measures:
            table.add_row(panel, str(len(within.judges)), *_cells(one))
            if one.reason is not None:
                reasons.append(f"{panel} {one.measure}: {one.reason}")
    between = done.agreement.between
    table.add_row("expert – novice", "means", *_cells(between))
    if between.reason is not None:
        reasons.append(f"expert – novice: {between.reason}")
    console.print(table)
    for reason in reasons:
        console.print(reason, style="dim")


def _cells(one: Agreement) -> tuple[str, str, str, str]:
    interval = span(one.low, one.high) if one.low is not None else ABSENT
    return one.measure, number(one.value), interval, f"{one.n:,}"


# Ratings of a panel collected: sheets in, a rated test and novices' sittings out.


def collect(
    test: str,
    plan: str,
    ratings: Sequence[str],
    *,
    output: str | None = None,
    novices: str | None = None,
    report: str | None = None,
    remaining: str | None = None,
    real: bool = False,
    fastest: float | None = None,
    resampling: Resampling | None = None,
    format: str | None = None,
) -> tuple[Collected, list[str]]:
    """Read, check and write whatever is named; also who has not finished."""
    if fastest is not None and not fastest > 0:
        raise UsageError(f"words a minute are more than 0, not {fastest:g}")
    for at, one in enumerate(ratings):
        if any(same_file(one, other) for other in ratings[:at]):
            raise UsageError(f"{one} is named twice")
    made = read_plan(plan)
    folder = plan_file(plan).parent
    handed_out = [folder / name for name in files_of(made)]
    require_apart([output, novices, report, remaining], [test, plan, folder, *handed_out, *ratings])
    source = open_test(test, format=format)
    returned = read_ratings(made, ratings, real=real)
    done = collected(source, made, returned, fastest=fastest, resampling=resampling)
    if output is not None and not any(one.key is not None for one in done.test.records()):
        raise DataError("no expert rated any passage: there is nothing to mark by", file=test)
    filled = filled_cells(returned)
    late = [one.name for one in made.judges if unfinished(one, filled.get(one.name, {}))]
    with contextlib.ExitStack() as stack:
        if novices is not None:
            folder = stack.enter_context(making_folder(novices))
            for sitting in done.novices:
                NATIVE_SITTING.write_sitting(sitting, folder / Path(sitting.file).name)
        if remaining is not None:
            write_remaining(source, made, filled, remaining)
        if report is not None:
            stream = stack.enter_context(writing(report))
            for finding in done.findings:
                stream.write(line(asdict(finding)))
        if output is not None:
            save_test(done.test, output)
    return done, late


def collect_json(done: Collected) -> dict[str, Any]:
    """What ``readmark panel collect --json`` prints."""
    return {
        "rows": done.rows,
        "rated": done.rated,
        "expected": done.expected,
        "novices": [one.candidate for one in done.novices],
        "counts": dict(Counter(one.code for one in done.findings)),
        "findings": [asdict(one) for one in done.findings],
        "agreement": asdict(done.agreement),
        "criteria": [asdict(one) for one in done.criteria],
    }
