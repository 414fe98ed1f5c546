"""What a result prints as blocks of a markup language: its tables, and the lines between them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from readmark.core.latex import latex_comment, latex_table
from readmark.core.markdown import markdown_line, markdown_table


class WriteTable(Protocol):
    """Writes a table whose first columns hold words, and the others numbers."""

    def __call__(
        self, heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int
    ) -> str: ...


class WriteLine(Protocol):
    """Writes a line that stands between tables; nothing where it has no text."""

    def __call__(self, line: str | Text, *, is_dim: bool) -> str: ...


class BlockConsole(Console):
    """A console that collects what is printed as blocks."""

    def __init__(self, table: WriteTable, line: WriteLine) -> None:
        super().__init__(
            file=io.StringIO(),
            width=10_000,
            markup=False,
            highlight=False,
            force_terminal=False,
            force_jupyter=False,
        )
        self._table, self._line = table, line
        self._blocks: list[str] = []

    @property
    def text(self) -> str:
        """Everything that was printed, one blank line between blocks."""
        return "\n".join(self._blocks)

    def print(self, *objects: Any, style: Any = None, **_: Any) -> None:
        """Collect tables and lines."""
        for block in objects:
            if isinstance(block, Padding):  # an indent that a terminal wraps under
                block = block.renderable
            if isinstance(block, Table):
                self._blocks.append(self._written(block))
                continue
            line = block if isinstance(block, Text) else str(block)
            if text := self._line(line, is_dim=style == "dim"):
                self._blocks.append(text)

    def out(self, *objects: Any, **_: Any) -> None:
        """Collect lines."""
        self.print(*objects)

    def _written(self, table: Table) -> str:
        columns = [[_plain(column.header), *map(_plain, column.cells)] for column in table.columns]
        words = sum(column.justify != "right" for column in table.columns)
        heads, *rows = zip(*columns, strict=True)
        return self._table([head.strip() for head in heads], rows, words=words)


def markdown_console() -> BlockConsole:
    """A console that collects Markdown."""
    return BlockConsole(markdown_table, markdown_line)


def latex_console() -> BlockConsole:
    """A console that collects tables of LaTeX, and lines as comments between them."""
    return BlockConsole(latex_table, lambda line, *, is_dim: latex_comment(str(line)))


def _plain(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
