"""How a command prints its result: tables for people, or one JSON document for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from readmark.console.messages import notify
from readmark.core.printable import printable

if TYPE_CHECKING:
    from readmark.core.display import Result

UNMET = 3
"""The exit status if a condition that the user set is not met, and nothing else is wrong."""


def print_json(document: Any) -> None:
    """Print one JSON document to stdout: indented for a terminal, compact for a program."""
    try:
        data = msgspec.json.encode(document)
    except UnicodeEncodeError:  # a file's name that is not UTF-8
        import json

        data = json.dumps(msgspec.to_builtins(document)).encode()
    if sys.stdout.isatty():
        data = msgspec.json.format(data, indent=2)
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def print_result(
    result: Result, *, as_json: bool, as_format: str = "text", full: bool = False
) -> None:
    """Print a function's result: one JSON document, or the tables that people read."""
    if as_json:
        print_json(result.as_json())
    elif as_format == "markdown":
        click.echo(printable(result.as_markdown(full=full)), nl=False)
    elif as_format == "latex":
        click.echo(printable(result.as_latex(full=full)), nl=False)
    elif as_format == "csv":
        # For a program, as it is: `csv_text` guards what a spreadsheet would run.
        click.echo(result.as_csv(), nl=False)
    else:
        from readmark.core.display import make_console

        if full:
            result.show_full(make_console())
        else:
            result.show(make_console())


def print_written(result: Result, *, as_json: bool) -> None:
    """Print what a command that writes a file says of it: as JSON, or as lines on stderr."""
    if as_json:
        print_json(result.as_json())
    else:
        notify(str(result).splitlines())
