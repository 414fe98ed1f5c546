"""Options that infer, query and explain share: which rules and which ontology."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]


def ground_options(command: Command) -> Command:
    """--rules, --ontology and --domain."""
    for option in (
        click.option("--domain", metavar="NAME|FOLDER", help="Lends ontology and rules."),
        click.option(
            "--ontology", metavar="FILE", help="An OWL file, in place of the task's ontology."
        ),
        click.option("--rules", multiple=True, metavar="FILE", help="More rules; may be repeated."),
    ):
        command = option(command)
    return command


def within_options(command: Command) -> Command:
    """--graph and --seconds."""
    for option in (
        click.option(
            "--seconds", type=float, default=30.0, show_default=True, help="A query's time limit."
        ),
        click.option(
            "--graph", "graphs", multiple=True, metavar="ID", help="Only there; may be repeated."
        ),
    ):
        command = option(command)
    return command
