"""``readmark check``."""

from __future__ import annotations

import click

from readmark.cli import options


def problems(count: int) -> str:
    """How many, in words."""
    return "1 problem" if count == 1 else f"{count or 'no'} problems"


@click.command("check")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@options.from_option
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context, tests: tuple[str, ...], from_format: str | None, as_json: bool
) -> None:
    """Validate TESTs: a line a problem, file:line (or file:id), code, message; exit 1 if any."""
    from dataclasses import asdict

    from readmark.corpus.checks import check

    found = []
    counts = {}
    for path in tests:
        counts[path] = 0
        for problem in check(path, format=from_format):
            counts[path] += 1
            if as_json:
                found.append(asdict(problem))
            else:
                click.echo(str(problem))
    if as_json:
        options.print_json({"problems": found, "counts": counts})
    else:
        for path, count in counts.items():
            options.say([f"{path}: {problems(count)}"])
    ctx.exit(1 if any(counts.values()) else 0)
