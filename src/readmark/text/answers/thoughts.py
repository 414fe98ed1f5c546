"""What a model wrote down while it thought, which is no part of its answer."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)


def without_thoughts(reply: str) -> str:
    """A reply without its thoughts; one that never ends leaves nothing after it."""
    if "<" not in reply:
        return reply
    parts: list[str] = []
    start, is_thinking = 0, False
    for tag in _TAG.finditer(reply):
        is_end = bool(tag[1])
        if is_end:
            if not is_thinking:  # all before was a thought, and only its end is marked
                parts.clear()
            is_thinking = False
        elif not is_thinking:
            parts.append(reply[start : tag.start()])
            is_thinking = True
        start = tag.end()
    if not is_thinking:
        parts.append(reply[start:])
    return "".join(parts)


def why_empty(reply: str) -> str | None:
    """Why nothing is left of a reply without its thoughts; None if something is."""
    if without_thoughts(reply).strip():
        return None
    if not reply.strip():
        return "empty"
    *_, last = _TAG.finditer(reply)
    return "reasoning only" if last[1] else "cut off while reasoning"
