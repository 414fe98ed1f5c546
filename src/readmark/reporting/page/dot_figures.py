"""Dot plots of the page: their axis, their dots, and what they show in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readmark.marking import Mark
from readmark.reporting.figures.dots import Axis, DotRow, dot_plot
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses
from readmark.reporting.page.layout import Figure
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import phrase


def marks_axis(name: Text, scale: float, values: Sequence[float]) -> Axis:
    """From nothing to everything where all values lie there; over the values otherwise."""
    if all(0 <= value <= scale for value in values):
        return Axis(name, 0.0, scale, digits=0 if scale >= 10 else 1)
    return Axis.covering(name, values)


def plotted(rows: Sequence[DotRow]) -> list[float]:
    """The numbers of all dots and intervals."""
    values = (v for row in rows for dot in row.dots for v in (dot.value, dot.low, dot.high))
    return [value for value in values if value is not None]


def dot_figure(
    section: Section,
    name: str,
    rows: Sequence[DotRow],
    axis: Axis,
    title: Text,
    words: Iterable[Text],
) -> Figure:
    """A dot plot under its title; ``words`` say what it shows to those who cannot see it."""
    name = f"p{section.number}-{name}".replace(".", "_")
    return Figure(dot_plot(name, rows, axis, title=title, description=clauses(words)), title)


def described(what: Text, mark: Mark, *, scale: float | None = None) -> Bilingual:
    """A mark in words, for those who cannot see the plot."""
    by = mark.scale if scale is None else scale
    score = numbers.mark(mark.score, by)
    if mark.low is None or mark.high is None:
        return phrase("plot.said", what=what, score=score)
    span: Text = phrase(
        "number.span", low=numbers.mark(mark.low, by), high=numbers.mark(mark.high, by)
    )
    span = numbers.with_count(span, mark.units)
    return phrase("plot.said_interval", what=what, score=score, interval=span)
