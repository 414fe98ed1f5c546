"""Labels cut to a width that was measured by no font: Han characters are two columns wide."""

from __future__ import annotations

import unicodedata

from readmark.reporting.html.words import Both, Text

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
