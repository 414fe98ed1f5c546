"""Requests in flight: a thread with an event loop asks, outcomes come back as they are ready."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.extras import require
from readmark.core.redaction import NO_SECRETS, Secrets
from readmark.llm.endpoint import Request, Worded
from readmark.llm.replies import Reply, RequestFailure

if TYPE_CHECKING:
    import aiohttp


Outcome = Reply | RequestFailure
Rest = Callable[[float], Awaitable[None]]
"""Wait so many seconds, in which another may ask."""
SendRequest = Callable[["aiohttp.ClientSession", Worded, Rest], Awaitable[Outcome]]
_GATHERING = 0.005
"""Seconds in which outcomes are gathered; meanwhile others that wait at the gate go in."""

_LOGGERS = ("asyncio", "aiohttp.client", "aiohttp.internal")
"""They print to standard error what a server sent, such as the name of a bad cookie."""


class SettledRequest(msgspec.Struct, frozen=True):
    """A request and what became of it."""

    request: Request
    outcome: Outcome


class InFlight:
    """The thread with the event loop, and the outcomes that have come back from it."""

    def __init__(self, ask: SendRequest, parallel: int, secrets: Secrets = NO_SECRETS) -> None:
        self._ask, self._parallel, self._secrets = ask, parallel, secrets
        self._batch_size = max(1, parallel // 2)
        self._to_send: deque[Worded] = deque()
        self._is_notified = False
        """Whether the loop knows that there is something to send."""
        self._batch: list[SettledRequest | BaseException] = []
        self._batches: queue.SimpleQueue[list[SettledRequest | BaseException]] = queue.SimpleQueue()
        self._ready: deque[SettledRequest | BaseException] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: aiohttp.ClientSession | None = None
        self._working = 0
        self.count = 0

    def start(self, worded: Worded) -> None:
        """Send a request as soon as there is an asker for it."""
        if self._loop is None:
            self._begin()
        loop = self._loop
        if loop is None:
            raise DataError("no request can be sent: the event loop did not start")
        self.count += 1
        self._to_send.append(worded)
        if not self._is_notified:
            self._is_notified = True
            loop.call_soon_threadsafe(self._spawn)

    def next(self) -> SettledRequest:
        """The next outcome; waiting in short turns lets an interrupt through."""
        while not self._ready:
            try:
                self._ready.extend(self._batches.get(timeout=0.5))
            except queue.Empty:
                continue
        settled = self._ready.popleft()
        self.count -= 1
        if isinstance(settled, BaseException):
            raise settled
        if isinstance(settled.outcome, RequestFailure) and settled.outcome.fatal:
            raise ReadmarkError(settled.outcome.error)
        return settled

    def end(self) -> None:
        """Cancel what is in flight and let go of every connection."""
        loop, thread = self._loop, self._thread
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._leave(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
            self._loop = None
            for logger in _LOGGERS:
                logging.getLogger(logger).removeFilter(self._secrets.clean_record)

    def _begin(self) -> None:
        for logger in _LOGGERS:
            logging.getLogger(logger).addFilter(self._secrets.clean_record)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._connect(), self._loop).result()

    async def _connect(self) -> None:
        require("aiohttp")
        import aiohttp

        self._tasks: set[asyncio.Task[None]] = set()
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._parallel),
            timeout=aiohttp.ClientTimeout(total=None),
            trust_env=False,  # it would read .netrc, too
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=True,
        )

    def _spawn(self) -> None:
        """Start as many askers as may be at work, if there is work for them."""
        self._is_notified = False  # before looking: what comes now is either seen or notified
        for _ in range(min(len(self._to_send), self._parallel - self._working)):
            self._working += 1
            task = asyncio.get_running_loop().create_task(self._keep_asking())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_asking(self) -> None:
        """Ask one request after the other, until others that rested are at work again."""
        try:
            while self._to_send and self._working <= self._parallel:
                await self._settle(self._to_send.popleft())
        finally:
            self._working -= 1

    async def _rest(self, seconds: float) -> None:
        """Wait; another asker takes the place in the meantime."""
        self._working -= 1
        self._spawn()
        try:
            await asyncio.sleep(seconds)
        finally:
            self._working += 1

    async def _settle(self, worded: Worded) -> None:
        if self._client is None:
            return
        try:
            outcome = await self._ask(self._client, worded, self._rest)
            self._add(SettledRequest(worded.request, outcome))
        except asyncio.CancelledError:
            raise
        except ReadmarkError as error:
            self._add(error)
        except Exception as error:  # whatever a library does is this request's failure
            words = self._secrets.one_line(f"{type(error).__name__}: {error}", 300)
            self._add(SettledRequest(worded.request, RequestFailure(words)))

    def _add(self, settled: SettledRequest | BaseException) -> None:
        """Gather an outcome; the main thread gets several at a time."""
        self._batch.append(settled)
        if len(self._batch) >= self._batch_size:
            self._hand_over()
        elif len(self._batch) == 1:
            asyncio.get_running_loop().call_later(_GATHERING, self._hand_over)

    def _hand_over(self) -> None:
        if self._batch:
            self._batches.put(self._batch)
            self._batch = []

    async def _leave(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
