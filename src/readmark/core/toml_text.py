"""Writing values as TOML, which Python can only read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: Any) -> str:
    """A value on one line; members that are None are left out, since TOML has nothing for them."""
    if isinstance(value, Mapping):
        members = (f"{_key(name)} = {toml_value(member)}" for name, member in _present(value))
        return f"{{ {', '.join(members)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    # JSON writes everything else alike, but for one control character that TOML escapes.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_table(members: Mapping[str, Any], name: tuple[str, ...] = ()) -> str:
    """A table with one member per line, below a header if it has a name."""
    header = [f"[{'.'.join(map(_key, name))}]"] if name else []
    lines = (f"{_key(member)} = {toml_value(value)}" for member, value in _present(members))
    return "\n".join((*header, *lines, ""))


def _present(members: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in members.items() if value is not None]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml_value(name)
