"""``readmark task pool``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("pool")
@click.argument("task", metavar="TASK")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option("-o", "--output", required=True, metavar="FILE", help="What to judge, JSON Lines.")
@options.json_option
def pool_command(task: str, sittings: tuple[str, ...], output: str, as_json: bool) -> None:
    """Pool the answers of SITTINGs that nobody has judged, each once with its excerpts.

    Fill in verdict (right, wrong, out_of_bounds), by and why; task gold --adjudicated takes the
    file back.
    """
    from readmark.workflows.task_gold import make_pool

    count = make_pool(task, sittings, output)
    if as_json:
        options.print_json({"output": output, "answers": count})
    else:
        options.say([f"{output}: {count} answers to judge"])
