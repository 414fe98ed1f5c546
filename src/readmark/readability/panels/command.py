"""``readmark panel``: readability panels. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.panel_commands")


@click.group("panel", cls=CommandGroup, registry=VERBS)
def panel_command() -> None:
    """Run panels of experts and novices who rate passages for readability; mark machines."""
