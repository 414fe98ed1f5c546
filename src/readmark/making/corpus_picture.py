"""Question types and levels as a picture: CMRC 2018's Figure 2 and SMART's Table 1 in bars.

One file, SVG or PNG, that stands alone. In an SVG texts stay texts, in a font of the reader's
choice; in a PNG they are drawn here, so a font must have their characters.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.errors import UsageError
from readmark.core.label_widths import fitted
from readmark.core.numbers import percent
from readmark.core.pictures import (
    COLOURS,
    FONTS,
    INK,
    MUTED,
    RULE,
    SIZE,
    WIDTH,
    require_picture,
)
from readmark.core.writing import writing
from readmark.making.corpus import ALL_SPLITS, CorpusTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = 150.0
COUNTS = 110.0
BAR, GAP = 15.0, 10.0
HEAD, FOOT, LEGEND = 30.0, 40.0, 20.0
ACROSS = 3
"""Names side by side in a legend."""
SHOWN = 8
"""Characters without a font that are named."""

_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.size": SIZE,
    "text.parse_math": False,
    "axes.unicode_minus": True,
}


@dataclass(frozen=True, slots=True)
class PlotPanel:
    """A field's values, and of each series how many questions have them."""

    title: str
    values: tuple[str, ...]
    series: Mapping[str, Mapping[str, int]]
    """Counts by value, by series: a split, or a test."""
    colours: Mapping[str, str]
    """Of every series there is, so that one has the same in each panel."""

    @property
    def row(self) -> float:
        """The height of a value's bars, in pixels."""
        return len(self.series) * BAR + GAP

    @property
    def head(self) -> float:
        """The height of title and legend."""
        return HEAD + -(-len(self.series) // ACROSS) * LEGEND

    @property
    def height(self) -> float:
        """The height of it all."""
        return self.head + len(self.values) * self.row + FOOT


def write_plot(tables: Sequence[CorpusTable], path: str | Path) -> None:
    """Draw types and levels into a file, written whole or not at all."""
    format = require_picture(path)
    panels = list(panels_of(tables))
    if not panels:
        raise UsageError("nothing to draw: no test has questions with types or levels")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports on its font cache
    import matplotlib

    families = _fonts(panels) if format == "png" else ["sans-serif"]
    with matplotlib.rc_context({**_RC, "font.family": families}), warnings.catch_warnings():
        # The machine's font has no say in an SVG, so it need not have every character.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = _drawn(panels)
        undated = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        about = {"Title": "; ".join(panel.title for panel in panels)}
        with writing(path) as stream:
            figure.savefig(
                stream, format=format, metadata=about | undated, dpi=144, facecolor="white"
            )


def panels_of(tables: Sequence[CorpusTable]) -> Iterator[PlotPanel]:
    """Types, the most frequent first, then levels; by split if one test has any, else by test."""
    alone = f"{tables[0].name}: " if len(tables) == 1 else ""
    for field, title in (("type", "question types"), ("level", "levels")):
        every = _series(tables, field)
        colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(every)}
        series = {name: counts for name, counts in every.items() if set(counts) - {"-"}}
        values = list(dict.fromkeys(value for counts in series.values() for value in counts))
        if field == "type":
            values.sort(key=lambda value: -sum(counts.get(value, 0) for counts in series.values()))
        if values:
            yield PlotPanel(f"{alone}{title}", tuple(values), series, colours)


def _series(tables: Sequence[CorpusTable], field: str) -> dict[str, Mapping[str, int]]:
    if len(tables) == 1 and tables[0].splits:
        crossed = tables[0].crossed.get(field, {})
        names = [
            split.name for split in tables[0].splits if split.name != ALL_SPLITS and split.units
        ]
        return {name: {value: row.get(name, 0) for value, row in crossed.items()} for name in names}
    return {
        _named(tables, index): table.types
        if field == "type"
        else table.distributions.get(field, {})
        for index, table in enumerate(tables)
    }


def _named(tables: Sequence[CorpusTable], at: int) -> str:
    """A test's name; tests of one name are distinguished by their place."""
    name = tables[at].name
    return name if [table.name for table in tables].count(name) == 1 else f"{name} ({at + 1})"


def _drawn(panels: Sequence[PlotPanel]) -> Figure:
    from matplotlib.figure import Figure

    height = sum(panel.height for panel in panels)
    figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72)
    top = 0.0
    for panel in panels:
        _draw(figure, panel, top, height)
        top += panel.height
    return figure


def _draw(figure: Figure, panel: PlotPanel, top: float, height: float) -> None:
    def text(x: float, y: float, said: str, **look: Any) -> None:
        figure.text(x / WIDTH, 1 - (top + y) / height, said, va="baseline", **look)

    head = panel.head
    text(10, 18, fitted(panel.title, WIDTH - 20), color=INK, weight="bold")
    each = (WIDTH - 20) / ACROSS
    for index, (name, counts) in enumerate(panel.series.items()):
        said = f"■ {fitted(name, each - 90)} ({sum(counts.values()):,})"
        x, y = 10 + index % ACROSS * each, 38 + index // ACROSS * LEGEND
        text(x, y, said, color=panel.colours[name])
    body = panel.height - head - FOOT
    where = (
        LABELS / WIDTH,
        1 - (top + head + body) / height,
        (WIDTH - LABELS - COUNTS) / WIDTH,
        body / height,
    )
    axes = figure.add_axes(where)
    _bars(axes, panel, body)
    for index, value in enumerate(panel.values):
        middle = head + (index + 0.5) * panel.row + SIZE * 0.35
        text(LABELS - 8, middle, fitted(value, LABELS - 16), color=INK, ha="right")
    text(LABELS, panel.height - 10, "share of questions, %", color=MUTED)


def _bars(axes: Axes, panel: PlotPanel, body: float) -> None:
    axes.set_ylim(body, 0)
    most = 0.0
    for lane, (name, counts) in enumerate(panel.series.items()):
        whole = sum(counts.values()) or 1
        for index, value in enumerate(panel.values):
            count = counts.get(value, 0)
            share = 100 * count / whole
            most = max(most, share)
            y = index * panel.row + GAP / 2 + (lane + 0.5) * BAR
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
    axes.set_xlim(0, max(most, 1.0))
    axes.set_yticks([])
    axes.set_axisbelow(True)
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


def _fonts(panels: Sequence[PlotPanel]) -> list[str]:
    """The fonts of this machine that are wanted; one must have every character that is drawn."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    known = {one.name: one.fname for one in font_manager.fontManager.ttflist}
    found = [name for name in FONTS if name in known]
    said = {
        letter
        for panel in panels
        for text in (panel.title, *panel.values, *panel.series)
        for letter in text
    }
    for name in found:
        characters = FT2Font(known[name]).get_charmap()
        said -= {letter for letter in said if ord(letter) in characters}
        if not said:
            return found
    missing = "".join(sorted(said))[:SHOWN]
    raise UsageError(
        f"no font of this machine has {missing!r}: name a file that ends in .svg, "
        "where the reader's fonts are used"
    )
