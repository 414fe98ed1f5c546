"""``readmark set export``: a test in a folder that is ready to publish."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FOLDER, WORDS, Ticker
from readmark.formats.registry import open_test
from readmark.making.export.export import export_languages


@click.command("export")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Folder to write; it must not exist.",
    type=OUTPUT_FOLDER,
)
@click.option(
    "--licence",
    metavar="NAME",
    help="Licence of the data, such as CC-BY-SA-4.0  [default: from the test's header]",
)
@click.option(
    "--licence-file",
    metavar="FILE",
    help="File with the text of the licence, copied to DIR/LICENSE.",
)
@click.option(
    "--name", metavar="NAME", help="Name of the test  [default: from the test's header]", type=WORDS
)
@click.option(
    "--description",
    metavar="TEXT",
    help="Description for the data card.",
    type=WORDS,
)
@click.option(
    "--creator",
    "creators",
    multiple=True,
    metavar="NAME",
    help="Creator of the test, for the data card (repeatable).",
)
@click.option(
    "--url",
    metavar="URL",
    help="Address where the test is or will be published.",
)
@click.option(
    "--cite",
    "citation",
    metavar="TEXT",
    help="How to cite the test.",
    type=WORDS,
)
@click.option(
    "--published",
    metavar="DATE",
    help="Date of publication, such as 2026-01-31.",
)
@click.option("--release", default="1.0.0", metavar="VERSION", help="Version of the data")
@click.option("--screening", metavar="FILE", help="Report of `set screen` to include.")
@click.option("--agreement", metavar="FILE", help="Report of `set agree -o` to include.")
@click.option(
    "--agreement-covers-hidden",
    "covers_hidden",
    is_flag=True,
    help="Include the agreement report even though it reveals labels of hidden splits.",
)
@click.option(
    "--public/--with-keys",
    default=True,
    help="Omit the keys of hidden splits, or publish all keys",
)
@click.option(
    "--hide", multiple=True, metavar="SPLIT", help="Additional split to hide (repeatable)."
)
@click.option(
    "--keys",
    metavar="FOLDER",
    help="Folder for the keys of hidden splits, one test per split; do not publish it  "
    "[default: DIR.keys]",
)
@click.option(
    "--unplaced",
    type=click.Choice(["keep", "omit"]),
    default="keep",
    help="Answers that have no place in their passage: keep them in data/ and squad/ with "
    "answer_start -1, or omit them there, and questions without any other answer",
)
@click.option(
    "--people",
    multiple=True,
    metavar="SITTING",
    help="A person's sitting, for human performance on the card (repeatable)  "
    "[default: leave-one-out over the key's annotators]",
)
@options.split_option
@options.from_option
@options.json_option
def export_command(
    tests: tuple[str, ...],
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Write a TEST with its data card into a folder that is ready to publish.

    DIR gets the data in three forms, with one file per split: flat JSON Lines for the Hugging
    Face hub, Readmark's own format, and SQuAD's. It also gets README.md (the card),
    croissant.json, LICENSE, provenance, statistics, checksums and the given reports. For each
    hidden split, a folder next to DIR gets the test with its key, to mark submissions with.
    Parallel TESTs in two languages become DIR/en and DIR/zh.
    """
    opened = [open_test(path, format=from_format, split=split) for path in tests]
    units = sum(test.facts.units for test in opened)
    with Ticker() as ticker:

        def progress(done: int, total: int) -> None:
            ticker.count(units * done // total, units)  # records are read several times

        watch = progress if ticker.is_terminal else None
        publications = export_languages(opened, output, progress=watch, **how)
    if as_json:
        documents = {
            language: publication.as_json() for language, publication in publications.items()
        }
        options.print_json({"languages": documents} if len(tests) > 1 else documents[""])
    for language, publication in publications.items():
        if not as_json:
            options.print_result(publication, as_json=False)
            options.notify(publication.notes)
        options.notify(publication.warnings)
        if not as_json:
            options.notify([f"{output}{language and '/'}{language} written"])
