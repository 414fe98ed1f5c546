"""The marks of everybody with their intervals, and the differences between candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.unvalidated import SIGN, unvalidated
from readmark.marking import Mark
from readmark.reporting.figures.dots import Dot, DotRow
from readmark.reporting.figures.looks import PEOPLE, Look
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Text, joined
from readmark.reporting.page.differences import (
    difference_figure,
    difference_notes,
    difference_table,
    disagreements,
)
from readmark.reporting.page.dot_figures import described, dot_figure, marks_axis, plotted
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.links import units_link
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import listed, named, phrase, phrase_html
from readmark.statistics.interval_methods import FEW_CLUSTERS, JACKKNIFE, VERY_FEW


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate, or people by one method, with their marks by metric."""

    name: Text
    look: Look
    marks: Mapping[str, Mark]
    answered: str
    """How many units were answered, in figures."""


def marks_section(data: SectionData) -> Part:
    """Table and plot of the marks; table and plot of the differences where there are several."""
    section, compared = data.section, data.compared
    everyone = _everyone(section)
    axes = _by_axis(section)
    tables = [_marks_table(section, everyone)]
    figures = [
        _marks_figure(section, everyone, metrics, index) for index, metrics in enumerate(axes)
    ]
    notes: list[Text] = []
    if any(mark.units is not None for row in everyone for mark in row.marks.values()):
        notes.append(phrase("table.fewer", units=noun(section.kind.unit_noun, several=True)))
    notes += _interval_notes(section, everyone)
    if any(unvalidated(sheet.header.metrics) for sheet in section.sheets):
        notes.append(phrase("table.unvalidated", sign=SIGN))
    if compared.by_metric:
        tables.append(difference_table(section, compared))
        figures += [
            difference_figure(section, compared, metrics, index)
            for index, metrics in enumerate(axes)
            if any(metric in compared.by_metric for metric in metrics)
        ]
        notes += difference_notes(section, compared)
        for metric in compared.by_metric:
            if metric != section.main:  # the main one's stand at the top of the section
                notes += disagreements(section, compared, metric)
    if section.candidates and any(
        person.recorded.method == LEAVE_ONE_OUT for person in section.people
    ):
        notes.append(section.people_words(LEAVE_ONE_OUT, "not_alike"))
    if data.people and all(person.method is None for person in data.people):
        notes.append(people_phrase(section.test, None, "nobody"))
    for (candidate, reason), metrics in compared.obstacles().items():
        notes.append(
            phrase_html(
                f"compare.refused_{reason}",
                metrics=listed(metric_words(metric) for metric in metrics),
                candidate=section.label(candidate),
            )
        )
    legend = [(row.name, row.look) for row in everyone]
    return Part(
        "marks", phrase("part.marks"), tables=tables, figures=figures, notes=notes, legend=legend
    )


def _interval_notes(section: Section, everyone: Sequence[_Row]) -> list[Text]:
    """What there is to know of intervals of few clusters, and of marks that have none."""
    nouns = noun(section.kind.record_noun, several=True)
    how = section.sheets[0].settings.interval
    marks = {metric: mark for row in everyone for metric, mark in row.marks.items()}
    counts = [candidate.sheet.clusters for candidate in section.candidates]
    counts += [mark.clusters for mark in marks.values() if mark.clusters is not None]
    fewest = min(counts, default=FEW_CLUSTERS)
    notes: list[Text] = []
    if how != JACKKNIFE and 1 < fewest < FEW_CLUSTERS:
        way = named("interval", how)
        notes.append(
            phrase("table.few", count=f"{fewest:,}", records=nouns, few=FEW_CLUSTERS, interval=way)
        )
    if how == JACKKNIFE and 1 < fewest < VERY_FEW:
        notes.append(phrase("table.very_few", count=f"{fewest:,}", records=nouns))
    if how == JACKKNIFE and fewest > 1:
        without = [
            metric_words(metric)
            for metric, mark in marks.items()
            if mark.score is not None and mark.low is None
        ]
        if without:
            notes.append(phrase("table.no_interval", metrics=listed(without), records=nouns))
    return notes


def _everyone(section: Section) -> list[_Row]:
    """Candidates, then people's own marksheets."""
    rows = []
    for candidate in section.candidates:
        recorded = candidate.sheet.recorded
        count = recorded.units - len(recorded.unanswered) - len(recorded.errors)
        answered = f"{count:,} / {recorded.units:,}"
        rows.append(_Row(candidate.label, candidate.look, recorded.marks, answered))
    for sheet in section.people:
        method = sheet.recorded.method
        name = section.people_words(method, "row", method=named("method", method or ""))
        rows.append(_Row(name, PEOPLE, sheet.recorded.marks, f"{sheet.recorded.units:,}"))
    return rows


def _marks_table(section: Section, everyone: Sequence[_Row]) -> Table:
    head = [words_cell(phrase("head.candidate"))]
    for metric in section.metrics:
        lower = phrase("head.lower") if section.lower_is_better(metric) else None
        head.append(Cell(metric_words(metric), under=lower))
    head.append(Cell(phrase("head.answered", units=noun(section.kind.unit_noun, several=True))))
    rows = []
    for row in everyone:
        cells = [words_cell(row.name, look=row.look)]
        for metric in section.metrics:
            mark = row.marks.get(metric, Mark())
            scale = section.scale(metric)
            under = numbers.with_count(numbers.interval(mark.low, mark.high, scale), mark.units)
            cells.append(Cell(numbers.mark(mark.score, scale), under=under, strong=True))
        rows.append([*cells, Cell(row.answered)])
    return Table(phrase("table.marks"), head, rows)


def _by_axis(section: Section) -> list[list[str]]:
    """Metrics that may share an axis: of one scale, and of one quantity that they declare."""
    axes: dict[tuple[float, str], list[str]] = {}
    for metric in section.metrics:
        key = section.scale(metric), section.quantity(metric) or metric
        axes.setdefault(key, []).append(metric)
    return list(axes.values())


def _marks_figure(
    section: Section, everyone: Sequence[_Row], metrics: Sequence[str], number: int
) -> Figure:
    scale = section.scale(metrics[0])
    rows, words = [], []
    for metric in metrics:
        dots = []
        for index, row in enumerate(everyone):
            mark = row.marks.get(metric, Mark())
            text = numbers.mark(mark.score, scale)
            # The answer browser has the units of candidates, who come first, not of people.
            has_units = index < len(section.candidates)
            href = units_link(section.number, candidate=index) if has_units else None
            dots.append(Dot(row.look, mark.score, mark.low, mark.high, text, href))
            words.append(described(joined([metric_words(metric), row.name], en=" ", zh=" "), mark))
        rows.append(DotRow(metric_words(metric), dots))
    axis = marks_axis(phrase("plot.mark"), scale, plotted(rows))
    return dot_figure(section, f"marks-{number}", rows, axis, phrase("plot.marks"), words)
