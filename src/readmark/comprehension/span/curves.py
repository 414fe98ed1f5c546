"""How a training went as a picture: the loss, and the marks, epoch by epoch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from readmark.core.pictures import COLOURS, INK, MUTED, SIZE, picture, plain_axes

HEIGHT = 220.0
_SHAPES = "osD^vP"


def lines_of(epochs: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """The lines of each panel, a value an epoch; what an epoch lacks is a gap."""
    names = dict.fromkeys(name for epoch in epochs for name in epoch["marks"])
    marks = {name: [epoch["marks"].get(name, math.nan) for epoch in epochs] for name in names}
    panels = {"loss": {"loss": [epoch["loss"] for epoch in epochs]}}
    return {**panels, "marks": marks} if marks else panels


def write_curves(epochs: Sequence[Mapping[str, Any]], path: str | Path) -> None:
    """Draw the curves of a training into a picture."""
    panels = lines_of(epochs)
    numbers = [epoch["number"] for epoch in epochs]
    with picture(path, HEIGHT * len(panels), "loss and marks by epoch") as figure:
        from matplotlib.ticker import MaxNLocator

        for index, (title, lines) in enumerate(panels.items(), 1):
            axes = figure.add_subplot(len(panels), 1, index)
            looks = zip(cycle(COLOURS), cycle(_SHAPES), strict=False)
            for (name, values), (colour, shape) in zip(lines.items(), looks, strict=False):
                axes.plot(numbers, values, color=colour, marker=shape, markersize=4, label=name)
            plain_axes(axes, title)
            axes.set_xlabel("epoch", color=MUTED)
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            if len(lines) > 1:
                axes.legend(frameon=False, labelcolor=INK, fontsize=SIZE - 1)
