"""How results are shown: the base class of results, tables for a terminal, a notebook or a page.

Chinese widths are aligned, there is colour only where there is a terminal, and no line ends with
spaces.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import IO, Any, cast

import msgspec
from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from readmark.core.blocks import latex_console, markdown_console
from readmark.core.counts import counted as counted
from readmark.core.counts import plural as plural
from readmark.core.csv_text import SheetCell, csv_text
from readmark.core.errors import ReadmarkError
from readmark.core.notebook import html_console, html_line
from readmark.core.numbers import ABSENT as ABSENT
from readmark.core.printable import CONTROL, printable


class Result:
    """What a function returns and its command prints: a JSON document and a table."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Keep the inherited representation; ``@dataclass`` would list every field instead."""
        super().__init_subclass__(**arguments)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def as_json(self) -> Any:
        """The document that ``--json`` prints: all fields, where a result states no other."""
        return asdict(cast(Any, self))

    def show(self, console: Console) -> None:
        """Print the table that people read: the answer to the question that was asked."""
        raise NotImplementedError

    def show_full(self, console: Console) -> None:
        """Print everything there is, as ``--full`` does; most results have no more to show."""
        self.show(console)

    def as_text(self, *, full: bool = False) -> str:
        """What the command prints to a terminal of 80 columns."""
        return printed(self.show_full if full else self.show)

    def as_markdown(self, *, full: bool = False) -> str:
        """The same with tables in Markdown, as ``--format markdown`` prints it."""
        console = markdown_console()
        (self.show_full if full else self.show)(console)
        return console.text

    def as_latex(self, *, full: bool = False) -> str:
        """The tables in LaTeX with booktabs, as ``--format latex`` prints them."""
        console = latex_console()
        (self.show_full if full else self.show)(console)
        return console.text

    def as_csv(self) -> str:
        """The rows of ``to_frame()`` as CSV, which ``--format csv`` prints."""
        rows = self.table_rows()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        return csv_text(columns, [[_csv_cell(row.get(name)) for name in columns] for row in rows])

    def table_rows(self) -> list[dict[str, Any]]:
        """The rows of ``to_frame()``; a result that is not a table has one."""
        return [self.as_json()]

    def to_frame(self) -> Any:
        """The result as a pandas ``DataFrame``."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ReadmarkError("to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.table_rows())

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the tables and lines that the command prints, as HTML."""
        console = html_console()
        self.show(console)
        return console.text or html_line(str(self), is_dim=False)


def printed(show: Callable[[Console], None]) -> str:
    """What is printed to a console of 80 columns, as text."""
    text = io.StringIO()
    # In a notebook rich would display everything at once and leave the text empty, and a kernel
    # forces colours on every stream.
    console = Console(
        file=text,
        width=80,
        markup=False,
        highlight=False,
        emoji=False,
        no_color=True,
        force_terminal=False,
        force_jupyter=False,
    )
    show(console)
    return _TRAILING.sub("", text.getvalue()).rstrip()


