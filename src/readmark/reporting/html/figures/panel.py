"""Plots of panels: ratings against the gold, nulls with what was observed, judges' ranges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from readmark.reporting.html.figures.canvas import COLOURS, WIDTH, Canvas, nice, ticks
from readmark.reporting.html.figures.series import Series
from readmark.reporting.html.words import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

LEFT, RIGHT = 44.0, 14.0
TOP, FOOT = 12.0, 40.0
HEIGHT = 176.0
SQUARE = 0.72 * (WIDTH - LEFT - RIGHT)
BINS = 40
LARGEST = 14.0
STARS = (1, 2, 3, 4, 5)


def scatter(
    name: str,
    gold: Floats,
    ratings: Floats,
    look: Series,
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Ratings against the experts' mean; on the dashed line both are the same."""
    height = TOP + SQUARE + FOOT
    canvas, axes = _frame(name, height, across, up)
    low, high = min(1.0, float(ratings.min())), max(5.0, float(ratings.max()))
    axes.set_xlim(0.9, 5.1)
    axes.set_ylim(low - 0.1, high + 0.1)
    ticks(axes.xaxis, STARS, lambda value: f"{value:g}")
    marks = [one for one in nice(low, high) if low <= one <= high]
    ticks(axes.yaxis, STARS if (low, high) == (1.0, 5.0) else marks, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    axes.plot([1, 5], [1, 5], color=COLOURS["muted"], linewidth=1, dashes=(3, 2))
    # Equal dots are drawn once, the larger the more there are: many passages share their stars.
    several = np.column_stack([gold, ratings]).round(2)
    places, counts = np.unique(several, axis=0, return_counts=True)
    for count in np.unique(counts):
        here = places[counts == count]
        axes.plot(
            here[:, 0],
            here[:, 1],
            color=COLOURS[look.colour],
            linestyle="none",
            marker=look.marker,
            markersize=min(4 * math.sqrt(count), LARGEST),
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


@dataclass(frozen=True, slots=True)
class Observed:
    """A candidate's value on the axis of a null."""

    look: Series
    value: float


def null_plot(
    name: str,
    null: Floats,
    critical: float,
    observed: Sequence[Observed],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """A histogram of the draws, the critical value dashed, a line and a sign a candidate."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    drawn = null[np.isfinite(null)]
    known = [one for one in observed if np.isfinite(one.value)]
    ends = np.array([drawn.min(), drawn.max(), *(one.value for one in known)])
    marks = nice(float(ends.min()), float(ends.max()))
    counts, edges = np.histogram(drawn, bins=bins(drawn))
    top = max(1, int(counts.max()))
    axes.set_xlim(marks[0], marks[-1])
    axes.set_ylim(0, 1.15 * top)
    axes.set_yticks([])
    ticks(axes.xaxis, marks, lambda value: f"{value:g}".replace("-", "−"))
    axes.bar(
        edges[:-1],
        counts,
        width=np.diff(edges),
        align="edge",
        color=COLOURS["people"],
        linewidth=0,
        alpha=0.55,
    )
    if np.isfinite(critical):
        axes.axvline(critical, color=COLOURS["muted"], linewidth=1.2, dashes=(3, 2))
    for one in known:
        colour = COLOURS[one.look.colour]
        axes.plot([one.value] * 2, [0, 1.05 * top], color=colour, linewidth=1.4, clip_on=False)
        axes.plot(
            [one.value],
            [1.08 * top],
            color=colour,
            marker=one.look.marker,
            markersize=7,
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


def bins(values: Floats) -> Floats:
    """Edges of bars. Where values lie on a lattice, each bar holds as many places of it.

    Sums of thirds and halves do; bars of another width would show gaps that are not there.
    """
    places = np.unique(values)
    places = places[np.diff(places, prepend=-np.inf) > 1e-5]  # the grid's rounding is no step
    steps = np.diff(places)
    if len(steps):
        whole = float(places[-1] - places[0])
        step = whole / round(whole / float(steps.min()))
        counted = (places - places[0]) / step
        most = round(float(counted[-1])) + 1
        if np.abs(counted - np.rint(counted)).max() < 0.01 and most < len(values):
            each = -(-most // BINS)
            start = places[0] - step / 2
            return np.asarray(start + step * each * np.arange(-(-most // each) + 1))
    return np.histogram_bin_edges(values, bins=BINS)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Each passage's gold, and the least and most that experts and novices said."""

    gold: Floats
    experts: Floats
    """(passages, 2)."""
    novices: Floats


def ranges_plot(
    name: str, found: Ranges, *, across: Text, up: Text, title: Text, description: Text
) -> str:
    """A passage a column: a thick line for the experts, a thin one for the novices."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    count = len(found.gold)
    axes.set_xlim(-0.8, count - 0.2)
    axes.set_ylim(0.8, 5.2)
    axes.set_xticks([])
    ticks(axes.yaxis, STARS, lambda value: f"{value:g}")
    axes.grid(axis="y", color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    wide = (WIDTH - LEFT - RIGHT) / max(1, count)
    # One stroke for each panel, broken between passages, keeps the page small.
    for ends, colour, width in (
        (found.novices, "people", min(2.0, 0.35 * wide)),
        (found.experts, "s1", min(4.5, 0.7 * wide)),
    ):
        x = np.repeat(np.arange(count, dtype=np.float64), 3)
        y = np.column_stack([ends, np.full(count, np.nan)]).ravel()
        flat = ends[:, 0] == ends[:, 1]
        y[1::3] += np.where(flat, 0.04, 0.0)  # a range without width would not be seen
        y[0::3] -= np.where(flat, 0.04, 0.0)
        axes.plot(x, y, color=COLOURS[colour], linewidth=width, solid_capstyle="butt")
    axes.plot(
        np.arange(count),
        found.gold,
        color=COLOURS["ink"],
        linestyle="none",
        marker="o",
        markersize=min(3.0, 0.6 * wide),
        markeredgewidth=0,
    )
    return canvas.svg(title, description)


def _frame(name: str, height: float, across: Text, up: Text) -> tuple[Canvas, Axes]:
    canvas = Canvas(name, height)
    axes = canvas.axes(LEFT, TOP, WIDTH - RIGHT, height - FOOT)
    middle = (LEFT + WIDTH - RIGHT) / 2
    canvas.text(middle, height - 6, across, align="center", colour="muted")
    canvas.text(13, (TOP + height - FOOT) / 2, up, align="center", colour="muted", turned=True)
    return canvas, axes
