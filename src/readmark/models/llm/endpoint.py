"""A chat endpoint as OpenAI's protocol has it, and one exchange's worth of words with it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from readmark.corpus.errors import UsageError
from readmark.corpus.redaction import hide_credentials

DEFAULT_KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key; the key itself stands nowhere else."""

SHAPES = ("schema", "json", "text")
"""How the answer is asked for: by a JSON schema, as any JSON object, in words."""

OLDER_LIMIT = "max_tokens"
"""What the bound of a reply is called; some servers want another name."""

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Message(msgspec.Struct, frozen=True):
    """What one side of the conversation says."""

    role: str
    content: str


class Request(msgspec.Struct, frozen=True):
    """A conversation to go on with; ``unit`` and ``repeat`` tell equal ones apart in the cache."""

    unit: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    repeat: int = 0


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
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model:
            raise UsageError("which model? llm(model=NAME,base_url=URL)")
        try:
            parts = urlsplit(self.base_url)
            _ = parts.port
        except ValueError:
            raise UsageError(
                f"base_url {hide_credentials(self.base_url)!r} is no address"
            ) from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                f"base_url {hide_credentials(self.base_url)!r} is no http or https address"
            )
        if parts.username is not None or parts.password is not None or parts.query:
            raise UsageError(
                "base_url must hold no user, password or query: name the environment variable "
                "that holds the key with key=NAME"
            )
        if not _VARIABLE.fullmatch(self.key_name):
            raise UsageError(
                "key=NAME is the name of an environment variable, in capitals, never the key itself"
            )
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
        """The key from the environment; one that is missing is told by its name."""
        found = os.environ.get(self.key_name, "").strip()
        if found:
            if not found.isascii() or not found.isprintable():
                raise UsageError(f"the environment's {self.key_name} holds no usable key")
            return found
        if self.is_local:
            return None
        raise UsageError(f"no key: set the environment variable {self.key_name}")

    def proxy(self) -> str | None:
        """The proxy that the environment names for this address, if any."""
        from urllib.request import getproxies, proxy_bypass

        parts = urlsplit(self.base_url)
        if self.is_local or parts.hostname is None or proxy_bypass(parts.hostname):
            return None
        return getproxies().get(parts.scheme)

    def body(self, request: Request, shape: str) -> dict[str, Any]:
        """The request as it is sent, and what the cache knows it by."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": msgspec.to_builtins(request.messages),
            OLDER_LIMIT: self.max_tokens,
            **self.parameters,
        }
        for name in ("temperature", "top_p", "seed"):
            value = getattr(self, name)
            if value is not None:
                body[name] = value
        if request.schema is not None and shape == "schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": dict(request.schema)},
            }
        elif request.schema is not None and shape == "json":
            body["response_format"] = {"type": "json_object"}
        return body
