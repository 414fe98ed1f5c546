"""What an endpoint takes, found out by a few short requests before anything else is asked.

Servers answer what they do not take with any status: llama_cpp.server answers a JSON schema with
HTTP 500, OpenAI an older name with 400, others with 404 or with a reply that has no message.
"""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from readmark.core.counts import counted
from readmark.core.errors import ReadmarkError
from readmark.core.spent import Usage
from readmark.llm.endpoint import (
    NEWER_LIMIT,
    OLDER_LIMIT,
    SHAPES,
    Dialect,
    Endpoint,
    Message,
    Request,
)
from readmark.llm.exchange import Destination, Refused, TryAgain, exchange
from readmark.llm.traffic import Budget, backoff

if TYPE_CHECKING:
    import aiohttp

PROBE = 'Is this a test? Reply with the JSON object {"answer": "yes", "evidence": "a test"}.'
"""The question of a probe. It has the word JSON, without which some services refuse JSON."""
_SCHEMA = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "enum": ["yes", "no"]},
        "evidence": {"type": "string"},
    },
    "required": ["answer", "evidence"],
    "additionalProperties": False,
}
_REQUEST = Request("probe", (Message("user", PROBE),), _SCHEMA)
_LONGEST_REPLY = 256
"""Tokens of a probe's reply: more than it takes, with some reasoning."""
_LONGEST_WAIT = 300.0
"""Seconds; a server that asks for a longer pause is not waited for."""
_DEFAULT = {"temperature": 0.0}
"""What may be left out where it is refused, as nobody asked for it."""
_SHOWN = 100
"""Characters of a refusal in the line on what an endpoint takes."""
_TAKEN = {"schema": "a JSON schema", "json": "JSON objects", "text": "plain text"}
_NOT_TAKEN = {"schema": "", "json": "a JSON schema", "text": "JSON"}


class OverBudget(Exception):
    """The budget does not even allow a probe, nor anything else then."""


Wait = Callable[[float], Awaitable[None]]


def is_allowed(endpoint: Endpoint, dialect: Dialect) -> bool:
    """Whether a dialect leaves out nothing that somebody asked for."""
    sampling = endpoint.sampling
    return all(sampling.get(name) == _DEFAULT.get(name, ...) for name in dialect.left_out)


def dialect_line(endpoint: Endpoint, dialect: Dialect, shape: str = "auto") -> str:
    """What an endpoint takes, in one line; of a ``shape`` that was given no other was tried."""
    sent = [name for name in endpoint.sampling if name not in dialect.left_out]
    taken = ", ".join((_TAKEN[dialect.shape], *sent, dialect.limit))
    refused = [words] if shape == "auto" and (words := _NOT_TAKEN[dialect.shape]) else []
    refused += [OLDER_LIMIT] if dialect.limit != OLDER_LIMIT else []
    refused += dialect.left_out
    line = f"{endpoint.model} takes {taken}"
    if not refused:
        return line
    cut = "…" if len(dialect.refused) > _SHOWN else ""
    why = f" ({dialect.refused[:_SHOWN]}{cut})" if dialect.refused else ""
    return f"{line}; not {', '.join(refused)}{why}"


