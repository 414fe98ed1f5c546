"""``readmark set export``."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import counted, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.making.export.folder import Publication

if TYPE_CHECKING:
    from readmark.core.test import Test


_GIVEN_AWAY = {
    "hidden": "tells of hidden splits, so it gives away something of their labels",
    "unknown": "does not say whether it is of hidden splits too, whose labels it would give away",
}


@click.command("export")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="DIR", help="Folder to write; it must not exist."
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
@click.option("--name", metavar="NAME", help="Name of the test  [default: from the test's header]")
@click.option(
    "--description",
    default="",
    metavar="TEXT",
    help="Description for the data card.",
    show_default=False,
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
    default="",
    metavar="URL",
    help="Address where the test is or will be published.",
    show_default=False,
)
@click.option(
    "--cite",
    "citation",
    default="",
    metavar="TEXT",
    help="How to cite the test.",
    show_default=False,
)
@click.option(
    "--published",
    default="",
    metavar="DATE",
    help="Date of publication, such as 2026-01-31.",
    show_default=False,
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
@options.from_option
@options.json_option
def export_command(
    test: str,
    output: str,
    licence: str | None,
    licence_file: str | None,
    name: str | None,
    description: str,
    creators: tuple[str, ...],
    url: str,
    citation: str,
    published: str,
    release: str,
    screening: str | None,
    agreement: str | None,
    covers_hidden: bool,
    public: bool,
    hide: tuple[str, ...],
    from_format: str | None,
    as_json: bool,
) -> None:
    """Write a TEST with its data card into a folder that is ready to publish.

    DIR gets the data in three forms, with one file per split: flat JSON Lines for the Hugging
    Face hub, Readmark's own format, and SQuAD's. It also gets README.md (the card),
    croissant.json, LICENSE, provenance, statistics, checksums and the given reports.
    """
    from readmark.core.encodings import decoded_as
    from readmark.core.files import read_bytes, require_apart
    from readmark.formats.registry import open_test
    from readmark.making.export.about import about
    from readmark.making.export.folder import publish
    from readmark.making.export.reports import read_reports

    if hide and not public:
        raise UsageError("--hide and --with-keys exclude each other")
    if covers_hidden and (agreement is None or not public):
        raise UsageError("--agreement-covers-hidden is for --agreement where keys are withheld")
    require_apart([output], [test, screening, agreement, licence_file])
    _outside(output, test)
    source = open_test(test, format=from_format)
    said = about(
        source,
        name=name,
        licence=licence,
        description=description,
        creators=creators,
        url=url,
        citation=citation,
        published=published,
        release=release,
    )
    terms = None
    if licence_file is not None:
        terms = decoded_as(read_bytes(licence_file), licence_file).text
    hidden = tuple(dict.fromkeys((*source.header.hidden, *hide))) if public else ()
    watch = _Watch(source)
    try:
        done = publish(
            source,
            output,
            said,
            hidden=hidden,
            reports=read_reports(
                source,
                screening=screening,
                agreement=agreement,
                hidden=hidden,
                covers_hidden=covers_hidden,
            ),
            terms=terms,
            watch=watch,
        )
    finally:
        watch.end()
    if as_json:
        options.print_json({"output": output, **asdict(done)})
    else:
        print_publication(done)
        options.notify(
            f"{format}/: {'; '.join(lost)}" for format, lost in done.losses.items() if lost
        )
        if done.faults:
            found = ", ".join(f"{code} {len(ids)}" for code, ids in done.faults.items())
            options.notify([f"problems listed in the card: {found}; `readmark check` lists them"])
        if done.unsaid:
            options.notify(
                [f"Croissant requires fields that are missing: {', '.join(done.unsaid)}"]
            )
    # Whatever is given away is told in either case.
    if done.published_keys:
        options.notify([f"keys of hidden splits are published: {', '.join(done.published_keys)}"])
    if done.agreement is not None and (told := _GIVEN_AWAY.get(done.agreement["covers"])):
        options.notify([f"{agreement}: {told}"])
    if not as_json:
        options.notify([f"{output} written"])


def _outside(output: str, test: str) -> None:
    """A test that is a folder must not get its own export among its files."""
    inside, outside = Path(output).resolve(), Path(test).resolve()
    if outside.is_dir() and inside.is_relative_to(outside):
        raise UsageError(f"{output} is within {test}: write to another place")


class _Watch:
    """How far the writing is, on a terminal: each record is read several times."""

    def __init__(self, test: Test) -> None:
        self._ticker = Ticker() if sys.stderr.isatty() else None
        self._test = test
        self._began = 0.0

    def __call__(self, done: int, total: int) -> None:
        from readmark.sitting.runner import Progress

        if self._ticker is not None:
            self._began = self._began or time.monotonic()
            units = self._test.facts.units
            seconds = time.monotonic() - self._began
            self._ticker.show(Progress(units, 0, units * done // total, 0, seconds))

    def end(self) -> None:
        if self._ticker is not None:
            self._ticker.end()


# What was published, in a terminal.


def print_publication(done: Publication) -> None:
    """The splits and whether their keys are there; then every file with its size."""
    console = make_console()
    console.print(f"{done.name}: licence {done.licence}")
    table = plain_table("split", "records", f"{done.unit}s")
    table.add_column("key")
    for name, one in done.parts.items():
        key = "withheld" if one["withheld"] else "published"
        table.add_row(name, f"{one['records']:,}", f"{one['units']:,}", key)
    console.print(table)
    files = plain_table("file", "bytes")
    files.add_column("what it is", overflow="fold")
    for file in done.files:
        files.add_row(file.path, f"{file.size:,}", file.about)
    console.print(files)
    if done.withheld:
        console.print(f"without their key: {counted(done.withheld, done.unit)}")
    console.print(f"paper {done.paper}", style="dim")
    console.print(f"key   {done.key}", style="dim")
