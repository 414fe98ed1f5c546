"""``readmark task pack``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("pack")
@click.argument("source", metavar="FOLDER")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="TASK",
    help="A new folder, or a file that ends in .zip.",
)
@click.option(
    "--domain", metavar="NAME|FOLDER", help="Lends ontology, rules, guidelines and queries."
)
@click.option("--name", metavar="NAME", help="Of the task; else task.toml's, else the folder's.")
@click.option("--language", metavar="en|zh", help="Of the documents.")
@click.option("--phase", metavar="NAME", help="The phase of the evaluation.")
@click.option(
    "--capability",
    "capabilities",
    multiple=True,
    metavar="TEXT",
    help="What reading or reasoning is in bounds; may be repeated.",
)
@click.option(
    "--annotation",
    type=click.Choice(["complete", "incomplete", "query-driven"]),
    help="Whether what is not in the gold is wrong or only unjudged; complete if absent.",
)
@click.option(
    "--hidden", multiple=True, metavar="SPLIT", help="A split whose answers are kept back."
)
@click.option(
    "--public",
    is_flag=True,
    help="Leave out what tells the answers of hidden splits, and files of no known use.",
)
@click.option(
    "--keep", multiple=True, metavar="PATH", help="A file that --public keeps; may be repeated."
)
@click.option("--anyway", is_flag=True, help="Pack although there are inconsistencies.")
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
    """Pack FOLDER as a reading task: every file gets its role and hash in task.json.

    documents/SPLIT/ID.txt, ontology.ttl, rules.dsrs, annotations/, guidelines.md, queries.jsonl,
    answers.SPLIT.jsonl and background/ are known by their names; task.toml says the rest. The task
    is checked first, and nothing is written when it is inconsistent, unless --anyway.
    """
    from dataclasses import asdict

    from readmark.cli.check import problems
    from readmark.cli.task.check import show
    from readmark.corpus.errors import UsageError
    from readmark.workflows.task_pack import pack_task

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
            options.say([f"{source}: {problems(len(wrong))}: nothing was written"])
        else:
            held = ", ".join(f"{count} {role}" for role, count in packed.roles.items())
            options.say([f"{packed.output}: {held}"])
            if packed.left_out:
                options.say([f"{packed.output}: left out: {', '.join(packed.left_out)}"])
    ctx.exit(1 if wrong else 0)
