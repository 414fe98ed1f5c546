"""Question types and levels as a picture: CMRC 2018's Figure 2 and SMART's Table 1 in bars."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.errors import UsageError
from readmark.core.label_widths import fitted
from readmark.core.numbers import percent
from readmark.core.pictures import COLOURS, INK, MUTED, RULE, SIZE, WIDTH, picture
from readmark.making.corpus import ALL_SPLITS, CorpusTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS, COUNTS = 150.0, 110.0
"""Pixels left of the bars for names of values, and right of them for counts."""
BAR, GAP = 15.0, 10.0
"""Pixels from one bar of a value to the next, and between values."""
HEAD, LEGEND, FOOT = 30.0, 20.0, 40.0
"""Pixels for a panel's title, for a row of its legend, and for the axis below the bars."""
ACROSS = 3
"""Names side by side in a legend."""


@dataclass(frozen=True, slots=True)
class PlotPanel:
    """How many questions of each series, a split or a test, have each value of a field."""

    title: str
    values: tuple[str, ...]
    series: Mapping[str, Mapping[str, int]]
    """Counts by name of the series, then by value."""
    colours: Mapping[str, str]
    """The colour of every series, also of those without a count here: the same in each panel."""

    @property
    def row_height(self) -> float:
        """Pixels of one value's bars."""
        return len(self.series) * BAR + GAP

    @property
    def head_height(self) -> float:
        """Pixels of title and legend."""
        return HEAD + math.ceil(len(self.series) / ACROSS) * LEGEND

    @property
    def body_height(self) -> float:
        """Pixels of all bars."""
        return len(self.values) * self.row_height

    @property
    def height(self) -> float:
        """Pixels of the whole panel."""
        return self.head_height + self.body_height + FOOT


def write_plot(tables: Sequence[CorpusTable], path: str | Path) -> None:
    """Draw types and levels of questions into an SVG or PNG."""
    panels = list(panels_of(tables))
    if not panels:
        raise UsageError("nothing to draw: no test has questions with types or levels")
    height = sum(panel.height for panel in panels)
    with picture(path, height, "; ".join(panel.title for panel in panels)) as figure:
        figure.set_layout_engine("none")  # everything is placed here
        top = 0.0
        for panel in panels:
            _draw(figure, panel, top, height)
            top += panel.height


def panels_of(tables: Sequence[CorpusTable]) -> Iterator[PlotPanel]:
    """A panel of types, the most frequent first, and one of levels."""
    test = f"{tables[0].name}: " if len(tables) == 1 else ""
    for field, title in (("type", "question types"), ("level", "levels")):
        all_series = _series(tables, field)
        colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(all_series)}
        # A series in which no question has a value has only the count of "-".
        series = {name: counts for name, counts in all_series.items() if set(counts) - {"-"}}
        values = list(dict.fromkeys(value for counts in series.values() for value in counts))
        if field == "type":
            values.sort(key=lambda value: -sum(counts.get(value, 0) for counts in series.values()))
        if values:
            yield PlotPanel(f"{test}{title}", tuple(values), series, colours)


def _series(tables: Sequence[CorpusTable], field: str) -> dict[str, Mapping[str, int]]:
    """Counts by value: of each split, where there is one test with splits, else of each test."""
    if len(tables) == 1 and tables[0].splits:
        crossed = tables[0].crossed.get(field, {})
        names = [
            split.name for split in tables[0].splits if split.name != ALL_SPLITS and split.units
        ]
        return {name: {value: row.get(name, 0) for value, row in crossed.items()} for name in names}
    name_counts = Counter(table.name for table in tables)
    series: dict[str, Mapping[str, int]] = {}
    for number, table in enumerate(tables, 1):
        name = table.name if name_counts[table.name] == 1 else f"{table.name} ({number})"
        series[name] = table.types if field == "type" else table.distributions.get(field, {})
    return series


def _draw(figure: Figure, panel: PlotPanel, top: float, height: float) -> None:
    """Draw a panel ``top`` pixels below the top of a figure of ``height`` pixels."""

    def write(x: float, y: float, words: str, **look: Any) -> None:
        figure.text(x / WIDTH, 1 - (top + y) / height, words, va="baseline", **look)

    head, body = panel.head_height, panel.body_height
    write(10, 18, fitted(panel.title, WIDTH - 20), color=INK, weight="bold")
    column = (WIDTH - 20) / ACROSS
    for index, (name, counts) in enumerate(panel.series.items()):
        x, y = 10 + index % ACROSS * column, 38 + index // ACROSS * LEGEND
        label = f"■ {fitted(name, column - 90)} ({sum(counts.values()):,})"
        write(x, y, label, color=panel.colours[name])
    left, bottom = LABELS / WIDTH, 1 - (top + head + body) / height
    axes = figure.add_axes((left, bottom, (WIDTH - LABELS - COUNTS) / WIDTH, body / height))
    _draw_bars(axes, panel)
    for index, value in enumerate(panel.values):
        baseline = head + (index + 0.5) * panel.row_height + SIZE * 0.35
        write(LABELS - 8, baseline, fitted(value, LABELS - 16), color=INK, ha="right")
    write(LABELS, panel.height - 10, "share of questions, %", color=MUTED)


def _draw_bars(axes: Axes, panel: PlotPanel) -> None:
    axes.set_ylim(panel.body_height, 0)
    largest = 0.0
    for lane, (name, counts) in enumerate(panel.series.items()):
        total = sum(counts.values()) or 1
        for index, value in enumerate(panel.values):
            count = counts.get(value, 0)
            share = 100 * count / total
            largest = max(largest, share)
            y = index * panel.row_height + GAP / 2 + (lane + 0.5) * BAR
            axes.barh(y, share, height=BAR - 2, color=panel.colours[name], linewidth=0)
            axes.annotate(
                f"{count:,} ({percent(share / 100)})",
                (share, y),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                color=MUTED,
                annotation_clip=False,
            )
    axes.set_xlim(0, max(largest, 1.0))
    axes.set_yticks([])
    axes.set_axisbelow(True)
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
