"""``readmark task check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from readmark import console as options

if TYPE_CHECKING:
    from readmark.core.problems import Problem


@click.command("check")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@click.option(
    "--pairs",
    metavar="FILE",
    help="Also write the annotated statements as (assertion, text) pairs to this file, "
    "as JSON Lines.",
)
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context, tasks: tuple[str, ...], pairs: str | None, as_json: bool
) -> None:
    """Check TASKs (folders or zips) and print one line per problem: file:line, code, message.

    Exits with status 1 if there are problems. Hashes, ontology, rules, annotated graphs with
    their excerpts, queries and answers are checked against each other. Then the contradiction
    rules run over every annotated graph, and the annotations to repair are listed with their
    derivations.
    """
    from dataclasses import asdict

    from readmark.console import problems
    from readmark.core.errors import UsageError
    from readmark.tasks.checks import check_task
    from readmark.tasks.package import open_package, write_pairs

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
            options.notify([f"{path}: {problems(count, warnings[path])}"])
        if written is not None:
            options.notify([f"{pairs}: {written} pairs"])
    ctx.exit(1 if any(counts.values()) else 0)


def show(problem: Problem) -> None:
    """A line a problem; below a contradiction stands how it comes about, further in."""
    click.echo(str(problem))
    for line in getattr(problem, "derivation", "").splitlines()[1:]:
        click.echo(f"  {line}")


# ``readmark task pack``.


@click.command("pack")
@click.argument("source", metavar="FOLDER")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="TASK",
    help="Package to write: a new folder, or a file that ends in .zip.",
)
@click.option(
    "--domain",
    metavar="NAME|FOLDER",
    help="Domain that supplies the ontology, rules, guidelines and queries.",
)
@click.option(
    "--name",
    metavar="NAME",
    help="Name of the task  [default: from task.toml, otherwise the folder's name]",
)
@click.option("--language", metavar="en|zh", help="Language of the documents.")
@click.option("--phase", metavar="NAME", help="Phase of the evaluation.")
@click.option(
    "--capability",
    "capabilities",
    multiple=True,
    metavar="TEXT",
    help="Reading or reasoning capability that is in scope (repeatable).",
)
@click.option(
    "--annotation",
    type=click.Choice(["complete", "incomplete", "query-driven"]),
    help="Treat answers that are not in the gold as wrong (complete) or as unjudged  "
    "[default: complete]",
)
@click.option(
    "--hidden",
    multiple=True,
    metavar="SPLIT",
    help="Split whose answers are withheld (repeatable).",
)
@click.option(
    "--public",
    is_flag=True,
    help="Omit files that reveal the answers of hidden splits, and files without a known role.",
)
@click.option(
    "--keep", multiple=True, metavar="PATH", help="File that --public includes anyway (repeatable)."
)
@click.option("--anyway", is_flag=True, help="Pack the task even if it is inconsistent.")
@options.json_option
@click.pass_context
def pack_command(
    ctx: click.Context,
    source: str,
    output: str,
    domain: str | None,
    name: str | None,
    language: str | None,
    phase: str | None,
    capabilities: tuple[str, ...],
    annotation: str | None,
    hidden: tuple[str, ...],
    public: bool,
    keep: tuple[str, ...],
    anyway: bool,
    as_json: bool,
) -> None:
    """Pack FOLDER as a reading task; task.json lists every file with its role and hash.

    The names documents/SPLIT/ID.txt, ontology.ttl, rules.dsrs, annotations/, guidelines.md,
    queries.jsonl, answers.SPLIT.jsonl and background/ are recognised; task.toml describes the
    rest. The task is checked first. If it is inconsistent, nothing is written unless --anyway
    is given.
    """
    from dataclasses import asdict

    from readmark.console import problems
    from readmark.core.errors import UsageError
    from readmark.tasks.packer import pack_task

    if keep and not public:
        raise UsageError("--keep goes with --public")
    packed = pack_task(
        source,
        output,
        domain=domain,
        public=public,
        keep=keep,
        anyway=anyway,
        said={
            "name": name,
            "language": language,
            "phase": phase,
            "capabilities": capabilities,
            "annotation": annotation,
            "hidden": hidden,
        },
    )
    wrong = [one for one in packed.problems if one.severity != "warning"]
    if as_json:
        files = packed.roles
        found = [asdict(one) for one in packed.problems]
        told = {"output": packed.output, "files": files, "problems": found}
        options.print_json(told | ({"left_out": packed.left_out} if public else {}))
    else:
        for one in packed.problems:
            show(one)
        if packed.output is None:
            options.notify([f"{source}: {problems(len(wrong))}: nothing was written"])
        else:
            held = ", ".join(f"{count} {role}" for role, count in packed.roles.items())
            options.notify([f"{packed.output}: {held}"])
            if packed.left_out:
                options.notify([f"{packed.output}: left out: {', '.join(packed.left_out)}"])
    ctx.exit(1 if wrong else 0)
