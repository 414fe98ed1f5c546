"""Files that forms bring, and files that pages give to save."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated, Any, Literal
from urllib.parse import quote

import msgspec
from fastapi import File, UploadFile
from starlette.responses import Response

from readmark.core.errors import DataError
from readmark.server.items import ItemSource
from readmark.server.shipped import bundled_test
from readmark.server.uploads import uploaded

Upload = Annotated[UploadFile | None, File()]
Purpose = Literal["work", "practice", "qualifying", "control"]
"""What items are made for."""


@contextmanager
def uploads(
    *files: tuple[UploadFile | None, Purpose, tuple[str, ...]], bundled: str = ""
) -> Iterator[list[ItemSource]]:
    """Uploaded files as sources of items; those that were not chosen are left out.

    ``bundled`` names a test that comes with Readmark, for where no test was uploaded.
    """
    with ExitStack() as stack:
        sources = []
        for upload, purpose, splits in files:
            if upload is not None and upload.filename:
                path = stack.enter_context(uploaded(upload.file, upload.filename))
            elif purpose == "work" and bundled:
                path = stack.enter_context(bundled_test(bundled))
            else:
                continue
            sources.append(ItemSource(path, purpose, splits))
        yield sources


def split_names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def uploaded_text(upload: UploadFile | None) -> str:
    """The text of an uploaded configuration; nothing where none was chosen."""
    if upload is None or not upload.filename:
        return ""
    try:
        return upload.file.read(4 << 20).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file="project.toml") from None


def json_file(document: Any) -> bytes:
    """A document as a file of JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(document)) + b"\n"


def attachment(content: bytes, name: str) -> Response:
    """A file to save: never shown in the page's own origin."""
    quoted = f'filename="{name}"' if name.isascii() else f"filename*=UTF-8''{quote(name)}"
    headers = {"content-disposition": f"attachment; {quoted}"}
    return Response(content, media_type="application/octet-stream", headers=headers)
