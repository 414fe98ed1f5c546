"""The marks by every field that is worth it, as dot-and-interval plots with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.core.labels import ABSENT
from readmark.marking import Mark, PeopleSlice, Slice
from readmark.reporting.figures.dots import Dot, DotRow
from readmark.reporting.page import words as numbers
from readmark.reporting.page.dot_figures import described, dot_figure, marks_axis, plotted
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sliced_fields import LARGE_RECORDS, LARGE_UNITS
from readmark.reporting.page.words import (
    Text,
    counted,
    joined,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    value_words,
)
from readmark.statistics.interval_methods import FEW_CLUSTERS, JACKKNIFE

MOST_ROWS = 24
FEWEST_UNITS = 5
"""A slice of fewer is in the table alone: its mark says next to nothing."""

BySlice = Mapping[str, Slice]


def slices_section(shown: SectionData) -> Part | None:
    """One plot per field, for every metric; None where no field divides the units."""
    section = shown.section
    if not section.fields or not section.candidates:
        return None
    found = {
        field: [candidate.sheet.slices(field) for candidate in section.candidates]
        for field in section.fields
    }
    gaps = {metric: _gaps(section, metric, found) for metric in section.metrics}
    by_metric = [
        (
            metric,
            [
                _figure(section, metric, field, found[field])
                for field in dict.fromkeys([*(gap.field for gap in gaps[metric]), *section.fields])
            ],
        )
        for metric in section.metrics
    ]
    lead = [phrase("slices.lead", records=noun(section.kind.record_noun, several=True))]
    tables = []
    if main := gaps[section.main]:
        tables.append(_gaps_table(section, main))
        lead.append(
            phrase(
                "slices.gaps_lead",
                units=counted(LARGE_UNITS, section.kind.unit_noun),
                records=counted(LARGE_RECORDS, section.kind.record_noun),
            )
        )
    if any(_differ(found[field], section.metrics) for field in section.fields):
        lead.append(phrase("slices.most"))
    settings = section.sheets[0].settings
    if settings.interval != JACKKNIFE and any(map(_few, found.values())):
        records, way = noun(section.kind.record_noun, several=True), settings.interval
        lead.append(
            phrase("slices.few", few=FEW_CLUSTERS, records=records, interval=named("interval", way))
        )
    if section.sliced.single:
        hidden = listed(named("field", field) for field in section.sliced.single)
        lead.append(phrase("slices.single", fields=hidden))
    return Part(
        "slices",
        phrase("part.slices"),
        lead=lead,
        tables=tables,
        by_metric=by_metric,
        legend=section.legend,
        gist=listed(named("field", field) for field in section.fields),
    )


@dataclass(frozen=True, slots=True)
class SliceGap:
    """How far a candidate's marks of the slices of a field are apart."""

    field: str
    index: int
    """The candidate's."""
    lowest: str
    highest: str
    size: float
    slices: BySlice


MOST_GAPS = 12


def _gaps(section: Section, metric: str, found: Mapping[str, Sequence[BySlice]]) -> list[SliceGap]:
    """The gaps of every field and candidate between slices that are large, the largest first."""
    gaps = []
    for field, by_candidate in found.items():
        for index, slices in enumerate(by_candidate):
            scores = {
                label: score
                for label in slices
                if label != ABSENT and (score := _large_score(slices, label, metric)) is not None
            }
            if len(scores) > 1:
                lowest, highest = (
                    min(scores, key=scores.__getitem__),
                    max(scores, key=scores.__getitem__),
                )
                size = scores[highest] - scores[lowest]
                gaps.append(SliceGap(field, index, lowest, highest, size, slices))
    return sorted(gaps, key=lambda gap: -gap.size)


def _large_score(slices: BySlice, label: str, metric: str) -> float | None:
    """The mark of a slice; None if too few units or records make it."""
    mark = _mark(slices, label, metric)
    is_large = _units(slices, label, metric) >= LARGE_UNITS and (
        mark.clusters is None or mark.clusters >= LARGE_RECORDS
    )
    return mark.score if is_large else None


def _gaps_table(section: Section, gaps: Sequence[SliceGap]) -> Table:
    """The lowest and the highest slice of each field, with the two main marks of both."""
    metrics = list(dict.fromkeys([section.main, *section.metrics]))[:2]
    several = len(section.candidates) > 1

    def cell(gap: SliceGap, label: str) -> Cell:
        marks = [
            phrase(
                "slices.mark",
                metric=metric_words(metric),
                score=numbers.mark(_mark(gap.slices, label, metric).score, section.scale(metric)),
            )
            for metric in metrics
        ]
        units = counted(_units(gap.slices, label, section.main), section.kind.unit_noun)
        href = section.link(gap.field, label)
        return words_cell(value_words(gap.field, label), under=joined([*marks, units]), href=href)

    rows = [
        [
            words_cell(named("field", gap.field)),
            *(
                [
                    words_cell(
                        section.candidates[gap.index].label, look=section.candidates[gap.index].look
                    )
                ]
                if several
                else []
            ),
            cell(gap, gap.lowest),
            cell(gap, gap.highest),
            Cell(numbers.mark(gap.size, section.scale(section.main)), strong=True),
        ]
        for gap in gaps[:MOST_GAPS]
    ]
    heads = ["field", *(["candidate"] if several else []), "lowest", "highest"]
    head = [words_cell(phrase(f"head.{name}")) for name in heads]
    caption = phrase("slices.gaps", metric=metric_words(section.main))
    return Table(caption, [*head, Cell(phrase("head.gap"))], rows)


