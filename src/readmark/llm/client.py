"""Asking an endpoint many things at once: replies come as they are ready, in any order."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from readmark.core.counts import counted
from readmark.core.errors import ReadmarkError
from readmark.core.extras import require
from readmark.core.redaction import Secrets, credentials
from readmark.core.spent import Usage
from readmark.core.traffic import ATTEMPTS, PARALLEL, TIMEOUT, Price, Traffic
from readmark.llm.cache import Cache, cache_key
from readmark.llm.endpoint import (
    OLDER_LIMIT,
    Dialect,
    Endpoint,
    Request,
    Worded,
    with_secrets,
)
from readmark.llm.exchange import Destination, Refused, TryAgain, exchange
from readmark.llm.gate import Gate
from readmark.llm.in_flight import InFlight, Outcome, Rest, SettledRequest
from readmark.llm.probe import OverBudget, Probe, dialect_line, is_allowed
from readmark.llm.replies import Reply, RequestFailure
from readmark.llm.traffic import Budget, Rate, backoff

if TYPE_CHECKING:
    import aiohttp


_LOOKED_UP = 16, 256
"""How many requests are looked up in the cache at a time: few while others are in flight, who
would have to wait; ever more as long as they are all there."""
_LONGEST_ASKED = 300.0
"""Seconds; a server that asks to be left alone for longer, all in all, is left alone."""
_SHORTEST_ASKED = 5.0
"""Seconds that a shorter wait counts for, so that they come to an end."""
_FIRST = 10
"""Requests that must not all fail alike at the beginning."""
_DIGITS = re.compile(r"\d+")
_TURN = 0.02
_OVERHEAD = 16
"""Tokens around each message."""


class Asker:
    """One endpoint, its traffic, cache and budget; made once and used for every request."""

    def __init__(
        self,
        endpoint: Endpoint,
        traffic: Traffic,
        *,
        price: Price | None = None,
        cache: Cache | None = None,
        shape: str = "auto",
        seed: int | None = None,
    ) -> None:
        require("aiohttp")
        self.endpoint, self.cache = endpoint, cache
        self.parallel = traffic.parallel or PARALLEL
        self.attempts = traffic.attempts or ATTEMPTS
        self.timeout = traffic.timeout or TIMEOUT
        self.budget = Budget(traffic, price, endpoint.model)
        self.overhead = Usage()
        """What the probes took."""
        key, proxy = endpoint.key(), endpoint.proxy()
        secret_headers = endpoint.secret_headers()
        in_body = endpoint.secret_parameters()
        self.secrets = Secrets(
            key, *credentials(proxy), *secret_headers.values(), *in_body.values()
        )
        """What is struck out of everything that comes back."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key is not None and not any(
            name.lower() == "authorization" for name in endpoint.headers
        ):
            headers["Authorization"] = f"Bearer {key}"
        headers |= {**endpoint.headers, **secret_headers}
        members = with_secrets(endpoint.parameters, in_body) if in_body else {}
        self.destination = Destination(endpoint.address, headers, proxy, self.secrets, members)
        self._shape = shape
        self._known_as = " ".join(
            [
                f"{endpoint.base_url} {endpoint.model}",
                *(name for name in endpoint.sampling if name != "temperature"),
                *([f"shape={shape}"] if shape != "auto" else []),
            ]
        )
        self._dialect: Dialect | None = None
        if cache is not None and (dialect := cache.dialect(self._known_as)) is not None:
            self.recall(dialect)
        self._is_checked = False
        """Whether the endpoint took the dialect in this run."""
        self._finding: str | None = None
        """What a probe found out, until it is reported."""
        self._failures: list[str] | None = []
        """How the first requests failed; None once a request has succeeded."""
        # What every request on its way shares with the others: see _RequestInProgress.
        self.draw = random.Random(seed)
        self.requests = Rate(traffic.requests_a_minute)
        self.tokens = Rate(traffic.tokens_a_minute)
        self.gate = Gate(self.parallel)
        self.fatal: RequestFailure | None = None
        """Why nothing more is asked; None while that may help."""
        self._looked_up = _LOOKED_UP[0]

    @property
    def dialect(self) -> Dialect:
        """What the endpoint takes; until that is known, what is wanted."""
        wanted = Dialect() if self._shape == "auto" else Dialect(shape=self._shape)
        return self._dialect or wanted

    def recall(self, dialect: Dialect) -> None:
        """Take over what an earlier run found out; it is checked before anything is asked."""
        if self._dialect is None and is_allowed(self.endpoint, dialect):
            self._dialect = dialect

    def probe(self) -> str | None:
        """Find out what the endpoint takes, unless it is known; the finding in one line."""
        if self._dialect is None and not self._is_checked:
            self._check()
        usual = Dialect(self.dialect.shape if self._shape != "auto" else Dialect().shape)
        if self._finding is None and msgspec.structs.replace(self.dialect, refused="") != usual:
            return dialect_line(self.endpoint, self.dialect, self._shape)
        finding, self._finding = self._finding, None
        return finding

    def _check(self) -> None:
        """Find out what the endpoint takes now. What decides answers must stay as it was."""
        known = self._dialect
        results: list[Dialect] = []

        async def search(client: aiohttp.ClientSession, _: Worded, rest: Rest) -> Outcome:
            probe = Probe(
                self.endpoint,
                self.destination,
                self.budget,
                attempts=self.attempts,
                timeout=self.timeout,
                shape=self._shape,
                draw=self.draw,
            )
            with contextlib.suppress(OverBudget):  # nothing else can be asked either
                results.append(await probe.find(client, rest, known))
            return Reply()

        running = InFlight(search, 1, self.secrets)
        try:
            running.start(Worded(Request("probe", ()), "", {}, b""))
            outcome = running.next().outcome
        finally:
            running.end()
        if isinstance(outcome, RequestFailure):
            raise ReadmarkError(outcome.error)
        self._is_checked = True
        if not results:
            return
        [dialect] = results
        if dialect != known and self.cache is not None:
            self.cache.keep_dialect(self._known_as, dialect)
        if known is not None and known.left_out != dialect.left_out:
            raise ReadmarkError(
                f"{self.endpoint.model} takes other parameters than when this was begun "
                f"({dialect_line(self.endpoint, dialect, self._shape)}); begin another file"
            )
        self.overhead = self.budget.used
        self._dialect = dialect
        if dialect != known:
            self._finding = dialect_line(self.endpoint, dialect, self._shape)

    @property
    def notes(self) -> list[str]:
        """What a user should know after the asking."""
        trouble = self.cache.trouble if self.cache is not None else None
        lines = [f"{trouble}; replies were not kept"] if trouble is not None else []
        return lines + [line for line in (self._finding, self.budget.stopped) if line]

    def known(self, requests: Sequence[Request]) -> dict[str, Reply]:
        """The replies that are in the cache, by unit; nothing is asked."""
        worded = [self.worded(request, self.dialect) for request in requests]
        replies = self.cache.get([each.key for each in worded]) if self.cache is not None else {}
        return {each.request.unit: replies[each.key] for each in worded if each.key in replies}

    def ask(self, requests: Iterable[Request]) -> Iterator[SettledRequest]:
        """Every request's outcome as it comes; what is cached comes without asking.

        Requests are taken as there is room for them. Leaving off early ends what is in flight.
        """
        if self.cache is not None:
            self.cache.open()
        if self._dialect is None and not self._is_checked:
            self._check()
        waiting = iter(requests)
        running = InFlight(self.outcome, self.parallel, self.secrets)
        try:
            more = True
            while more or running.count:
                while more and running.count < self._most_handed:
                    room = self._most_handed - running.count
                    some = list(islice(waiting, room if self.cache is None else self._looked_up))
                    more = bool(some)
                    yield from self._cached_or_asked(some, running)
                if running.count:
                    yield running.next()
        finally:
            running.end()
            if self.cache is not None:
                self.cache.flush()

    def cost_of(self, usage: Usage) -> float | None:
        """What a request cost, where the prices are known."""
        return self.budget.price.of(usage) if self.budget.price is not None else None

    @property
    def _most_handed(self) -> int:
        """Some wait at the gate, so that no place stays empty while a reply is read."""
        return self.parallel + max(1, self.parallel // 2)

    def _cached_or_asked(self, some: list[Request], running: InFlight) -> Iterator[SettledRequest]:
        """Those that are in the cache at once; the others are asked as there is room."""
        worded, known = self._looked_up_in_cache(some)
        if len(known) < len(worded) and not self._is_checked:
            before = self.dialect
            self._check()
            if self.dialect != before:
                worded, known = self._looked_up_in_cache(some)
        fewest, most = _LOOKED_UP
        self._looked_up = fewest if len(known) < len(worded) else min(most, 2 * self._looked_up)
        for one in worded:
            if one.key in known:
                yield SettledRequest(one.request, known[one.key])
                continue
            while running.count >= self._most_handed:
                yield running.next()
            running.start(one)

    def _looked_up_in_cache(
        self, some: Sequence[Request]
    ) -> tuple[list[Worded], dict[bytes, Reply]]:
        worded = [self.worded(request, self.dialect) for request in some]
        if self.cache is None or not some:
            return worded, {}
        return worded, self.cache.get([each.key for each in worded])

    def worded(self, request: Request, dialect: Dialect) -> Worded:
        """A request as it is asked in a dialect."""
        body = self.endpoint.body(request, dialect)
        known_by = self.endpoint.base_url, request.unit, request.repeat
        headers = self.endpoint.headers
        known_body = {**body, "headers": headers} if headers else body
        key = cache_key(*known_by, known_body) if self.cache else b""
        return Worded(request, dialect.shape, body, key)

    def succeeded(self) -> None:
        """A request went well: from now on a failure is that request's own."""
        self._failures = None
        self.gate.went_well()

    def failed(self, words: str) -> None:
        """Stop the run where the first requests all failed alike."""
        if self._failures is None:
            return
        self._failures.append(_DIGITS.sub("0", words))
        if len(self._failures) >= _FIRST:
            if len(set(self._failures)) == 1:
                said = f"the first {_FIRST} requests all failed alike: {words}"
                self.fatal = RequestFailure(said, fatal=True)
            self._failures = None

    async def outcome(self, client: aiohttp.ClientSession, worded: Worded, rest: Rest) -> Outcome:
        """Ask until there is a reply, or no hope of one."""
        return await _RequestInProgress(self, client, worded, rest).outcome()


class _RequestInProgress:
    """One request on its way: what was tried, and what it took so far."""

    def __init__(
        self, asker: Asker, client: aiohttp.ClientSession, worded: Worded, rest: Rest
    ) -> None:
        self._asker, self._client, self._worded, self._rest = asker, client, worded, rest
        self._attempts = 0
        self._waited = 0.0
        self._wasted = Usage()
        self._uncounted = 0

    async def outcome(self) -> Outcome:
        while True:
            try:
                return await self._when_let_in()
            except Refused as error:
                failure: RequestFailure | None = self._failure(str(error), fatal=error.fatal)
                self._asker.failed(str(error))
            except TryAgain as error:
                if not error.busy:
                    self._asker.failed(str(error))
                failure = None if self._asker.fatal is not None else await self._again(error)
                if failure is not None and error.busy:
                    self._asker.failed(str(error))
            if self._asker.fatal is not None:
                return self._asker.fatal
            if failure is not None:
                return failure

    async def _when_let_in(self) -> Outcome:
        """Ask once there is a place."""
        asker = self._asker
        entered = await asker.gate.enter()
        try:
            if asker.fatal is not None:
                return asker.fatal
            return await self._try(entered)
        finally:
            asker.gate.leave()

    async def _try(self, entered: float) -> Outcome:
        asker = self._asker
        limit = asker.dialect.limit  # the bound of the reply, by the name that is taken
        body = {
            limit if name == OLDER_LIMIT else name: value
            for name, value in self._worded.body.items()
        }
        sent = msgspec.json.encode({**body, **asker.destination.members})
        # The most that it can take: no tokenizer makes more of a text than its bytes.
        size = len(sent) + _OVERHEAD * len(body["messages"])
        most = Usage(size, asker.endpoint.max_tokens)
        while (receipt := asker.budget.reserve(most)) is None:
            if not asker.budget.pending:
                return self._failure(f"not asked: {asker.budget.stop(most)}")
            await asyncio.sleep(_TURN)
        used: Usage | None = None
        try:
            await asker.requests.take(1)
            await asker.tokens.take(most.total)
            started = time.perf_counter()
            self._attempts += 1
            reply = await exchange(
                self._client, asker.destination, sent, self._worded.shape, asker.timeout
            )
            used = reply.usage
        except TryAgain as error:
            used = error.used
            if error.wait is not None:
                asker.gate.too_much(entered, min(error.wait, _LONGEST_ASKED))
            raise
        finally:
            asker.budget.settle(receipt, used)
            if used is None or used.counted:
                asker.tokens.give_back(most.total - (used.total if used is not None else 0))
        asker.succeeded()
        reply = msgspec.structs.replace(
            reply,
            attempts=self._attempts,
            seconds=round(time.perf_counter() - started, 4),
            wasted=self._wasted,
            uncounted=self._uncounted + (not reply.usage.counted),
        )
        if asker.cache is not None:
            asker.cache.put(self._worded, reply)
        return reply

    def _failure(self, words: str, *, fatal: bool = False) -> RequestFailure:
        """No reply, with what the attempts took all the same."""
        failure = RequestFailure(words, self._attempts, fatal, self._wasted, self._uncounted)
        if fatal:
            self._asker.fatal = failure
        return failure

    async def _again(self, error: TryAgain) -> RequestFailure | None:
        """Wait, unless it was tried often enough; what a server asks for is no attempt of ours."""
        asker = self._asker
        if error.used is not None:
            self._wasted = self._wasted.plus(error.used)
            self._uncounted += not error.used.counted
        if error.wait is not None:
            self._waited += max(error.wait, _SHORTEST_ASKED)
            if self._waited > _LONGEST_ASKED:
                return self._failure(f"{error}; asked to wait for {self._waited:.0f} s")
            self._attempts -= 1
            await self._rest(error.wait + asker.draw.uniform(0, min(1.0, error.wait)))
            return None
        if self._attempts >= asker.attempts:
            return self._failure(f"{error} ({counted(self._attempts, 'attempt')})")
        await self._rest(backoff(self._attempts, asker.draw))
        return None
