"""Where a file is from: FILE.source.json beside it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.making.get.public_tests import Fetchable


class FileProvenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a file is from: the content of FILE.source.json."""

    name: str
    url: str
    sha256: str
    size: int
    fetched: str | None = None
    """When; None where the file was here already."""
    asked: str | None = None
    """The address that was asked, if it is a mirror's."""
    revision: str | None = None
    checked: str | None = None
    """What the hash was checked against."""
    title: str | None = None
    format: str | None = None
    licence: str | None = None
    citation: str | None = None
    readmark: str | None = None
    """The version that fetched it."""


def provenance_of(
    name: str,
    fetchable: Fetchable,
    sha256: str,
    file: Path,
    checked: str,
    fetched: str | None,
    address: str,
) -> FileProvenance:
    return FileProvenance(
        name=name,
        url=fetchable.url,
        revision=fetchable.revision,
        title=fetchable.title,
        format=fetchable.format,
        licence=fetchable.licence,
        citation=fetchable.citation,
        asked=address if address != fetchable.url else None,
        sha256=sha256,
        size=file.stat().st_size,
        checked=checked,
        fetched=fetched,
        readmark=__version__,
    )


def read_provenance(source: Path) -> FileProvenance | None:
    try:
        return msgspec.json.decode(source.read_bytes(), type=FileProvenance)
    except FileNotFoundError:
        return None
    except (OSError, *JSON_ERRORS) as error:
        raise DataError(f"does not record where a file is from ({error})", file=source) from None


def write_provenance(provenance: FileProvenance, source: Path) -> None:
    with writing(source) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(provenance), indent=2) + b"\n")
