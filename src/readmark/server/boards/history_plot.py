"""The history of a board as a plot: each submission's mark, and the best so far in steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.server.boards.view import BoardView


@dataclass(frozen=True)
class HistoryPlot:
    """Places of a plot in pixels; the template draws it, as pages have no inline styles."""

    width: int
    height: int
    dots: Sequence[tuple[float, float]]
    path: str
    """The best mark so far, in steps."""
    ticks: Sequence[tuple[float, str]]
    """Heights of the rules, with their numbers."""
    first: float
    last: float
    """The moments at both ends."""
    people: float | None
    """The height of people's mark."""


def _round_values(low: float, high: float) -> list[tuple[float, str]]:
    """Two to five round numbers within a range, with how they are written."""
    size = math.floor(math.log10((high - low) / 2))
    for factor in (1, 2, 5, 10):
        step = factor * 10.0**size
        numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
        if len(numbers) <= 5:
            break
    digits = max(0, -size)
    return [(number * step, f"{number * step:.{digits}f}") for number in numbers]


def history_plot(view: BoardView, *, width: int = 720, height: int = 240) -> HistoryPlot | None:
    """The history of a board; None before there are two submissions."""
    points, (split, metric) = view.history(), view.order
    if len(points) < 2:
        return None
    left, right, top, bottom = 48, width - 12, 12, height - 12  # the numbers are on the left
    people = view.people.score(split, metric.name) if view.people else None
    values = [point.score for point in points] + ([] if people is None else [people])
    low, high = min(values), max(values)
    margin = (high - low or metric.scale) * 0.08  # dots and lines keep off the edges
    low, high = low - margin, high + margin
    moments = [point.entry.received for point in points]
    first, last = min(moments), max(moments)

    def across(moment: float) -> float:
        return round(left + (right - left) * (moment - first) / ((last - first) or 1.0), 1)

    def up(value: float) -> float:
        return round(bottom - (bottom - top) * (value - low) / (high - low), 1)

    path = f"M {across(moments[0])} {up(points[0].best)}"
    for moment, point in zip(moments[1:], points[1:], strict=True):
        path += f" H {across(moment)} V {up(point.best)}"
    return HistoryPlot(
        width,
        height,
        [(across(point.entry.received), up(point.score)) for point in points],
        f"{path} H {right}",
        [(up(value), text) for value, text in _round_values(low, high)],
        first,
        last,
        None if people is None else up(people),
    )
