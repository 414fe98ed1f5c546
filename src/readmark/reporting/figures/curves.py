"""Reliability diagrams, risk–coverage curves, and marks against cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.core.numbers import percent
from readmark.marking import Certainty
from readmark.reporting.figures.canvas import COLOURS, SMALL, WIDTH, Canvas, nice, ticks
from readmark.reporting.figures.looks import Look
from readmark.reporting.page.bilingual import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES_LEFT, CURVES_RIGHT = 52.0, 14.0
CURVES_TOP, CURVES_FOOT = 12.0, 40.0
SQUARE = WIDTH - CURVES_LEFT - CURVES_RIGHT
CURVE = 190.0
_TENTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_plot(
    name: str,
    candidates: Sequence[tuple[Look, Certainty]],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Mean score against mean mark, a dot for each bin; on the dashed line they are equal."""
    height = CURVES_TOP + SQUARE * 0.72 + CURVES_FOOT
    canvas, axes = _frame(name, height, across, up)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    ticks(axes.xaxis, _TENTHS, lambda value: f"{value:g}")
    ticks(axes.yaxis, _TENTHS, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    axes.plot([0, 1], [0, 1], color=COLOURS["muted"], linewidth=1, dashes=(3, 2))
    for look, certainty in candidates:
        colour = COLOURS[look.colour]
        for bin in certainty.bins:
            if bin.low is not None and bin.high is not None:
                ends = [bin.low, bin.high]
                axes.plot([bin.score] * 2, ends, color=colour, linewidth=1.6, clip_on=False)
        axes.plot(
            [bin.score for bin in certainty.bins],
            [bin.mark for bin in certainty.bins],
            color=colour,
            linewidth=1,
            marker=look.marker,
            markersize=6.5,
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


def risk_plot(
    name: str,
    candidates: Sequence[tuple[Look, Certainty, float]],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """The risk of the surest units answered, by their share; risks come in the metric's scale."""
    height = CURVES_TOP + CURVE + CURVES_FOOT
    canvas, axes = _frame(name, height, across, up)
    top = max(
        (float(certainty.risk.risk.max()) * scale for _, certainty, scale in candidates),
        default=1.0,
    )
    marks = nice(0.0, top or 1.0)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, marks[-1])
    ticks(axes.xaxis, _TENTHS, lambda value: percent(value, 0))
    ticks(axes.yaxis, marks, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    for look, certainty, scale in candidates:
        coverage, risk = _thinned(certainty)
        axes.plot(
            coverage,
            [value * scale for value in risk],
            color=COLOURS[look.colour],
            linewidth=1.8,
            clip_on=False,
        )
        axes.plot(
            coverage[-1:],
            [risk[-1] * scale],
            marker=look.marker,
            markersize=7,
            color=COLOURS[look.colour],
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


@dataclass(frozen=True, slots=True)
class CostPoint:
    """What a unit costs a candidate, and the candidate's mark with its interval."""

    look: Look
    cost: float
    score: float
    text: str
    """The mark as it is written at the point."""
    low: float | None = None
    high: float | None = None


def cost_plot(
    name: str,
    points: Sequence[CostPoint],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Marks against what a unit costs: up and to the left is better."""
    height = CURVES_TOP + CURVE + CURVES_FOOT
    canvas, axes = _frame(name, height, across, up)
    costs = nice(0.0, max(point.cost for point in points) or 1.0, most=4)
    ends = [end for point in points for end in (point.score, point.low, point.high)]
    values = [end for end in ends if end is not None]
    marks = nice(min(values), max(values) if max(values) > min(values) else min(values) + 1)
    axes.set_xlim(0, costs[-1])
    axes.set_ylim(marks[0], marks[-1])
    ticks(axes.xaxis, costs, lambda value: f"{value:g}")
    ticks(axes.yaxis, marks, lambda value: f"{value:g}".replace("-", "−"))
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    across_by = (WIDTH - CURVES_RIGHT - CURVES_LEFT) / costs[-1]
    up_by = CURVE / (marks[-1] - marks[0])
    for point in points:
        colour = COLOURS[point.look.colour]
        if point.low is not None and point.high is not None:
            span = [point.low, point.high]
            axes.plot([point.cost] * 2, span, color=colour, linewidth=1.6, clip_on=False)
        axes.plot(
            [point.cost],
            [point.score],
            marker=point.look.marker,
            markersize=7,
            color=colour,
            markeredgewidth=0,
            clip_on=False,
        )
        x = CURVES_LEFT + point.cost * across_by
        y = CURVES_TOP + (marks[-1] - point.score) * up_by - 4
        left = x > WIDTH - 60
        place = x - 7 if left else x + 7
        align = "right" if left else "left"
        canvas.text(place, y, point.text, align=align, colour=point.look.colour, size=SMALL)
    return canvas.svg(title, description)


def _frame(name: str, height: float, across: Text, up: Text) -> tuple[Canvas, Axes]:
    canvas = Canvas(name, height)
    axes = canvas.axes(CURVES_LEFT, CURVES_TOP, WIDTH - CURVES_RIGHT, height - CURVES_FOOT)
    middle = (CURVES_LEFT + WIDTH - CURVES_RIGHT) / 2
    canvas.text(middle, height - 6, across, align="center", colour="muted")
    canvas.text(
        13, (CURVES_TOP + height - CURVES_FOOT) / 2, up, align="center", colour="muted", turned=True
    )
    return canvas, axes


def _thinned(certainty: Certainty, most: int = 300) -> tuple[list[float], list[float]]:
    """A curve of many thresholds at a few hundred of them, the last always among them.

    The plot is not wider than that in pixels, and a large test would make the page large.
    """
    coverage, risk = certainty.risk.coverage, certainty.risk.risk
    step = -(-len(coverage) // most)
    every = slice((len(coverage) - 1) % step, None, step)
    return coverage[every].tolist(), risk[every].tolist()
