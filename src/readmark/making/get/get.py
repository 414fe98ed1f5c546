"""Fetching a public test: checked against its hash, and its origin recorded."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console

from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.limits import limits as file_limits
from readmark.core.streams import is_standard
from readmark.making.get.content import git_sha1_of, sha256_of
from readmark.making.get.download import Progress, download, partial_file, place
from readmark.making.get.http_requests import FetchLimits, fetch_document
from readmark.making.get.hub import PREFIX, TOKEN, on_hub
from readmark.making.get.mirror import mirrored
from readmark.making.get.provenance import (
    FileProvenance,
    provenance_of,
    read_provenance,
    write_provenance,
)
from readmark.making.get.public_tests import Fetchable, public_test

MIRROR = "READMARK_MIRROR"
"""The environment variable with the address of a mirror."""
_COMPRESSED = (".gz", ".zst", ".bz2", ".xz")
_NO_HASH = "first fetch"
"""What provenance says of a content whose hash nobody knew."""


class ExpectedHash(NamedTuple):
    """The SHA-256 that the content must have, if it is known, and who says so."""

    sha256: str | None
    by: str


@dataclass(frozen=True, slots=True)
class FetchedFile(Result):
    """A file that is here now."""

    file: Path
    source: Path
    provenance: FileProvenance
    fetched: bool
    """Whether it was not here before."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, or that the file was here already."""
        origin = self.provenance
        if not self.fetched:
            state = "and is the requested file"
            if origin.fetched:
                state = f"as it was fetched on {origin.fetched}"
            return (f"{self.file} exists already, {state}",)
        written = f"{self.file} written: {origin.size:,} bytes, SHA-256 {origin.sha256}"
        if origin.checked != _NO_HASH:
            return (written,)
        return written, f"no hash was known; {self.source} now records it for later downloads"

    def as_json(self) -> dict[str, Any]:
        provenance = msgspec.to_builtins(self.provenance)
        return {"file": str(self.file), "new": self.fetched, **provenance}

    def show(self, console: Console) -> None:
        for line in self.notes:
            console.print(line)


def get(
    name: str,
    output: str | Path | None = None,
    *,
    mirror: str | None = None,
    accept_licence: bool = False,
    sha256: str | None = None,
    replace: bool = False,
    limits: FetchLimits | None = None,
    announce: Callable[[Fetchable], None] = lambda fetchable: None,
    progress: Progress = lambda here, total: None,
) -> FetchedFile:
    """Fetch a public test by its name, or a file of the hub by ``hf:OWNER/SET[@REVISION]/FILE``."""
    limits = limits or FetchLimits(largest=file_limits().download)
    mirror = mirror or os.environ.get(MIRROR) or None
    required = _hash(sha256)
    fetchable = _find(name, mirror, limits)
    target = Path(output) if output is not None else Path(fetchable.file_name)
    _require_fitting_name(target, fetchable)
    announce(fetchable)
    source = target.with_name(f"{target.name}.source.json")
    before = read_provenance(source)
    expected = _expected_hash(fetchable, required, before, replace=replace)
    if target.exists() and not replace:
        return _existing(name, target, source, before, fetchable, expected)
    if fetchable.restricted and not accept_licence:
        raise UsageError(
            f"{name} has a licence that restricts its use ({fetchable.licence}): "
            "give --accept-licence if you comply with it"
        )
    address = mirrored(fetchable.url, mirror)
    part = target.with_name(f".{target.name}.part")
    try:
        with partial_file(part, target) as stream:
            digest = download(
                address,
                part,
                stream,
                limits,
                secret=_secret(name, mirror),
                size=fetchable.size,
                progress=progress,
            )
            try:
                by = _who_confirms(part, digest, expected, fetchable)
            except OtherContent as error:
                refused = target.with_name(f"{target.name}.refused")
                part.replace(refused)
                raise DataError(f"{address}: {error}; see {refused}") from None
            fetched = datetime.now(UTC).isoformat(timespec="seconds")
            provenance = provenance_of(name, fetchable, digest, part, by, fetched, address)
            write_provenance(provenance, source)
            place(stream, part, target)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=target) from None
    return FetchedFile(target, source, provenance, fetched=True)


