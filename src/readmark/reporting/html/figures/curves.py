"""Reliability diagrams and risk–coverage curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from readmark.reporting.html.certainty import Certainty
from readmark.reporting.html.figures.canvas import COLOURS, WIDTH, Canvas, nice, ticks
from readmark.reporting.html.figures.series import Series
from readmark.reporting.html.words import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT, RIGHT = 52.0, 14.0
TOP, FOOT = 12.0, 40.0
SQUARE = WIDTH - LEFT - RIGHT
CURVE = 190.0
_TENTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_plot(
    name: str,
    found: Sequence[tuple[Series, Certainty]],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Mean score against mean mark, a dot a bin; on the dashed line both are the same."""
    height = TOP + SQUARE * 0.72 + FOOT
    canvas, axes = _frame(name, height, across, up)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    ticks(axes.xaxis, _TENTHS, lambda value: f"{value:g}")
    ticks(axes.yaxis, _TENTHS, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    axes.plot([0, 1], [0, 1], color=COLOURS["muted"], linewidth=1, dashes=(3, 2))
    for look, one in found:
        colour = COLOURS[look.colour]
        for bin in one.bins:
            if bin.low is not None and bin.high is not None:
                ends = [bin.low, bin.high]
                axes.plot([bin.score] * 2, ends, color=colour, linewidth=1.6, clip_on=False)
        axes.plot(
            [bin.score for bin in one.bins],
            [bin.mark for bin in one.bins],
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
    found: Sequence[tuple[Series, Certainty, float]],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """The risk of the surest units answered, by their share; risks come in the metric's scale."""
    height = TOP + CURVE + FOOT
    canvas, axes = _frame(name, height, across, up)
    top = max((float(one.risk.risk.max()) * scale for _, one, scale in found), default=1.0)
    marks = nice(0.0, top or 1.0)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, marks[-1])
    ticks(axes.xaxis, _TENTHS, lambda value: f"{100 * value:.0f}%")
    ticks(axes.yaxis, marks, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    for look, one, scale in found:
        coverage, risk = _thinned(one)
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


def _frame(name: str, height: float, across: Text, up: Text) -> tuple[Canvas, Axes]:
    canvas = Canvas(name, height)
    axes = canvas.axes(LEFT, TOP, WIDTH - RIGHT, height - FOOT)
    middle = (LEFT + WIDTH - RIGHT) / 2
    canvas.text(middle, height - 6, across, align="center", colour="muted")
    canvas.text(13, (TOP + height - FOOT) / 2, up, align="center", colour="muted", turned=True)
    return canvas, axes


def _thinned(one: Certainty, most: int = 300) -> tuple[list[float], list[float]]:
    """A curve of many thresholds at a few hundred of them, the last always among them."""
    step = -(-len(one.risk.coverage) // most)
    kept = slice((len(one.risk.coverage) - 1) % step, None, step)
    return one.risk.coverage[kept].tolist(), one.risk.risk[kept].tolist()
