"""``readmark get``: download a public test, or a file of the Hugging Face hub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS, Ticker
from readmark.core.display import Result, print_registry
from readmark.making.get.get import get
from readmark.making.get.public_tests import Fetchable, public_tests


@click.command("get")
@click.argument("name", required=False, type=WORDS)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="File to write  [default: the name of the downloaded file]",
    type=OUTPUT_FILE,
)
@click.option(
    "--accept-licence", is_flag=True, help="Accept the licence of a test that restricts its use."
)
@click.option("--sha256", metavar="HASH", help="Required SHA-256 hash of the file.")
@click.option(
    "--replace",
    is_flag=True,
    help="Overwrite FILE, and accept new content even if its hash differs.",
)
@options.json_option
def get_command(
    name: str | None,
    output: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Download a public test by NAME, or a file from the Hugging Face hub.

    Without NAME, lists the public tests. A file of the hub is hf:OWNER/SET[@REVISION][/FILE]; the
    revision is pinned to its commit. FILE.source.json records the origin, licence and hash of FILE;
    later downloads must match the hash. Interrupted downloads resume. READMARK_MIRROR in the
    environment is the address of a mirror to download from.
    """
    if name is None:
        for option, value in (("-o", output), ("--sha256", how["sha256"])):
            if value is not None:
                raise click.UsageError(f"{option} needs the NAME of a test")
        options.print_result(PublicTests(public_tests()), as_json=as_json)
        return

    def progress_line(received: int, total: int | None) -> str:
        of_total = f" of {total / 1e6:.1f}" if total else ""
        return f"{received / 1e6:.1f}{of_total} MB"

    with Ticker() as ticker:
        fetched = get(
            name,
            output,
            announce=lambda fetchable: options.notify(fetchable.announcement()),
            progress=lambda received, total: ticker.say(lambda: progress_line(received, total)),
            **how,
        )
    if as_json:
        options.print_result(fetched, as_json=True)
    else:
        options.notify(fetched.notes)


@dataclass(frozen=True, slots=True)
class PublicTests(Result):
    """The public tests that are known by name."""

    tests: dict[str, Fetchable]

    def as_json(self) -> dict[str, Any]:
        tests = self.tests.items()
        return {"tests": [{"name": name, **msgspec.to_builtins(test)} for name, test in tests]}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per test."""
        rows: list[dict[str, Any]] = self.as_json()["tests"]
        return rows

    def show(self, console: Console) -> None:
        print_registry(
            [(name, f"{test.title}; {test.licence}") for name, test in self.tests.items()]
        )
