"""Dot-and-interval plots: one row per slice or metric, one dot and line per candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.reporting.figures.canvas import (
    COLOURS,
    SMALL,
    WIDTH,
    Canvas,
    Look,
    nice,
    ticks,
    width,
    wrapped,
)
from readmark.reporting.page.words import Both, Text, phrase

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NARROWEST, WIDEST = 40.0, 132.0
"""The column of labels."""
MOST_LINES = 6
"""Of a label."""
COUNTS, VALUES = 36.0, 42.0
"""The columns of counts and values."""
LANE = 13.0
ROW_GAP = 11.0
HEADED, BARE, FOOT = 20.0, 4.0, 36.0


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
        known = [*values, *(() if reference is None else (reference,))]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        if low == high:
            low, high = low - 0.5, high + 0.5
        found = nice(low, high)
        return cls(name, found[0], found[-1], reference, decimals(found))


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
    # A plot without rows is an empty axis: one without height could not be drawn.
    height = top + max(sum(heights) + len(rows) * ROW_GAP, LANE) + FOOT
    values = WIDTH - (COUNTS if counted else 2.0)
    right = values - (VALUES + 8 if valued else 12.0)
    canvas = Canvas(name, height)
    axes = canvas.axes(left, top, right, height - FOOT)
    axes.set_xlim(axis.low, axis.high)
    axes.set_ylim(height - FOOT - top, 0)
    axes.set_yticks([])
    most = 5 if right - left > 160 else 4
    marks = [
        value for value in nice(axis.low, axis.high, most=most) if axis.low <= value <= axis.high
    ]
    ticks(axes.xaxis, marks, lambda value: f"{value:.{axis.digits}f}".replace("-", "−"))
    for value in marks:
        axes.axvline(value, color=COLOURS["rule"], linewidth=0.8, zorder=0)
    if axis.reference is not None:
        axes.axvline(axis.reference, color=COLOURS["muted"], linewidth=1.0, dashes=(3, 2), zorder=1)
    middle = min(max((left + right) / 2, width(axis.name) / 2), WIDTH - width(axis.name) / 2)
    canvas.text(middle, height - 5, axis.name, align="center", colour="muted")
    if counted:
        header = phrase("plot.count")
        canvas.text(WIDTH - 2, 12, header, align="right", colour="muted", size=SMALL)
    y = 0.0
    for row, sides, tall in zip(rows, labels, heights, strict=True):
        centre = y + (ROW_GAP + tall) / 2
        _write_label(canvas, sides, left - 8, top + centre)
        if row.count is not None:
            at = top + centre + 4
            canvas.text(WIDTH - 2, at, f"{row.count:,}", align="right", colour="muted")
        lanes = centre - max(1, len(row.dots)) * LANE / 2
        for lane, dot in enumerate(row.dots):
            at = lanes + (lane + 0.5) * LANE
            _draw(axes, dot, at)
            if dot.text and dot.value is not None:
                colour = dot.series.colour
                canvas.text(
                    values, top + at + 4, dot.text, align="right", colour=colour, size=SMALL
                )
        y += ROW_GAP + tall
    return canvas.svg(title, description)


def _write_label(canvas: Canvas, sides: tuple[Sequence[str], ...], x: float, middle: float) -> None:
    """The lines of a label, around its middle; each language has its own lines."""
    for language, lines in enumerate(sides):
        for index, line in enumerate(lines):
            y = middle + 4 + (index - (len(lines) - 1) / 2) * LANE
            text = (
                line
                if len(sides) == 1
                else Both(*(line if side == language else "" for side in range(2)))
            )
            canvas.text(x, y, text, align="right")


def _label_column(rows: Sequence[DotRow]) -> float:
    """As wide as the longest label wants, within bounds."""
    widest = max((width(row.label) for row in rows), default=0.0)
    return min(max(widest + 16, NARROWEST), WIDEST)


def _draw(axes: Axes, dot: Dot, y: float) -> None:
    from matplotlib.lines import Line2D

    if dot.value is None:
        return
    colour = COLOURS[dot.series.colour]
    # Not axes.plot, which works out the axes' limits anew for every line; here they are set.
    if dot.low is not None and dot.high is not None:
        axes.add_artist(
            Line2D(
                [dot.low, dot.high],
                [y, y],
                color=colour,
                linewidth=1.8,
                solid_capstyle="butt",
                clip_on=False,
                zorder=2,
            )
        )
    axes.add_artist(
        Line2D(
            [dot.value],
            [y],
            marker=dot.series.marker,
            markersize=7 if dot.series.marker != "D" else 6,
            color=COLOURS["paper"] if dot.series.hollow else colour,
            markeredgecolor=colour,
            markeredgewidth=1.6 if dot.series.hollow else 0.0,
            linestyle="none",
            clip_on=False,
            zorder=3,
            url=dot.href,
        )
    )
