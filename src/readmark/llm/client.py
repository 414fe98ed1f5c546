"""Asking an endpoint many things at once: replies come as they are ready, in any order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from readmark.core.errors import ReadmarkError
from readmark.core.extras import require
from readmark.core.redaction import Secrets, credentials
from readmark.core.spent import Usage
from readmark.core.traffic import Price, Traffic
from readmark.llm.attempts import Attempts, Wire
from readmark.llm.cache import Cache, cache_key
from readmark.llm.endpoint import Dialect, Endpoint, Request, Worded, with_secrets
from readmark.llm.exchange import Destination
from readmark.llm.in_flight import InFlight, Outcome, Rest, SettledRequest
from readmark.llm.probe import OverBudget, Probe, dialect_line, is_allowed
from readmark.llm.replies import Reply, RequestFailure
from readmark.llm.traffic import Budget

if TYPE_CHECKING:
    import aiohttp


_FEWEST_LOOKED_UP, _MOST_LOOKED_UP = 16, 256
"""How many requests are looked up in the cache at a time: few while others are in flight, who
would have to wait; ever more as long as they are all there."""


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
        self.budget = Budget(traffic, price, endpoint.model)
        self.overhead = Usage()
        """What the probes took."""
        key, proxy = endpoint.key(), endpoint.proxy()
        secret_headers = endpoint.secret_headers()
        secret_members = endpoint.secret_parameters()
        self.secrets = Secrets(
            key, *credentials(proxy), *secret_headers.values(), *secret_members.values()
        )
        """What is struck out of everything that comes back."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key is not None and not any(
            name.lower() == "authorization" for name in endpoint.headers
        ):
            headers["Authorization"] = f"Bearer {key}"
        headers |= {**endpoint.headers, **secret_headers}
        members = with_secrets(endpoint.parameters, secret_members) if secret_members else {}
        self.destination = Destination(endpoint.address, headers, proxy, self.secrets, members)
        self._wire = Wire(
            self.destination, self.budget, traffic, max_tokens=endpoint.max_tokens, seed=seed
        )
        self._shape = shape
        self._cache_name = " ".join(
            [
                f"{endpoint.base_url} {endpoint.model}",
                *(name for name in endpoint.sampling if name != "temperature"),
                *([f"shape={shape}"] if shape != "auto" else []),
            ]
        )
        """What the cache knows the endpoint's dialect by."""
        self._dialect: Dialect | None = None
        if cache is not None and (dialect := cache.dialect(self._cache_name)) is not None:
            self.recall(dialect)
        self._is_checked = False
        """Whether the endpoint took the dialect in this run."""
        self._finding: str | None = None
        """What a probe found out, until it is reported."""
        self._lookup_size = _FEWEST_LOOKED_UP

    @property
    def dialect(self) -> Dialect:
        """What the endpoint takes; until that is known, what is tried first."""
        return self._dialect or (Dialect() if self._shape == "auto" else Dialect(shape=self._shape))

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
                attempts=self._wire.attempts,
                timeout=self._wire.timeout,
                shape=self._shape,
                draw=self._wire.random,
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
        (dialect,) = results
        if dialect != known and self.cache is not None:
            self.cache.keep_dialect(self._cache_name, dialect)
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
        worded, replies = self._look_up(requests)
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
        running = InFlight(self._outcome, self._wire.parallel, self.secrets)
        try:
            is_exhausted = False
            while running.count or not is_exhausted:
                while not is_exhausted and running.count < self._most_running:
                    room = self._most_running - running.count
                    batch = list(islice(waiting, room if self.cache is None else self._lookup_size))
                    is_exhausted = not batch
                    yield from self._cached_or_asked(batch, running)
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
    def _most_running(self) -> int:
        """Some wait at the gate, so that no place stays empty while a reply is read."""
        return self._wire.parallel + max(1, self._wire.parallel // 2)

    def _cached_or_asked(self, batch: list[Request], running: InFlight) -> Iterator[SettledRequest]:
        """Those that are in the cache at once; the others are asked as there is room."""
        worded, replies = self._look_up(batch)
        if len(replies) < len(worded) and not self._is_checked:
            dialect = self.dialect
            self._check()
            if self.dialect != dialect:  # the cache knows requests by their words in the dialect
                worded, replies = self._look_up(batch)
        if len(replies) < len(worded):
            self._lookup_size = _FEWEST_LOOKED_UP
        else:
            self._lookup_size = min(_MOST_LOOKED_UP, 2 * self._lookup_size)
        for each in worded:
            if each.key in replies:
                yield SettledRequest(each.request, replies[each.key])
                continue
            while running.count >= self._most_running:
                yield running.next()
            running.start(each)

    def _look_up(self, requests: Sequence[Request]) -> tuple[list[Worded], dict[bytes, Reply]]:
        """Requests in the dialect, and the replies that the cache has, by their keys."""
        worded = [self._worded(request, self.dialect) for request in requests]
        if self.cache is None or not requests:
            return worded, {}
        return worded, self.cache.get([each.key for each in worded])

    def _worded(self, request: Request, dialect: Dialect) -> Worded:
        """A request as it is asked in a dialect."""
        body = self.endpoint.body(request, dialect)
        key = b""
        if self.cache is not None:
            headers = self.endpoint.headers
            known_body = {**body, "headers": headers} if headers else body
            key = cache_key(self.endpoint.base_url, request.unit, request.repeat, known_body)
        return Worded(request, dialect.shape, body, key)

    async def _outcome(self, client: aiohttp.ClientSession, worded: Worded, rest: Rest) -> Outcome:
        attempts = Attempts(self._wire, client, worded, rest, limit=self.dialect.limit)
        outcome = await attempts.outcome()
        if self.cache is not None and isinstance(outcome, Reply):
            self.cache.put(worded, outcome)
        return outcome
