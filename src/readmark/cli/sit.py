"""``readmark sit``."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import click

from readmark import console as options
from readmark.console import (
    Ticker,
    candidate_output_to_stderr,
    traffic_of,
    traffic_options,
)
from readmark.core.errors import UsageError


@click.command("sit")
@click.argument("test")
@click.option(
    "-r",
    "--candidate",
    required=True,
    metavar="CANDIDATE",
    help="Candidate that sits the test, such as lead or keyed(file=F). `readmark "
    "list candidates` shows all.",
)
@click.option(
    "-o",
    "--output",
    metavar="SITTING",
    help="Sitting to write. If it exists, the run resumes. A folder, such as run/, gets a file for "
    "each part of a TEST in parts. - streams the rows to stdout. Required unless --plan is given.",
)
@click.option(
    "--plan",
    "plan_only",
    is_flag=True,
    help="Print how many units are left to answer, with an estimate of tokens and cost where the "
    "candidate sends requests. Nothing is asked or written without --probe.",
)
@click.option(
    "--probe",
    type=int,
    metavar="N",
    help="With --plan, sit the first N units that are left, and predict time, memory and money of "
    "the rest. The answers are kept in SITTING.",
)
@click.option(
    "--hour-price",
    type=float,
    metavar="X",
    help="With --plan, price of an hour of one worker  [default: none]",
)
@click.option(
    "--workers",
    type=int,
    help="Worker processes  [default: 1; with --engine ray, as many as the cluster has room for]",
)
@options.engine_options
@click.option("--gpus", type=float, help="GPUs for each worker on Ray  [default: 0]")
@click.option("--batch", type=int, help="Records sent ahead to each worker on Ray  [default: 8]")
@click.option(
    "--unit-timeout",
    type=float,
    metavar="SECONDS",
    help="Seconds allowed for each unit, after which it becomes an error row. The "
    "candidate then runs in a separate process  [default: no limit]",
)
@click.option(
    "--limit",
    type=int,
    help="Ask only the first LIMIT units. A larger LIMIT resumes the sitting  [default: all]",
)
@click.option(
    "--repeats",
    type=int,
    default=1,
    help="Times each unit is asked, up to 1,000",
)
@click.option(
    "--without",
    metavar="PART",
    help="Leave out a part of the paper (passage or question) to test for shortcuts.",
)
@click.option(
    "--cross",
    metavar="Q-P",
    help="Ask questions in one language about passages in another: en-zh asks English "
    "questions about Chinese passages.",
)
@click.option(
    "--with",
    "questions",
    metavar="TEST2",
    help="Parallel test that supplies the questions for --cross.",
)
@click.option(
    "--rewrite",
    metavar="REWRITER",
    help="Rewrite the questions of a series with this rewriter before asking, such as "
    "guided or append.",
)
@click.option(
    "--shuffle-options",
    type=int,
    metavar="SEED",
    help="Shuffle the options of each question, differently in each repeat. SEED makes "
    "the order reproducible.",
)
@click.option(
    "--transform",
    "transforms",
    multiple=True,
    metavar="NAME",
    help="Change the paper with another transform, such as a plug-in's (repeatable).",
)
@traffic_options
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
    probe: int | None,
    hour_price: float | None,
    workers: int | None,
    engine: str,
    address: str | None,
    cpus: float | None,
    gpus: float | None,
    batch: int | None,
    unit_timeout: float | None,
    limit: int | None,
    repeats: int,
    without: str | None,
    cross: str | None,
    questions: str | None,
    rewrite: str | None,
    shuffle_options: int | None,
    transforms: tuple[str, ...],
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **traffic: Any,
) -> None:
    """Let a CANDIDATE sit a TEST and write its answers to SITTING.

    Each answer is saved before the next question is asked. If SITTING exists, the run resumes:
    answers are kept, and error rows are tried again. Exits with status 1 if error rows remain.
    """
    from readmark.formats.registry import load
    from readmark.sitting.journal import is_stream
    from readmark.sitting.plan import outcome, plan
    from readmark.sitting.runner import sit

    where = options.with_engine(
        {"engine": engine, "address": address, "cpus": cpus, "gpus": gpus, "batch": batch}
    )
    how: dict[str, Any] = {
        "limit": limit,
        "repeats": repeats,
        "without": without,
        "cross": cross,
        "questions": questions,
        "rewrite": rewrite,
        "shuffle_options": shuffle_options,
        "transforms": transforms,
        "traffic": traffic_of(traffic),
    }
    if output is None and not plan_only:
        raise click.UsageError("Missing option '-o' / '--output'.")
    if (probe, hour_price) != (None, None) and not plan_only:
        raise UsageError("--probe and --hour-price go with --plan")
    source = load(test, format=from_format, split=split)
    printed: list[str] = []

    def tell(message: str) -> None:
        printed.append(message)
        options.notify([message])

    how |= {"workers": workers, "unit_timeout": unit_timeout, "tell": tell, **where}
    if output is None or plan_only:
        with candidate_output_to_stderr():
            planned = plan(source, candidate, output, probe=probe, hour_price=hour_price, **how)
        options.notify(note for note in planned.notes if note not in printed)
        options.print_result(planned, as_json=as_json)
        ctx.exit(1 if planned.errors else 0)
    ticker, started = Ticker(), time.monotonic()
    try:
        with candidate_output_to_stderr():
            done = sit(source, candidate, output, watch=ticker.show, **how)
    finally:
        ticker.end()
    options.notify(note for note in done.notes if note not in printed)
    seconds = time.monotonic() - started
    compared = None if is_stream(output) else outcome(output, done, seconds)
    if as_json:
        document = done.as_json()
        if compared is not None:
            document["plan"] = asdict(compared)
        options.print_json(document)
    else:
        options.report_result(done, as_json=False)
        if compared is not None:
            options.notify([f"{output}: {compared.words}"])
    if done.errors:
        if not is_stream(output):
            options.notify([f"{output}: run the command again to retry the error rows"])
        ctx.exit(1)
