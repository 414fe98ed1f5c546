"""Pictures in files of their own, SVG, PNG or PDF: their look, and how they are written.

In an SVG texts stay texts, in a font of the reader's choice; in the others they are drawn here, so
a font must have their characters.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from readmark.core.errors import UsageError
from readmark.core.writing import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, RULE = "#1a1d21", "#59626d", "#dfe3e7"
COLOURS = ("#0072b2", "#c24a00", "#007f5c", "#a63d7c", "#846400", "#5a48b5")
"""The report's, which people who do not see all colours tell apart."""

SUFFIXES = (".svg", ".png", ".pdf")
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
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "pdf.fonttype": 42,  # TrueType: publishers refuse the default, Type 3
    "font.size": SIZE,
    "text.parse_math": False,
}
_UNDATED: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What would make the bytes of two runs differ."""


def require_picture(path: str | Path) -> str:
    """The format that a file's name asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path}: expected a picture's name, ending in {' or '.join(SUFFIXES)}")
    return suffix[1:]


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A figure of matplotlib: a notebook shows it, and ``save`` writes it to a file."""

    figure: Figure
    title: str

    @property
    def axes(self) -> list[Axes]:
        """The panels from top to bottom, to be changed before the picture is saved."""
        return list(self.figure.axes)

    def save(self, path: str | Path) -> None:
        """Write an SVG, a PNG or a PDF, as the file's name says; the same bytes every time."""
        format = require_picture(path)
        with writing(path) as stream:
            self._write(stream, format)

    def __repr__(self) -> str:
        return f"<Picture of {self.title}: save(path) writes {', '.join(SUFFIXES)}>"

    def _repr_svg_(self) -> str:
        stream = io.BytesIO()
        self._write(stream, "svg")
        return stream.getvalue().decode("utf-8")

    def _write(self, stream: IO[bytes], format: str) -> None:
        import matplotlib
        from matplotlib.text import Text

        # In an SVG the reader's fonts are used; elsewhere a box would stand for the character.
        action = "ignore" if format == "svg" else "error"
        families = ["sans-serif"] if format == "svg" else list(FONTS)
        for text in self.figure.findobj(Text):
            text.set_fontfamily(families)
        with matplotlib.rc_context(_RC), warnings.catch_warnings():
            warnings.filterwarnings(action, message="Glyph .* missing from font")  # type: ignore[arg-type]
            about = {"Title": self.title} | _UNDATED[format]
            try:
                self.figure.savefig(
                    stream, format=format, metadata=about, dpi=144, facecolor="white"
                )
            except UserWarning as warning:
                missing = re.search("Glyph ([0-9]+)", str(warning))
                shown = repr(chr(int(missing[1]))) if missing else "a character of the picture"
                raise UsageError(
                    f"no font of this machine has {shown}: name a file that ends in .svg, "
                    "where the reader's fonts are used"
                ) from None


@contextmanager
def drawn_picture(height: float, title: str) -> Iterator[Picture]:
    """A picture to draw in, of a height in points."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports on its font cache
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_RC):
        figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, layout="constrained")
        yield Picture(figure, title)


@contextmanager
def picture(path: str | Path, height: float, title: str) -> Iterator[Figure]:
    """A figure to draw in, which is then written to its file."""
    require_picture(path)
    with drawn_picture(height, title) as drawn:
        yield drawn.figure
    drawn.save(path)


def plain_axes(axes: Axes, title: str) -> None:
    """A title, lines across, and no frame but the base line."""
    axes.set_title(title, color=INK, loc="left", fontsize=SIZE, fontweight="bold")
    axes.grid(axis="y", color=RULE, linewidth=0.8)
    axes.tick_params(length=3, width=0.8, labelsize=SIZE - 1, color=MUTED, labelcolor=MUTED)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
