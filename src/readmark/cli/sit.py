"""``readmark sit``."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS, candidate_name, settings_option
from readmark.core.errors import UsageError
from readmark.sitting import PlanSettings


@click.command("sit")
@click.argument("test")
@click.option(
    "-r",
    "--candidate",
    required=True,
    metavar="CANDIDATE",
    help="Candidate, such as span or llm(model=M). `readmark list candidates` shows all.",
)
@click.option(
    "-o",
    "--output",
    metavar="SITTING",
    help="Sitting to write or resume; DIR/ for a TEST in parts, - for stdout.",
    type=OUTPUT_FILE,
)
@settings_option(PlanSettings, "name", metavar="NAME", type=WORDS)
@settings_option(PlanSettings, "limit", metavar="N")
@settings_option(PlanSettings, "repeats", metavar="N")
@settings_option(PlanSettings, "without", metavar="PART")
@settings_option(PlanSettings, "cross", metavar="Q-P")
@settings_option(PlanSettings, "questions", "--with", metavar="TEST2")
@settings_option(PlanSettings, "rewrite", metavar="REWRITER", type=candidate_name("series"))
@settings_option(PlanSettings, "shuffle_options", metavar="SEED")
@settings_option(PlanSettings, "transforms", "--transform", metavar="NAME")
@settings_option(PlanSettings, "unit_timeout", metavar="SECONDS")
@settings_option(PlanSettings, "workers", metavar="N")
@options.engine_option
@options.traffic_options
@click.option(
    "--plan",
    "plan_only",
    is_flag=True,
    help="Estimate units, tokens and cost; ask nothing.",
)
@settings_option(PlanSettings, "probe", metavar="N")
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def sit_command(
    ctx: click.Context,
    /,
    test: str,
    candidate: str,
    output: str | None,
    plan_only: bool,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Let a CANDIDATE sit a TEST and write its answers to SITTING.

    Each answer is saved before the next question is asked. If SITTING exists, it is resumed:
    answers are kept, and errors are tried again. Exits with status 1 if errors remain.
    """
    from readmark.formats.inputs import load
    from readmark.sitting import is_stream, plan, plan_outcome, sit

    settings = PlanSettings(traffic=options.take_traffic(fields), **fields)
    if output is None and not plan_only:
        raise click.UsageError("Missing option '-o' / '--output'.")
    if settings.probe is not None and not plan_only:
        raise UsageError("--probe goes with --plan")
    source = load(test, format=from_format, split=split)
    printed: list[str] = []

    def tell(message: str) -> None:
        printed.append(message)
        options.notify([message])

    if output is None or plan_only:
        with options.candidate_output_to_stderr():
            planned = plan(source, candidate, output, settings, tell=tell)
        options.notify(note for note in planned.notes if note not in printed)
        options.print_result(planned, as_json=as_json)
        ctx.exit(1 if planned.errors else 0)
    started = time.monotonic()
    with options.Ticker() as ticker, options.candidate_output_to_stderr():
        done = sit(source, candidate, output, settings, watch=ticker.show, tell=tell)
    seconds = time.monotonic() - started
    options.notify(note for note in done.notes if note not in printed)
    compared = None if is_stream(output) else plan_outcome(output, done, seconds)
    if as_json:
        plan_kept = {} if compared is None else {"plan": asdict(compared)}
        options.print_json({**done.as_json(), **plan_kept})
    else:
        options.print_written(done, as_json=False)
        if compared is not None:
            options.notify([f"{output}: {compared.words}"])
    if done.errors:
        if not is_stream(output):
            options.notify([f"{output}: run the command again to retry the error rows"])
        ctx.exit(1)
