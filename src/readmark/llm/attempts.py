"""One request on its way to an endpoint: tried until there is a reply, or no hope of one."""

from __future__ import annotations

import asyncio
import random
import re
import time
from typing import TYPE_CHECKING

import msgspec

from readmark.core.counts import counted
from readmark.core.spent import Usage
from readmark.core.traffic import ATTEMPTS, PARALLEL, TIMEOUT, Traffic
from readmark.llm.endpoint import OLDER_LIMIT, Worded
from readmark.llm.exchange import Destination, Refused, TryAgain, exchange
from readmark.llm.gate import Gate
from readmark.llm.in_flight import Outcome, Rest
from readmark.llm.replies import RequestFailure
from readmark.llm.traffic import Budget, Rate, backoff

if TYPE_CHECKING:
    import aiohttp

_LONGEST_PAUSE = 300.0
"""Seconds; a server that asks to be left alone for longer, all in all, is left alone."""
_SHORTEST_PAUSE = 5.0
"""Seconds that a shorter pause counts for, so that the pauses come to an end."""
_FIRST_REQUESTS = 10
"""Requests that must not all fail alike at the beginning: the address or the key is wrong then."""
_BUDGET_POLL = 0.02
"""Seconds between two looks at the budget, which other requests in flight may set free."""
_TOKENS_A_MESSAGE = 16
"""Tokens that a server may put around each message."""
_DIGITS = re.compile(r"\d+")


class Wire:
    """What all requests to an endpoint share: the gate, the rates, the budget, and its failures."""

    def __init__(
        self,
        destination: Destination,
        budget: Budget,
        traffic: Traffic,
        *,
        max_tokens: int,
        seed: int | None = None,
    ) -> None:
        self.destination = destination
        self.budget = budget
        self.max_tokens = max_tokens
        self.parallel = traffic.parallel or PARALLEL
        self.attempts = traffic.attempts or ATTEMPTS
        self.timeout = traffic.timeout or TIMEOUT
        self.gate = Gate(self.parallel)
        self.requests = Rate(traffic.requests_a_minute)
        self.tokens = Rate(traffic.tokens_a_minute)
        self.random = random.Random(seed)
        self.fatal: RequestFailure | None = None
        """A failure that every request would meet."""
        self._first_failures: list[str] | None = []
        """How the first requests failed; None once a request has succeeded."""

    def succeeded(self) -> None:
        """A request went well: from now on a failure is that request's own."""
        self._first_failures = None
        self.gate.went_well()

    def failed(self, words: str) -> None:
        """Stop the run where the first requests all failed alike."""
        if self._first_failures is None:
            return
        self._first_failures.append(_DIGITS.sub("0", words))
        if len(self._first_failures) >= _FIRST_REQUESTS:
            if len(set(self._first_failures)) == 1:
                message = f"the first {_FIRST_REQUESTS} requests all failed alike: {words}"
                self.fatal = RequestFailure(message, fatal=True)
            self._first_failures = None


class Attempts:
    """The attempts at one request: how many there were, and what they took so far."""

    def __init__(
        self, wire: Wire, client: aiohttp.ClientSession, worded: Worded, rest: Rest, *, limit: str
    ) -> None:
        self._wire, self._client, self._worded, self._rest = wire, client, worded, rest
        self._limit = limit
        """The bound of the reply, by the name that the endpoint takes."""
        self._count = 0
        self._paused = 0.0
        self._wasted = Usage()
        self._uncounted = 0

    async def outcome(self) -> Outcome:
        """The reply, or the failure of the last attempt."""
        wire = self._wire
        while True:
            failure: RequestFailure | None
            try:
                return await self._attempt_at_gate()
            except Refused as error:
                failure = self._failure(str(error), fatal=error.fatal)
                wire.failed(str(error))
            except TryAgain as error:
                if not error.busy:
                    wire.failed(str(error))
                failure = None if wire.fatal is not None else await self._pause(error)
                if failure is not None and error.busy:
                    wire.failed(str(error))
            if wire.fatal is not None:
                return wire.fatal
            if failure is not None:
                return failure

    async def _attempt_at_gate(self) -> Outcome:
        """Ask once there is a place."""
        wire = self._wire
        entered = await wire.gate.enter()
        try:
            return wire.fatal or await self._attempt(entered)
        finally:
            wire.gate.leave()

    async def _attempt(self, entered: float) -> Outcome:
        wire = self._wire
        body = {
            self._limit if name == OLDER_LIMIT else name: value
            for name, value in self._worded.body.items()
        }
        sent = msgspec.json.encode({**body, **wire.destination.members})
        # The most that it can take: no tokenizer makes more of a text than its bytes.
        size = len(sent) + _TOKENS_A_MESSAGE * len(body["messages"])
        most = Usage(size, wire.max_tokens)
        while (receipt := wire.budget.reserve(most)) is None:
            if not wire.budget.pending:
                return self._failure(f"not asked: {wire.budget.stop(most)}")
            await asyncio.sleep(_BUDGET_POLL)
        used: Usage | None = None
        try:
            await wire.requests.take(1)
            await wire.tokens.take(most.total)
            started = time.perf_counter()
            self._count += 1
            reply = await exchange(
                self._client, wire.destination, sent, self._worded.shape, wire.timeout
            )
            used = reply.usage
        except TryAgain as error:
            used = error.used
            if error.wait is not None:
                wire.gate.too_much(entered, min(error.wait, _LONGEST_PAUSE))
            raise
        finally:
            wire.budget.settle(receipt, used)
            if used is None or used.counted:
                wire.tokens.give_back(most.total - (used.total if used is not None else 0))
        wire.succeeded()
        return msgspec.structs.replace(
            reply,
            attempts=self._count,
            seconds=round(time.perf_counter() - started, 4),
            wasted=self._wasted,
            uncounted=self._uncounted + (not reply.usage.counted),
        )

    def _failure(self, words: str, *, fatal: bool = False) -> RequestFailure:
        """No reply, with what the attempts took all the same."""
        failure = RequestFailure(words, self._count, fatal, self._wasted, self._uncounted)
        if fatal:
            self._wire.fatal = failure
        return failure

    async def _pause(self, error: TryAgain) -> RequestFailure | None:
        """Wait before another attempt; a failure if there were enough of them.

        An attempt after which the server asks for a pause is not counted: it was not worked on.
        """
        wire = self._wire
        if error.used is not None:
            self._wasted = self._wasted.plus(error.used)
            self._uncounted += not error.used.counted
        if error.wait is not None:
            self._paused += max(error.wait, _SHORTEST_PAUSE)
            if self._paused > _LONGEST_PAUSE:
                return self._failure(f"{error}; asked to wait for {self._paused:.0f} s")
            self._count -= 1
            # Spread, so that not all requests come back at the moment that the server named.
            await self._rest(error.wait + wire.random.uniform(0, min(1.0, error.wait)))
            return None
        if self._count >= wire.attempts:
            return self._failure(f"{error} ({counted(self._count, 'attempt')})")
        await self._rest(backoff(self._count, wire.random))
        return None
