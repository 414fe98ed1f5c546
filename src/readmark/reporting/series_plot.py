"""The distribution of a sitting's scores as a picture: the document's Figure 2."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.corpus.files import writing
from readmark.marking.series.judged import BINS, Judged, distribution
from readmark.reporting.corpus_plot import (
    COLOURS,
    FONTS,
    INK,
    MUTED,
    RULE,
    SIZE,
    WIDTH,
    require_picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 360.0
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.size": SIZE,
    "text.parse_math": False,
}


def write_distribution(found: Judged, path: str | Path) -> None:
    """Draw how many questions score how well, and the baseline's beside, into an SVG or PNG."""
    format = require_picture(path)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its font cache
    import matplotlib
    from matplotlib.figure import Figure

    columns = {found.candidate: found.distribution()}
    if found.before is not None:
        name = f"{found.baseline}"
        label = name if name != found.candidate else f"{name} (baseline)"
        columns[label] = distribution(list(found.before.values()))
    title = f"{found.series}: {found.metric}, {len(found.rewrites):,} questions"
    families = ["sans-serif"] if format == "svg" else list(FONTS)
    with matplotlib.rc_context({**_RC, "font.family": families}), warnings.catch_warnings():
        # In an SVG the reader's fonts are used; in a PNG a box would stand for the character.
        if format == "svg":
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        else:
            warnings.filterwarnings("error", message="Glyph .* missing from font")
        figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=72, layout="constrained")
        axes = figure.add_subplot()
        _bars(axes, columns)
        axes.set_title(title, color=INK, loc="left", fontsize=SIZE, fontweight="bold")
        axes.set_xlabel(found.metric, color=MUTED)
        axes.set_ylabel("questions", color=MUTED)
        if len(columns) > 1:
            axes.legend(frameon=False, labelcolor=INK)
        undated = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        with writing(path) as stream:
            figure.savefig(
                stream,
                format=format,
                metadata={"Title": title} | undated,
                dpi=144,
                facecolor="white",
            )


def _bars(axes: Axes, columns: dict[str, list[int]]) -> None:
    """A group of bars a bin, a colour a sitting."""
    from matplotlib.ticker import MaxNLocator

    width = 1 / BINS
    each = width * 0.9 / len(columns)
    for lane, (name, counts) in enumerate(columns.items()):
        left = [at * width + width * 0.05 + lane * each for at in range(BINS)]
        axes.bar(left, counts, width=each, align="edge", color=COLOURS[lane], label=name)
    axes.set_xlim(0, 1)
    axes.set_xticks([at / 10 for at in range(11)])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
