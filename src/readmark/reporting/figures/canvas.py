"""A drawing surface in pixels over matplotlib: places, texts in both languages, then SVG.

Texts are put in as short tokens and set in place after drawing. So no font of the machine and no
``$`` of a candidate's name has a say in the layout, and equal data give equal bytes.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from readmark.reporting.figures.svg import finished
from readmark.reporting.page.bilingual import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    "ink": "#000001",
    "muted": "#000002",
    "rule": "#000003",
    "paper": "#000004",
    "people": "#000005",
    **{f"s{n}": f"#00001{n}" for n in range(1, 7)},
}
"""The style sheet's variables, and the stand-ins that matplotlib draws with."""

WIDTH = 360.0
SMALL, PLAIN = 10.0, 11.5

_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "path.simplify": False,
    "axes.unicode_minus": True,
    "text.parse_math": False,
}


class Canvas:
    """One plot; ``x`` grows to the right and ``y`` downwards, in pixels."""

    def __init__(self, name: str, height: float, *, width: float = WIDTH) -> None:
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its font cache
        from matplotlib.figure import Figure

        self.name = name
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        self.figure.patch.set_visible(False)
        self._texts: list[Text] = []

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """A plotting area between four edges, bare but for a rule at its foot."""
        where = (
            left / self.width,
            1 - bottom / self.height,
            (right - left) / self.width,
            (bottom - top) / self.height,
        )
        axes = self.figure.add_axes(where)
        axes.patch.set_visible(False)
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(COLOURS["muted"])
        axes.spines["bottom"].set_linewidth(0.8)
        axes.tick_params(
            length=3,
            width=0.8,
            labelsize=SMALL,
            color=COLOURS["muted"],
            labelcolor=COLOURS["muted"],
        )
        return axes

    def text(
        self,
        x: float,
        y: float,
        text: Text,
        *,
        align: str = "left",
        colour: str = "ink",
        size: float = PLAIN,
        turned: bool = False,
    ) -> None:
        """A text whose baseline starts, ends or has its middle at a place."""
        self.figure.text(
            x / self.width,
            1 - y / self.height,
            self.token(text),
            ha=align,
            va="baseline",
            color=COLOURS[colour],
            fontsize=size,
            rotation=90 if turned else 0,
            rotation_mode="anchor",
        )

    def token(self, text: Text) -> str:
        """A stand-in for a text."""
        self._texts.append(text)
        return f"@{len(self._texts) - 1}@"

    def svg(self, title: Text, description: Text) -> str:
        """The plot as an SVG element that says what it shows."""
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        stream = io.BytesIO()
        with matplotlib.rc_context(_RC):
            FigureCanvasSVG(self.figure)
            undated = {"Date": None, "Creator": None, "Format": None, "Type": None}
            self.figure.savefig(stream, format="svg", metadata=undated)
        return finished(
            stream.getvalue(),
            name=self.name,
            colours=COLOURS,
            texts=self._texts,
            title=title,
            description=description,
        )


def ticks(axis: Any, values: Sequence[float], spell: Callable[[float], str]) -> None:
    """Ticks at these values."""
    axis.set_ticks(list(values), labels=[spell(value) for value in values])


def nice(low: float, high: float, *, most: int = 5) -> list[float]:
    """Round values that cover a range."""
    from matplotlib.ticker import MaxNLocator

    locator = MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10])
    return [float(value) for value in locator.tick_values(low, high)]
