"""Histograms of unit marks: a panel a candidate, the two ends counted apart."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.reporting.html.distribution import Bar
from readmark.reporting.html.figures.canvas import COLOURS, SMALL, WIDTH, Canvas
from readmark.reporting.html.figures.series import Series
from readmark.reporting.html.words import Text

LEFT, RIGHT = 34.0, 8.0
TOP, FOOT = 20.0, 40.0
HEIGHT = 176.0


def histogram(
    name: str,
    bars: Sequence[Bar],
    look: Series,
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
    for at, bar in enumerate(bars):
        if bar.units:
            x = LEFT + (at + 0.5) * step
            y = HEIGHT - FOOT - bar.units * scale - 4
            canvas.text(x, y, f"{bar.units:,}", align="center", colour="muted", size=SMALL)
    canvas.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, across, align="center", colour="muted")
    canvas.text(14, (TOP + HEIGHT - FOOT) / 2, up, align="center", colour="muted", turned=True)
    return canvas.svg(title, description)


def _edges(bars: Sequence[Bar], *, ends: bool) -> tuple[list[float], list[str]]:
    """Where ticks stand and what they say: an end under its bar, others between bars."""
    if not ends:
        edges = [bars[0].low, *(bar.high for bar in bars)]
        return [at - 0.5 for at in range(len(edges))][::2], [f"{one:.2g}" for one in edges][::2]
    places: list[float] = [0.0, len(bars) - 1.0]
    labels = [f"{bars[0].low:g}", f"{bars[-1].low:g}"]
    for at in range(2, len(bars) - 3, 2):
        places.append(at + 0.5)
        labels.append(f"{bars[at].high:.2g}")
    return places, labels
