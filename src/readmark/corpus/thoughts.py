"""What a model wrote down while it thought, and what it said: the first is no part of an answer."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)


def without_thoughts(reply: str) -> str:
    """What was said; a thought that never ends leaves nothing after it."""
    if "<" not in reply:
        return reply
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _TAG.finditer(reply):
        if tag[1]:
            if not thinking:  # it was thinking from the start, and only says so now
                kept.clear()
            thinking = False
        elif not thinking:
            kept.append(reply[at : tag.start()])
            thinking = True
        at = tag.end()
    if not thinking:
        kept.append(reply[at:])
    return "".join(kept)


def why_nothing(reply: str) -> str | None:
    """Why nothing was said, if nothing was: an answer that is none was not given then."""
    if without_thoughts(reply).strip():
        return None
    if not reply.strip():
        return "empty"
    *_, last = _TAG.finditer(reply)
    return "reasoning only" if last[1] else "cut off while reasoning"
