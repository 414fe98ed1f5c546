"""What the runner and its worker processes say to each other, in length-prefixed messages."""

from __future__ import annotations

import struct
from typing import IO, Any, Protocol

import msgspec


class Begin(msgspec.Struct, tag="begin"):
    """Who the worker is to be."""

    path: list[str]
    candidate: str
    kind: str
    language: str
    repeat: int = 0


class Task(msgspec.Struct, tag="task"):
    """A record to answer, as a line of a native file."""

    record: bytes
    wanted: tuple[str, ...]


class End(msgspec.Struct, tag="end"):
    """There are no more records; from a worker: the candidate has said all that it will."""


class Want(msgspec.Struct, tag="want"):
    """A worker has taken a record and can be sent another."""


class Took(msgspec.Struct, tag="took"):
    """The candidate has taken a unit: if the worker dies now, this is what it died with."""

    id: str


class Said(msgspec.Struct, tag="said"):
    """An answer, as it would stand in the journal: a row holds what JSON holds, not MessagePack."""

    id: str
    row: bytes


class Unscored(msgspec.Struct, tag="unscored"):
    """A score that is no finite number was left out."""

    id: str


class Fatal(msgspec.Struct, tag="fatal"):
    """The candidate cannot sit at all."""

    message: str


ToWorker = Begin | Task | End
FromWorker = Want | Took | Said | Unscored | Fatal | End

_SIZE = struct.Struct("<I")


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes | None: ...


def send(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Write a message and flush it."""
    data = msgspec.msgpack.encode(message)
    stream.write(_SIZE.pack(len(data)) + data)
    stream.flush()


def receive(stream: Readable, kinds: Any) -> Any:
    """The next message, or None when the other side is gone."""
    head = _exactly(stream, _SIZE.size)
    data = _exactly(stream, _SIZE.unpack(head)[0]) if head is not None else None
    return msgspec.msgpack.decode(data, type=kinds) if data is not None else None


def _exactly(stream: Readable, size: int) -> bytes | None:
    parts = []
    while size > 0:
        part = stream.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
