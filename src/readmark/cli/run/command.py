"""The command ``readmark run``."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.cli.run.plans import plan_run
from readmark.cli.run.runner import run
from readmark.core.errors import UsageError


@click.command("run")
@click.argument("file", required=False)
@click.option(
    "--plan",
    "plan_only",
    is_flag=True,
    help="Print what remains to be sat, with tokens and cost where they are known; ask and write "
    "nothing.",
)
@options.json_option
@click.pass_context
def run_command(ctx: click.Context, file: str | None, plan_only: bool, as_json: bool) -> None:
    """Sit, mark and compare what [run] in FILE names, and write tables and a report.

    FILE is a readmark.toml; the default is the nearest one in this folder or a parent. Answers
    that exist are kept, so an interrupted run resumes. Exits with status 1 if error rows remain,
    or if a candidate could not sit or be marked.
    """
    if file is not None and ctx.find_root().params.get("file") is not None:
        raise UsageError("name the run file once: as FILE or with --config")
    if plan_only:
        planned = plan_run(file)
        options.print_result(planned, as_json=as_json)
        ctx.exit(1 if planned.failures else 0)
    ticker = options.Ticker()
    try:
        with options.candidate_output_to_stderr():
            done = run(file, say=ticker.step, watch=ticker.show)
    finally:
        ticker.end()
    options.notify(done.notes)
    options.print_result(done, as_json=as_json)
    ctx.exit(1 if done.failures else 0)
