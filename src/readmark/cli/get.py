"""``readmark get``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.errors import UsageError

if TYPE_CHECKING:
    from readmark.setting.fetching.public import Fetchable


@click.command("get")
@click.argument("name", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where to; the file's own name if absent.")
@click.option("--list", "as_list", is_flag=True, help="The public tests that have a name.")
@click.option(
    "--base-url", metavar="URL", help="A mirror that is asked instead; READMARK_MIRROR says one."
)
@click.option(
    "--accept-licence", is_flag=True, help="For sets that forbid some uses: you keep to it."
)
@click.option("--sha256", metavar="HASH", help="What the file must be.")
@click.option("--replace", is_flag=True, help="Write over FILE, and trust what comes now.")
@click.option(
    "--max-size", type=int, default=4 << 30, metavar="BYTES", help="Refuse a larger file; 4 GiB."
)
@click.option("--timeout", type=float, default=60.0, help="Seconds of silence; 60.")
@click.option("--attempts", type=int, default=5, help="How often a connection is tried; 5.")
@options.json_option
def get_command(
    name: str | None,
    output: str | None,
    as_list: bool,
    base_url: str | None,
    accept_licence: bool,
    sha256: str | None,
    replace: bool,
    max_size: int,
    timeout: float,
    attempts: int,
    as_json: bool,
) -> None:
    """Fetch a public test by NAME, or a file of the Hugging Face hub.

    NAME is one of --list, or hf:OWNER/SET[@REVISION][/FILE]; the revision is pinned to its commit.
    FILE.source.json says where FILE is from, its licence and its hash, which the next fetch must
    meet. What was cut is gone on with.
    """
    from readmark.setting.fetching.connection import Limits
    from readmark.workflows.getting import get

    if as_list:
        _print_list(as_json)
        return
    if name is None:
        raise UsageError("which test? readmark get NAME; readmark get --list tells the names")
    ticker = Ticker()
    try:
        got = get(
            name,
            output,
            mirror=base_url,
            accept_licence=accept_licence,
            sha256=sha256,
            replace=replace,
            limits=Limits(largest=max_size, silence=timeout, attempts=attempts),
            announce=_announce,
            progress=lambda here, total: ticker.say(lambda: _bytes(here, total)),
        )
    finally:
        ticker.end()
    told = got.provenance
    if as_json:
        options.print_json({"file": str(got.file), "new": got.fetched, **msgspec.to_builtins(told)})
        return
    if got.fetched:
        options.say([f"{got.file} written: {told.size:,} bytes, SHA-256 {told.sha256}"])
        if told.checked == "first fetch":
            options.say([f"no hash was known; {got.source} has it now, for the next fetch"])
    else:
        how = (
            f"as it was fetched on {told.fetched}" if told.fetched else "and is what was asked for"
        )
        options.say([f"{got.file} is here already, {how}"])


def _announce(found: Fetchable) -> None:
    licence = found.licence or "not stated; look at where it comes from"
    options.say([f"{found.title}, from {found.url}", f"licence: {licence}"])
    if found.citation:
        options.say([f"cite: {found.citation}"])


def _bytes(here: int, total: int | None) -> str:
    of = f" of {total / 1e6:.1f}" if total else ""
    return f"{here / 1e6:.1f}{of} MB"


def _print_list(as_json: bool) -> None:
    from readmark.workflows.getting import listing

    tests = listing()
    if as_json:
        options.print_json({"tests": tests})
        return
    from readmark.reporting.terminal import print_registry

    print_registry([(one["name"], f"{one['title']}; {one['licence']}") for one in tests])
