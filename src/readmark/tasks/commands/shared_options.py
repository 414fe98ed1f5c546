"""Options that several commands of reading tasks share, and how they print a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from readmark import console as options
from readmark.console import WORDS

Command = Callable[..., Any]
MOST_SECONDS = 1_000_000


def print_with_notes(result: Any, as_json: bool) -> None:
    """Print a result; its notes go to stderr, or are in its JSON."""
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


def reasoning_options(command: Command) -> Command:
    """--rules, --ontology, --domain, --across and --split."""
    for option in (
        options.split_option,
        click.option(
            "--across",
            is_flag=True,
            help="Treat all documents as one graph, with entities linked by declared identities.",
        ),
        click.option(
            "--domain",
            metavar="NAME|FOLDER",
            help="Domain that supplies the ontology and rules.",
            type=WORDS,
        ),
        click.option(
            "--ontology", metavar="FILE", help="OWL file to use instead of the task's ontology."
        ),
        click.option(
            "--rules",
            multiple=True,
            metavar="FILE",
            help="File with additional rules (repeatable).",
        ),
    ):
        command = option(command)
    return command


def seconds_option(default: float, help: str) -> Callable[[Command], Command]:
    """--seconds, which is above 0."""

    def checked(_: click.Context, __: click.Parameter, value: float) -> float:
        from readmark.core.errors import UsageError

        if not 0 < value <= MOST_SECONDS:
            fault = "is not above 0" if not value > 0 else f"is above {MOST_SECONDS:,}"
            raise UsageError(f"--seconds {value:g} {fault}")
        return value

    return click.option("--seconds", type=float, default=default, help=help, callback=checked)


def search_options(command: Command) -> Command:
    """--graph and --seconds."""
    for option in (
        seconds_option(30.0, "Time limit in seconds, for the rules and again for the query"),
        click.option(
            "--graph",
            "graphs",
            multiple=True,
            metavar="ID",
            help="Search only this graph (repeatable).",
        ),
    ):
        command = option(command)
    return command
