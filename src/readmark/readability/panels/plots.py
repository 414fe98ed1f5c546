"""Plots of panels: ratings against the gold, nulls with what was observed, ranges of judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from readmark.core.arrays import Floats
from readmark.readability.scale import HIGHEST, LOWEST, STARS
from readmark.reporting.sections import COLOURS, WIDTH, Canvas, Look, Text, nice, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Margins and sizes in pixels.
LEFT, RIGHT = 44.0, 14.0
TOP, FOOT = 12.0, 40.0
HEIGHT = 176.0
SQUARE = 0.72 * (WIDTH - LEFT - RIGHT)
LARGEST_DOT = 14.0
BINS = 40
"""Bars of a histogram at most."""


def scatter(
    name: str,
    gold: Floats,
    ratings: Floats,
    look: Look,
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Ratings against the gold; on the dashed line both are the same."""
    height = TOP + SQUARE + FOOT
    canvas, axes = _frame(name, height, across, up)
    # A machine's ratings may be off the scale.
    low, high = min(LOWEST, float(ratings.min())), max(HIGHEST, float(ratings.max()))
    axes.set_xlim(LOWEST - 0.1, HIGHEST + 0.1)
    axes.set_ylim(low - 0.1, high + 0.1)
    is_on_scale = (low, high) == (LOWEST, HIGHEST)
    marks = STARS if is_on_scale else [mark for mark in nice(low, high) if low <= mark <= high]
    ticks(axes.xaxis, STARS, lambda value: f"{value:g}")
    ticks(axes.yaxis, marks, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    ends = [LOWEST, HIGHEST]
    axes.plot(ends, ends, color=COLOURS["muted"], linewidth=1, dashes=(3, 2))
    # Equal dots are drawn once, the larger the more there are: many passages share their stars.
    dots, counts = np.unique(dots_of(gold, ratings), axis=0, return_counts=True)
    for count in np.unique(counts):
        equally_many = dots[counts == count]
        axes.plot(
            equally_many[:, 0],
            equally_many[:, 1],
            color=COLOURS[look.colour],
            linestyle="none",
            marker=look.marker,
            markersize=min(4 * math.sqrt(count), LARGEST_DOT),
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


def dots_of(gold: Floats, ratings: Floats) -> Floats:
    """The places (passages, 2) of dots; those that look the same are equal."""
    return np.column_stack([gold, ratings]).round(2)


@dataclass(frozen=True, slots=True)
class Observed:
    """A candidate's value on the axis of a null."""

    look: Look
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
    """A histogram of the draws, the critical value dashed, a line and a sign for each candidate."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    draws = null[np.isfinite(null)]
    defined = [candidate for candidate in observed if np.isfinite(candidate.value)]
    values = [float(draws.min()), float(draws.max()), *(candidate.value for candidate in defined)]
    marks = nice(min(values), max(values))
    counts, edges = np.histogram(draws, bins=bins(draws))
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
    for candidate in defined:
        colour, value = COLOURS[candidate.look.colour], candidate.value
        axes.plot([value] * 2, [0, 1.05 * top], color=colour, linewidth=1.4, clip_on=False)
        axes.plot(
            [value],
            [1.08 * top],
            color=colour,
            marker=candidate.look.marker,
            markersize=7,
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


def bins(values: Floats) -> Floats:
    """Edges of bars. If values are on a lattice, each bar covers the same number of its points.

    Sums of thirds and halves are; bars of another width would show gaps that are not there.
    """
    distinct = np.unique(values)
    distinct = distinct[np.diff(distinct, prepend=-np.inf) > 1e-5]  # rounding is no step
    steps = np.diff(distinct)
    if len(steps):
        # The step is taken from the whole reach, over which errors of single steps average out.
        reach = float(distinct[-1] - distinct[0])
        step = reach / round(reach / float(steps.min()))
        numbers = (distinct - distinct[0]) / step
        points = round(float(numbers[-1])) + 1
        is_lattice = np.abs(numbers - np.rint(numbers)).max() < 0.01
        if is_lattice and points < len(values):
            points_per_bar = -(-points // BINS)
            bars = -(-points // points_per_bar)
            start = distinct[0] - step / 2
            return np.asarray(start + step * points_per_bar * np.arange(bars + 1))
    return np.histogram_bin_edges(values, bins=BINS)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Each passage's gold, and the lowest and highest rating of experts and of novices."""

    gold: Floats
    experts: Floats
    """(passages, 2)"""
    novices: Floats
    """(passages, 2)"""


def ranges_plot(
    name: str, ranges: Ranges, *, across: Text, up: Text, title: Text, description: Text
) -> str:
    """A column for each passage: a thick line for the experts, a thin one for the novices."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    count = len(ranges.gold)
    axes.set_xlim(-0.8, count - 0.2)
    axes.set_ylim(LOWEST - 0.2, HIGHEST + 0.2)
    axes.set_xticks([])
    ticks(axes.yaxis, STARS, lambda value: f"{value:g}")
    axes.grid(axis="y", color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    column = (WIDTH - LEFT - RIGHT) / max(1, count)
    # One stroke for each panel, broken between passages, keeps the page small.
    for ends, colour, width in (
        (ranges.novices, "people", min(2.0, 0.35 * column)),
        (ranges.experts, "s1", min(4.5, 0.7 * column)),
    ):
        x = np.repeat(np.arange(count, dtype=np.float64), 3)
        y = np.column_stack([ends, np.full(count, np.nan)]).ravel()
        # A range without width would not be seen.
        widening = np.where(ends[:, 0] == ends[:, 1], 0.04, 0.0)
        y[0::3] -= widening
        y[1::3] += widening
        axes.plot(x, y, color=COLOURS[colour], linewidth=width, solid_capstyle="butt")
    axes.plot(
        np.arange(count),
        ranges.gold,
        color=COLOURS["ink"],
        linestyle="none",
        marker="o",
        markersize=min(3.0, 0.6 * column),
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
