"""The content of a downloaded file: its hashes, and signs that it is not the data asked for."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from readmark.core.errors import DataError

_BLOCK = 1 << 20
_HEAD = 4096
"""Bytes at the beginning of a file in which a page or a pointer shows itself."""
_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*|<!--.{0,2000}?-->\s*)*"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script)\b",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b", re.IGNORECASE)
_POINTER = b"version https://git-lfs."
_MARKED_UP = (".xml", ".html", ".htm")


def sha256_of(file: Path | IO[bytes]) -> str:
    """The SHA-256 of a file's bytes."""
    if isinstance(file, Path):
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def git_sha1_of(path: Path) -> str:
    """The SHA-1 that Git knows a file by: of a header with its size, then of its bytes."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def require_no_page(url: str, media_type: str) -> None:
    """Refuse a response that the server calls a web page, unless the address is one of a page."""
    is_html = media_type.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml")
    if is_html and not _may_be_page(url):
        raise _page(url)


def require_data(url: str, stream: IO[bytes]) -> None:
    """Refuse an empty file, a web page, and a pointer that Git LFS keeps in a file's place."""
    if not os.fstat(stream.fileno()).st_size:
        raise DataError(f"{url}: the server sent nothing")
    stream.seek(0)
    head = stream.read(_HEAD)
    if head.startswith(_POINTER):
        raise DataError(f"{url}: the server sent a Git LFS pointer, not its file")
    if not _may_be_page(url) and (_PAGE.match(head) or _XML.match(head)):
        raise _page(url)


def _may_be_page(url: str) -> bool:
    return urlsplit(url).path.lower().endswith(_MARKED_UP)


def _page(url: str) -> DataError:
    return DataError(f"{url}: the server sent a web page, not a data file")
