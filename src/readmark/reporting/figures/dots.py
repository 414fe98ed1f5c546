"""Dot-and-interval plots: one row per slice or metric, one dot and line per candidate.

A page has hundreds of them, so they are written as SVG here: matplotlib takes far longer.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.reporting.figures.canvas import PLAIN, SMALL, WIDTH, nice
from readmark.reporting.figures.label_lines import width, wrapped
from readmark.reporting.figures.looks import Look
from readmark.reporting.figures.svg import labelled_svg, short_number, spelt
from readmark.reporting.page.bilingual import Bilingual, Text
from readmark.reporting.page.words import phrase

# Lengths are in pixels of a drawing that is WIDTH wide.
NARROWEST, WIDEST = 40.0, 132.0
"""The column of labels."""
MOST_LINES = 6
"""Lines of a label; what does not fit is cut."""
COUNTS, VALUES = 36.0, 42.0
"""The columns of counts and values."""
LANE = 13.0
"""The height of a dot's line, and of a label's: a line of text fits."""
ROW_GAP = 11.0
HEADED, BARE, FOOT = 20.0, 4.0, 36.0
"""Above the rows with and without a head of the counts; below them, for the axis."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval, drawn in a candidate's look."""

    series: Look
    value: float | None
    low: float | None = None
    high: float | None = None
    text: str = ""
    """The value as it is written to the right of the plot."""
    href: str | None = None
    """The units behind it."""