class Probe:
    """The search for a dialect: from what is wanted to what is taken, in few requests."""

    def __init__(
        self,
        endpoint: Endpoint,
        destination: Destination,
        budget: Budget,
        *,
        attempts: int,
        timeout: float,
        shape: str,
        draw: random.Random,
    ) -> None:
        self._endpoint, self._destination, self._budget = endpoint, destination, budget
        self._attempts, self._timeout = attempts, timeout
        self._shapes = SHAPES if shape == "auto" else (shape,)
        self._fixed = shape != "auto"
        self._draw = draw
        self._server_failed = False
        """Whether the last refusal was a server's error, which may have been a passing one."""

    async def find(
        self, client: aiohttp.ClientSession, wait: Wait, known: Dialect | None = None
    ) -> Dialect:
        """The dialect; ``known`` is one that was taken earlier, and is tried first."""
        self._client, self._wait = client, wait
        if known is not None and await self._refusal(known) is None:
            return known
        wanted = Dialect(shape=self._shapes[0])
        dialect, words = await self._by_hints(wanted)
        if words is not None:
            taken = await self._other_shape(wanted)
            if taken is None and dialect != wanted:  # what the server named was a part of it
                taken = await self._other_shape(dialect)
            taken = taken or await self._fewer_parameters(wanted)
            if taken is None:
                fixed = f" (asked with shape={self._shapes[0]})" if self._fixed else ""
                raise ReadmarkError(f"{self._endpoint.model}: {words}{fixed}")
            dialect = msgspec.structs.replace(taken, refused=dialect.refused or words)
        self._require_named(dialect)
        return dialect

    async def _by_hints(self, dialect: Dialect) -> tuple[Dialect, str | None]:
        """Follow what the server names in its refusals: another name, a parameter to leave out."""
        words = await self._refusal(dialect)
        while words is not None and (hinted := self._hinted(dialect, words)) is not None:
            dialect = msgspec.structs.replace(hinted, refused=dialect.refused or words)
            words = await self._refusal(dialect)
        return dialect, words

    def _hinted(self, dialect: Dialect, words: str) -> Dialect | None:
        if NEWER_LIMIT in words and dialect.limit == OLDER_LIMIT:
            return msgspec.structs.replace(dialect, limit=NEWER_LIMIT)
        for name in self._endpoint.sampling:
            if name not in dialect.left_out and re.search(rf"\b{name}\b", words.lower()):
                return msgspec.structs.replace(dialect, left_out=(*dialect.left_out, name))
        return None

    async def _other_shape(self, dialect: Dialect) -> Dialect | None:
        """The first other shape that is taken, unless the first refusal was a passing fault."""
        passing = self._server_failed
        for shape in self._shapes[1:]:
            other = msgspec.structs.replace(dialect, shape=shape)
            if await self._refusal(other) is None:
                if passing and await self._refusal(dialect) is None:
                    return dialect
                return other
        return None

    async def _fewer_parameters(self, dialect: Dialect) -> Dialect | None:
        """What is taken when parameters have another name or are not sent, in the best shape."""
        plain = msgspec.structs.replace(dialect, shape=self._shapes[-1])
        for fewer in self._variants(plain):
            if await self._refusal(fewer) is None:
                for shape in self._shapes[:-1]:
                    better = msgspec.structs.replace(fewer, shape=shape)
                    if await self._refusal(better) is None:
                        return better
                return fewer
        return None

    def _variants(self, plain: Dialect) -> Iterator[Dialect]:
        newer = msgspec.structs.replace(plain, limit=NEWER_LIMIT)
        yield newer
        for name in self._endpoint.sampling:
            yield msgspec.structs.replace(plain, left_out=(name,))
        if self._endpoint.sampling:
            yield msgspec.structs.replace(newer, left_out=tuple(self._endpoint.sampling))

    def _require_named(self, dialect: Dialect) -> None:
        """A parameter that somebody asked for is never left out in silence."""
        for name in dialect.left_out:
            value = self._endpoint.sampling[name]
            if _DEFAULT.get(name) != value:
                how = "temperature=-1 sends none" if name == "temperature" else "leave it out"
                raise ReadmarkError(
                    f"{self._endpoint.model} does not take {name}={value:g} "
                    f"({dialect.refused}); {how}"
                )

    async def _refusal(self, dialect: Dialect) -> str | None:
        """What the server has against a dialect; None where it takes it."""
        body = self._endpoint.body(_REQUEST, dialect)
        del body[OLDER_LIMIT]
        limit = min(self._endpoint.max_tokens, _LONGEST_REPLY)
        sent = msgspec.json.encode({**body, **self._destination.members, dialect.limit: limit})
        most = Usage(len(sent), limit)
        for attempt in range(1, self._attempts + 1):
            receipt = self._budget.reserve(most)
            if receipt is None:
                raise OverBudget
            used: Usage | None = None
            try:
                reply = await exchange(
                    self._client, self._destination, sent, dialect.shape, self._timeout
                )
                used = reply.usage
                return None
            except Refused as error:
                if error.fatal:
                    raise ReadmarkError(f"{self._endpoint.model}: {error}") from None
                self._server_failed = False
                return str(error)
            except TryAgain as error:
                used = error.used
                self._server_failed = True
                if not error.busy:
                    return str(error)
                if attempt == self._attempts or (error.wait or 0) > _LONGEST_WAIT:
                    raise ReadmarkError(
                        f"{self._endpoint.base_url} does not answer: {error} "
                        f"({counted(attempt, 'attempt')})"
                    ) from None
                wait = backoff(attempt, self._draw) if error.wait is None else error.wait
            finally:
                self._budget.settle(receipt, used)
            await self._wait(wait)
        raise AssertionError("every attempt returns or raises")