class OtherContent(Exception):
    """The content is not the expected one."""


def _who_confirms(part: Path, digest: str, expected: ExpectedHash, fetchable: Fetchable) -> str:
    """Who says the hash that the content has; other content is refused."""
    if expected.sha256 is not None and digest != expected.sha256:
        raise OtherContent(f"SHA-256 {digest}, expected {expected.sha256} by {expected.by}")
    if fetchable.git_sha1 is not None:
        blob = git_sha1_of(part)
        if blob != fetchable.git_sha1:
            message = f"Git's SHA-1 {blob}, expected {fetchable.git_sha1} by {fetchable.hash_by}"
            raise OtherContent(message)
        if expected.sha256 is None:
            return fetchable.hash_by
    return expected.by


def _find(name: str, mirror: str | None, limits: FetchLimits) -> Fetchable:
    if not name.startswith(PREFIX):
        return public_test(name)
    secret = _secret(name, mirror)
    return on_hub(name, lambda url: fetch_document(mirrored(url, mirror), limits, secret=secret))


def _secret(name: str, mirror: str | None) -> str | None:
    """The hub's token, for the hub alone: it is not sent to a mirror."""
    if mirror or not name.startswith(PREFIX):
        return None
    token = os.environ.get(TOKEN, "").strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise UsageError(
            f"{TOKEN} is not a token: it contains blanks, line breaks or characters beyond ASCII"
        )
    return token or None


def _require_fitting_name(target: Path, fetchable: Fetchable) -> None:
    """Refuse a suffix of another compression than the file's: files are read by their suffix."""
    if is_standard(target):
        raise UsageError("get records the source next to the file: name a file, not -")
    if target.is_dir():
        raise DataError("is a directory, expected a file to write", file=target)
    if not target.absolute().parent.is_dir():
        raise DataError("cannot be written (no such folder)", file=target)
    suffix = Path(fetchable.file_name).suffix.lower()
    target_suffix = target.suffix.lower()
    if target_suffix != suffix and (
        target_suffix in _COMPRESSED or suffix in _COMPRESSED or suffix == ".parquet"
    ):
        raise UsageError(
            f"{target}: the file to download is {fetchable.file_name}; end the name in {suffix}"
        )


def _expected_hash(
    fetchable: Fetchable, required: str | None, before: FileProvenance | None, *, replace: bool
) -> ExpectedHash:
    """The hash by the user, else by the table, else by the last fetch."""
    if required is not None:
        return ExpectedHash(required, "--sha256")
    if fetchable.sha256 is not None:
        return ExpectedHash(fetchable.sha256, fetchable.hash_by)
    if before is not None and not replace:
        is_same = before.url == fetchable.url and before.revision == fetchable.revision
        if is_same:
            return ExpectedHash(before.sha256, "the first fetch")
    return ExpectedHash(None, _NO_HASH)


def _existing(
    name: str,
    target: Path,
    source: Path,
    before: FileProvenance | None,
    fetchable: Fetchable,
    expected: ExpectedHash,
) -> FetchedFile:
    """The file that is here already, if it is the requested one."""
    digest = sha256_of(target)
    if (
        before is not None
        and before.url == fetchable.url
        and digest == before.sha256 == (expected.sha256 or digest)
    ):
        return FetchedFile(target, source, before, fetched=False)
    if digest == expected.sha256:
        by = expected.by
        origin = provenance_of(name, fetchable, digest, target, by, None, fetchable.url)
        write_provenance(origin, source)
        return FetchedFile(target, source, origin, fetched=False)
    raise UsageError(f"{target} exists already and is not {name} as it was fetched: give --replace")


def _hash(sha256: str | None) -> str | None:
    if sha256 is None:
        return None
    digits = sha256.lower().removeprefix("sha256:")
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise UsageError(f"--sha256 {sha256!r} is not 64 hexadecimal digits")
    return digits
