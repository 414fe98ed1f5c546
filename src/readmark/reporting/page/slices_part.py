"""The marks by every field that is worth it, as dot-and-interval plots with counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from readmark.reporting.figures.dots import Dot, DotRow
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Text
from readmark.reporting.page.dot_figures import described, dot_figure, marks_axis, plotted
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.slice_gaps import gaps_table, slice_gaps
from readmark.reporting.page.slice_rows import (
    BySlice,
    cut_note,
    field_caption,
    labels_and_counted,
    largest,
    slice_mark,
    slice_units,
)
from readmark.reporting.page.sliced_fields import LARGE_RECORDS, LARGE_UNITS
from readmark.reporting.page.words import listed, named, phrase, value_words
from readmark.statistics.interval_methods import FEW_CLUSTERS, JACKKNIFE


def slices_section(data: SectionData) -> Part | None:
    """One plot per field, for every metric; None where no field divides the units."""
    section = data.section
    if not section.fields or not section.candidates:
        return None
    slices = {
        field: [candidate.sheet.slices(field) for candidate in section.candidates]
        for field in section.fields
    }
    gaps = {metric: slice_gaps(section, metric, slices) for metric in section.metrics}
    by_metric = []
    for metric in section.metrics:
        widest_first = dict.fromkeys([*(gap.field for gap in gaps[metric]), *section.fields])
        figures = [_figure(section, metric, field, slices[field]) for field in widest_first]
        by_metric.append((metric, figures))
    tables = [gaps_table(section, gaps[section.main])] if gaps[section.main] else []
    return Part(
        "slices",
        phrase("part.slices"),
        lead=_lead(section, slices, has_gaps=bool(tables)),
        tables=tables,
        by_metric=by_metric,
        legend=section.legend,
        gist=listed(named("field", field) for field in section.fields),
    )


def _lead(
    section: Section, slices: Mapping[str, Sequence[BySlice]], *, has_gaps: bool
) -> list[Text]:
    """How to read the plots, and what limits their intervals."""
    records = noun(section.kind.record_noun, several=True)
    lead: list[Text] = [*_standing_out(section), phrase("slices.lead", records=records)]
    if has_gaps:
        lead.append(
            phrase(
                "slices.gaps_lead",
                units=counted(LARGE_UNITS, section.kind.unit_noun),
                records=counted(LARGE_RECORDS, section.kind.record_noun),
            )
        )
    if any(_differ(slices[field], section.metrics) for field in section.fields):
        lead.append(phrase("slices.most"))
    interval = section.sheets[0].settings.interval
    if interval != JACKKNIFE and any(map(_has_few_clusters, slices.values())):
        way = named("interval", interval)
        lead.append(phrase("slices.few", few=FEW_CLUSTERS, records=records, interval=way))
    if section.sliced.single:
        hidden = listed(named("field", field) for field in section.sliced.single)
        lead.append(phrase("slices.single", fields=hidden))
    return lead


def _standing_out(section: Section) -> Iterator[Text]:
    """For each candidate, the slices that differ most from all other units, or that none does."""
    for candidate in section.candidates:
        differing = candidate.sheet.recorded.differing
        if differing is None:
            continue
        looked_at = f"{differing.looked_at:,}"
        if not differing.slices:
            yield phrase("slices.none_out", candidate=candidate.label, looked_at=looked_at)
        for part in differing.largest:
            scale = differing.scale
            yield phrase(
                "slices.stands_out",
                candidate=candidate.label,
                field=named("field", part.field),
                value=value_words(part.field, part.value),
                metric=metric_words(differing.metric),
                score=numbers.mark(part.score, scale),
                rest=numbers.mark(part.rest, scale),
                difference=numbers.mark(part.difference, scale, signed=True),
                interval=numbers.interval(part.low, part.high, scale, signed=True),
                units=counted(part.units, section.kind.unit_noun),
                looked_at=looked_at,
            )


def _has_few_clusters(by_candidate: Sequence[BySlice]) -> bool:
    """Whether an interval of a slice is made of few clusters."""
    return any(
        mark.low is not None and mark.clusters is not None and mark.clusters < FEW_CLUSTERS
        for slices in by_candidate
        for part in slices.values()
        for mark in part.marks.values()
    )


def _differ(by_candidate: Sequence[BySlice], metrics: Sequence[str]) -> bool:
    """Whether candidates' marks of a slice are of different numbers of units."""
    counts: dict[tuple[str, str], set[int]] = {}
    for slices in by_candidate:
        for label in slices:
            for metric in metrics:
                counts.setdefault((label, metric), set()).add(slice_units(slices, label, metric))
    return any(len(distinct) > 1 for distinct in counts.values())


def _figure(section: Section, metric: str, field: str, by_candidate: Sequence[BySlice]) -> Figure:
    """A row for each large slice, a dot for each candidate; the table has all slices."""
    scale = section.scale(metric)
    counts = labels_and_counted(by_candidate, metric)
    labels = largest(counts)
    rows, words = [], []
    for label in labels:
        value = value_words(field, label)
        units = counted(counts[label], section.kind.unit_noun)
        dots = []
        for candidate, slices in zip(section.candidates, by_candidate, strict=True):
            mark = slice_mark(slices, label, metric)
            text, href = numbers.mark(mark.score, scale), section.link(field, label)
            dots.append(Dot(candidate.look, mark.score, mark.low, mark.high, text, href))
            what = phrase("slices.what", label=value, units=units, candidate=candidate.label)
            # The words name the label's count already: a mark's is said where it is another.
            count = None if mark.units == counts[label] else mark.units
            words.append(described(what, replace(mark, units=count), scale=scale))
        rows.append(DotRow(value, dots, counts[label]))
    title = phrase("slices.title", metric=metric_words(metric), field=named("field", field))
    axis = marks_axis(metric_words(metric), scale, plotted(rows))
    # Numbers instead of names: a field may be called anything, and an element's id may not.
    slug = f"m{section.metrics.index(metric)}-f{list(section.fields).index(field)}"
    figure = dot_figure(section, slug, rows, axis, title, words)
    return replace(
        figure,
        svg=figure.svg if rows else None,
        caption=field_caption(section, field),
        table=_table(section, metric, field, by_candidate, counts),
        note=cut_note(section, labels, counts),
    )


def _table(
    section: Section,
    metric: str,
    field: str,
    by_candidate: Sequence[BySlice],
    counts: Mapping[str, int],
) -> Table:
    scale = section.scale(metric)
    head = [
        words_cell(named("field", field)),
        Cell(noun(section.kind.unit_noun, several=True)),
        *(Cell(candidate.label, look=candidate.look) for candidate in section.candidates),
    ]
    rows = []
    for label in counts:
        href = section.link(field, label)
        cells = [words_cell(value_words(field, label), href=href), Cell(f"{counts[label]:,}")]
        for slices in by_candidate:
            mark = slice_mark(slices, label, metric)
            under: Text = numbers.interval(mark.low, mark.high, scale)
            units = slice_units(slices, label, metric) if label in slices else counts[label]
            under = numbers.with_count(under, units if units != counts[label] else None)
            cells.append(Cell(numbers.mark(mark.score, scale), under=under))
        rows.append(cells)
    caption = phrase("slices.title", metric=metric_words(metric), field=named("field", field))
    return Table(caption, head, rows)
