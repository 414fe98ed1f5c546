"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from readmark.cli import options

if TYPE_CHECKING:
    from readmark.corpus.problems import Problem


def problems(count: int, warnings: int = 0) -> str:
    """How many, in words."""
    said = "1 problem" if count == 1 else f"{count or 'no'} problems"
    if not warnings:
        return said
    return f"{said}, {warnings} warning{'s' if warnings > 1 else ''}"


@click.command("check")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@options.from_option
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context, tests: tuple[str, ...], from_format: str | None, as_json: bool
) -> None:
    """Validate TESTs: a line a problem, file:line (or file:id), code, message; exit 1 if any.

    Warnings begin with "warning:" and do not make it fail. Tests with equal parallel ids, such as
    the two sides of a bilingual corpus, are also checked beside each other.
    """
    from dataclasses import asdict

    from readmark.corpus.checks import check, check_together

    found = []
    counts = dict.fromkeys(tests, 0)
    warnings = dict.fromkeys(tests, 0)

    def checked() -> Iterator[tuple[str, Problem]]:
        for path in counts:
            yield from ((path, problem) for problem in check(path, format=from_format))
        for problem in check_together(tests, format=from_format):
            yield problem.file, problem

    for path, problem in checked():
        kind = warnings if problem.severity == "warning" else counts
        kind[path] = kind.get(path, 0) + 1
        if as_json:
            found.append({**asdict(problem), "severity": problem.severity})
        else:
            click.echo(str(problem))
    if as_json:
        options.print_json({"problems": found, "counts": counts, "warnings": warnings})
    else:
        for path, count in counts.items():
            options.say([f"{path}: {problems(count, warnings[path])}"])
    ctx.exit(1 if any(counts.values()) else 0)
