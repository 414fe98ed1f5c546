"""Options that infer, query and explain share: which rules and which ontology."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]
MOST_SECONDS = 1_000_000
LEAST_MEMORY, MOST_MEMORY = 0.1, 1_000_000


def ground_options(command: Command) -> Command:
    """--rules, --ontology, --domain and --memory."""
    for option in (
        click.option(
            "--memory",
            type=float,
            metavar="GB",
            callback=_in_bytes,
            help="Memory limit of rules and queries  [default: a quarter of the machine's]",
        ),
        click.option("--domain", metavar="NAME|FOLDER", help="Lends ontology and rules."),
        click.option(
            "--ontology", metavar="FILE", help="An OWL file, in place of the task's ontology."
        ),
        click.option("--rules", multiple=True, metavar="FILE", help="More rules; may be repeated."),
    ):
        command = option(command)
    return command


def _in_bytes(_: click.Context, __: click.Parameter, value: float | None) -> int | None:
    from readmark.corpus.errors import UsageError

    if value is None:
        return None
    if not LEAST_MEMORY <= value <= MOST_MEMORY:
        wanted = f"expected {LEAST_MEMORY:g} to {MOST_MEMORY:,}"
        raise UsageError(f"--memory {value:g} is out of bounds: {wanted} GB")
    return int(value * 10**9)


def seconds_option(default: float, help: str) -> Callable[[Command], Command]:
    """--seconds, which is above 0."""

    def checked(_: click.Context, __: click.Parameter, value: float) -> float:
        from readmark.corpus.errors import UsageError

        if not 0 < value <= MOST_SECONDS:
            said = "is not above 0" if not value > 0 else f"is above {MOST_SECONDS:,}"
            raise UsageError(f"--seconds {value:g} {said}")
        return value

    return click.option(
        "--seconds", type=float, default=default, show_default=True, help=help, callback=checked
    )


def within_options(command: Command) -> Command:
    """--graph and --seconds."""
    for option in (
        seconds_option(30.0, "Time limit, for the rules and again for the query."),
        click.option(
            "--graph", "graphs", multiple=True, metavar="ID", help="Only there; may be repeated."
        ),
    ):
        command = option(command)
    return command
