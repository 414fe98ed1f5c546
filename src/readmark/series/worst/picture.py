"""The distribution of a sitting's scores as a picture: Figure 2 of the question series document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from readmark.core.display import counted
from readmark.core.pictures import COLOURS, INK, MUTED, picture, plain_axes
from readmark.series.worst.judged_rewrites import BINS, JudgedRewrites, distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 360.0  # points, 72 to an inch


def write_distribution(judged: JudgedRewrites, path: str | Path) -> None:
    """Draw the distribution of scores, with the baseline's, into a picture."""
    columns = {judged.candidate: judged.distribution()}
    if judged.before is not None:
        label = f"{judged.baseline}"
        if label == judged.candidate:
            label += " (baseline)"
        columns[label] = distribution(list(judged.before.values()))
    title = f"{judged.series}: {judged.metric}, {counted(len(judged.rewrites), 'question')}"
    with picture(path, _HEIGHT, title) as figure:
        axes = figure.add_subplot()
        _draw_bars(axes, columns)
        plain_axes(axes, title)
        axes.set_xlabel(judged.metric, color=MUTED)
        axes.set_ylabel("questions", color=MUTED)
        if len(columns) > 1:
            axes.legend(frameon=False, labelcolor=INK)


def _draw_bars(axes: Axes, columns: dict[str, list[int]]) -> None:
    """A group of bars for each bin, a colour for each sitting."""
    from matplotlib.ticker import MaxNLocator

    bin_width = 1 / BINS
    bar_width = bin_width * 0.9 / len(columns)  # a tenth of a bin stays empty between groups
    for position, (label, counts) in enumerate(columns.items()):
        left = [
            index * bin_width + bin_width * 0.05 + position * bar_width for index in range(BINS)
        ]
        axes.bar(left, counts, width=bar_width, align="edge", color=COLOURS[position], label=label)
    axes.set_xlim(0, 1)
    axes.set_xticks([index / 10 for index in range(11)])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_axisbelow(True)
