"""Pictures for slides: marks and differences as dots with their intervals, in SVG or PNG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from readmark.core import numbers
from readmark.core.errors import UsageError
from readmark.core.pictures import COLOURS, INK, MUTED, RULE, picture, plain_axes
from readmark.marking import Comparison, Comparisons, Mark, Marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEAD, ROW, FOOT = 34.0, 22.0, 46.0
"""Heights of a panel's title, of a dot's row, and of the axis below, in pixels."""


@dataclass(frozen=True, slots=True)
class DrawnNumber:
    """A number with its interval, where it has one."""

    label: str
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class NumbersPanel:
    """Rows on one axis."""

    title: str
    axis: str
    rows: Sequence[DrawnNumber]
    scale: float
    is_difference: bool = False

    @property
    def height(self) -> float:
        """The height of it all, in pixels."""
        return HEAD + len(self.rows) * ROW + FOOT

    @property
    def ends(self) -> tuple[float, float]:
        """From nothing to everything for marks; over the intervals, and 0, for all else."""
        values = [v for row in self.rows for v in (row.value, row.low, row.high) if v is not None]
        low, high = min(0.0, *values), max(0.0, *values)
        if not self.is_difference and low == 0 and high <= self.scale:
            return 0.0, self.scale
        room = 0.05 * (high - low) or 0.05 * self.scale
        return low - room, high + room


def plot_marks(marks: Marks, path: str | Path) -> None:
    """Draw the score of every metric, then the main metric's slices by each field."""
    whole = f"{marks.candidate} on {marks.test.title}"
    together: dict[float, list[DrawnNumber]] = {}
    alone = []
    for name, mark in marks.marks.items():
        for row in _row(name, mark):
            if NumbersPanel("", "", [row], mark.scale).ends == (0.0, mark.scale):
                together.setdefault(mark.scale, []).append(row)
            else:  # a sum or a difference would press the others together
                alone.append(NumbersPanel(whole, name, [row], mark.scale))
    panels = [NumbersPanel(whole, "score", rows, scale) for scale, rows in together.items()]
    panels += alone
    main = marks.scores.main
    for field, slices in marks.by.items():
        rows = [row for value, part in slices.items() for row in _row(value, part.marks.get(main))]
        panels.append(NumbersPanel(f"{whole}, by {field}", main, rows, marks[main].scale))
    _draw(panels, path, whole)


def plot_comparisons(comparisons: Comparisons, path: str | Path) -> None:
    """Draw each sitting's difference from the first by each metric, then those of slices."""
    panels = []
    for metric in comparisons.metrics:
        of_metric = [comparison for comparison in comparisons if comparison.metric == metric]
        first = of_metric[0]
        title = f"{metric}, difference from {first.a}"
        groups = {title: [(comparison.b, comparison) for comparison in of_metric]}
        for comparison in of_metric:
            for field, parts in comparison.by.items():
                groups[f"{title}: {comparison.b}, by {field}"] = list(parts.items())
        for name, pairs in groups.items():
            rows = [row for label, compared in pairs for row in _difference(label, compared)]
            panels.append(NumbersPanel(name, metric, rows, first.scale, is_difference=True))
    _draw(panels, path, f"differences from {comparisons[0].a}")


def _row(label: str, mark: Mark | None) -> Iterator[DrawnNumber]:
    if mark is not None and mark.score is not None:
        figure = numbers.mark(mark.score, mark.scale)
        yield DrawnNumber(f"{label}  {figure}", mark.score, mark.low, mark.high)


def _difference(label: str, comparison: Comparison) -> Iterator[DrawnNumber]:
    if comparison.difference is not None:
        figure = numbers.mark(comparison.difference, comparison.scale, signed=True)
        yield DrawnNumber(
            f"{label}  {figure}", comparison.difference, comparison.low, comparison.high
        )


def _draw(panels: Sequence[NumbersPanel], path: str | Path, title: str) -> None:
    drawn = [panel for panel in panels if panel.rows]
    if not drawn:
        raise UsageError("nothing to draw: no metric has a score")
    with picture(path, sum(panel.height for panel in drawn), title) as figure:
        heights = [panel.height for panel in drawn]
        axes = figure.subplots(len(drawn), squeeze=False, height_ratios=heights)
        for panel, panel_axes in zip(drawn, axes[:, 0], strict=True):
            _panel(panel_axes, panel)


def _panel(axes: Axes, panel: NumbersPanel) -> None:
    plain_axes(axes, panel.title)
    axes.grid(visible=False)
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    if panel.is_difference:
        axes.axvline(0, color=MUTED, linewidth=1)
    for place, row in enumerate(panel.rows):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place] * 2, color=COLOURS[0], linewidth=2)
        axes.plot([row.value], [place], color=COLOURS[0], marker="o", markersize=7)
    axes.set_yticks(range(len(panel.rows)), [row.label for row in panel.rows], color=INK)
    axes.set_ylim(len(panel.rows) - 0.4, -0.6)
    axes.set_xlim(*panel.ends)
    axes.set_xlabel(panel.axis, color=MUTED)
