"""What requests carry: JSON, bytes, or a form with a file, which is read as it is sent."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

_BLOCK = 1 << 16
"""Bytes of a file in memory at a time."""


@dataclass(frozen=True)
class HttpBody:
    """What a request carries, in blocks that can be sent again."""

    kind: str
    length: int
    blocks: Callable[[], Iterator[bytes]]


def json_body(document: Any) -> HttpBody:
    """A JSON document to send."""
    return bytes_body(msgspec.json.encode(document), "application/json")


def bytes_body(data: bytes, kind: str) -> HttpBody:
    """Bytes to send."""
    return HttpBody(kind, len(data), lambda: iter((data,)))


def form_body(fields: Mapping[str, str], name: str, file: Path) -> HttpBody:
    """A form with a file, which is read as it is sent."""
    boundary = f"readmark-{secrets.token_hex(16)}"
    head = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in fields.items()
    )
    # What would end the header is quoted, and so is what is not ASCII.
    quoted = quote(name, safe=" !#$&'()+,-.;=@[]^_`{}~")
    head += (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    before, after = head.encode(), f"\r\n--{boundary}--\r\n".encode()

    def blocks() -> Iterator[bytes]:
        yield before
        with file.open("rb") as stream:
            while block := stream.read(_BLOCK):
                yield block
        yield after

    length = len(before) + file.stat().st_size + len(after)
    return HttpBody(f"multipart/form-data; boundary={boundary}", length, blocks)
