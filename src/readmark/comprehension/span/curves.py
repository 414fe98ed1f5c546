"""How a training went as a picture: the loss, and the marks, epoch by epoch."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.files import writing
from readmark.reporting.pictures import COLOURS, INK, MUTED, RULE, SIZE, WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes


HEIGHT = 220.0
_SHAPES = "osD^vP"
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.size": SIZE,
    "font.family": ["sans-serif"],
    "text.parse_math": False,
}


def lines_of(epochs: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """The lines of each panel, a value an epoch; what an epoch lacks is a gap."""
    names = dict.fromkeys(name for epoch in epochs for name in epoch["marks"])
    marks = {name: [epoch["marks"].get(name, math.nan) for epoch in epochs] for name in names}
    panels = {"loss": {"loss": [epoch["loss"] for epoch in epochs]}}
    return {**panels, "marks": marks} if marks else panels


def write_curves(epochs: Sequence[Mapping[str, Any]], path: str | Path) -> None:
    """Draw the curves of a training into an SVG."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports on its font cache
    import matplotlib
    from matplotlib.figure import Figure

    panels = lines_of(epochs)
    numbers = [epoch["number"] for epoch in epochs]
    with matplotlib.rc_context(_RC), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        size = (WIDTH / 72, HEIGHT * len(panels) / 72)
        figure = Figure(figsize=size, dpi=72, layout="constrained")
        for index, (title, lines) in enumerate(panels.items(), 1):
            _panel(figure.add_subplot(len(panels), 1, index), title, numbers, lines)
        with writing(path) as stream:
            figure.savefig(
                stream,
                format="svg",
                metadata={"Title": "loss and marks by epoch", "Date": None, "Creator": None},
                facecolor="white",
            )


def _panel(
    axes: Axes, title: str, numbers: Sequence[int], lines: Mapping[str, Sequence[float]]
) -> None:
    from matplotlib.ticker import MaxNLocator

    looks = zip(cycle(COLOURS), cycle(_SHAPES), strict=False)
    for (name, values), (colour, shape) in zip(lines.items(), looks, strict=False):
        axes.plot(numbers, values, color=colour, marker=shape, markersize=4, label=name)
    axes.set_title(title, color=INK, loc="left", fontsize=SIZE, fontweight="bold")
    axes.set_xlabel("epoch", color=MUTED)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    if len(lines) > 1:
        axes.legend(frameon=False, labelcolor=INK, fontsize=SIZE - 1)
