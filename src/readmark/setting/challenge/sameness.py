"""Whether two members of a class are one: names that contain each other, figures that are equal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from readmark.text.numerals import number_of
from readmark.text.simplified import simplified

VALUED = frozenset({"number", "time"})
"""Classes whose members are values: 5 is no shorter name of 25, nor 1990 of May 1990."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*[万亿]*|[零〇一二两三四五六七八九十百千万亿]+")
_ASIDE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Spelt:
    """A member as it is compared: its letters, and the figures among them."""

    letters: str
    figures: tuple[float | str, ...] = ()

    def same(self, other: Spelt) -> bool:
        """Whether the figures are equal, if there are any, and one has the letters of the other."""
        contained = self.letters in other.letters or other.letters in self.letters
        return self.figures == other.figures and contained


def spelt(text: str, kind: str) -> Spelt:
    """A member of a class."""
    plain = simplified(text).lower()
    if kind not in VALUED:
        return Spelt(_bare(plain))
    figures = tuple(_value(one) for one in _FIGURE.findall(plain))
    return Spelt(_bare(_FIGURE.sub("", plain)), figures)


def _value(figure: str) -> float | str:
    plain = figure.replace(",", "")
    value = number_of(plain)
    return plain if value is None else value


def _bare(text: str) -> str:
    return _ASIDE.sub("", text)
