"""A chat endpoint as OpenAI's protocol has it: its address and parameters, and a request's body."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from readmark.core.errors import UsageError
from readmark.core.redaction import hide_credentials
from readmark.core.stored_keys import STORED_KEY, names_secret, stored_key

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
        """The key from the environment or the keyring; a missing one is reported by its name.

        A server on this machine, or one with a secret header, may need none: then the default may
        be missing. A key that somebody named may not.
        """
        is_stored = self.key_name.startswith("keyring:")
        needs_none = self.is_local or any(names_secret(header) for header in self.headers)
        is_optional = needs_none and self.key_name == DEFAULT_KEY
        if is_optional and not os.environ.get(DEFAULT_KEY, "").strip():
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
