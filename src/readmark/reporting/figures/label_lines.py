"""Labels of plots in lines that fit, in both languages."""

from __future__ import annotations

from readmark.core.label_widths import COLUMN, columns, lines
from readmark.reporting.page.bilingual import Bilingual, Text


def width(text: Text) -> float:
    """About how wide a text is, in pixels."""
    sides = (text.en, text.zh) if isinstance(text, Bilingual) else (text,)
    return max(map(columns, sides)) * COLUMN


def wrapped(text: Text, width: float, most: int) -> tuple[list[str], ...]:
    """The lines of a label that fit a width, for each language where they differ."""
    if isinstance(text, Bilingual) and text.en != text.zh:
        return lines(text.en, width, most), lines(text.zh, width, most)
    return (lines(text.en if isinstance(text, Bilingual) else text, width, most),)