@dataclass(frozen=True, slots=True)
class DotRow:
    """What shares a label: a lane for every dot, and how many units stand behind."""

    label: Text
    dots: Sequence[Dot]
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from left to right, in words, and a line to compare with."""

    name: Text
    low: float
    high: float
    reference: float | None = None
    digits: int = 0

    @classmethod
    def covering(
        cls, name: Text, values: Sequence[float], *, reference: float | None = None
    ) -> Axis:
        """An axis over all of the values and the reference."""
        points = [*values, *(() if reference is None else (reference,))]
        low, high = (min(points), max(points)) if points else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        ticks = nice(low, high)
        return cls(name, ticks[0], ticks[-1], reference, decimals(ticks))


def decimals(values: Sequence[float]) -> int:
    """As many as it takes to write every value exactly, up to three."""
    return next((n for n in range(3) if all(abs(round(v, n) - v) < 1e-9 for v in values)), 3)


def dot_plot(
    name: str, rows: Sequence[DotRow], axis: Axis, *, title: Text, description: Text
) -> str:
    """The plot as SVG: labels to the left, values and counts to the right of the dots."""
    counted = any(row.count is not None for row in rows)
    valued = any(dot.text for row in rows for dot in row.dots)
    left = _label_column(rows)
    labels = [wrapped(row.label, left - 12, MOST_LINES) for row in rows]
    heights = [
        max(1, len(row.dots), *(len(lines) for lines in sides)) * LANE
        for row, sides in zip(rows, labels, strict=True)
    ]
    top = HEADED if counted else BARE
    # A plot without rows is an empty axis.
    foot = top + max(sum(heights) + len(rows) * ROW_GAP, LANE)
    values = WIDTH - (COUNTS if counted else 2.0)
    right = values - (VALUES + 8 if valued else 12.0)
    drawing = _Drawing(axis, left, right)
    drawing.axis(top, foot)
    if counted:
        header = phrase("plot.count")
        drawing.text(WIDTH - 2, 12, header, anchor="end", colour="muted", size=SMALL)
    y = top
    for row, sides, tall in zip(rows, labels, heights, strict=True):
        centre = y + (ROW_GAP + tall) / 2
        _write_label(drawing, sides, left - 8, centre)
        if row.count is not None:
            drawing.text(WIDTH - 2, centre + 4, f"{row.count:,}", anchor="end", colour="muted")
        lanes = centre - max(1, len(row.dots)) * LANE / 2
        for lane, dot in enumerate(row.dots):
            middle = lanes + (lane + 0.5) * LANE
            drawing.dot(dot, middle)
            if dot.text and dot.value is not None:
                look = dot.series.colour
                drawing.text(values, middle + 4, dot.text, anchor="end", colour=look, size=SMALL)
        y += ROW_GAP + tall
    return drawing.svg(name, foot + FOOT, title, description)


def _write_label(
    drawing: _Drawing, sides: tuple[Sequence[str], ...], x: float, middle: float
) -> None:
    """The lines of a label, around its middle; each language has its own lines."""
    for language, lines in enumerate(sides):
        for index, line in enumerate(lines):
            y = middle + 4 + (index - (len(lines) - 1) / 2) * LANE
            side = Bilingual("", line) if language else Bilingual(line, "")
            drawing.text(x, y, line if len(sides) == 1 else side, anchor="end")


def _label_column(rows: Sequence[DotRow]) -> float:
    """As wide as the longest label wants, within bounds."""
    widest = max((width(row.label) for row in rows), default=0.0)
    return min(max(widest + 16, NARROWEST), WIDEST)


_MARKERS = {
    "o": "M 0 3.5 A 3.5 3.5 0 1 0 0 -3.5 A 3.5 3.5 0 1 0 0 3.5 Z",
    "s": "M -3.5 -3.5 H 3.5 V 3.5 H -3.5 Z",
    "D": "M 0 -4.25 L 4.25 0 L 0 4.25 L -4.25 0 Z",
    "^": "M 0 -3.5 L 3.5 3.5 L -3.5 3.5 Z",
    "v": "M 0 3.5 L 3.5 -3.5 L -3.5 -3.5 Z",
    "P": "M -1.2 -3.5 H 1.2 V -1.2 H 3.5 V 1.2 H 1.2 V 3.5 H -1.2 V 1.2 H -3.5 V -1.2 H -1.2 Z",
}
"""The shapes of candidates, around their middle."""


class _Drawing:
    """SVG elements over an axis; ``x`` grows to the right and ``y`` downwards, in pixels."""

    def __init__(self, axis: Axis, left: float, right: float) -> None:
        self._axis, self._left, self._right = axis, left, right
        self._parts: list[ET.Element] = []

    def axis(self, top: float, foot: float) -> None:
        """Rules, ticks with their numbers, and the name of the axis under them."""
        axis = self._axis
        most = 5 if self._right - self._left > 160 else 4
        for value in nice(axis.low, axis.high, most=most):
            if not axis.low <= value <= axis.high:
                continue
            x = self._across(value)
            self._line(x, top, x, foot, "rule", 0.8)
            self._line(x, foot, x, foot + 3, "muted", 0.8)
            number = f"{value:.{axis.digits}f}".replace("-", "−")
            self.text(x, foot + 14, number, anchor="middle", colour="muted", size=SMALL)
        if axis.reference is not None:
            x = self._across(axis.reference)
            self._line(x, top, x, foot, "muted", 1.0, dashes="3 2")
        self._line(self._left, foot, self._right, foot, "muted", 0.8)
        half = width(axis.name) / 2
        middle = min(max((self._left + self._right) / 2, half), WIDTH - half)
        self.text(middle, foot + FOOT - 5, axis.name, anchor="middle", colour="muted")

    def dot(self, dot: Dot, y: float) -> None:
        """A value with its interval, linked to its units; nothing where there is no value."""
        if dot.value is None:
            return
        look = dot.series
        if dot.low is not None and dot.high is not None:
            low, high = self._across(dot.low), self._across(dot.high)
            self._line(low, y, high, y, look.colour, 1.8)
        fill = f"var(--{'paper' if look.hollow else look.colour})"
        edge = f";stroke:var(--{look.colour});stroke-width:1.6" if look.hollow else ""
        place = f"translate({short_number(self._across(dot.value))} {short_number(y)})"
        marker = ET.Element(
            "path",
            {"d": _MARKERS[look.marker], "transform": place, "style": f"fill:{fill}{edge}"},
        )
        if dot.href is not None:
            # The table under the plot has the same links for the keyboard.
            link = ET.Element("a", {"href": dot.href, "tabindex": "-1"})
            link.append(marker)
            marker = link
        self._parts.append(marker)

    def text(
        self,
        x: float,
        y: float,
        text: Text,
        *,
        anchor: str,
        colour: str = "ink",
        size: float = PLAIN,
    ) -> None:
        """A text whose baseline ends or has its middle at a place."""
        style = f"font-size:{size:g}px;text-anchor:{anchor};fill:var(--{colour})"
        place = {"x": short_number(x), "y": short_number(y)}
        bare = ET.Element("text", {**place, "style": style})
        self._parts.extend(spelt(bare, text))

    def svg(self, name: str, height: float, title: Text, description: Text) -> str:
        """The element, with what it shows in words."""
        return labelled_svg(name, (WIDTH, height), self._parts, title, description)

    def _across(self, value: float) -> float:
        axis = self._axis
        share = (value - axis.low) / (axis.high - axis.low)
        return self._left + share * (self._right - self._left)

    def _line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str, wide: float, dashes: str = ""
    ) -> None:
        start = f"{short_number(x1)} {short_number(y1)}"
        path = f"M {start} L {short_number(x2)} {short_number(y2)}"
        dashed = f";stroke-dasharray:{dashes}" if dashes else ""
        style = f"fill:none;stroke:var(--{colour});stroke-width:{wide:g}{dashed}"
        self._parts.append(ET.Element("path", {"d": path, "style": style}))
