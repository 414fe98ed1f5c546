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
    fitted,
    nice,
    ticks,
    width,
)
from readmark.reporting.page.words import Text, phrase

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NARROWEST, WIDEST = 40.0, 140.0
"""The column of labels."""
COUNTS = 40.0
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
    """The plot as SVG."""
    counted = any(row.count is not None for row in rows)
    lanes = [max(1, len(row.dots)) for row in rows]
    top = HEADED if counted else BARE
    # A plot without rows is an empty axis: one without height could not be drawn.
    height = top + max(sum(lanes) * LANE + len(rows) * ROW_GAP, LANE) + FOOT
    right = WIDTH - (COUNTS if counted else 14.0)
    left = _label_column(rows)
    canvas = Canvas(name, height)
    axes = canvas.axes(left, top, right, height - FOOT)
    axes.set_xlim(axis.low, axis.high)
    axes.set_ylim(height - FOOT - top, 0)
    axes.set_yticks([])
    marks = [value for value in nice(axis.low, axis.high) if axis.low <= value <= axis.high]
    ticks(axes.xaxis, marks, lambda value: f"{value:.{axis.digits}f}".replace("-", "−"))
    for value in marks:
        axes.axvline(value, color=COLOURS["rule"], linewidth=0.8, zorder=0)
    if axis.reference is not None:
        axes.axvline(axis.reference, color=COLOURS["muted"], linewidth=1.0, dashes=(3, 2), zorder=1)
    canvas.text((left + right) / 2, height - 5, axis.name, align="center", colour="muted")
    if counted:
        header = phrase("plot.count")
        canvas.text(WIDTH - 2, 12, header, align="right", colour="muted", size=SMALL)
    y = 0.0
    for row, several in zip(rows, lanes, strict=True):
        middle = y + ROW_GAP / 2 + several * LANE / 2
        short = fitted(row.label, left - 12)
        whole = row.label if short != row.label else None
        canvas.text(left - 8, top + middle + 4, short, align="right", whole=whole)
        if row.count is not None:
            at = top + middle + 4
            canvas.text(WIDTH - 2, at, f"{row.count:,}", align="right", colour="muted")
        for lane, dot in enumerate(row.dots):
            _draw(axes, dot, y + ROW_GAP / 2 + (lane + 0.5) * LANE)
        y += ROW_GAP + several * LANE
    return canvas.svg(title, description)


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
        )
    )
