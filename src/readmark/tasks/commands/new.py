"""``readmark task new``: a small, commented task to start from."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("new")
@click.argument("folder", metavar="FOLDER")
@options.json_option
def new_command(folder: str, as_json: bool) -> None:
    """Make FOLDER with a small, commented task to start from.

    It has two documents with annotated statements, an ontology with a subclass, a rule, a
    contradiction, guidelines and queries. Replace them with your own.
    """
    from readmark.tasks.new_task import new_task

    print_with_notes(new_task(folder), as_json)
