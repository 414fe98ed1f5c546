"""Options that several commands take, and how a command prints its result."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
from_option = click.option(
    "--from", "from_format", metavar="FORMAT", help="The test's format; found by content if absent."
)
metrics_option = click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="A metric; may be repeated."
)
by_option = click.option(
    "--by", metavar="FIELD,...", help="Slices: level, type, split, or any field of the test."
)
seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, help="Seeds everything random."
)
draws_option = click.option(
    "--draws",
    type=int,
    default=1000,
    show_default=True,
    help="Bootstrap draws for intervals, up to 1,000,000.",
)
trials_option = click.option(
    "--trials",
    type=int,
    default=10_000,
    show_default=True,
    help="Randomisation trials, up to 1,000,000.",
)
confidence_option = click.option(
    "--confidence", type=float, default=0.95, show_default=True, help="Of the intervals."
)
interval_option = click.option(
    "--interval",
    type=click.Choice(["percentile", "bca", "jackknife"]),
    default="percentile",
    show_default=True,
    help="How intervals are made; jackknife covers also with fewer than ten passages.",
)
paired_interval_option = click.option(
    "--interval",
    type=click.Choice(["percentile", "jackknife"]),
    default="percentile",
    show_default=True,
    help="How intervals are made; jackknife covers also with fewer than ten passages.",
)
errors_option = click.option(
    "--errors-as-wrong", is_flag=True, help="Count error rows as wrong, not as a failure."
)


def fields(by: str | None) -> list[str]:
    """The fields of ``--by``."""
    return [name.strip() for name in (by or "").split(",") if name.strip()]


def print_json(document: Any) -> None:
    """One JSON document on stdout: indented for a terminal, compact for a program."""
    try:
        data = msgspec.json.encode(document)
    except UnicodeEncodeError:  # a file's name that is not UTF-8
        data = json.dumps(msgspec.to_builtins(document)).encode()
    if sys.stdout.isatty():
        data = msgspec.json.format(data, indent=2)
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def say(lines: Iterable[str]) -> None:
    """Messages, on stderr."""
    for line in lines:
        click.echo(f"readmark: {' '.join(line.splitlines())}", err=True)
