"""``readmark series``: rewriting question series. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.series_commands")


@click.group("series", cls=CommandGroup, registry=VERBS)
def series_command() -> None:
    """Rewrite the questions of a series to be understood alone; mark and debug rewriters."""
