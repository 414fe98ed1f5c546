"""What a part of the page is made of: sentences, plots and tables, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from readmark.reporting.figures.canvas import Look
from readmark.reporting.page.words import Text


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: a text, a smaller line under it, and a candidate's sign before it."""

    text: Text
    under: Text | None = None
    look: Look | None = None
    number: bool = True
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under their heads; the first cell of a row is its head."""

    caption: Text
    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]


Key = tuple[Text, Look]
"""What a plot's colour and shape mean."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot with its caption and the numbers behind it."""

    svg: str
    caption: Text
    table: Table | None = None
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two texts side by side under a head, such as a derivation and its passage."""

    head: Text
    signs: Sequence[tuple[Text, Look]]
    """Whose it is."""
    label: Text
    """What became of it."""
    about: Sequence[Text]
    """Small lines under the head."""
    left: Markup
    right: Markup


@dataclass(frozen=True, slots=True)
class Part:
    """A headed part of a section; groups are shown one at a time, by the metric chosen."""

    name: str
    title: Text
    lead: Sequence[Text] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    by_metric: Sequence[tuple[str, Sequence[Figure]]] = field(default=())
    notes: Sequence[Text] = ()
    legend: Sequence[Key] = ()
    """Who is in the plots, when they do not say so themselves."""
    side_by_side: Sequence[SideBySide] = ()


def words_cell(text: Text, *, look: Look | None = None, under: Text | None = None) -> Cell:
    """A cell of words, to the left."""
    return Cell(text, under=under, look=look, number=False)
