"""One exchange with an endpoint: a request out, a reply in, and what to do when it goes wrong."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.models.llm.replies import NoReply, Reply, error_words, read_reply
from readmark.models.llm.traffic import retry_after

if TYPE_CHECKING:
    import aiohttp

LARGEST = 8 * 1024 * 1024
"""Bytes of a reply; whatever sends more is no chat endpoint."""

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_FATAL = {401: "the key is refused", 403: "access is refused", 404: "no such address or model"}
_UNSUPPORTED = (400, 404, 415, 422, 501)
_ABOUT_ELSE = (
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "seed",
    "context",
    "model",
)
"""What a refusal speaks of when it is not the way of asking that is refused."""
NEWER_LIMIT = "max_completion_tokens"


class Again(Exception):
    """Worth another try, after ``wait`` seconds where the server named them."""

    def __init__(self, words: str, wait: float | None = None) -> None:
        super().__init__(words)
        self.wait = wait


class Refused(Exception):
    """Not worth another try; a ``fatal`` one would meet every request."""

    def __init__(self, words: str, *, fatal: bool = False) -> None:
        super().__init__(words)
        self.fatal = fatal


class LimitRefused(Exception):
    """The server wants the bound of a reply under its newer name."""


class ShapeRefused(Exception):
    """The server does not take the way in which the answer was asked for."""


async def exchange(
    client: aiohttp.ClientSession,
    address: str,
    headers: Mapping[str, str],
    body: dict[str, Any],
    shape: str,
    timeout: float,
) -> Reply:
    """Send one request and read its reply, the whole of it within ``timeout`` seconds."""
    import aiohttp

    try:
        async with asyncio.timeout(timeout):
            async with client.post(
                address,
                data=msgspec.json.encode(body),
                headers=headers,
                allow_redirects=False,
            ) as response:
                said = await _whole(response.content)
                status, told = response.status, dict(response.headers)
    except TimeoutError:
        raise Again(f"no whole reply within {timeout:g} s") from None
    except ssl.SSLError as error:
        raise Refused(f"no safe connection: {_words(error)}", fatal=True) from None
    except aiohttp.ClientConnectorCertificateError as error:
        raise Refused(f"no safe connection: {_words(error)}", fatal=True) from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise Again(f"the connection failed: {_words(error)}") from None
    if status == 200:
        try:
            return read_reply(said, shape)
        except NoReply as error:
            raise Again(str(error)) from None
    words = f"HTTP {status}: {error_words(said)}"
    if status in _AGAIN or status >= 500:
        raise Again(words, retry_after(told))
    if status == 400 and NEWER_LIMIT in words and NEWER_LIMIT not in body:
        raise LimitRefused(words)
    if "response_format" in body and status in _UNSUPPORTED:
        about = words.lower()
        if "format" in about or not any(one in about for one in _ABOUT_ELSE):
            raise ShapeRefused(words)
    if 300 <= status < 400:
        raise Refused(f"HTTP {status}: the address has moved; base_url is not followed", fatal=True)
    if status in _FATAL:
        raise Refused(f"{_FATAL[status]}: {words}", fatal=True)
    raise Refused(words)


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


def _words(error: BaseException) -> str:
    said = " ".join(str(error).split()) or type(error).__name__
    return said[:200]
