"""How candidates are told apart in every plot and every passage: by colour and by shape."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from readmark.reporting.page.words import Both, Text

# Labels cut to a width that was measured by no font: Han characters are two columns wide.


COLUMN = 7.0
"""The width of a column in pixels at the plots' size of type, in a wide font."""


def fitted(text: Text, width: float) -> Text:
    """A text that fits, with an ellipsis where it was cut."""
    if isinstance(text, Both):
        return Both(_cut(text.en, width), _cut(text.zh, width))
    return _cut(text, width)


def width(text: Text) -> float:
    """About how wide a text is, in pixels."""
    sides = (text.en, text.zh) if isinstance(text, Both) else (text,)
    return max(columns(one) for one in sides) * COLUMN


def columns(text: str) -> float:
    """How many columns a text takes."""
    return sum(map(_columns, text))


def _columns(one: str) -> float:
    if unicodedata.combining(one):
        return 0
    if unicodedata.east_asian_width(one) in "WF":
        return 2
    return 1.6 if one in "WM@%" else 1.2 if one.isupper() or one in "mw" else 1


def _cut(text: str, width: float) -> str:
    most = width / COLUMN
    if columns(text) <= most:
        return text
    kept = ""
    for one in text:
        if columns(kept + one) > most - 1:
            break
        kept += one
    return f"{kept.rstrip()}…"


SHAPES = ("o", "s", "D", "^", "v", "P")
SIGNS = ("●", "■", "◆", "▲", "▼", "✚")
COLOURS = len(SHAPES)


@dataclass(frozen=True, slots=True)
class Series:
    """One candidate's look: a colour of the style sheet, a marker, and its sign in text."""

    colour: str
    marker: str
    sign: str
    hollow: bool = False


PEOPLE = Series("people", "o", "○", hollow=True)


def series(at: int) -> Series:
    """The look of a candidate; the seventh has the first one's colour and a hollow shape."""
    one = at % COLOURS
    return Series(f"s{one + 1}", SHAPES[one], SIGNS[one], hollow=(at // COLOURS) % 2 == 1)
