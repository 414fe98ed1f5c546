"""The line to a worker process of this machine: two pipes, of which neither may block.

A candidate may write into the pipe of its worker, leave it open in a process that it forked, or
hang. Whatever it does, the other side gets a message, a reason or a timeout, and goes on.
"""

from __future__ import annotations

import os
import queue
import secrets
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import IO, Any

import msgspec

from readmark.core.errors import ReadmarkError
from readmark.sitting.messages import LOST, Begin, Close, FromWorker, Inbox, frame

GRACE = 5.0
"""Seconds that a worker has to end after its last message."""
TERM_GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""
POLL = 0.2
"""Seconds after which a silent worker is looked at: a process it forked may keep its pipe open."""
MARK = 8
"""Random bytes that the messages of a worker begin with."""
SELECTS_PIPES = os.name != "nt"
"""Whether the system can wait for one of several pipes, as Windows does for sockets alone."""
_CHUNK = 1 << 16
_CHUNKS = 16  # that a thread reads ahead of need


class Pipes:
    """The line to a worker process of this machine, which it starts."""

    lost = False
    """Whether the line's actor on another machine is gone; pipes have none."""

    def __init__(self, begin: Begin) -> None:
        self._process = process = subprocess.Popen(
            # -P: a file in the current folder must not pass for a module of the same name.
            [sys.executable, "-P", "-m", "readmark.sitting.worker"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C is the parent's, and all that the worker starts ends with it
        )
        if process.stdin is None or process.stdout is None:
            raise ReadmarkError("a worker process has no pipes")
        self.silent = False
        self._ends = (SelectedEnds if SELECTS_PIPES else ThreadedEnds)(
            process.stdin, process.stdout
        )
        mark = secrets.token_bytes(MARK)
        self._inbox = Inbox(mark, FromWorker)
        self.send(msgspec.structs.replace(begin, mark=mark))

    @classmethod
    def open(cls, begin: Begin, is_needed: Callable[[], bool]) -> Pipes | None:
        """Start a worker, if it is needed."""
        return cls(begin) if is_needed() else None

    def send(self, message: msgspec.Struct) -> None:
        """Send now, or while receiving: a worker may be busy with something else."""
        self._ends.send(frame(message))

    def receive(self, seconds: float | None) -> Any:
        """The next message, or None: the worker is gone, ``damaged``, or so long ``silent``."""
        end = None if seconds is None else monotonic() + seconds
        while not self._inbox.messages:
            if self._inbox.damaged:
                return None
            timeout = POLL if end is None else min(POLL, max(0.0, end - monotonic()))
            # A process that the worker forked may keep the pipe open after its death.
            if self._ends.wait(timeout) or self._process.poll() is not None:
                data = self._ends.read()
                if data is None and self._process.poll() is None:
                    continue
                if not data:
                    return None
                self._inbox.feed(data)
            elif end is not None and monotonic() >= end:
                self.silent = True
                return None
        return self._inbox.messages.popleft()

    def received(self) -> Iterator[Any]:
        """The messages that are here already."""
        while self._inbox.messages:
            yield self._inbox.messages.popleft()

    def failure(self) -> str:
        """Why the worker did not end well."""
        if self._inbox.damaged:
            return "the candidate wrote into the pipe of its worker process"
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(TERM_GRACE)
            if status != LOST:
                how = f"signal {-status}" if status < 0 else f"status {status}"
                return f"the worker process died ({how})"
        return "the candidate closed the pipe of its worker process"

    def end(self, *, wait: bool) -> None:
        """End the worker and what it started, whatever signals they ignore; close the pipes."""
        if wait:
            self.send(Close())
            while self.receive(GRACE) is not None:  # messages that it still had to send
                pass
        if self.silent:
            self._signal("SIGTERM")
        if wait or self.silent:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(TERM_GRACE if self.silent else GRACE)
        self.stop()
        with suppress(subprocess.TimeoutExpired):  # the system may not let it go yet
            self._process.wait(GRACE)
        self._ends.close()

    def stop(self) -> None:
        """End the worker and what it started at once."""
        self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        """Signal the worker and every process of its group, also if it is dead itself."""
        if sys.platform == "win32":  # no groups and one way to end: with what it started, if alive
            with suppress(OSError):
                tree = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
                subprocess.run(tree, capture_output=True, check=False)
            self._process.kill()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, getattr(signal, name))
        self._process.send_signal(getattr(signal, name))


class SelectedEnds:
    """The ends of a worker's pipes: neither blocks, and one call waits for both."""

    def __init__(self, to_worker: IO[bytes], from_worker: IO[bytes]) -> None:
        self._to, self._from = to_worker, from_worker
        for stream in (to_worker, from_worker):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(from_worker, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._is_registered = False
        """Whether the selector waits for room in the pipe to the worker too."""

    def send(self, data: bytes) -> None:
        """Send now, or while waiting."""
        self._unsent += data
        self._write()

    def wait(self, seconds: float) -> bool:
        """Whether the other end sends something within some seconds, or is closed."""
        ready = {key.fileobj for key, _ in self._selector.select(seconds)}
        if self._to in ready:
            self._write()
        return self._from in ready

    def read(self) -> bytes | None:
        """The bytes that are here: empty when there will be no more, None when there may be."""
        try:
            return os.read(self._from.fileno(), _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """Close both ends."""
        self._selector.close()
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()

    def _write(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._to.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except OSError:  # the worker died; rows that it left behind can still be read
            self._unsent.clear()
        if bool(self._unsent) != self._is_registered:
            self._is_registered = not self._is_registered
            if self._is_registered:
                self._selector.register(self._to, selectors.EVENT_WRITE)
            else:
                self._selector.unregister(self._to)


class ThreadedEnds:
    """The same where nothing waits for several pipes: a thread reads, and another one writes."""

    def __init__(self, to_worker: IO[bytes], from_worker: IO[bytes]) -> None:
        self._unsent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._chunks: queue.Queue[bytes] = queue.Queue(_CHUNKS)
        self._next: bytes | None = None
        self._closed = False
        for work, stream in ((self._write, to_worker), (self._read, from_worker)):
            threading.Thread(target=work, args=(stream,), daemon=True).start()

    def send(self, data: bytes) -> None:
        """Send when the worker has taken what was sent before."""
        self._unsent.put(data)

    def wait(self, seconds: float) -> bool:
        """Whether the other end sends something within some seconds, or is closed."""
        if self._next is None:
            with suppress(queue.Empty):
                self._next = self._chunks.get(timeout=seconds)
        return self._next is not None

    def read(self) -> bytes | None:
        """The bytes that are here: empty when there will be no more, None when there may be."""
        self.wait(TERM_GRACE)  # of a worker that died, the last rows may not have been read yet
        data, self._next = self._next, None
        return data

    def close(self) -> None:
        """The threads end, and close the pipes that they may still wait for."""
        self._closed = True
        self._unsent.put(b"")
        with suppress(queue.Empty):  # makes room for a thread that waits to put a chunk
            while True:
                self._chunks.get_nowait()

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:  # the worker died; its last rows can still be read
            while data := self._unsent.get():
                while data:
                    data = data[os.write(stream.fileno(), data) :]

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError), stream:
            while (data := os.read(stream.fileno(), _CHUNK)) and not self._closed:
                self._chunks.put(data)
        self._chunks.put(b"")
