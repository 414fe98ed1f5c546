"""JSON of harnesses: Python writes half surrogate pairs, which no file of text can hold."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

REPLACEMENT = "\ufffd"
"""What replaces half a pair of surrogates."""
_LONE = re.compile(r"[\ud800-\udfff]")


def decoded(data: bytes) -> tuple[Any, bool]:
    """A JSON text, and whether some of its words had to be repaired; other faults are raised."""
    try:
        return msgspec.json.decode(data), False
    except msgspec.DecodeError:
        if b"\\u" not in data:
            raise
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if value is None:
            raise  # msgspec says more clearly what is wrong
        return _repaired(value), True


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [_repaired(item) for item in value]
    if isinstance(value, dict):
        return {_repaired(name): _repaired(member) for name, member in value.items()}
    return value


def object_or_empty(value: object) -> dict[str, Any]:
    """The value where it is an object, else an empty one: logs differ by version."""
    return value if isinstance(value, dict) else {}
