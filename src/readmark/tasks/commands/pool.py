"""``readmark task pool``: unjudged answers of sittings, to be judged."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("pool")
@click.argument("task", metavar="TASK")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="JSON Lines file to write the answers to judge to.",
    type=OUTPUT_FILE,
)
@options.split_option
@options.json_option
def pool_command(
    task: str, sittings: tuple[str, ...], output: str, split: str | None, as_json: bool
) -> None:
    """Pool the unjudged answers of SITTINGs, each once with its excerpts.

    Fill in verdict (right, wrong, out_of_bounds), by and why, then pass the file to task gold
    --adjudicated.
    """
    from readmark.tasks.gold_versions import make_pool

    print_with_notes(make_pool(task, sittings, output, split=split), as_json)
