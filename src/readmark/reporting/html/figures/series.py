"""How candidates are told apart in every plot and every passage: by colour and by shape."""

from __future__ import annotations

from dataclasses import dataclass

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
