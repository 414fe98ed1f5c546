"""Pictures of numbers: a dot with its interval a row, panels one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.core.errors import UsageError
from readmark.core.pictures import COLOURS, INK, MUTED, RULE, Picture, drawn_picture, plain_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEAD, ROW, FOOT = 34.0, 22.0, 46.0
"""Heights of a panel's title, of a dot's row, and of the axis below, in points."""


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
        """The height of it all, in points."""
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


def numbers_picture(panels: Sequence[NumbersPanel], title: str) -> Picture:
    """The panels that have rows, one below the other."""
    drawn = [panel for panel in panels if panel.rows]
    if not drawn:
        raise UsageError("nothing to draw: no metric has a score")
    heights = [panel.height for panel in drawn]
    with drawn_picture(sum(heights), title) as picture:
        axes = picture.figure.subplots(len(drawn), squeeze=False, height_ratios=heights)
        for panel, panel_axes in zip(drawn, axes[:, 0], strict=True):
            _draw_panel(panel_axes, panel)
    return picture


def _draw_panel(axes: Axes, panel: NumbersPanel) -> None:
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
