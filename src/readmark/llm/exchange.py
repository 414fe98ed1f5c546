"""One exchange with an endpoint: a request out, a reply in, and whether to try again."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.core.extras import require
from readmark.core.redaction import Secrets
from readmark.core.spent import Usage
from readmark.llm.replies import NoReply, Reply, error_words, filtered_reply, read_reply
from readmark.llm.traffic import retry_after

if TYPE_CHECKING:
    import aiohttp

_UNKNOWN = Usage(counted=False)
"""What an attempt took when the server may have worked on it and did not say how much."""

LARGEST = 8 * 1024 * 1024
"""Bytes of a reply; whatever sends more is not a chat endpoint."""

_LONGEST_MESSAGE = 200  # characters of a library's message in an error row

_BUSY = (408, 409, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_UNSUPPORTED = 501
_FATAL = {401: "the key is refused", 402: "there is no credit"}
_EXPLAINED = {403: "access is refused: ", 404: "no such address or model: "}


class TryAgain(Exception):
    """Worth another try, after ``wait`` seconds where the server named them.

    ``used`` is what the attempt took all the same, or None for nothing. ``busy`` tells that the
    server or the network has no time now, whatever it is asked.
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
    destination: Destination,
    body: bytes,
    shape: str,
    timeout: float,
) -> Reply:
    """Send one request and read its reply, the whole of it within ``timeout`` seconds."""
    require("aiohttp")
    import aiohttp

    secrets = destination.secrets
    try:
        async with (
            asyncio.timeout(timeout),
            client.post(
                destination.address,
                data=body,
                headers=destination.headers,
                proxy=destination.proxy,
                allow_redirects=False,
            ) as response,
        ):
            content = await _read_bounded(response.content)
            status, headers = response.status, response.headers
    except TimeoutError:
        raise TryAgain(f"no whole reply within {timeout:g} s", used=_UNKNOWN) from None
    except (ssl.SSLError, aiohttp.ClientConnectorCertificateError, aiohttp.InvalidURL) as error:
        reason = secrets.describe(error, _LONGEST_MESSAGE)
        raise Refused(f"no safe connection: {reason}", fatal=True) from None
    except (aiohttp.ClientConnectorError, aiohttp.ServerDisconnectedError) as error:
        reason = secrets.describe(error, _LONGEST_MESSAGE)
        raise TryAgain(f"the connection failed: {reason}") from None
    except (aiohttp.ClientError, OSError) as error:
        reason = secrets.describe(error, _LONGEST_MESSAGE)
        raise TryAgain(f"the connection failed: {reason}", used=_UNKNOWN) from None
    if status == 200:
        try:
            return read_reply(content, shape, secrets)
        except NoReply as error:
            raise TryAgain(str(error), used=error.usage or _UNKNOWN, busy=False) from None
    if status in _FATAL:
        words = error_words(content, secrets)
        raise Refused(f"{_FATAL[status]}: HTTP {status}: {words}", fatal=True)
    if 300 <= status < 400:
        raise Refused(f"HTTP {status}: the address has moved; base_url is not followed", fatal=True)
    if 400 <= status < 500 and (reply := filtered_reply(content, shape, secrets)) is not None:
        return reply
    words = f"HTTP {status}: {error_words(content, secrets)}"
    if status in _BUSY or (status >= 500 and status != _UNSUPPORTED):
        raise TryAgain(words, wait=retry_after(headers), busy=status in _BUSY)
    raise Refused(f"{_EXPLAINED.get(status, '')}{words}")


async def _read_bounded(stream: aiohttp.StreamReader) -> bytes:
    """A body that is not too long: a server that never stops must not fill the memory."""
    parts: list[bytes] = []
    size = 0
    async for part in stream.iter_any():
        size += len(part)
        if size > LARGEST:
            raise Refused(f"the reply is longer than {LARGEST // 1024 // 1024} MB")
        parts.append(part)
    return b"".join(parts)
