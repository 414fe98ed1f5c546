"""Labels cut to a width that was measured by no font: Han characters are two columns wide."""

from __future__ import annotations

import re
import unicodedata

COLUMN = 7.0
"""The width of a column in pixels at the plots' size of type, in a wide font."""
_BREAKS = re.compile(r"(?<=[ _/=,-])|(?<=[\u3000-\u9fff\uff00-\uffef])|(?=[\u4e00-\u9fff(])")
"""Where a label may go on in the next line."""


def columns(text: str) -> float:
    """How many columns a text takes."""
    return sum(map(_columns, text))


def _columns(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 1.6 if character in "WM@%" else 1.2 if character.isupper() or character in "mw" else 1


def fitted(text: str, width: float) -> str:
    """A text that fits, with an ellipsis where it was cut."""
    most = width / COLUMN
    if columns(text) <= most:
        return text
    start = ""
    for character in text:
        if columns(start + character) > most - 1:
            break
        start += character
    return f"{start.rstrip()}…"


def lines(text: str, width: float, most: int) -> list[str]:
    """A text in lines that fit, at most so many: the last one is cut."""
    lines = [""]
    for part in _BREAKS.split(f"{text}"):
        rest = part
        if lines[-1] and columns((lines[-1] + rest).rstrip()) * COLUMN > width:
            lines.append("")
        while columns((lines[-1] + rest).rstrip()) * COLUMN > width:
            head = fitted(rest, width + COLUMN)[:-1] or rest[0]
            lines[-1:] = [head, ""]
            rest = rest[len(head) :]
        lines[-1] += rest
    shown = [line.strip() for line in lines if line.strip()] or [""]
    if len(shown) > most:
        shown = [*shown[: most - 1], fitted("".join(shown[most - 1 :]), width)]
    return shown
