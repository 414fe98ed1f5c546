"""``readmark get``: a public test fetched, checked against its hash, and its origin recorded."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS, Ticker
from readmark.core.display import Result, print_registry
from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.limits import limits as file_limits
from readmark.core.streams import is_standard
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.making.get.download import (
    FetchLimits,
    Progress,
    download,
    fetch_document,
    partial_file,
    place,
)
from readmark.making.get.public_tests import (
    PREFIX,
    TOKEN,
    Fetchable,
    git_sha1_of,
    mirrored,
    on_hub,
    public_test,
    public_tests,
    sha256_of,
)


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
    **wanted: Any,
) -> None:
    """Download a public test by NAME, or a file from the Hugging Face hub.

    Without NAME, lists the public tests. A file of the hub is hf:OWNER/SET[@REVISION][/FILE]; the
    revision is pinned to its commit. FILE.source.json records the origin, licence and hash of FILE;
    later downloads must match the hash. Interrupted downloads resume. READMARK_MIRROR in the
    environment is the address of a mirror to download from.
    """
    if name is None:
        for option, value in (("-o", output), ("--sha256", wanted["sha256"])):
            if value is not None:
                raise click.UsageError(f"{option} needs the NAME of a test")
        options.print_result(PublicTests(public_tests()), as_json=as_json)
        return

    def words(here: int, total: int | None) -> str:
        of = f" of {total / 1e6:.1f}" if total else ""
        return f"{here / 1e6:.1f}{of} MB"

    with Ticker() as ticker:
        got = get(
            name,
            output,
            announce=lambda found: options.notify(found.announcement()),
            progress=lambda here, total: ticker.say(lambda: words(here, total)),
            **wanted,
        )
    if as_json:
        options.print_result(got, as_json=True)
    else:
        options.notify(got.notes)


MIRROR = "READMARK_MIRROR"
"""The environment variable with the address that is asked instead of the usual ones."""
_COMPRESSED = (".gz", ".zst", ".bz2", ".xz")


class FileProvenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a file is from: the content of FILE.source.json."""

    name: str
    url: str
    sha256: str
    size: int
    fetched: str | None = None
    """When; nothing where the file was here already."""
    asked: str | None = None
    """The address that was asked, where it is a mirror's."""
    revision: str | None = None
    checked: str | None = None
    """What the hash was checked against."""
    title: str | None = None
    format: str | None = None
    licence: str | None = None
    citation: str | None = None
    readmark: str | None = None
    """The version that fetched it."""


@dataclass(frozen=True, slots=True)
class Got(Result):
    """A file that is here now."""

    file: Path
    source: Path
    provenance: FileProvenance
    fetched: bool
    """Whether it was not here before."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, or that it was here."""
        origin = self.provenance
        if not self.fetched:
            how = f"as it was fetched on {origin.fetched}" if origin.fetched else ""
            return (f"{self.file} exists already, {how or 'and is what was asked for'}",)
        written = f"{self.file} written: {origin.size:,} bytes, SHA-256 {origin.sha256}"
        if origin.checked != "first fetch":
            return (written,)
        return written, f"no hash was known; {self.source} now records it for later downloads"

    def as_json(self) -> dict[str, Any]:
        provenance = msgspec.to_builtins(self.provenance)
        return {"file": str(self.file), "new": self.fetched, **provenance}

    def show(self, console: Console) -> None:
        for line in self.notes:
            console.print(line)


@dataclass(frozen=True, slots=True)
class PublicTests(Result):
    """The public tests that are known by name."""

    tests: dict[str, Fetchable]

    def as_json(self) -> dict[str, Any]:
        tests = self.tests.items()
        return {"tests": [{"name": name, **msgspec.to_builtins(test)} for name, test in tests]}

    def show(self, console: Console) -> None:
        print_registry(
            [(name, f"{test.title}; {test.licence}") for name, test in self.tests.items()]
        )


def get(
    name: str,
    output: str | Path | None = None,
    *,
    mirror: str | None = None,
    accept_licence: bool = False,
    sha256: str | None = None,
    replace: bool = False,
    limits: FetchLimits | None = None,
    announce: Callable[[Fetchable], None] = lambda found: None,
    progress: Progress = lambda here, total: None,
) -> Got:
    """Fetch a public test by its name, or a file of the hub by ``hf:OWNER/SET[@REVISION]/FILE``."""
    limits = limits or FetchLimits(largest=file_limits().download)
    mirror = mirror or os.environ.get(MIRROR) or None
    wanted = _hash(sha256)
    fetchable = _find(name, mirror, limits)
    target = Path(output) if output is not None else Path(fetchable.file_name)
    _require_fit(target, fetchable)
    announce(fetchable)
    source = target.with_name(f"{target.name}.source.json")
    before = _read(source)
    expected, by = _expected(fetchable, wanted, before, replace=replace)
    if target.exists() and not replace:
        return _already(name, target, source, before, fetchable, expected, by)
    if fetchable.restricted and not accept_licence:
        raise UsageError(
            f"{name} has a licence that restricts its use ({fetchable.licence}): "
            "give --accept-licence if you comply with it"
        )
    address = mirrored(fetchable.url, mirror)
    part = target.with_name(f".{target.name}.part")
    try:
        with partial_file(part, target) as stream:
            got = download(
                address,
                part,
                stream,
                limits,
                secret=_secret(name, mirror),
                size=fetchable.size,
                progress=progress,
            )
            by = _checked(address, part, target, got, expected, by, fetchable)
            fetched = datetime.now(UTC).isoformat(timespec="seconds")
            provenance = _provenance(name, fetchable, got, part, by, fetched, address)
            _write(provenance, source)
            place(stream, part, target)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=target) from None
    return Got(target, source, provenance, fetched=True)


