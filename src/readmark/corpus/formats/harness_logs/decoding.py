"""JSON of harnesses: Python writes half surrogate pairs, which no file of text can hold."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

MENDED = "\ufffd"
"""What stands for half a pair of surrogates."""
_LONE = re.compile(r"[\ud800-\udfff]")


def decoded(data: bytes) -> tuple[Any, bool]:
    """A JSON text, and whether some of its words had to be mended; other faults are raised."""
    try:
        return msgspec.json.decode(data), False
    except msgspec.DecodeError:
        if b"\\u" not in data:
            raise
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if found is None:
            raise
        return _mended(found), True


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE.sub(MENDED, value)
    if isinstance(value, list):
        return [_mended(one) for one in value]
    if isinstance(value, dict):
        return {_mended(name): _mended(one) for name, one in value.items()}
    return value
