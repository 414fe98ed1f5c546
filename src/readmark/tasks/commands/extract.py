"""``readmark task extract``: texts read into statements, with what follows from them."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import WORDS
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("extract")
@click.argument("domain", metavar="DOMAIN", type=WORDS)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "-r",
    "--reader",
    "extractor",
    default="patterns",
    show_default=True,
    metavar="EXTRACTOR",
    help="Extractor that reads, such as patterns(reason=false); see readmark list candidates",
)
@options.json_option
@click.pass_context
def extract_command(
    ctx: click.Context, domain: str, texts: tuple[str, ...], extractor: str, as_json: bool
) -> None:
    """Read TEXTs into statements of DOMAIN and print entities with what follows from them.

    DOMAIN is a bundled domain (nfl_scoring), a folder or a task. A TEXT is a plain text, whose id
    is its name without the suffix, or JSON Lines (.jsonl) with id and text. Exits with status 1 if
    a text cannot be read, and prints the others.
    """
    from readmark.tasks.extraction.extract import extract

    result = extract(domain, texts, extractor=extractor)
    print_with_notes(result, as_json)
    ctx.exit(result.failed)
