"""How candidates look in plots and tables: colours and shapes that anybody can tell apart."""

from __future__ import annotations

from dataclasses import dataclass

SHAPES = ("o", "s", "D", "^", "v", "P")
SIGNS = ("●", "■", "◆", "▲", "▼", "✚")
LOOKS = len(SHAPES)


@dataclass(frozen=True, slots=True)
class Look:
    """One candidate's look: a colour of the style sheet, a marker, and its sign in text."""

    colour: str
    marker: str
    sign: str
    hollow: bool = False


PEOPLE = Look("people", "o", "○", hollow=True)


def series(index: int) -> Look:
    """The look of a candidate; the seventh has the first one's colour and a hollow shape."""
    rounds, look = divmod(index, LOOKS)
    return Look(f"s{look + 1}", SHAPES[look], SIGNS[look], hollow=rounds % 2 == 1)
