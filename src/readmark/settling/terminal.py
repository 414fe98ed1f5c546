"""Disagreements as a terminal shows them."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text


def show_versions(console: Console, title: str, about: str, lines: Mapping[str, str]) -> None:
    """A disagreement in a terminal: its id and labelled lines, wrapped; empty ones are left out."""
    console.print(Text(title, "bold").append(f"  {about}", "not bold"))
    width = max(map(cell_len, lines))
    for label, text in lines.items():
        if not text:
            continue
        head = label + " " * (width - cell_len(label))
        for part in Text(text).wrap(console, max(20, console.width - width - 4)):
            part.rstrip()
            console.print(Text(f"  {head}  ", "dim").append(part))
            head = " " * width  # the label is before the first line only
