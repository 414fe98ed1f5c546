"""``readmark series``: what is particular to question series. Each command is a module."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.series_commands")


@click.group("series", cls=CommandGroup, registry=VERBS)
def series_command() -> None:
    """Ask, compare and tune rewriters, which make each question of a series stand alone.

    Rewriting is readmark sit SERIES -r REWRITER, and marking is readmark mark.
    """
