"""Tables and paragraphs as Markdown, for pages and ``--format markdown``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.text import Text

_MARKUP = re.compile(r"[\\`*\[\]]|<(?=[A-Za-z/!])|(?<!\w)_|_(?!\w)")
"""What Markdown would take for markup, outside a table."""


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """A pipe table: the first columns hold words, the others numbers, aligned to the right."""
    rule = ["---" if index < words else "---:" for index in range(len(heads))]
    escaped = [[_markdown(cell).replace("|", "\\|") for cell in row] for row in (heads, *rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (escaped[0], rule, *escaped[1:]))


def _markdown(text: str) -> str:
    """Text as Markdown shows it unchanged; lines of a cell stay lines."""
    return _MARKUP.sub(lambda sign: f"\\{sign[0]}", text).replace("\n", "<br>")


def markdown_line(line: str | Text, *, is_dim: bool) -> str:
    """A line with its bold parts; what a terminal shows dimmed, such as signatures, is code."""
    if is_dim:
        return f"`{str(line).strip()}`\n"
    text = _paragraph(line).strip()
    return f"{text}\n" if text else ""


def _paragraph(line: str | Text) -> str:
    if isinstance(line, str):
        return _markdown(line)
    plain, end, parts = line.plain, 0, []
    for span in sorted(line.spans, key=lambda span: span.start):
        if span.style == "bold" and span.start >= end:
            parts.append(_markdown(plain[end : span.start]))
            parts.append(f"**{_markdown(plain[span.start : span.end])}**")
            end = span.end
    return "".join([*parts, _markdown(plain[end:])])
