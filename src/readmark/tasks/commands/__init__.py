"""``readmark task``: formal reading tasks. Each command is a module and calls one function."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.task_commands")


@click.group("task", cls=CommandGroup, registry=VERBS)
def task_command() -> None:
    """Work with formal reading tasks: ontology, rules, queries, and answers with provenance."""
