"""JSON documents that are too large to hold, read piece by piece.

msgspec skips over a value to find where it ends, then decodes it alone. So numbers, repeated names,
escapes and errors are exactly those of a document that is decoded whole; ijson's are not
(benchmarks/libraries.md).
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator
from enum import Enum
from itertools import islice, takewhile
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.core.compression import is_compressed
from readmark.core.errors import DataError
from readmark.core.files import BOM, JSON_ERRORS, malformed, read_head, reading, syntax_fault
from readmark.core.limits import limits, megabytes

WHOLE = 32 << 20
"""Documents up to this size are decoded whole."""
PIECE = 8 << 20
"""Objects and arrays up to this size are decoded in one piece."""
BLOCK = 1 << 20
SAMPLE = 20
"""Elements of a long array that a sample of a document has."""
ENOUGH = 8 << 20
"""Bytes of a document after which a sample of it is complete."""

Route = tuple[str, ...]
"""Where the arrays are that need not be held: names of members, and ``[]`` for any element."""

_skip = msgspec.json.Decoder(msgspec.Raw).decode
_FAULT = re.compile(r"(trailing characters )?\(byte ([0-9]+)\)")
_CUT = 16
"""Bytes at the end of a window in which a fault may be a value that is cut off there."""
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SOLID = re.compile(rb"[^ \t\r\n]")
_ENDS = b' \t\r\n"]}'
"""Bytes that a value cannot continue after, as a number may after a digit."""


def is_large(path: Path) -> bool:
    """Whether a document, unpacked, is too large to be decoded whole."""
    with reading(path):  # refuses what is no file
        if path.stat().st_size > WHOLE:
            return True
    return is_compressed(path) and len(read_head(path, WHOLE + 1)) > WHOLE


def read_large(path: Path, route: Route) -> Any:
    """A document in which long arrays on the route are :class:`LargeArray`; the rest is held."""
    with _cursor(path) as cursor:
        value = cursor.value(route)
        cursor.end()
        return value


def read_sample(path: Path) -> Any:
    """A document with the first elements of its long arrays, to recognise a format by."""
    with _cursor(path) as cursor:
        first = cursor.peek()
        if first == b"[":
            prefixes = islice(cursor.elements(), SAMPLE)
            return [cursor.value(how=_How.SAMPLE, prefix=prefix) for prefix in prefixes]
        if first == b"{":
            members = cursor.members((), _How.SAMPLE)
            return dict(takewhile(lambda member: member[0] is not None, members))
        return cursor.value()


class LargeArray:
    """An array that is read from its file, element by element, each time it is iterated."""

    def __init__(self, path: Path, start: int, route: Route) -> None:
        self._path = path
        self._start = start
        self._route = route

    def __iter__(self) -> Iterator[Any]:
        with _cursor(self._path, self._start) as cursor:
            for prefix in cursor.elements():
                cursor.held = 0
                yield cursor.value(self._route, prefix=prefix)


class _How(Enum):
    """What a cursor does with the values that it passes."""

    KEEP = 1
    SAMPLE = 2
    SKIP = 3
    CHECK = 4
    """Decode them, to find out whether they are sound, and drop them."""


class _Broken(Exception):
    """Malformed JSON: what is wrong, and at which byte; None for the end of the file."""

    def __init__(self, what: str, byte: int | None) -> None:
        super().__init__(what)
        self.what = what
        self.byte = byte


@contextlib.contextmanager
def _cursor(path: Path, start: int = 0) -> Iterator[_Cursor]:
    with reading(path) as stream:
        try:
            try:
                yield _Cursor(path, stream, start)
            except _Broken as fault:
                raise _first_fault(path, fault) from None
        except RecursionError as error:  # the decoder itself may take more, from Python 3.12 on
            raise malformed(path, b"", error) from None


class _Cursor:
    """A place in a stream of JSON, with as much of what follows it as was needed so far.

    A prefix is the start of a document that leads to the state at this place: malformed JSON is
    decoded after it, which gives the message of the decoder.
    """

    def __init__(self, path: Path, stream: IO[bytes], start: int) -> None:
        self.held = 0
        """Bytes of JSON that were decoded and kept since this was last set to 0."""
        self._path = path
        self._stream = stream
        self._base = start
        self._buffer = b""
        self._at = 0
        self._ended = False
        if is_compressed(path):
            while start > 0 and (block := stream.read(min(start, BLOCK))):
                start -= len(block)
        else:
            stream.seek(start)
        self._grow()
        if self._base == 0 and self._buffer.startswith(BOM):
            self._at = len(BOM)

    def value(self, route: Route = (), how: _How = _How.KEEP, prefix: bytes = b"") -> Any:
        """The value here; the cursor moves to what follows it."""
        first = self.peek()
        end = self._end(prefix)
        if end is not None:
            return self._piece(end, how, prefix)
        return self._array(route, how) if first == b"[" else self._object(route, how)

    def end(self) -> None:
        """Refuse anything but white space after the document."""
        if self.peek():
            raise self._broken(b"[]")

    def peek(self) -> bytes:
        """The next byte that is not white space; empty at the end."""
        while (match := _SOLID.search(self._buffer, self._at)) is None:
            self._at = len(self._buffer)
            if self._ended:
                return b""
            self._grow()
        self._at = match.start()
        return match[0]

    def elements(self) -> Iterator[bytes]:
        """Stop at each element of the array here, with its prefix; the caller moves past it."""
        self._at += 1
        if self.peek() == b"]":
            self._at += 1
            return
        yield b"["
        while self._continues(b"]", b"[[]"):
            yield b"[[],"

    def members(self, route: Route, how: _How) -> Iterator[tuple[str | None, Any]]:
        """The members of the object here; names and values that are skipped are None."""
        self._at += 1
        if self.peek() == b"}":
            self._at += 1
            return
        prefix = b"{"
        while True:
            if self.peek() != b'"':
                raise self._broken(prefix)
            name = self.value(how=how, prefix=prefix)
            if self.peek() != b":":
                raise self._broken(b'{""')
            self._at += 1
            on_route = bool(route) and name == route[0]
            yield name, self.value(route[1:] if on_route else (), how, b'{"":')
            if not self._continues(b"}", b'{"":[]'):
                return
            if how is _How.SAMPLE and self.held > ENOUGH:
                how = _How.SKIP
            prefix = b'{"":[],'

    def _object(self, route: Route, how: _How) -> dict[str, Any]:
        """An object too large for one piece."""
        members = {}
        for name, value in self.members(route, how):
            if name is not None and how is not _How.CHECK:
                members[name] = value
        return members

    def _array(self, route: Route, how: _How) -> Any:
        """An array too large for one piece."""
        start, count = self._base + self._at, 0
        is_streamed = how is _How.KEEP and route[:1] == ("[]",)
        elements: list[Any] = []
        for prefix in self.elements():
            count += 1
            has_sample = how is _How.SAMPLE and (count > SAMPLE or self.held > ENOUGH)
            is_skipped = is_streamed or has_sample
            value = self.value((), _How.SKIP if is_skipped else how, prefix)
            if not is_skipped and how in (_How.KEEP, _How.SAMPLE):
                elements.append(value)
        return LargeArray(self._path, start, route[1:]) if is_streamed and count else elements

    def _continues(self, closing: bytes, prefix: bytes) -> bool:
        """Move past a comma or the closing bracket; whether it was a comma."""
        mark = self.peek()
        if mark not in (b",", closing):
            raise self._broken(prefix)
        self._at += 1
        return mark == b","

    def _end(self, prefix: bytes) -> int | None:
        """Where the value here ends, white space after it included; None if it is too large."""
        while True:
            try:
                _skip(memoryview(self._buffer)[self._at :])
                if self._ended or self._buffer[-1] in _ENDS:
                    return len(self._buffer)
            except JSON_ERRORS as error:
                fault = _FAULT.search(str(error))
                if fault is not None and fault[1]:
                    return self._at + int(fault[2]) - 1
                is_cut = "truncated" in str(error) or (
                    fault is not None and self._at + int(fault[2]) > len(self._buffer) - _CUT
                )
                if self._ended or not is_cut:
                    raise self._broken(prefix) from None
            if len(self._buffer) - self._at >= PIECE:
                if self._buffer[self._at] in b"[{":
                    return None
                if _TEXT.match(self._buffer, self._at):  # complete, with half a surrogate pair
                    raise self._broken(prefix)
                most = limits().line
                if len(self._buffer) - self._at > most:
                    message = f"has a text that is longer than {megabytes(most)}"
                    raise limits().exceeded("line", message, file=self._path)
            self._grow()

    def _piece(self, end: int, how: _How, prefix: bytes) -> Any:
        """The value up to its end, decoded."""
        value = None
        if how is not _How.SKIP:
            try:
                value = msgspec.json.decode(memoryview(self._buffer)[self._at : end])
            except JSON_ERRORS:
                raise self._broken(prefix) from None
            if how is not _How.CHECK:
                self.held += end - self._at
                self._require(self.held)
        self._at = end
        return value

    def _require(self, size: int) -> None:
        """Hold no more than a document may have that is read whole."""
        most = limits().document
        if size > most:
            message = f"has more than {megabytes(most)} that cannot be read piece by piece"
            raise limits().exceeded("document", message, file=self._path)

    def _grow(self) -> None:
        """Drop what was passed, and read as much again as is left."""
        rest = self._buffer[self._at :]
        block = self._stream.read(max(BLOCK, len(rest)))
        self._base += self._at
        self._buffer = rest + block
        self._at = 0
        self._ended = not block

    def _broken(self, prefix: bytes) -> _Broken:
        """The error for malformed JSON from here on."""
        self._grow()  # the character that is wrong may be cut off
        data = prefix + self._buffer
        try:
            msgspec.json.decode(data)
        except JSON_ERRORS as error:
            what, byte = syntax_fault(data, error)
            if isinstance(error, RecursionError):
                return _Broken(what, 0)
            return _Broken(what, None if byte is None else self._base + byte - len(prefix))
        raise AssertionError("sound JSON was taken for malformed")  # pragma: no cover


def _first_fault(path: Path, fault: _Broken) -> DataError:
    """The error that decoding the whole document gives.

    The ``fault`` may be a later one, since pieces are skipped before they are decoded. Bytes that
    are not UTF-8 come first, wherever they are.
    """
    with reading(path) as stream:
        cursor = _Cursor(path, stream, 0)
        try:
            cursor.value(how=_How.CHECK)
            cursor.end()
        except _Broken as first:
            fault = first
    what, byte = _not_utf_8(path) or (fault.what, fault.byte)
    line, column = _place(path, byte)
    return DataError(what, file=path, where=f"{line}:{column}")


def _not_utf_8(path: Path) -> tuple[str, int] | None:
    """The first byte that is not UTF-8, in words, and where it is; None if all is sound."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with reading(path) as stream:
        read, last = 0, False
        while not last:
            block = stream.read(BLOCK)
            last = not block
            start = read - len(decoder.getstate()[0])
            try:
                decoder.decode(block, last)
            except UnicodeDecodeError as error:
                byte = error.object[error.start]
                return f"not valid UTF-8 (byte 0x{byte:02x})", start + error.start
            read += len(block)
    return None


def _place(path: Path, byte: int | None) -> tuple[int, int]:
    """The line and column of a byte; of the end of the file for None. A BOM is not counted."""
    with reading(path) as stream:
        line, begin, read = 1, 0, 0
        while block := stream.read(BLOCK if byte is None else min(BLOCK, byte - read)):
            if read == 0 and block.startswith(BOM):
                begin = len(BOM)
            if b"\n" in block:
                line += block.count(b"\n")
                begin = read + block.rindex(b"\n") + 1
            read += len(block)
    return line, max(read - begin, 0) + 1
