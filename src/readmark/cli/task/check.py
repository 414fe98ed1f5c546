"""``readmark task check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from readmark.cli import options

if TYPE_CHECKING:
    from readmark.corpus.problems import Problem


@click.command("check")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@click.option(
    "--pairs",
    metavar="FILE",
    help="Also write the annotated statements as (assertion, text) pairs, JSON Lines.",
)
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context, tasks: tuple[str, ...], pairs: str | None, as_json: bool
) -> None:
    """Check TASKs, folders or zips: a line a problem, file:line, code, message; exit 1 if any.

    Hashes, ontology, rules, annotated graphs with their excerpts, queries and answers are checked
    against each other; then the contradiction rules run over every annotated graph, and the
    annotations to repair are listed with the derivation.
    """
    from dataclasses import asdict

    from readmark.cli.check import problems
    from readmark.corpus.errors import UsageError
    from readmark.setting.tasks.checking import check_task
    from readmark.setting.tasks.package import open_package
    from readmark.workflows.task_pairs import write_pairs

    if pairs is not None and len(tasks) > 1:
        raise UsageError("--pairs takes one task")
    found = []
    counts = dict.fromkeys(tasks, 0)
    warnings = dict.fromkeys(tasks, 0)
    for path in counts:
        for problem in check_task(open_package(path)):
            (warnings if problem.severity == "warning" else counts)[path] += 1
            if as_json:
                found.append(asdict(problem))
            else:
                show(problem)
    written = write_pairs(tasks[0], pairs) if pairs is not None else None
    if as_json:
        document = {"problems": found, "counts": counts, "warnings": warnings}
        options.print_json(document if written is None else {**document, "pairs": written})
    else:
        for path, count in counts.items():
            options.say([f"{path}: {problems(count, warnings[path])}"])
        if written is not None:
            options.say([f"{pairs}: {written} pairs"])
    ctx.exit(1 if any(counts.values()) else 0)


def show(problem: Problem) -> None:
    """A line a problem; below a contradiction stands how it comes about, further in."""
    click.echo(str(problem))
    for line in getattr(problem, "derivation", "").splitlines()[1:]:
        click.echo(f"  {line}")
