"""``readmark task statements``: statements marked against the annotated ones."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("statements")
@click.argument("task", metavar="TASK")
@click.argument("file", required=False, metavar="[FILE|FOLDER]")
@click.option(
    "-r",
    "--reader",
    "extractor",
    metavar="EXTRACTOR",
    help="Extractor that reads the documents, instead of a file of statements.",
)
@options.split_option
@click.option("--seed", type=int, default=1, help="Random seed for the intervals")
@options.json_option
def statements_command(
    task: str,
    file: str | None,
    extractor: str | None,
    split: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the statements in FILE with those annotated in TASK, by class and property.

    To have the same statements answer the task's queries, sit it with statements(file=FILE).
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.extraction.statement_marks import mark_statements

    if (file is None) == (extractor is None):
        raise UsageError("name a file of statements, or an extractor with -r")
    reader = extractor or f'statements(file="{file}")'
    print_with_notes(mark_statements(task, reader, split=split, seed=seed), as_json)
