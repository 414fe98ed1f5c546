"""One exchange with an endpoint: a request out, a reply in, and what to do when it goes wrong."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from readmark.corpus.redaction import Secrets
from readmark.models.llm.replies import NoReply, Reply, Usage, error_words, read_reply
from readmark.models.llm.traffic import retry_after

if TYPE_CHECKING:
    import aiohttp

_UNKNOWN = Usage(counted=False)

LARGEST = 8 * 1024 * 1024
"""Bytes of a reply; whatever sends more is no chat endpoint."""

_LONGEST_MESSAGE = 200

NEWER_LIMIT = "max_completion_tokens"

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_FATAL = {401: "the key is refused", 402: "there is no credit"}
_FATAL_AT_FIRST = {403: "access is refused", 404: "no such address or model"}
_UNSUPPORTED = (400, 415, 422, 501)


class Again(Exception):
    """Worth another try, after ``wait`` seconds where the server named them.

    ``used`` is what it took all the same; None is nothing, one that is not counted nobody knows.
    """

    def __init__(self, words: str, *, wait: float | None = None, used: Usage | None = None) -> None:
        super().__init__(words)
        self.wait, self.used = wait, used


class Refused(Exception):
    """Not worth another try. A ``fatal`` one would meet every request, one that is fatal
    ``at_first`` would if none has gone well yet; ``shape`` is one that may be refused for the
    way in which it was asked."""

    def __init__(
        self, words: str, *, fatal: bool = False, at_first: bool = False, shape: bool = False
    ) -> None:
        super().__init__(words)
        self.fatal, self.at_first, self.shape = fatal, at_first, shape


@dataclass(frozen=True, slots=True)
class Destination:
    """Where requests go, and the secrets that are struck out of every message about the reply."""

    address: str
    headers: Mapping[str, str] = field(repr=False)
    proxy: str | None = field(repr=False)
    secrets: Secrets


async def exchange(
    client: aiohttp.ClientSession,
    to: Destination,
    body: bytes,
    shape: str,
    timeout: float,
) -> Reply:
    """Send one request and read its reply, the whole of it within ``timeout`` seconds."""
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
        raise Again(f"no whole reply within {timeout:g} s", used=_UNKNOWN) from None
    except (ssl.SSLError, aiohttp.ClientConnectorCertificateError, aiohttp.InvalidURL) as error:
        raise Refused(
            f"no safe connection: {to.secrets.describe(error, _LONGEST_MESSAGE)}", fatal=True
        ) from None
    except (aiohttp.ClientConnectorError, aiohttp.ServerDisconnectedError) as error:
        raise Again(
            f"the connection failed: {to.secrets.describe(error, _LONGEST_MESSAGE)}"
        ) from None
    except (aiohttp.ClientError, OSError) as error:
        raise Again(
            f"the connection failed: {to.secrets.describe(error, _LONGEST_MESSAGE)}", used=_UNKNOWN
        ) from None
    if status == 200:
        try:
            return read_reply(said, shape, to.secrets)
        except NoReply as error:
            raise Again(str(error), used=error.usage or _UNKNOWN) from None
    words = f"HTTP {status}: {error_words(said, to.secrets)}"
    if status in _AGAIN or status >= 500:
        raise Again(words, wait=retry_after(told))
    if 300 <= status < 400:
        raise Refused(f"HTTP {status}: the address has moved; base_url is not followed", fatal=True)
    if status in _FATAL:
        raise Refused(f"{_FATAL[status]}: {words}", fatal=True)
    if status in _FATAL_AT_FIRST:
        raise Refused(f"{_FATAL_AT_FIRST[status]}: {words}", at_first=True)
    raise Refused(words, shape=status in _UNSUPPORTED)


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