def _checked(
    address: str,
    part: Path,
    target: Path,
    got: str,
    expected: str | None,
    by: str,
    found: Fetchable,
) -> str:
    """What the content was checked against; one that is another is put aside."""
    message = f"SHA-256 {got}, expected {expected}"
    wrong = expected is not None and got != expected
    if not wrong and found.git_sha1 is not None:
        blob = git_sha1_of(part)
        message = f"Git's SHA-1 {blob}, expected {found.git_sha1}"
        wrong = blob != found.git_sha1
        by = found.hash_by if expected is None or wrong else by
    if not wrong:
        return by
    aside = target.with_name(f"{target.name}.refused")
    part.replace(aside)
    raise DataError(f"{address}: {message} by {by}; see {aside}")


def _provenance(
    name: str,
    found: Fetchable,
    sha256: str,
    file: Path,
    checked: str,
    fetched: str | None,
    address: str,
) -> FileProvenance:
    known = ("url", "revision", "title", "format", "licence", "citation")
    return FileProvenance(
        name=name,
        **{member: getattr(found, member) for member in known},
        asked=address if address != found.url else None,
        sha256=sha256,
        size=file.stat().st_size,
        checked=checked,
        fetched=fetched,
        readmark=__version__,
    )


def _find(name: str, mirror: str | None, limits: FetchLimits) -> Fetchable:
    if not name.startswith(PREFIX):
        return public_test(name)
    secret = _secret(name, mirror)
    return on_hub(name, lambda url: fetch_document(mirrored(url, mirror), limits, secret=secret))


def _secret(name: str, mirror: str | None) -> str | None:
    """The hub's token, for the hub alone: a mirror is not shown it."""
    if mirror or not name.startswith(PREFIX):
        return None
    token = os.environ.get(TOKEN, "").strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError(
            f"{TOKEN} is not a token: it contains blanks, line breaks or characters beyond ASCII"
        )
    return token or None


def _require_fit(target: Path, found: Fetchable) -> None:
    """A file is read by its suffix: one that is compressed must say so, and no other."""
    if is_standard(target):
        raise UsageError("get records the source next to the file: name a file, not -")
    if target.is_dir():
        raise DataError("is a directory, expected a file to write", file=target)
    if not target.absolute().parent.is_dir():
        raise DataError("cannot be written (no such folder)", file=target)
    theirs = Path(found.file_name).suffix.lower()
    ours = target.suffix.lower()
    if ours != theirs and (ours in _COMPRESSED or theirs in _COMPRESSED or theirs == ".parquet"):
        raise UsageError(f"{target}: what comes is {found.file_name}; end the name in {theirs}")


def _expected(
    found: Fetchable, wanted: str | None, before: FileProvenance | None, *, replace: bool
) -> tuple[str | None, str]:
    """The hash that must come, and who says so: the user, the table, the last fetch."""
    if wanted is not None:
        return wanted, "--sha256"
    if found.sha256 is not None:
        return found.sha256, found.hash_by
    known = before is not None and (before.url, before.revision) == (found.url, found.revision)
    if before is not None and known and not replace:
        return before.sha256, "the first fetch"
    return None, "first fetch"


def _already(
    name: str,
    target: Path,
    source: Path,
    before: FileProvenance | None,
    found: Fetchable,
    expected: str | None,
    by: str,
) -> Got:
    """What is here already is left alone, if it is what was asked for."""
    got = sha256_of(target)
    if before is not None and before.url == found.url and got == before.sha256 == (expected or got):
        return Got(target, source, before, fetched=False)
    if expected is not None and got == expected:
        origin = _provenance(name, found, got, target, by, None, found.url)
        _write(origin, source)
        return Got(target, source, origin, fetched=False)
    raise UsageError(f"{target} is here already, and is not {name} as it was fetched: --replace")


def _hash(said: str | None) -> str | None:
    if said is None:
        return None
    plain = said.lower().removeprefix("sha256:")
    if len(plain) != 64 or any(one not in "0123456789abcdef" for one in plain):
        raise UsageError(f"--sha256 {said!r} is not 64 hexadecimal digits")
    return plain


def _read(source: Path) -> FileProvenance | None:
    try:
        return msgspec.json.decode(source.read_bytes(), type=FileProvenance)
    except FileNotFoundError:
        return None
    except (OSError, *JSON_ERRORS) as error:
        raise DataError(f"does not record where a file is from ({error})", file=source) from None


def _write(provenance: FileProvenance, source: Path) -> None:
    with writing(source) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(provenance), indent=2) + b"\n")
