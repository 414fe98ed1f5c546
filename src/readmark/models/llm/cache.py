"""Replies kept in SQLite, as JSON: what was asked once is never asked, or paid for, again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.models.llm.replies import Reply

_AT_ONCE = 500  # SQLite takes no more than 999 parameters everywhere
_WAIT = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, unit TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shapes (endpoint TEXT PRIMARY KEY, shape TEXT NOT NULL);
"""


def cache_key(base_url: str, unit: str, repeat: int, body: dict[str, Any]) -> bytes:
    """What a request is known by: address, model, parameters, words, unit and repeat."""
    known_by = [base_url, unit, repeat, body]
    return hashlib.sha256(msgspec.json.encode(known_by, order="deterministic")).digest()


class Cache:
    """A file of replies, open; several processes may use one at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file = sqlite3.connect(
                self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.executescript(_TABLES)
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """The replies that are here, marked as cached."""
        found: dict[bytes, Reply] = {}
        try:
            for at in range(0, len(keys), _AT_ONCE):
                some = keys[at : at + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = self._file.execute(
                    f"SELECT key, reply FROM replies WHERE key IN ({marks})", some
                )
                for key, said in rows:
                    found[key] = msgspec.structs.replace(_READ.decode(said), cached=True)
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        except msgspec.MsgspecError as error:
            raise DataError(f"{self.path}: a reply in the cache cannot be read: {error}") from error
        return found

    def put(self, key: bytes, unit: str, body: dict[str, Any], reply: Reply) -> None:
        """Keep a reply; it is on disk before the answer is journalled."""
        row = (key, unit, msgspec.json.encode(body).decode(), msgspec.json.encode(reply).decode())
        try:
            self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def shape(self, endpoint: str) -> str | None:
        """How answers were last asked for there."""
        try:
            row = self._file.execute(
                "SELECT shape FROM shapes WHERE endpoint = ?", (endpoint,)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return row[0] if row is not None else None

    def keep_shape(self, endpoint: str, shape: str) -> None:
        """Remember what an endpoint would not take, so that it is not tried again."""
        try:
            self._file.execute("INSERT OR REPLACE INTO shapes VALUES (?, ?)", (endpoint, shape))
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _trouble(self, error: sqlite3.Error) -> DataError:
        return DataError(f"{self.path}: the cache cannot be used: {error}")


_READ: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
