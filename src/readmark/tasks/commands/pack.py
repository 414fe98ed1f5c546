"""``readmark task pack``: a folder as a reading task with a manifest."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("pack")
@click.argument("source", metavar="FOLDER")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="TASK",
    help="Package to write: a new folder, or a file that ends in .zip.",
    type=OUTPUT_FILE,
)
@click.option(
    "--domain",
    metavar="NAME|FOLDER",
    help="Domain that supplies the ontology, rules, guidelines and queries.",
    type=WORDS,
)
@click.option(
    "--name",
    metavar="NAME",
    help="Name of the task  [default: from task.toml, otherwise the folder's name]",
    type=WORDS,
)
@click.option("--language", metavar="en|zh", help="Language of the documents.")
@click.option("--phase", metavar="NAME", help="Phase of the evaluation.")
@click.option(
    "--capability",
    "capabilities",
    multiple=True,
    metavar="TEXT",
    help="Reading or reasoning capability that is in scope (repeatable).",
    type=WORDS,
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
@click.option(
    "--gold",
    type=click.IntRange(min=0),
    metavar="N",
    help="Version of the gold to pack  [default: the answers as they are]",
)
@options.json_option
@click.pass_context
def pack_command(
    ctx: click.Context,
    /,
    source: str,
    output: str,
    domain: str | None,
    public: bool,
    keep: tuple[str, ...],
    anyway: bool,
    gold: int | None,
    as_json: bool,
    **about: Any,
) -> None:
    """Pack FOLDER as a reading task; task.json lists every file with its role and hash.

    The names documents/SPLIT/ID.txt, ontology.ttl, rules.dsrs, annotations/, guidelines.md,
    queries.jsonl, answers.SPLIT.jsonl and background/ are recognised; task.toml describes the
    rest. The task is checked first. If it is inconsistent, nothing is written unless --anyway
    is given.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.packed_task import pack_task

    if keep and not public:
        raise UsageError("--keep goes with --public")
    result = pack_task(
        source,
        output,
        domain=domain,
        public=public,
        keep=keep,
        anyway=anyway,
        gold=gold,
        about=about,
    )
    print_with_notes(result, as_json)
    ctx.exit(result.failed)
