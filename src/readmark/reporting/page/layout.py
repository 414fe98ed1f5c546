"""What a part of the page is made of: sentences, plots and tables, in both languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from readmark.core.numbers import ABSENT, decimal
from readmark.reporting.figures.looks import Look
from readmark.reporting.page.bilingual import Text


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: a text, a smaller line under it, and a candidate's sign before it."""

    text: Text
    under: Text | None = None
    look: Look | None = None
    number: bool = True
    strong: bool = False
    href: str | None = None
    """The units that it counts, in the answer browser."""
    shade: float | None = None
    """From 0 to 1: how dark the cell of a matrix is."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under their heads; the first cell of a row is its head."""

    caption: Text
    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]

    @classmethod
    def of(
        cls, caption: str, head: Sequence[str], rows: Iterable[Sequence[str | float | None]]
    ) -> Table:
        """A table of texts and numbers; numbers have two decimals unless they are whole."""
        return cls(caption, [Cell(text) for text in head], [list(map(_cell, row)) for row in rows])


Key = tuple[Text, Look]
"""What a plot's colour and shape mean."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot with its caption and the numbers behind it; a figure may be numbers alone."""

    svg: str | None
    caption: Text
    table: Table | None = None
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two texts side by side under a head, such as a derivation and its passage."""

    head: Text
    signs: Sequence[tuple[Text, Look]]
    """The candidates that it is from."""
    label: Text
    """What became of it."""
    about: Sequence[Text]
    """Small lines under the head."""
    left: Markup
    right: Markup


@dataclass(frozen=True, slots=True)
class Part:
    """A headed part of a section; groups are shown one at a time, by the metric chosen.

    Parts are folded: ``gist`` is what the closed part says under its title.
    """

    name: str
    title: Text
    lead: Sequence[Text] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    by_metric: Sequence[tuple[str, Sequence[Figure]]] = ()
    notes: Sequence[Text] = ()
    legend: Sequence[Key] = ()
    """The candidates in the plots, where these do not name them."""
    side_by_side: Sequence[SideBySide] = ()
    gist: Text | None = None


def words_cell(
    text: Text, *, look: Look | None = None, under: Text | None = None, href: str | None = None
) -> Cell:
    """A cell of words, to the left."""
    return Cell(text, under=under, look=look, number=False, href=href)


def _cell(value: str | float | None) -> Cell:
    if value is None:
        return Cell(ABSENT)
    if isinstance(value, str):
        return words_cell(value)
    return Cell(f"{value:,}" if isinstance(value, int) else decimal(value))
