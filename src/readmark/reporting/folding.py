"""Long names over several lines, broken where their parts meet and not inside a word."""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells

_PARTS = re.compile(r"\(*[^\s_(),=/.:;-]*(?:[\s_),=/.:;-]|(?<!\s)\()*")
"""A word with what stands between it and the next one; a bracket after a space is the next's."""


def folded(name: str, width: int) -> str:
    """A name in lines of at most so many columns; a word that is longer than a line is cut."""
    if cell_len(name) <= width:
        return name
    lines = [""]
    for part in filter(None, _PARTS.findall(name)):
        if cell_len((lines[-1] + part).rstrip()) <= width:
            lines[-1] += part
            continue
        *whole, last = chop_cells(part, max(width, 2))
        lines += [*whole, last]
    return "\n".join(line.rstrip() for line in lines if line.strip())
