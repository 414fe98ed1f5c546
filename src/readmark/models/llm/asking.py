"""Asking an endpoint many things at once: replies come as they are ready, in any order.

The asking runs in a thread of its own with an event loop; whoever asks is plain code.
"""

from __future__ import annotations

import asyncio
import queue
import random
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.corpus.errors import DataError, ReadmarkError, UsageError
from readmark.models.llm.cache import Cache, cache_key
from readmark.models.llm.endpoint import OLDER_LIMIT, SHAPES, Endpoint, Request
from readmark.models.llm.exchange import (
    NEWER_LIMIT,
    Again,
    LimitRefused,
    Refused,
    ShapeRefused,
    exchange,
)
from readmark.models.llm.replies import Failure, Reply, Usage
from readmark.models.llm.traffic import Budget, Rate, Traffic, backoff, read_prices

if TYPE_CHECKING:
    import aiohttp

_LOOKED_UP = 256
"""How many requests are looked up in the cache at a time."""
_LONGEST_ASKED = 300.0
"""Seconds; a server that asks to be left alone for longer is left alone."""
_A_TOKEN = 2
"""Bytes to a token, at the least, when a request's size has to be guessed before it is counted."""

_TURN = 0.02

Outcome = Reply | Failure


@dataclass(frozen=True, slots=True)
class Asked:
    """A request and what became of it."""

    request: Request
    outcome: Outcome