def _csv_cell(value: Any) -> SheetCell:
    """A cell of a sheet: numbers stay numbers, and what is neither number nor text is JSON."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, type(None))):
        return msgspec.json.encode(value).decode()
    return value


LEAST_WIDTH = 40
"""Columns that are used at least: in fewer, no table can be read."""
GAP = 3
"""Columns between two columns of a table."""
SPAN = len("100.00–100.00")
"""Columns of a cell with an interval."""
LEAST_LABEL = 12
_TRAILING = re.compile(r"(?<![ \t])[ \t]+(?=\n)")
_WORD = re.compile(r"\s+|[A-Z]?[^A-Z\s_-]+[_-]?|[A-Z]+(?![a-z])[_-]?|.")


def fitting(names: Sequence[str], room: int, *, least: int = SPAN) -> Iterator[list[str]]:
    """Columns in groups that fit side by side, none below the ``least`` width of a cell."""
    for group in side_by_side([max(cell_len(name), least) for name in names], room):
        yield [names[index] for index in group]


def side_by_side(widths: Sequence[int], room: int, *, gap: int = GAP) -> Iterator[list[int]]:
    """The indexes of columns of some widths, in groups that fit into a room with their gaps."""
    group: list[int] = []
    used = 0
    for index, width in enumerate(widths):
        if group and used + width + gap > room:
            yield group
            group, used = [], 0
        group.append(index)
        used += width + gap
    if group:
        yield group


def broken_at_words(label: str, room: int) -> str:
    """A label in lines; a name such as ``awayTeamInGame`` is broken where a word begins."""
    lines = [""]
    for word in _WORD.findall(label):
        if lines[-1].strip() and cell_len(lines[-1] + word.rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.strip() for line in lines)


def headline(first: str, between: str, second: str, rest: str) -> Text:
    """A line with its two subjects in bold."""
    return Text.assemble((first, "bold"), between, (second, "bold"), rest)


class Quiet(Console):
    """A console whose reader may leave: the command still ends with its own exit status.

    Texts of others, such as a hall's or a test's, cannot steer the terminal.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is printed, without control characters; colours are added after this."""
        for segment in super().render(renderable, options):
            if segment.control is None and CONTROL.search(segment.text):
                yield Segment(printable(segment.text), segment.style)
            else:
                yield segment

    def on_broken_pipe(self) -> None:
        """Print nothing more; rich itself would exit here."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Trimmed:
    """A stream whose lines do not end with the spaces that pad a table's last column."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_TRAILING.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def make_console(*, stderr: bool = False) -> Console:
    """Standard output, or error; texts are printed as they are, whatever they look like."""
    stream = cast(IO[str], _Trimmed(sys.stderr if stderr else sys.stdout))
    console = Quiet(file=stream, markup=False, highlight=False, emoji=False, force_jupyter=False)
    if console.width < LEAST_WIDTH:
        console.width = LEAST_WIDTH
    return console


def plain_table(first: str, *columns: str) -> Table:
    """A table with a left-aligned first column and numbers to the right."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    return table


_PARTS = re.compile(r"\(*[^\s_(),=/.:;-]*(?:[\s_),=/.:;-]|(?<!\s)\()*")
"""A word with what is between it and the next one; a bracket after a space is the next's."""


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


def room_beside(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> int:
    """What columns with these headings and rows leave of the width for a first column of names."""
    cells = [[head, *column] for head, *column in zip(columns, *rows, strict=True)]
    lines = [[line for cell in column for line in cell.split("\n")] for column in cells]
    return width - sum(max(map(cell_len, column)) + GAP for column in lines)


def print_signatures(console: Console, signatures: Mapping[str, str]) -> None:
    """Print what decided the numbers: first what all metrics share, then the rest of each."""
    parts = {name: signature.split("|")[1:] for name, signature in signatures.items()}
    first, *others = parts.values()
    shared = [part for part in first if all(part in other for other in others)]
    console.print(f"signature {'|'.join(shared)}", style="dim", soft_wrap=True)
    for name, members in parts.items():
        rest = [part for part in members if part not in shared]
        if rest:
            console.print(f"  {name} {'|'.join(rest)}", style="dim", soft_wrap=True)


def print_registry(
    rows: Sequence[tuple[str, str]],
    console: Console | None = None,
    *,
    more: Mapping[str, str] | None = None,
) -> None:
    """Names and their lines, and ``more`` on some of them.

    A line wraps under its own text where the width is known; in a pipe each name has one line.
    """
    console = console or make_console()
    width = max((cell_len(name) for name, _ in rows), default=0) + 2
    wraps = console.is_terminal or "COLUMNS" in os.environ
    for name, summary in rows:
        texts = [Text(summary), Text((more or {}).get(name, ""), "dim")]
        if wraps:
            lines = [line for text in texts for line in text.wrap(console, console.width - width)]
        else:
            lines = [Text("  ").join(text for text in texts if text)]
        for index, line in enumerate(filter(None, lines)):
            first = name if index == 0 else ""
            padded = Text(first, "bold").append(" " * (width - cell_len(first)), "not bold")
            console.print(padded.append_text(line), soft_wrap=True)
