"""Messages between the runner and its worker processes, each after its length in bytes."""

from __future__ import annotations

import struct
from collections import deque
from typing import IO, Any, Protocol

import msgspec

LOST = 74
"""Exit status of a worker whose pipe was closed under it."""
LARGEST_ROW = 2**25
"""Bytes of a row as JSON; what is larger becomes an error row."""
LARGEST_MESSAGE = 2 * LARGEST_ROW
"""Bytes of a message from a worker; what is larger did not come from the worker's own code."""


class Begin(msgspec.Struct, tag="begin"):
    """The candidate that the worker is to be, and the test that it sits."""

    path: list[str]
    candidate: str
    kind: str
    language: str
    mark: bytes = b""
    """What each message from the worker begins with: bytes that nobody else would write."""
    materials: dict[str, bytes] = {}
    """What the candidate may see of the test besides the units."""
    languages: str = ""
    """The languages of questions and passages where they differ, such as ``en-zh``."""
    signature: dict[str, Any] | None = None
    """The header's, where the worker has to check that its candidate has the same."""


class Repeat(msgspec.Struct, tag="repeat"):
    """The records up to the next ``End`` are of this repeat."""

    number: int


class TaskMessage(msgspec.Struct, tag="task"):
    """A record to answer, as a line of a native file."""

    record: bytes
    wanted: tuple[str, ...]
    alone: bool = False
    """Whether the candidate gets a stream of these units and nothing else."""


class End(msgspec.Struct, tag="end"):
    """There are no more records; from a worker: the candidate answered all that it will of them."""


class Close(msgspec.Struct, tag="close"):
    """There are no more repeats: the worker ends."""


class Ready(msgspec.Struct, tag="ready"):
    """The candidate is loaded and has begun a repeat: from here on a time limit counts."""


class Want(msgspec.Struct, tag="want"):
    """The worker has taken a record and can be sent another."""


class Took(msgspec.Struct, tag="took"):
    """The candidate has taken a unit: if the worker dies now, this is what it died with."""

    id: str


class AnswerMessage(msgspec.Struct, tag="answer"):
    """An answer, as JSON: that is what a row holds, not MessagePack."""

    id: str
    row: bytes


class Left(msgspec.Struct, tag="left"):
    """The candidate was asked a unit alone and ended without an answer."""

    id: str


class Unscored(msgspec.Struct, tag="unscored"):
    """A score was left out: it is not a finite number."""

    id: str


class Fatal(msgspec.Struct, tag="fatal"):
    """The candidate cannot sit at all."""

    message: str


ToWorker = Begin | Repeat | TaskMessage | End | Close
FromWorker = Ready | Want | Took | AnswerMessage | Left | Unscored | Fatal | End

_SIZE = struct.Struct("<I")


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes | None: ...


def frame(message: msgspec.Struct, mark: bytes = b"") -> bytes:
    """A message in bytes: the mark, the length, the content."""
    data = msgspec.msgpack.encode(message)
    return mark + _SIZE.pack(len(data)) + data


def send(stream: IO[bytes], message: msgspec.Struct, mark: bytes = b"") -> None:
    """Write a message and flush it."""
    stream.write(frame(message, mark))
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


class Inbox:
    """Messages from their bytes as they arrive, up to the first byte that belongs to none."""

    def __init__(self, mark: bytes, kinds: Any, largest: int = LARGEST_MESSAGE) -> None:
        self.messages: deque[Any] = deque()
        self.damaged = False
        """Whether something other than a message was received: nothing after it can be read."""
        self._mark, self._largest = mark, largest
        self._decoder = msgspec.msgpack.Decoder(kinds)
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in bytes; whole messages go to ``messages``."""
        head = len(self._mark) + _SIZE.size
        self._data += data
        while not self.damaged and self._data:
            # Checked as soon as it comes: what is not a message may never have a rest to wait for.
            self.damaged = not self._mark.startswith(self._data[: len(self._mark)])
            if self.damaged or len(self._data) < head:
                return
            [size] = _SIZE.unpack_from(self._data, len(self._mark))
            self.damaged = size > self._largest
            if self.damaged or len(self._data) < head + size:
                return
            try:
                self.messages.append(self._decoder.decode(self._data[head : head + size]))
            except (msgspec.MsgspecError, ValueError, RecursionError):
                self.damaged = True
            del self._data[: head + size]
