"""A chat endpoint as OpenAI's protocol has it, and one exchange's worth of words with it."""

from __future__ import annotations

import asyncio
import os
import re
import ssl
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.core.redaction import Secrets, hide_credentials
from readmark.core.spent import Usage
from readmark.core.stored_keys import stored_key
from readmark.core.typed_keys import STORED_KEY, names_secret
from readmark.llm.replies import NoReply, Reply, error_words, filtered_reply, read_reply
from readmark.llm.traffic import retry_after

if TYPE_CHECKING:
    import aiohttp


DEFAULT_KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key; the key itself is stored nowhere else."""

SHAPES = ("schema", "json", "text")
"""How the answer is asked for: by a JSON schema, as any JSON object, in words."""

OLDER_LIMIT, NEWER_LIMIT = "max_tokens", "max_completion_tokens"
"""What the bound of a reply is called; some servers take only the newer name."""

SAMPLING = ("temperature", "top_p", "seed")
"""The parameters of sampling, each sent where it is set."""

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Message(msgspec.Struct, frozen=True):
    """What one side of the conversation says."""

    role: str
    content: str


class Request(msgspec.Struct, frozen=True):
    """A conversation to continue; ``unit`` and ``repeat`` distinguish equal ones in the cache."""

    unit: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    repeat: int = 0


class Dialect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an endpoint takes: how answers are asked for, and what parameters are called."""

    shape: str = SHAPES[0]
    limit: str = OLDER_LIMIT
    left_out: tuple[str, ...] = ()
    """Parameters of sampling that the endpoint refuses, which are not sent."""
    refused: str = ""
    """What the server answered to what it does not take."""

    def __post_init__(self) -> None:
        if self.shape not in SHAPES or self.limit not in (OLDER_LIMIT, NEWER_LIMIT):
            raise ValueError(f"{self.shape!r} with {self.limit!r} is not a way to ask an endpoint")


class Worded(msgspec.Struct, frozen=True):
    """A request in one of the shapes: its body, and what the cache knows it by."""

    request: Request
    shape: str
    body: dict[str, Any]
    key: bytes


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask, whom, and with which parameters: all of it decides the replies."""

    base_url: str
    model: str
    key_name: str = DEFAULT_KEY
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers; a secret is the name of where it is, such as env:NAME."""

    def __post_init__(self) -> None:
        if not self.model:
            raise UsageError("which model? llm(model=NAME,base_url=URL)")
        try:
            parts = urlsplit(self.base_url)
            _ = parts.port
        except ValueError:
            raise UsageError(
                f"base_url {hide_credentials(self.base_url)!r} is not an address"
            ) from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                f"base_url {hide_credentials(self.base_url)!r} is not an http or https address"
            )
        if parts.username is not None or parts.password is not None or parts.query:
            raise UsageError(
                "base_url must hold no user, password or query: name the environment variable "
                "that holds the key with key=NAME"
            )
        name = self.key_name.removeprefix("env:")
        if not _VARIABLE.fullmatch(name) and not STORED_KEY.fullmatch(self.key_name):
            raise UsageError(
                "key=NAME is the name of an environment variable, in capitals, never the key itself"
            )
        object.__setattr__(self, "key_name", name)
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        if self.max_tokens < 1:
            raise UsageError(f"max_tokens {self.max_tokens} is less than 1")

    @property
    def address(self) -> str:
        """Where chat completions are asked for."""
        return f"{self.base_url}/chat/completions"

    @property
    def is_local(self) -> bool:
        """A server on this machine may want no key."""
        return urlsplit(self.base_url).hostname in _LOCAL

    def key(self) -> str | None:
        """The key from the environment or the keyring; a missing one is reported by its name."""
        is_stored = self.key_name.startswith("keyring:")
        is_optional = self.is_local or any(names_secret(header) for header in self.headers)
        if not is_stored and is_optional and not os.environ.get(self.key_name, "").strip():
            return None
        key = stored_key(self.key_name if is_stored else f"env:{self.key_name}")
        if not key.isascii() or not key.isprintable():
            raise UsageError(f"{self.key_name} holds no usable key")
        return key

    def secret_headers(self) -> dict[str, str]:
        """The values of headers that are stored elsewhere."""
        values = {
            name: stored_key(place)
            for name, place in self.headers.items()
            if STORED_KEY.fullmatch(place)
        }
        for name, value in values.items():
            if not value.isascii() or not value.isprintable():
                raise UsageError(f"header {name}: {self.headers[name]} holds no usable value")
        return values

    def secret_parameters(self) -> dict[str, str]:
        """What each env:NAME and keyring:NAME in the further members of a request stands for."""
        return {place: stored_key(place) for place in _stored_places(self.parameters)}

    @property
    def extras(self) -> dict[str, Any]:
        """What was added to every request, for signatures: nothing where nothing was."""
        extras = {"stop": self.stop, "body": self.parameters, "headers": self.headers}
        return {name: value for name, value in extras.items() if value}

    def proxy(self) -> str | None:
        """The proxy that the environment names for this address, if any."""
        from urllib.request import getproxies, proxy_bypass

        parts = urlsplit(self.base_url)
        if self.is_local or parts.hostname is None or proxy_bypass(parts.hostname):
            return None
        return getproxies().get(parts.scheme)

    @property
    def sampling(self) -> dict[str, Any]:
        """The parameters of sampling that are set."""
        values = {name: getattr(self, name) for name in SAMPLING}
        return {name: value for name, value in values.items() if value is not None}

    def body(self, request: Request, dialect: Dialect) -> dict[str, Any]:
        """The request as the cache knows it; only the name of the limit may differ when sent."""
        shape = dialect.shape
        body: dict[str, Any] = {
            "model": self.model,
            "messages": msgspec.to_builtins(request.messages),
            OLDER_LIMIT: self.max_tokens,
            **self.parameters,
            **({"stop": list(self.stop)} if self.stop else {}),
        }
        for name, value in self.sampling.items():
            if name not in dialect.left_out:
                body[name] = value
        if request.schema is not None and shape == "schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": dict(request.schema)},
            }
        elif request.schema is not None and shape == "json":
            body["response_format"] = {"type": "json_object"}
        return body


