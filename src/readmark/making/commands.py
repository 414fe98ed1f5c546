"""``readmark set``: the verbs that make a test. Each is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.set_commands")


@click.group("set", cls=CommandGroup, registry=VERBS)
def set_command() -> None:
    """Make a test. Each command reads a TEST or a source and writes OUT."""
