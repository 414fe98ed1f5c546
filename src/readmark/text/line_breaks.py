"""Which line breaks only wrap a line, and which end what stands on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

NARROWEST = 40
"""Lines shorter than this are no wrapped prose but titles, verse and lists."""

_ITEM = re.compile(
    r"\s*(?:[-*•·–—]\s|\(?(?:\d{1,3}|[A-Za-z])[.)]\s|[（(]?[一二三四五六七八九十]+[、）)])"
)
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")
_ENDED = re.compile(r"[.!?…:。！？：⋯][\"'”’)\]」』）》]*$")
_GOES_ON = re.compile(r"\s*[\"'“‘(]?[a-zß-öø-ÿ]")


def ending_breaks(text: str) -> Iterator[int]:
    """Where each line break that ends a sentence stands; wraps and breaks after stops are none.

    A line is wrapped when the next line's first word would not have fitted on it. The width is
    the longest line's; Chinese lines are wrapped at any character, so the width less one counts.
    """
    if "\n" not in text:
        return
    lines = text.split("\n")
    width = max(map(_width, lines))
    at = 0
    for line, following in pairwise(lines):
        at += len(line)
        bare = line.rstrip()
        if bare and _ends(bare, following, width):
            yield at
        at += 1


def _ends(line: str, following: str, width: int) -> bool:
    if not following.strip() or _ITEM.match(following):
        return True
    if _ENDED.search(line):
        return line[-1] in ":："
    if _GOES_ON.match(following):
        return False
    if width < NARROWEST:
        return True
    room = width - _width(line)
    return room > (2 if _WIDE.match(following.lstrip()) else len(following.split(None, 1)[0]))


def _width(line: str) -> int:
    """How wide a line looks: a Chinese character takes two columns."""
    line = line.rstrip()
    return len(line) if line.isascii() else len(line) + len(_WIDE.findall(line))
