"""Pictures in files of their own, SVG or PNG: their look, and how they are written.

In an SVG texts stay texts, in a font of the reader's choice; in a PNG they are drawn here, so a
font must have their characters.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.errors import UsageError
from readmark.core.writing import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, RULE = "#1a1d21", "#59626d", "#dfe3e7"
COLOURS = ("#0072b2", "#c24a00", "#007f5c", "#a63d7c", "#846400", "#5a48b5")
"""The report's, which people who do not see all colours tell apart."""

WIDTH = 640.0
SIZE = 11.0
FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Heiti SC",
)
"""Those of Chinese systems, after the one that comes with matplotlib."""


def require_picture(path: str | Path) -> str:
    """The format that a file's name asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".svg", ".png"):
        raise UsageError(f"{path}: expected a picture's name, ending in .svg or .png")
    return suffix[1:]


_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.size": SIZE,
    "text.parse_math": False,
}


@contextmanager
def picture(path: str | Path, height: float, title: str) -> Iterator[Figure]:
    """A figure to draw in, which is then written to its file."""
    format = require_picture(path)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports on its font cache
    import matplotlib
    from matplotlib.figure import Figure

    families = ["sans-serif"] if format == "svg" else list(FONTS)
    with matplotlib.rc_context({**_RC, "font.family": families}), warnings.catch_warnings():
        # In an SVG the reader's fonts are used; in a PNG a box would stand for the character.
        action = "ignore" if format == "svg" else "error"
        warnings.filterwarnings(action, message="Glyph .* missing from font")  # type: ignore[arg-type]
        figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, layout="constrained")
        yield figure
        undated = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        about = {"Title": title} | undated
        with writing(path) as stream:
            try:
                figure.savefig(stream, format=format, metadata=about, dpi=144, facecolor="white")
            except UserWarning as warning:
                missing = re.search("Glyph ([0-9]+)", str(warning))
                shown = repr(chr(int(missing[1]))) if missing else "a character of the picture"
                raise UsageError(
                    f"no font of this machine has {shown}: name a file that ends in .svg, "
                    "where the reader's fonts are used"
                ) from None


def plain_axes(axes: Axes, title: str) -> None:
    """A title, lines across, and no frame but the base line."""
    axes.set_title(title, color=INK, loc="left", fontsize=SIZE, fontweight="bold")
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
