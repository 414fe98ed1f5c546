"""Marks by every field that is worth it, as dot-and-interval plots with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from readmark.marking.marks import FEW_CLUSTERS, JACKKNIFE
from readmark.marking.marksheets import ToldMark
from readmark.reporting.figures.dots import Dot, DotRow, both_label, dot_plot
from readmark.reporting.figures.svg import series
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import Marks, slices_of
from readmark.reporting.page.layout import Cell, Figure, Key, Part, Table, words_cell
from readmark.reporting.page.overall import described, known, marks_axis
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import Text, counted, joined, metric_words, named, noun, say

MOST_ROWS = 24

BySlice = Mapping[str, tuple[int, Marks]]


def sliced(section: Section) -> Part | None:
    """A plot a field, for every metric; None where no field tells units apart."""
    if not section.fields or not section.candidates:
        return None
    found = {
        field: [slices_of(one, field) for one in section.candidates] for field in section.fields
    }
    by_metric = [
        (metric, [_figure(section, metric, field, found[field]) for field in section.fields])
        for metric in section.metrics
    ]
    lead = [say("slices.lead", records=noun(section.kind.record_noun, several=True))]
    if any(_differ(found[field], section.metrics) for field in section.fields):
        lead.append(say("slices.most"))
    settings = section.sheets[0].settings
    if settings.interval != JACKKNIFE and any(map(_few, found.values())):
        records, way = noun(section.kind.record_noun, several=True), settings.interval
        lead.append(
            say("slices.few", few=FEW_CLUSTERS, records=records, interval=named("interval", way))
        )
    legend = candidates_key(section)
    return Part("slices", say("part.slices"), lead=lead, by_metric=by_metric, legend=legend)


def _few(found: Sequence[BySlice]) -> bool:
    """Whether an interval of a slice is made of few clusters."""
    every = (mark for slices in found for _, marks in slices.values() for mark in marks.values())
    return any(mark.low is not None and _is_few(mark.clusters) for mark in every)


def _is_few(clusters: int | None) -> bool:
    return clusters is not None and clusters < FEW_CLUSTERS


def _differ(found: Sequence[BySlice], metrics: Sequence[str]) -> bool:
    """Whether candidates' marks of a slice are of different numbers of units."""
    counts: dict[tuple[str, str], set[int]] = {}
    for slices in found:
        for label in slices:
            for metric in metrics:
                counts.setdefault((label, metric), set()).add(_units(slices, label, metric))
    return any(len(several) > 1 for several in counts.values())


def candidates_key(section: Section) -> list[Key]:
    """Every candidate with its look."""
    return [(one.label, series(at)) for at, one in enumerate(section.candidates)]


def labels_and_counts(found: Sequence[BySlice], metric: str | None = None) -> dict[str, int]:
    """The values of a field, in the candidates' order, with the most units any of them has.

    With a metric, the units are those that it counts.
    """
    counts: dict[str, int] = {}
    for slices in found:
        for label in slices:
            units = slices[label][0] if metric is None else _units(slices, label, metric)
            counts[label] = max(units, counts.get(label, 0))
    return counts


def _units(slices: BySlice, label: str, metric: str) -> int:
    """How many units of a slice a metric counts."""
    own = _mark(slices, label, metric).units
    return slices[label][0] if own is None else own


def largest(counts: Mapping[str, int]) -> list[str]:
    """The values that a plot has room for: all, or those with most units, in order."""
    if len(counts) <= MOST_ROWS:
        return list(counts)
    kept = set(sorted(counts, key=lambda label: -counts[label])[:MOST_ROWS])
    return [label for label in counts if label in kept]


def _figure(section: Section, metric: str, field: str, found: Sequence[BySlice]) -> Figure:
    scale = section.scale(metric)
    counts = labels_and_counts(found, metric)
    shown = largest(counts)
    rows, told = [], []
    for label in shown:
        dots = []
        for at, slices in enumerate(found):
            mark = _mark(slices, label, metric)
            dots.append(Dot(series(at), mark.score, mark.low, mark.high))
            # A count of its own is told only where it is not the one the label has.
            own = None if mark.units == counts[label] else mark.units
            mark = msgspec.structs.replace(mark, units=own)
            what = _what(section, at, label, counts[label])
            told.append(described(what, mark, scale=scale))
        rows.append(DotRow(both_label(label), dots, counts[label]))
    values = [value for row in rows for dot in row.dots for value in known(dot)]
    caption = say("slices.by", field=named("field", field))
    title = say("slices.title", metric=metric_words(metric), field=named("field", field))
    name = f"p{section.number}-{_slug(section, metric, field)}"
    svg = dot_plot(
        name,
        rows,
        marks_axis(metric_words(metric), scale, values),
        title=title,
        description=joined(told, en="; ", zh="；"),
    )
    note = None
    if len(shown) < len(counts):
        note = say("slices.cut", shown=len(shown), all=len(counts))
    table = _table(section, metric, field, found, counts)
    return Figure(svg, caption, table=table, note=note)


def _slug(section: Section, metric: str, field: str) -> str:
    """A name of letters and figures alone, whatever fields are called."""
    return f"m{section.metrics.index(metric)}-f{list(section.fields).index(field)}"


def _mark(slices: BySlice, label: str, metric: str) -> ToldMark:
    return slices[label][1].get(metric, ToldMark()) if label in slices else ToldMark()


def _what(section: Section, at: int, label: str, count: int) -> Text:
    units = counted(count, section.kind.unit_noun)
    name = section.candidates[at].label
    return say("slices.what", label=both_label(label), units=units, candidate=name)


def _table(
    section: Section, metric: str, field: str, found: Sequence[BySlice], counts: Mapping[str, int]
) -> Table:
    scale = section.scale(metric)
    head = [
        words_cell(named("field", field)),
        Cell(noun(section.kind.unit_noun, several=True)),
        *(Cell(one.label, look=series(at)) for at, one in enumerate(section.candidates)),
    ]
    rows = []
    for label in counts:
        cells = [words_cell(both_label(label)), Cell(f"{counts[label]:,}")]
        for slices in found:
            mark = _mark(slices, label, metric)
            under: Text = numbers.interval(mark.low, mark.high, scale)
            own = _units(slices, label, metric) if label in slices else counts[label]
            under = numbers.with_count(under, own if own != counts[label] else None)
            cells.append(Cell(numbers.mark(mark.score, scale), under=under))
        rows.append(cells)
    caption = say("slices.title", metric=metric_words(metric), field=named("field", field))
    return Table(caption, head, rows)
