"""How the marks of single units are spread: histograms of candidates, the ends apart.

Most units are right or wrong, so the worst and the best mark have a bar each, and only what lies
between them is cut into ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.numbers import significant
from readmark.reporting.figures.canvas import COLOURS, SMALL, WIDTH, Canvas
from readmark.reporting.figures.looks import Look
from readmark.reporting.page.bilingual import Text
from readmark.reporting.page.sections import MarkedCandidate

RANGES = 10
"""Between the ends."""
LEFT, RIGHT = 34.0, 8.0
TOP, FOOT = 20.0, 40.0
HEIGHT = 176.0


@dataclass(frozen=True, slots=True)
class Bar:
    """How many units have a mark from ``low`` to ``high``; equal bounds are that very mark."""

    low: float
    high: float
    units: int


def distribution(candidate: MarkedCandidate, metric: str) -> list[Bar]:
    """The units at each end and in each tenth of the way between; marks are in the metric's scale.

    Where a mark lies beyond the ends, they are no bounds, and there are ranges alone.
    """
    rules = candidate.sheet.metrics.get(metric)
    values = [value for value in candidate.values(metric) if value is not None]
    if rules is None or not values:
        return []
    low, high = sorted(
        (rules.facts.worst * rules.facts.scale, rules.facts.best * rules.facts.scale)
    )
    marks = np.asarray(values) * rules.facts.scale
    if marks.min() < low or marks.max() > high:
        counts, edges = np.histogram(marks, bins=RANGES)
        return _bars(edges.tolist(), counts.tolist())
    at_low = int(np.count_nonzero(marks == low))
    at_high = int(np.count_nonzero(marks == high))
    inside = marks[(marks > low) & (marks < high)]
    counts, edges = np.histogram(inside, bins=RANGES, range=(low, high))
    middle = _bars(edges.tolist(), counts.tolist())
    return [Bar(low, low, at_low), *middle, Bar(high, high, at_high)]


def _bars(edges: Sequence[float], counts: Sequence[int]) -> list[Bar]:
    return [
        Bar(low, high, int(units))
        for low, high, units in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def histogram(
    name: str,
    bars: Sequence[Bar],
    look: Look,
    *,
    most: int,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Bars with their counts over them; ``most`` is the highest of all panels."""
    canvas = Canvas(name, HEIGHT)
    axes = canvas.axes(LEFT, TOP, WIDTH - RIGHT, HEIGHT - FOOT)
    axes.set_xlim(-0.5, len(bars) - 0.5)
    axes.set_ylim(0, max(1, most))
    axes.set_yticks([])
    ends = len(bars) > 1 and bars[0].low == bars[0].high
    # An end is a single mark, so its bar stands apart and is narrower than a range's.
    widths = [0.6 if bar.low == bar.high else 0.94 for bar in bars]
    axes.bar(
        range(len(bars)),
        [bar.units for bar in bars],
        width=widths,
        color=COLOURS[look.colour],
        linewidth=0,
    )
    places, labels = _edges(bars, ends=ends)
    axes.set_xticks(places, labels=labels)
    scale = (HEIGHT - FOOT - TOP) / max(1, most)
    step = (WIDTH - RIGHT - LEFT) / len(bars)
    for index, bar in enumerate(bars):
        if bar.units:
            x = LEFT + (index + 0.5) * step
            y = HEIGHT - FOOT - bar.units * scale - 4
            canvas.text(x, y, f"{bar.units:,}", align="center", colour="muted", size=SMALL)
    canvas.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, across, align="center", colour="muted")
    canvas.text(14, (TOP + HEIGHT - FOOT) / 2, up, align="center", colour="muted", turned=True)
    return canvas.svg(title, description)


def _edges(bars: Sequence[Bar], *, ends: bool) -> tuple[list[float], list[str]]:
    """Where ticks stand and what they say: an end under its bar, others between bars."""
    if not ends:
        edges = [bars[0].low, *(bar.high for bar in bars)]
        return [index - 0.5 for index in range(len(edges))][::2], [
            significant(edge, 2) for edge in edges
        ][::2]
    places: list[float] = [0.0, len(bars) - 1.0]
    labels = [f"{bars[0].low:g}", f"{bars[-1].low:g}"]
    for index in range(2, len(bars) - 3, 2):
        places.append(index + 0.5)
        labels.append(significant(bars[index].high, 2))
    return places, labels
