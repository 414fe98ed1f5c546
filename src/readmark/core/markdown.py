"""Tables and paragraphs as Markdown, for pages and ``--format markdown``."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
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


class MarkdownConsole(Console):
    """A console that collects what is printed as Markdown: tables, and paragraphs between them."""

    def __init__(self) -> None:
        super().__init__(file=io.StringIO(), width=10_000, markup=False, highlight=False)
        self._blocks: list[str] = []

    @property
    def text(self) -> str:
        """Everything that was printed, one blank line between blocks."""
        return "\n".join(self._blocks)

    def print(self, *objects: Any, style: Any = None, **_: Any) -> None:
        """Collect tables and lines; what a terminal shows dimmed, such as signatures, is code."""
        for block in objects:
            if isinstance(block, Table):
                self._blocks.append(_table_as_markdown(block))
            elif style == "dim":
                self._blocks.append(f"`{str(block).strip()}`\n")
            elif text := _paragraph(block).strip():
                self._blocks.append(f"{text}\n")

    def out(self, *objects: Any, **_: Any) -> None:
        """Collect lines."""
        self.print(*objects)


def _paragraph(line: Any) -> str:
    """A line with its bold parts."""
    if not isinstance(line, Text):
        return _markdown(str(line))
    plain, end, parts = line.plain, 0, []
    for span in sorted(line.spans, key=lambda span: span.start):
        if span.style == "bold" and span.start >= end:
            parts.append(_markdown(plain[end : span.start]))
            parts.append(f"**{_markdown(plain[span.start : span.end])}**")
            end = span.end
    return "".join([*parts, _markdown(plain[end:])])


def _table_as_markdown(table: Table) -> str:
    columns = [[_plain(column.header), *map(_plain, column.cells)] for column in table.columns]
    words = sum(column.justify != "right" for column in table.columns)
    heads, *rows = zip(*columns, strict=True)
    return markdown_table([head.strip() for head in heads], rows, words=words)


def _plain(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