def _few(found: Sequence[BySlice]) -> bool:
    """Whether an interval of a slice is made of few clusters."""
    every = (mark for slices in found for part in slices.values() for mark in part.marks.values())
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


def labels_and_counts(found: Sequence[Mapping[str, Slice | PeopleSlice]]) -> dict[str, int]:
    """The values of a field, in the candidates' order, with the most units any of them has."""
    counts: dict[str, int] = {}
    for slices in found:
        for label, part in slices.items():
            counts[label] = max(part.units, counts.get(label, 0))
    return counts


def _labels_and_counted(found: Sequence[BySlice], metric: str) -> dict[str, int]:
    """The same with the units that a metric counts."""
    counts: dict[str, int] = {}
    for slices in found:
        for label in slices:
            counts[label] = max(_units(slices, label, metric), counts.get(label, 0))
    return counts


def _units(slices: BySlice, label: str, metric: str) -> int:
    """How many units of a slice a metric counts."""
    own = _mark(slices, label, metric).units
    return slices[label].units if own is None else own


def largest(counts: Mapping[str, int]) -> list[str]:
    """The values that a plot shows, in order: those of five units or more, the most numerous."""
    enough = [label for label in counts if counts[label] >= FEWEST_UNITS]
    largest = set(sorted(enough, key=lambda label: -counts[label])[:MOST_ROWS])
    return [label for label in enough if label in largest]


def _figure(section: Section, metric: str, field: str, found: Sequence[BySlice]) -> Figure:
    scale = section.scale(metric)
    counts = _labels_and_counted(found, metric)
    shown = largest(counts)
    rows, boths = [], []
    for label in shown:
        dots = []
        for index, slices in enumerate(found):
            mark = _mark(slices, label, metric)
            text, href = numbers.mark(mark.score, scale), section.link(field, label)
            dots.append(
                Dot(section.candidates[index].look, mark.score, mark.low, mark.high, text, href)
            )
            # A count of its own is shown only where it is not the one the label has.
            own = None if mark.units == counts[label] else mark.units
            mark = replace(mark, units=own)
            what = _what(section, index, value_words(field, label), counts[label])
            boths.append(described(what, mark, scale=scale))
        rows.append(DotRow(value_words(field, label), dots, counts[label]))
    title = phrase("slices.title", metric=metric_words(metric), field=named("field", field))
    axis = marks_axis(metric_words(metric), scale, plotted(rows))
    made = dot_figure(section, _slug(section, metric, field), rows, axis, title, boths)
    return replace(
        made,
        svg=made.svg if rows else None,
        caption=field_caption(section, field),
        table=_table(section, metric, field, found, counts),
        note=cut_note(section, shown, counts),
    )


def field_caption(section: Section, field: str) -> Text:
    """What a figure is sliced by, and which other fields would give the same slices."""
    caption = phrase("slices.by", field=named("field", field))
    others = section.sliced.alike.get(field)
    if not others:
        return caption
    names = listed(named("field", other) for other in others)
    return joined([caption, phrase("slices.alike", fields=names)], en=" ", zh="")


def cut_note(section: Section, shown: Sequence[str], counts: Mapping[str, int]) -> Text | None:
    """Which values a plot leaves to its table."""
    if len(shown) == len(counts):
        return None
    if len(shown) == MOST_ROWS:
        return phrase("slices.cut", shown=len(shown), all=len(counts))
    units = noun(section.kind.unit_noun, several=True)
    return phrase("slices.small", count=len(counts) - len(shown), few=FEWEST_UNITS, units=units)


def _slug(section: Section, metric: str, field: str) -> str:
    """A name of letters and figures alone, whatever fields are called."""
    return f"m{section.metrics.index(metric)}-f{list(section.fields).index(field)}"


def _mark(slices: BySlice, label: str, metric: str) -> Mark:
    return slices[label].marks.get(metric, Mark()) if label in slices else Mark()


def _what(section: Section, at: int, label: Text, count: int) -> Text:
    units = counted(count, section.kind.unit_noun)
    name = section.candidates[at].label
    return phrase("slices.what", label=label, units=units, candidate=name)


def _table(
    section: Section, metric: str, field: str, found: Sequence[BySlice], counts: Mapping[str, int]
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
        for slices in found:
            mark = _mark(slices, label, metric)
            under: Text = numbers.interval(mark.low, mark.high, scale)
            own = _units(slices, label, metric) if label in slices else counts[label]
            under = numbers.with_count(under, own if own != counts[label] else None)
            cells.append(Cell(numbers.mark(mark.score, scale), under=under))
        rows.append(cells)
    caption = phrase("slices.title", metric=metric_words(metric), field=named("field", field))
    return Table(caption, head, rows)
