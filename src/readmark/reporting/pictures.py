"""Question types and levels as a picture: CMRC 2018's Figure 2 and SMART's Table 1 in bars.

One file, SVG or PNG, that stands alone. In an SVG texts stay texts, in a font of the reader's
choice; in a PNG they are drawn here, so a font must have their characters.
"""

from __future__ import annotations

from pathlib import Path

from readmark.core.errors import UsageError

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
