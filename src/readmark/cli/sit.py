"""``readmark sit``."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import (
    Ticker,
    error_words,
    stdout_kept_for_the_result,
    traffic_of,
    traffic_options,
)


@click.command("sit")
@click.argument("test")
@click.option(
    "-r", "--candidate", required=True, metavar="CANDIDATE", help="Who sits: lead, keyed(file=F)..."
)
@click.option("-o", "--output", required=True, metavar="SITTING", help="The journal to write.")
@click.option(
    "--workers", type=int, default=1, show_default=True, help="Local processes that answer."
)
@click.option(
    "--unit-timeout",
    type=float,
    metavar="SECONDS",
    help="Seconds that a unit may take before it becomes an error row; the candidate runs in a "
    "process of its own  [default: no limit]",
)
@click.option("--limit", type=int, help="Only the first LIMIT units.")
@click.option(
    "--repeats",
    type=int,
    default=1,
    show_default=True,
    help="How often each unit is asked, up to 1,000.",
)
@click.option(
    "--without", metavar="PART", help="Leave out the passage or the question: a shortcut test."
)
@click.option(
    "--cross",
    metavar="Q-P",
    help="Ask questions in one language on passages in another: en-zh asks in English.",
)
@click.option(
    "--with", "questions", metavar="TEST2", help="The parallel test that --cross asks from."
)
@click.option(
    "--rewrite",
    metavar="REWRITER",
    help="Ask the questions of a series as a rewriter gives them: guided, append...",
)
@click.option(
    "--shuffle-options",
    type=int,
    metavar="SEED",
    help="Show options in another order, and in each repeat in yet another.",
)
@traffic_options
@options.from_option
@options.json_option
@click.pass_context
def sit_command(
    ctx: click.Context,
    /,
    test: str,
    candidate: str,
    output: str,
    workers: int,
    unit_timeout: float | None,
    limit: int | None,
    repeats: int,
    without: str | None,
    cross: str | None,
    questions: str | None,
    rewrite: str | None,
    shuffle_options: int | None,
    from_format: str | None,
    as_json: bool,
    **traffic: Any,
) -> None:
    """Let a CANDIDATE sit a TEST; every answer is in SITTING before the next one.

    When SITTING is there already it is gone on with: what was answered stays, error rows are
    tried again. Exit 1 when error rows remain.
    """
    from dataclasses import asdict

    from readmark.marking import mark as api

    both_sides = cross is not None and questions is None and from_format is None
    ticker = Ticker()
    told: list[str] = []

    def tell(said: str) -> None:
        told.append(said)
        options.notify([said])

    try:
        with stdout_kept_for_the_result():
            done = api.sit(
                test if both_sides else api.load(test, format=from_format),
                candidate,
                output,
                workers=workers,
                unit_timeout=unit_timeout,
                limit=limit,
                repeats=repeats,
                without=without,
                cross=cross,
                questions=questions,
                rewrite=rewrite,
                shuffle_options=shuffle_options,
                traffic=traffic_of(traffic),
                watch=ticker.show,
                tell=tell,
            )
    finally:
        ticker.end()
    progress = done.progress
    options.notify(said for said in done.notes if said not in told)
    if as_json:
        options.print_json({"sitting": output, **asdict(done), "spent": done.spent.as_json()})
    else:
        parts = [f"{progress.answered} answered"]
        parts += [f"{progress.before} before"] if progress.before else []
        parts += [error_words(done.errors)] if done.errors else []
        parts += [f"{done.unanswered} without an answer"] if done.unanswered else []
        units = "1 unit" if progress.total == 1 else f"{progress.total} units"
        options.notify([f"{output}: {done.candidate} sat {units}: {', '.join(parts)}"])
        options.notify([f"{output}: {done.spent.words}"] if done.spent.words else [])
    if done.errors:
        options.notify([f"{output}: run the command again to try the error rows again"])
        ctx.exit(1)


# ``readmark series rewrite``: ``readmark sit``, where the candidate is called a rewriter.


_REWRITER = click.Option(
    ["-w", "--rewriter", "-r", "--candidate", "candidate"],
    required=True,
    metavar="REWRITER",
    help="Who rewrites: none, append, guided, keyed(file=F)...",
)

rewrite_command = click.Command(
    "rewrite",
    callback=sit_command.callback,
    params=[_REWRITER if one.name == "candidate" else one for one in sit_command.params],
    help="Let a REWRITER rewrite the questions of a series; readmark sit by another name.",
    short_help="Let a rewriter sit a series.",
)
