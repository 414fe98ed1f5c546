"""``readmark demo``."""

from __future__ import annotations

from typing import Any

import click

from readmark.cli import options


@click.command("demo")
@options.json_option
@click.pass_context
def demo_command(ctx: click.Context, as_json: bool) -> None:
    """Mark the shipped cases by every profile's rules and print the tables.

    Each case is a made-up answer with the marks that the profile's rules give it; exit 1 when
    one of them is not met.
    """
    from readmark.workflows.demo import mark_cases

    found = list(mark_cases())
    if as_json:
        documents: dict[str, Any] = {
            one.profile: {"wrong": one.wrong, **one.marks.as_json()} for one in found
        }
        options.print_json(documents)
    else:
        from readmark.reporting.cases import print_cases

        print_cases(found)
    ctx.exit(1 if any(one.wrong for one in found) else 0)