class Asker:
    """One endpoint, its traffic, cache and budget; made once and used for every request."""

    def __init__(
        self,
        endpoint: Endpoint,
        traffic: Traffic,
        *,
        cache: Cache | None = None,
        shape: str = "auto",
        seed: int | None = None,
    ) -> None:
        _need_library()
        self.endpoint, self.traffic, self.cache = endpoint, traffic, cache
        price = read_prices(traffic.prices, endpoint.model) if traffic.prices else None
        self.budget = Budget(traffic, price)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self._key_itself = endpoint.key()
        if self._key_itself is not None:
            self._headers["Authorization"] = f"Bearer {self._key_itself}"
        self._known_as = f"{endpoint.base_url} {endpoint.model}"
        remembered = cache.shape(self._known_as) if cache is not None else None
        self._fixed = shape != "auto"
        self._shape = shape if self._fixed else remembered or SHAPES[0]
        self._draw = random.Random(seed)
        self._requests = Rate(traffic.requests_a_minute)
        self._tokens = Rate(traffic.tokens_a_minute)
        self._newer_limit = False
        self._fatal: Failure | None = None

    def ask(self, requests: Iterable[Request]) -> Iterator[Asked]:
        """Every request's outcome as it comes; what is cached comes without asking.

        Requests are taken as there is room for them. Leaving off early ends what is under way.
        """
        waiting = iter(requests)
        running = _Running(self)
        try:
            more = True
            while more or running.under_way:
                while more and running.under_way < self.traffic.parallel:
                    some = _take(waiting, self._room(running.under_way))
                    more = bool(some)
                    yield from self._cached_or_asked(some, running)
                if running.under_way:
                    yield running.next()
        finally:
            running.end()

    def cost_of(self, usage: Usage) -> float | None:
        """What a request cost, where the prices are known."""
        return self.budget.price.of(usage) if self.budget.price is not None else None

    def _room(self, under_way: int) -> int:
        return _LOOKED_UP if self.cache is not None else self.traffic.parallel - under_way

    def _cached_or_asked(self, some: list[Request], running: _Running) -> Iterator[Asked]:
        """Those that are in the cache at once; the others are asked as there is room."""
        keys = [self._key(one) for one in some]
        known = self.cache.get(keys) if self.cache is not None and some else {}
        for request, key in zip(some, keys, strict=True):
            if key in known:
                yield Asked(request, known[key])
                continue
            while running.under_way >= self.traffic.parallel:
                yield running.next()
            running.start(request)

    def _key(self, request: Request) -> bytes:
        body = self.endpoint.body(request, self._shape)
        return cache_key(self.endpoint.base_url, request.unit, request.repeat, body)

    async def outcome(self, client: aiohttp.ClientSession, request: Request) -> Outcome:
        """Ask until there is a reply, or no hope of one; a key that comes back is struck out."""
        found = await self._asked(client, request)
        if isinstance(found, Failure):
            return msgspec.structs.replace(found, error=self._struck_out(found.error))
        return found

    def _struck_out(self, said: str) -> str:
        return said.replace(self._key_itself, "[key]") if self._key_itself else said

    async def _asked(self, client: aiohttp.ClientSession, request: Request) -> Outcome:
        attempts = 0
        while True:
            if self._fatal is not None:
                return self._fatal
            shape = self._shape
            body = self.endpoint.body(request, shape)
            sent = _renamed(body) if self._newer_limit else body
            most = self._most(body)
            receipt = await self._receipt(most)
            if receipt is None:
                return Failure(f"not asked: the budget of {self.budget.words} is used up", attempts)
            await self._requests.take(1)
            await self._tokens.take(most.total)
            attempts += 1
            started = time.perf_counter()
            used: Usage | None = None
            try:
                reply = await exchange(
                    client,
                    self.endpoint.address,
                    self._headers,
                    sent,
                    shape,
                    self.traffic.timeout,
                )
                used = reply.usage
            except LimitRefused:
                self._newer_limit = True
                attempts -= 1
                continue
            except ShapeRefused as error:
                failure = self._other_shape(shape, str(error), attempts)
                if failure is not None:
                    return failure
                attempts -= 1
                continue
            except Refused as error:
                failure = Failure(str(error), attempts, error.fatal)
                if error.fatal:
                    self._fatal = failure
                return failure
            except Again as error:
                if attempts >= self.traffic.attempts:
                    return Failure(f"{error} ({attempts} attempts)", attempts)
                wait = backoff(attempts, self._draw)
                if error.wait is not None:
                    if error.wait > _LONGEST_ASKED:
                        return Failure(f"{error}, to be asked again in {error.wait:g} s", attempts)
                    wait = error.wait + min(wait, 1.0)
                await asyncio.sleep(wait)
                continue
            finally:
                self.budget.settle(receipt, used)
                if used is not None and used.counted:
                    self._tokens.give_back(most.total - used.total)
            reply = msgspec.structs.replace(
                reply,
                content=self._struck_out(reply.content),
                attempts=attempts,
                seconds=round(time.perf_counter() - started, 4),
            )
            if self.cache is not None:
                key = cache_key(self.endpoint.base_url, request.unit, request.repeat, body)
                self.cache.put(key, request.unit, body, reply)
            return reply

    async def _receipt(self, most: Usage) -> int | None:
        """Room in the budget, once those under way have told how little they took."""
        while (receipt := self.budget.reserve(most)) is None and self.budget.pending:
            await asyncio.sleep(_TURN)
        return receipt

    def _other_shape(self, shape: str, said: str, attempts: int) -> Failure | None:
        """Go on with a simpler way of asking; a way that the user fixed is not left."""
        if self._fixed:
            return Failure(f"shape={shape} is not taken: {said}", attempts)
        simpler = SHAPES[SHAPES.index(shape) + 1]
        if SHAPES.index(simpler) > SHAPES.index(self._shape):
            self._shape = simpler
            if self.cache is not None:
                self.cache.keep_shape(self._known_as, simpler)
        return None

    def _most(self, body: dict[str, Any]) -> Usage:
        """The most that a request can take, before the endpoint has counted it."""
        size = sum(len(one["content"].encode("utf-8")) for one in body["messages"])
        return Usage(size // _A_TOKEN + 16, self.endpoint.max_tokens)


class _Running:
    """The thread with the event loop, and the outcomes that have come back from it."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._back: queue.SimpleQueue[Asked | BaseException] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: aiohttp.ClientSession | None = None
        self.under_way = 0

    def start(self, request: Request) -> None:
        if self._loop is None:
            self._begin()
        loop = self._loop
        if loop is None:
            raise DataError("the asking could not begin")
        self.under_way += 1
        loop.call_soon_threadsafe(self._spawn, request)

    def next(self) -> Asked:
        """The next outcome; waiting in short turns lets an interrupt through."""
        while True:
            try:
                done = self._back.get(timeout=0.5)
                break
            except queue.Empty:
                continue
        self.under_way -= 1
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
            connector=aiohttp.TCPConnector(limit=self._asker.traffic.parallel),
            timeout=aiohttp.ClientTimeout(total=None),
            trust_env=not self._asker.endpoint.is_local,
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
            self._back.put(Asked(request, await self._asker.outcome(self._client, request)))
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


def _renamed(body: dict[str, Any]) -> dict[str, Any]:
    """The same request with the bound of its reply under the newer name."""
    return {NEWER_LIMIT if name == OLDER_LIMIT else name: one for name, one in body.items()}


def _take(requests: Iterator[Request], most: int) -> list[Request]:
    some: list[Request] = []
    for request in requests:
        some.append(request)
        if len(some) >= most:
            break
    return some


def _need_library() -> None:
    try:
        import aiohttp  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError(
            "asking a language model needs aiohttp: pip install 'readmark[llm]'"
        ) from None
