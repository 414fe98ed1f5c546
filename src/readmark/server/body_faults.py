"""What no database stores and no JSON answer repeats: NUL, half characters, endless numbers."""

from __future__ import annotations

import json

import msgspec


def fault_of(kind: str, body: bytes) -> str | None:
    """What is wrong with a body of a type of content, wherever it is in it; None if nothing is."""
    if b"\0" in body:
        return "The request holds a NUL character."
    if kind == "application/x-www-form-urlencoded":
        return "The request holds a NUL character." if b"%00" in body else None
    if not body or (kind and not kind.endswith("json")):
        return None
    try:
        content = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _fault_of_json(body)
    if b"\\u0000" in body and _has_nul(content):
        return "The request holds a NUL character."
    return None


def _fault_of_json(body: bytes) -> str | None:
    """Why a body that cannot be decoded is refused; None where the route says it."""
    try:
        content = json.loads(body.decode("utf-8"))
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeDecodeError:
        return "The request is not UTF-8."
    except UnicodeEncodeError:
        return "The request holds half of a surrogate pair."
    except json.JSONDecodeError:
        return None  # the route says where
    except (ValueError, RecursionError):
        return "The request holds a number that is not finite, or is nested too deep."
    return None


def _has_nul(content: object) -> bool:
    parts = [content]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            parts += [*part, *part.values()]
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str) and "\0" in part:
            return True
    return False
