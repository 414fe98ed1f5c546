"""Uploads: files that a browser sends, as files that formats can read."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import BinaryIO

from readmark.core.errors import ReadmarkError
from readmark.server.full_disk import noticing_full_disk


@contextmanager
def uploaded(stream: BinaryIO, name: str | None) -> Iterator[Path]:
    """A private copy of an upload under its own name; errors call it by that name."""
    safe = re.sub(r"[^\w.-]", "_", PurePath((name or "").replace("\\", "/")).name)
    # The end of the name: file systems count bytes, and the ending says what the file is.
    safe = safe.encode()[-120:].decode("utf-8", "ignore").lstrip(".-") or "upload"
    with noticing_full_disk(), tempfile.TemporaryDirectory(prefix="readmark-upload-") as folder:
        path = Path(folder) / safe
        with path.open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        try:
            yield path
        except ReadmarkError as error:
            # Nobody has heard of the copy's folder.
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise
