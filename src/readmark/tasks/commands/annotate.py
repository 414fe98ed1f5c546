"""``readmark task annotate``: marks of annotators as statements, and back."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("annotate")
@click.argument("source", metavar="FILE")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="File to write: statements (.statements, .trig, .nq, .ttl, .rdf, .nt) or marks (.ann for "
    "brat, or .jsonl).",
    type=OUTPUT_FILE,
)
@click.option(
    "--categories",
    required=True,
    metavar="DOMAIN|TASK|FILE",
    help="Annotation categories: a bundled domain, a task, or a categories.toml.",
)
@click.option(
    "--text",
    metavar="FILE",
    help="Text of the document  [default: the .txt file next to FILE]",
)
@click.option(
    "--annotator", metavar="NAME", help="Who made the marks  [default: as FILE says, if it does]"
)
@options.json_option
@click.pass_context
def annotate_command(
    ctx: click.Context,
    source: str,
    output: str,
    categories: str,
    text: str | None,
    annotator: str | None,
    as_json: bool,
) -> None:
    """Turn the marks of annotators into statements by annotation categories, and back.

    FILE is marks (brat .ann with its .txt, or a test with layers), which become statements, or
    statements, which become marks. Whatever no category covers is listed; the exit status
    is then 1.
    """
    from readmark.tasks.categories.conversion import convert_marks

    result = convert_marks(source, output, categories=categories, text=text, annotator=annotator)
    print_with_notes(result, as_json)
    ctx.exit(result.failed)
