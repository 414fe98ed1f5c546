"""A request's body with a limit, and the parts of an upload that stay in memory."""

from __future__ import annotations

import asyncio
from collections import deque

from fastapi import HTTPException
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.types import Message, Receive

from readmark.server.bodies import QUICK_BODY

_MOST_FILES = 10
"""Files of an upload: those below a megabyte are kept in memory."""
_DRAINED = 4
"""How many times the limit is read and dropped, so that a browser gets to see the refusal."""


def readable_size(limit: int) -> str:
    """A number of bytes as messages say it."""
    if limit >> 20:
        return f"{limit >> 20} MB"
    return f"{limit >> 10} KB" if limit >> 10 else f"{limit} bytes"


class LimitedBody:
    """A request's body with a limit: read here and handed on again, or streamed."""

    def __init__(self, receive: Receive, limit: int, parts: UploadParts | None) -> None:
        self._receive = receive
        self._limit = limit
        self._parts = parts
        self._taken = 0
        self._is_read = self._is_over = False
        self._pieces: deque[bytes] = deque()
        """What of the last message was not handed on yet."""
        self.content = bytearray()
        self.is_large = False
        self.is_cut = False
        """Whether the client left before it had sent everything."""

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._taken += len(message.get("body", b""))
            self.is_large = self._taken > self._limit
            self._is_over = not message.get("more_body", False)
        else:
            self._is_over = self.is_cut = True
        return message

    async def read(self) -> None:
        """Take the whole body, unless it is too large."""
        while not self._is_over and not self.is_large:
            message = await self._next()
            self.content += message.get("body", b"")
        self._is_read = True

    async def drain(self) -> None:
        """Drop what is still on its way, within reason."""
        self.content.clear()
        while not self._is_over and self._taken < _DRAINED * self._limit:
            await self._next()

    async def receive(self) -> Message:
        """What the route is given."""
        if self._is_read:
            self._is_read = False
            body = bytes(self.content)
            self.content.clear()
            return {"type": "http.request", "body": body, "more_body": False}
        if not self._pieces:
            if self._is_over:
                return await self._receive()
            message = await self._next()
            if self.is_large:
                await self.drain()
                raise HTTPException(413, f"The upload is larger than {readable_size(self._limit)}.")
            if message["type"] != "http.request":
                return message
            data = message.get("body", b"")
            starts = range(0, len(data) or 1, QUICK_BODY)
            self._pieces.extend(data[start : start + QUICK_BODY] for start in starts)
        else:
            await asyncio.sleep(0)  # other requests come in between
        # An upload is parsed in the event loop: a piece at a time, since a megabyte of nothing
        # but edges of parts takes a second.
        piece = self._pieces.popleft()
        if self._parts is not None and self._parts.are_too_many(piece):
            await self.drain()
            raise HTTPException(413, "The fields of the upload are larger than expected.")
        has_more = bool(self._pieces) or not self._is_over
        return {"type": "http.request", "body": piece, "more_body": has_more}


class UploadParts:
    """Counts what of an upload stays in memory: every field, and files that are small."""

    def __init__(self, boundary: bytes, limit: int) -> None:
        self._left = limit
        self._files = 0
        self._names: list[bytes] = []
        self._values: list[bytes] = []
        self._is_file = False
        self._parser: MultipartParser | None = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": lambda *data: self._take(self._names, *data),
                "on_header_value": lambda *data: self._take(self._values, *data),
                "on_header_end": self._end_header,
                "on_part_data": self._take_data,
            },
        )

    def are_too_many(self, data: bytes) -> bool:
        """Whether the fields, or the files, are too many with these bytes."""
        if self._parser is not None:
            try:
                self._parser.write(data)
            except FormParserError:
                self._parser = None  # the route says what is wrong
        return self._left < 0 or self._files > _MOST_FILES

    def _begin(self) -> None:
        self._is_file = False
        self._left -= 100  # what a part without anything in it takes

    def _take(self, pieces: list[bytes], data: bytes, start: int, end: int) -> None:
        self._left -= end - start
        if self._left >= 0:
            pieces.append(data[start:end])

    def _end_header(self) -> None:
        name, value = b"".join(self._names).lower(), b"".join(self._values)
        if name == b"content-disposition" and b"filename" in parse_options_header(value)[1]:
            self._is_file = True
            self._files += 1
        self._names, self._values = [], []

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._left -= end - start
