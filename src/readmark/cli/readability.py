"""``readmark readability``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("readability")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.from_option
@click.option(
    "--language", metavar="en|zh", help="Of the passages; what files or letters tell if absent."
)
@options.json_option
def readability_command(
    files: tuple[str, ...], from_format: str | None, language: str | None, as_json: bool
) -> None:
    """Readability of each passage in FILEs: plain text, tests, JSON Lines with id and text."""
    from readmark.corpus.decoding import UTF_8
    from readmark.workflows import readability

    found = list(readability.measure(files, format=from_format, language=language))
    options.say(
        f"{one.file}: read as {one.encoding}, it is not UTF-8"
        for one in found
        if one.encoding != UTF_8
    )
    if as_json:
        options.print_json(readability.as_json(found))
        return
    from readmark.reporting.readability import print_readability

    print_readability(found)