def _stored_places(value: Any) -> Iterator[str]:
    """Every env:NAME and keyring:NAME in a value, however deep."""
    if isinstance(value, str):
        if STORED_KEY.fullmatch(value):
            yield value
    elif isinstance(value, Mapping | list):
        for member in value.values() if isinstance(value, Mapping) else value:
            yield from _stored_places(member)


def with_secrets(value: Any, secrets: Mapping[str, str]) -> Any:
    """A value with what its env:NAME and keyring:NAME stand for."""
    if isinstance(value, Mapping):
        return {name: with_secrets(member, secrets) for name, member in value.items()}
    if isinstance(value, list):
        return [with_secrets(member, secrets) for member in value]
    return secrets.get(value, value) if isinstance(value, str) else value


# One exchange with an endpoint: a request out, a reply in, and what to do when it goes wrong.


_UNKNOWN = Usage(counted=False)

LARGEST = 8 * 1024 * 1024
"""Bytes of a reply; whatever sends more is no chat endpoint."""

_LONGEST_MESSAGE = 200

_BUSY = (408, 409, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_UNSUPPORTED = 501
_FATAL = {401: "the key is refused", 402: "there is no credit"}
_EXPLAINED = {403: "access is refused: ", 404: "no such address or model: "}


class TryAgain(Exception):
    """Worth another try, after ``wait`` seconds where the server named them.

    ``used`` is what it took all the same; None is nothing, one that is not counted nobody knows.
    ``busy`` is a server or a network that has no time now, whatever it is asked.
    """

    def __init__(
        self,
        words: str,
        *,
        wait: float | None = None,
        used: Usage | None = None,
        busy: bool = True,
    ) -> None:
        super().__init__(words)
        self.wait, self.used, self.busy = wait, used, busy


class Refused(Exception):
    """Not worth another try. A ``fatal`` one would meet every request."""

    def __init__(self, words: str, *, fatal: bool = False) -> None:
        super().__init__(words)
        self.fatal = fatal


@dataclass(frozen=True, slots=True)
class Destination:
    """Where requests go, and the secrets that are struck out of every message about the reply."""

    address: str
    headers: Mapping[str, str] = field(repr=False)
    proxy: str | None = field(repr=False)
    secrets: Secrets
    members: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Members of a request with their secrets; the request that the cache knows has the names."""


async def exchange(
    client: aiohttp.ClientSession,
    to: Destination,
    body: bytes,
    shape: str,
    timeout: float,
) -> Reply:
    """Send one request and read its reply, the whole of it within ``timeout`` seconds."""
    require("aiohttp")
    import aiohttp

    try:
        async with (
            asyncio.timeout(timeout),
            client.post(
                to.address,
                data=body,
                headers=to.headers,
                proxy=to.proxy,
                allow_redirects=False,
            ) as response,
        ):
            said = await _whole(response.content)
            status, told = response.status, response.headers
    except TimeoutError:
        raise TryAgain(f"no whole reply within {timeout:g} s", used=_UNKNOWN) from None
    except (ssl.SSLError, aiohttp.ClientConnectorCertificateError, aiohttp.InvalidURL) as error:
        raise Refused(
            f"no safe connection: {to.secrets.describe(error, _LONGEST_MESSAGE)}", fatal=True
        ) from None
    except (aiohttp.ClientConnectorError, aiohttp.ServerDisconnectedError) as error:
        raise TryAgain(
            f"the connection failed: {to.secrets.describe(error, _LONGEST_MESSAGE)}"
        ) from None
    except (aiohttp.ClientError, OSError) as error:
        raise TryAgain(
            f"the connection failed: {to.secrets.describe(error, _LONGEST_MESSAGE)}", used=_UNKNOWN
        ) from None
    if status == 200:
        try:
            return read_reply(said, shape, to.secrets)
        except NoReply as error:
            raise TryAgain(str(error), used=error.usage or _UNKNOWN, busy=False) from None
    if status in _FATAL:
        words = error_words(said, to.secrets)
        raise Refused(f"{_FATAL[status]}: HTTP {status}: {words}", fatal=True)
    if 300 <= status < 400:
        raise Refused(f"HTTP {status}: the address has moved; base_url is not followed", fatal=True)
    if 400 <= status < 500 and (reply := filtered_reply(said, shape, to.secrets)) is not None:
        return reply
    words = f"HTTP {status}: {error_words(said, to.secrets)}"
    if status in _BUSY or (status >= 500 and status != _UNSUPPORTED):
        raise TryAgain(words, wait=retry_after(told), busy=status in _BUSY)
    raise Refused(f"{_EXPLAINED.get(status, '')}{words}")


async def _whole(stream: aiohttp.StreamReader) -> bytes:
    """A body that is not too long: a server gone wild must not fill the memory."""
    parts: list[bytes] = []
    size = 0
    async for part in stream.iter_any():
        size += len(part)
        if size > LARGEST:
            raise Refused(f"the reply is longer than {LARGEST // 1024 // 1024} MB")
        parts.append(part)
    return b"".join(parts)


# How many may be in flight just now: fewer after a server has said that it is too much.


class Gate:
    """Lets requests through; a server's own "not before" holds all of them back."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._places = float(most)
        self._inside = 0
        self._not_before = 0.0
        self._narrowed = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> float:
        """Wait for a place and for the time; when that was is given back."""
        while True:
            await self._until_then()
            if not self._is_free or self._waiting:
                await self._given_a_place()
            else:
                self._inside += 1
            if self._not_before <= time.monotonic():
                return time.monotonic()
            self.leave()

    async def _until_then(self) -> None:
        while (wait := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def _given_a_place(self) -> None:
        """Wait for one's turn."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._call()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """A place is free."""
        self._inside -= 1
        self._call()

    def _call(self) -> None:
        """Give away as many places as there are: who is called has one, and nobody takes it."""
        while self._waiting and self._is_free:
            place = self._waiting.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(None)

    @property
    def _is_free(self) -> bool:
        return self._inside < max(1, int(self._places))

    def went_well(self) -> None:
        """A reply came: a little more may be in flight."""
        self._places = min(self._most, self._places + 1 / self._places)

    def too_much(self, entered: float, wait: float) -> None:
        """A request that entered then was refused; nobody asks again before ``wait`` is over."""
        now = time.monotonic()
        self._not_before = max(self._not_before, now + wait)
        if entered >= self._narrowed:  # those sent before the last narrowing say nothing new
            self._places = max(1.0, self._places / 2)
            self._narrowed = now
