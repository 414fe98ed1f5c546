"""Requests under way: a thread with an event loop asks, and outcomes come back as they are ready.

Whoever asks is plain code that takes one outcome after the other.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.corpus.errors import DataError, ReadmarkError
from readmark.models.llm.endpoint import Request
from readmark.models.llm.replies import Failure, Reply

if TYPE_CHECKING:
    import aiohttp

Outcome = Reply | Failure
Ask = Callable[["aiohttp.ClientSession", Request], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request and what became of it."""

    request: Request
    outcome: Outcome


class UnderWay:
    """The thread with the event loop, and the outcomes that have come back from it."""

    def __init__(self, ask: Ask, parallel: int) -> None:
        self._ask, self._parallel = ask, parallel
        self._back: queue.SimpleQueue[Asked | BaseException] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: aiohttp.ClientSession | None = None
        self.count = 0

    def start(self, request: Request) -> None:
        if self._loop is None:
            self._begin()
        loop = self._loop
        if loop is None:
            raise DataError("the asking could not begin")
        self.count += 1
        loop.call_soon_threadsafe(self._spawn, request)

    def next(self) -> Asked:
        """The next outcome; waiting in short turns lets an interrupt through."""
        while True:
            try:
                done = self._back.get(timeout=0.5)
                break
            except queue.Empty:
                continue
        self.count -= 1
        if isinstance(done, BaseException):
            raise done
        if isinstance(done.outcome, Failure) and done.outcome.fatal:
            raise ReadmarkError(done.outcome.error)
        return done

    def end(self) -> None:
        """Cancel what is under way and let go of every connection."""
        loop, thread = self._loop, self._thread
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._leave(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
            self._loop = None

    def _begin(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._connect(), self._loop).result()

    async def _connect(self) -> None:
        import aiohttp

        self._tasks: set[asyncio.Task[None]] = set()
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._parallel),
            timeout=aiohttp.ClientTimeout(total=None),
            trust_env=False,  # it would read .netrc, too
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=True,
        )

    def _spawn(self, request: Request) -> None:
        task = asyncio.get_running_loop().create_task(self._one(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _one(self, request: Request) -> None:
        if self._client is None:
            return
        try:
            self._back.put(Asked(request, await self._ask(self._client, request)))
        except asyncio.CancelledError:
            raise
        except ReadmarkError as error:
            self._back.put(error)
        except Exception as error:  # whatever a library does is this request's failure
            words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            self._back.put(Asked(request, Failure(words)))

    async def _leave(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
