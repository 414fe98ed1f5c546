"""The types of the configuration's keys: how a value is read, and what is expected in words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from readmark.core.stored_keys import STORED_KEY

_SIZE = re.compile(r"([0-9]{1,15})\s*(?:([KMGT])?(?:i?B)?)", re.IGNORECASE)
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
UNLIMITED = 1 << 62
"""The number that stands for "none"."""


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of values, in words and as a function."""

    words: str
    read: Callable[[Any], Any]
    """Gives the value; raises ``ValueError`` for anything else."""
    is_text: bool = False
    """Whether ``--set`` passes the value on as it was typed, not as TOML."""
    is_path: bool = False
    """Whether it names files, relative to the configuration's folder."""


def configured(default: Any, type: ValueType, help: str, *, default_words: str = "") -> Any:
    """A field of a section: its default (MISSING if it is required), its type and its meaning.

    ``default_words`` describes a default that is not a value, such as "no limit".
    """
    metadata = {"type": type, "help": help, "default": default_words}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _words(value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(text, str) for text in values):
        raise ValueError
    return tuple(values)


def _address(value: Any) -> str:
    parts = urlsplit(_text(value))
    _ = parts.port  # raises ValueError if it is not a number
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    if parts.username is not None or parts.password is not None or parts.query:
        raise ValueError
    return str(value).rstrip("/")


def _stored_key(value: Any) -> str:
    if not STORED_KEY.fullmatch(_text(value)):
        raise ValueError
    return str(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    return float(value)


def _above_zero(value: Any) -> float:
    if (number := _number(value)) <= 0:
        raise ValueError
    return number


def _from_zero(value: Any) -> float:
    if (number := _number(value)) < 0:
        raise ValueError
    return number


def _share(value: Any) -> float:
    if not 0 < (number := _number(value)) <= 1:
        raise ValueError
    return number


def _part(value: Any) -> float:
    if not 0 <= (number := _number(value)) < 1:
        raise ValueError
    return number


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


def _count(value: Any) -> int:
    if (number := _whole(value)) < 1:
        raise ValueError
    return number


def _most(value: Any) -> int:
    return UNLIMITED if value == "none" else _count(value)


def _size(value: Any) -> int:
    if isinstance(value, str) and value.lower() != "none":
        match = _SIZE.fullmatch(value.strip())
        if match is None or not int(match[1]):
            raise ValueError
        return min(int(match[1]) * _FACTORS[(match[2] or "").upper()], UNLIMITED)
    return _most(value)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError
    return value


def _texts_by_name(value: Any) -> Mapping[str, str]:
    table = _table(value)
    if not all(isinstance(text, str) for text in table.values()):
        raise ValueError
    return table


TEXT = ValueType("text", _text, is_text=True)
TEXTS = ValueType("text or a list of texts", _words)
FILE = ValueType("the path of a file", _text, is_text=True, is_path=True)
FILES = ValueType("a path or a list of paths", _words, is_path=True)
FOLDER = ValueType("the path of a folder", _text, is_text=True, is_path=True)
ADDRESS = ValueType(
    "an http or https address without user, password and query", _address, is_text=True
)
STORED = ValueType("env:NAME or keyring:NAME, never the key itself", _stored_key, is_text=True)
NUMBER = ValueType("a number", _number)
ABOVE_ZERO = ValueType("a number above 0", _above_zero)
FROM_ZERO = ValueType("a number from 0", _from_zero)
SHARE = ValueType("a number above 0, at most 1", _share)
PART = ValueType("a number from 0, below 1", _part)
WHOLE = ValueType("a whole number", _whole)
WHOLE_FROM_ZERO = ValueType("a whole number from 0", lambda value: int(_from_zero(_whole(value))))
COUNT = ValueType("a whole number from 1", _count)
COUNT_OR_NONE = ValueType('a whole number from 1, or "none"', _most)
SIZE = ValueType('a size such as "256MB", a number of bytes, or "none"', _size)
SWITCH = ValueType("true or false", _switch)
TABLE = ValueType("a table", _table)
TEXTS_BY_NAME = ValueType("a table of texts", _texts_by_name)


def count_up_to(most: int) -> ValueType:
    """A whole number from 1 to a bound."""

    def read(value: Any) -> int:
        if (number := _count(value)) > most:
            raise ValueError
        return number

    return ValueType(f"a whole number from 1 to {most:,}", read)


def one_of(*choices: str) -> ValueType:
    """One of several words."""

    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return ValueType(" or ".join((", ".join(choices[:-1]), choices[-1])), read, is_text=True)
