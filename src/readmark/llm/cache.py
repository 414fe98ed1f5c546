"""Replies kept in SQLite, as JSON: what was asked once is never asked, or paid for, again."""

from __future__ import annotations

import hashlib
import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.llm.endpoint import SHAPES, Dialect, Worded
from readmark.llm.replies import Reply

_KEYS_A_QUERY = 500  # some builds of SQLite take no more than 999 parameters
_LOCK_TIMEOUT = 30.0
"""Seconds to wait for another process that writes."""
_GATHERING = 0.05
"""Seconds in which replies are gathered, to be written at once."""
_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, unit TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shapes (endpoint TEXT PRIMARY KEY, shape TEXT NOT NULL);
"""
_INSERT_REPLY = "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)"
_INSERT_SHAPE = "INSERT OR REPLACE INTO shapes VALUES (?, ?)"

_Write = tuple[str, tuple[Any, ...]]


def cache_key(base_url: str, unit: str, repeat: int, body: dict[str, Any]) -> bytes:
    """What a request is known by: address, model, parameters, words, unit and repeat."""
    known_by = [base_url, unit, repeat, body]
    return hashlib.sha256(msgspec.json.encode(known_by, order="deterministic")).digest()


class Cache:
    """A file of replies, open; several processes may use one at a time.

    Writing has a thread of its own, so that a file that another process holds keeps nobody
    waiting. If replies cannot be written, ``trouble`` says why; the answers are not lost.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.trouble: str | None = None
        self._writes: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._is_flushing = threading.Event()
        self._file: sqlite3.Connection | None = None
        if self.path.exists():
            self.open()

    def open(self) -> None:
        """Open the file, and make it where there is none; reading alone makes none."""
        if self._file is not None:
            return
        if self._stays_empty():
            raise DataError(
                f"{self.path}: the cache cannot be used: the file is empty, and no database; "
                "delete it, or name another"
            )
        try:
            file = self._opened()
            file.execute("PRAGMA journal_mode=WAL")
            file.executescript(_TABLES)
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        self._file = file

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """The replies that are here, marked as cached."""
        replies: dict[bytes, Reply] = {}
        if self._file is None:
            return replies
        try:
            for index in range(0, len(keys), _KEYS_A_QUERY):
                batch = keys[index : index + _KEYS_A_QUERY]
                marks = ",".join("?" * len(batch))
                rows = self._file.execute(
                    f"SELECT key, reply FROM replies WHERE key IN ({marks})", batch
                )
                for key, text in rows:
                    replies[key] = msgspec.structs.replace(_REPLY_DECODER.decode(text), cached=True)
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        except msgspec.MsgspecError as error:
            raise DataError(f"{self.path}: a reply in the cache cannot be read: {error}") from error
        return replies

    def put(self, worded: Worded, reply: Reply) -> None:
        """Keep a reply, with the parameters that it was asked with."""
        self.open()
        parameters = {name: value for name, value in worded.body.items() if name != "messages"}
        texts = (msgspec.json.encode(value).decode() for value in (parameters, reply))
        self._write(_INSERT_REPLY, (worded.key, worded.request.unit, *texts))

    def dialect(self, endpoint: str) -> Dialect | None:
        """What an endpoint took when it was last asked; older caches know the shape alone."""
        if self._file is None:
            return None
        try:
            row = self._file.execute(
                "SELECT shape FROM shapes WHERE endpoint = ?", (endpoint,)
            ).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        if row is None:
            return None
        if row[0] in SHAPES:
            return Dialect(shape=row[0])
        try:
            return msgspec.json.decode(row[0], type=Dialect)
        except msgspec.MsgspecError:
            return None

    def keep_dialect(self, endpoint: str, dialect: Dialect) -> None:
        """Remember what an endpoint takes."""
        self.open()
        self._write(_INSERT_SHAPE, (endpoint, msgspec.json.encode(dialect).decode()))

    def flush(self) -> None:
        """Wait until everything is written."""
        if self._writer is not None:
            self._writes.put(None)
            self._is_flushing.set()
            self._writer.join()
            self._is_flushing.clear()
            self._writer = None

    def _write(self, statement: str, row: tuple[Any, ...]) -> None:
        self._writes.put((statement, row))
        if self._writer is None:
            self._writer = threading.Thread(target=self._keep_writing, daemon=True)
            self._writer.start()

    def _keep_writing(self) -> None:
        """Write what has come since the last time, all of it at once."""
        try:
            file = self._opened()
        except sqlite3.Error as error:
            self.trouble = str(self._trouble(error))
            return
        more = True
        while more:
            batch = [self._writes.get()]
            self._is_flushing.wait(_GATHERING)
            while not self._writes.empty():
                batch.append(self._writes.get())
            more = None not in batch
            try:
                file.execute("BEGIN IMMEDIATE")
                for write in batch:
                    if write is not None:
                        file.execute(*write)
                file.execute("COMMIT")
            except sqlite3.Error as error:
                self.trouble = str(self._trouble(error))
                if file.in_transaction:
                    file.execute("ROLLBACK")
        file.close()

    def _stays_empty(self) -> bool:
        """Whether a file is there that holds nothing; another process may just begin with it."""
        for wait in (0.05, 0.2, 0.5, 0.0):
            try:
                if self.path.stat().st_size:
                    return False
            except OSError:  # absent, or a fault that SQLite will report
                return False
            time.sleep(wait)
        return True

    def _opened(self) -> sqlite3.Connection:
        file = sqlite3.connect(
            self.path, timeout=_LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        file.execute("PRAGMA synchronous=NORMAL")
        return file

    def _trouble(self, error: sqlite3.Error) -> DataError:
        return DataError(f"{self.path}: the cache cannot be used: {error}")


_REPLY_DECODER: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
