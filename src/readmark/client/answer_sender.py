"""Answers on their way to a hall: what a sitting's journal gains is sent as it comes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.client.connection import Connection
from readmark.client.request_bodies import bytes_body
from readmark.client.results import read_reply

MOST_ROWS, MOST_BYTES, LONGEST_DELAY = 200, 1 << 20, 2.0
"""Answers go to the hall when there are so many, or after so many seconds."""


@dataclass(frozen=True)
class OpenSitting:
    """A sitting in a hall: how much of it is answered."""

    submission: str
    units: int
    answered: int
    state: str
    phase: str = ""


@dataclass(frozen=True)
class _Received:
    """What a hall replies to answers."""

    answered: int


class AnswerSender:
    """Sends the answers that a journal gains, in batches."""

    def __init__(self, hall: Connection, path: str, answered: int) -> None:
        self.answered = answered
        self._hall = hall
        self._path = f"{path}/answers"
        self._sent = 0
        self._rows = 0
        self._last = time.monotonic()

    def follow(self, journal: Path, *, at_once: bool = False) -> None:
        """Send the new rows when there are enough of them, or when they have waited long enough."""
        self._rows += 1
        waited = time.monotonic() - self._last
        if not at_once and self._rows < MOST_ROWS and waited < LONGEST_DELAY:
            return
        batch: list[bytes] = []
        for row in self._new_rows(journal):
            if batch and (len(batch) == MOST_ROWS or sum(map(len, batch)) + len(row) > MOST_BYTES):
                self._send(batch)
                batch = []
            batch.append(row)
        if batch:
            self._send(batch)
        self._rows, self._last = 0, time.monotonic()

    def _new_rows(self, journal: Path) -> Iterator[bytes]:
        """Whole lines since the last time that hold an answer; the first line is the header."""
        with journal.open("rb") as stream:
            stream.seek(self._sent)
            for line in stream:
                if not line.endswith(b"\n"):
                    return
                is_header = self._sent == 0
                self._sent += len(line)
                if not is_header and msgspec.json.decode(line).get("error") is None:
                    yield line

    def _send(self, rows: Iterable[bytes]) -> None:
        _, reply = self._hall.ask(
            "POST", self._path, body=bytes_body(b"".join(rows), "application/x-ndjson")
        )
        self.answered = read_reply(reply, _Received).answered
