"""The marks of everybody with their intervals, and the differences between candidates."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.unvalidated import SIGN, unvalidated
from readmark.marking import Mark
from readmark.reporting.figures.dots import Dot, DotRow
from readmark.reporting.figures.looks import PEOPLE, Look
from readmark.reporting.page import words as numbers
from readmark.reporting.page.differences import (
    difference_figure,
    difference_notes,
    difference_table,
    disagreements,
)
from readmark.reporting.page.dot_figures import described, dot_figure, marks_axis, plotted
from readmark.reporting.page.layout import Cell, Figure, Part, Table, units_link, words_cell
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import (
    Text,
    joined,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
)
from readmark.statistics.interval_methods import FEW_CLUSTERS, JACKKNIFE, VERY_FEW


def marks_section(shown: SectionData) -> Part:
    """Table and plot of the marks; table and plot of the differences where there are several."""
    section, compared = shown.section, shown.compared
    tables = [_marks_table(section)]
    figures = [
        _marks_figure(section, metrics, index) for index, metrics in enumerate(_by_axis(section))
    ]
    notes: list[Text] = []
    if any(
        mark.units is not None for _, _, marks, _ in _everyone(section) for mark in marks.values()
    ):
        notes.append(phrase("table.fewer", units=noun(section.kind.unit_noun, several=True)))
    notes += _interval_notes(section)
    if any(unvalidated(sheet.header.metrics) for sheet in section.sheets):
        notes.append(phrase("table.unvalidated", sign=SIGN))
    if compared.by_metric:
        tables.append(difference_table(section, compared))
        figures += [
            difference_figure(section, compared, metrics, index)
            for index, metrics in enumerate(_by_axis(section))
            if any(metric in compared.by_metric for metric in metrics)
        ]
        notes += difference_notes(section, compared)
        for metric in compared.by_metric:
            notes += disagreements(section, compared, metric) if metric != section.main else []
    if section.candidates and any(
        person.recorded.method == LEAVE_ONE_OUT for person in section.people
    ):
        notes.append(section.people_words(LEAVE_ONE_OUT, "not_alike"))
    for (candidate, reason), metrics in compared.obstacles().items():
        both = listed(metric_words(metric) for metric in metrics)
        who = section.label(candidate)
        notes.append(phrase_html(f"compare.refused_{reason}", metrics=both, candidate=who))
    legend = [(name, look) for name, look, _, _ in _everyone(section)]
    return Part(
        "marks", phrase("part.marks"), tables=tables, figures=figures, notes=notes, legend=legend
    )


def _interval_notes(section: Section) -> list[Text]:
    """What there is to know of intervals of few clusters, and of marks that have none."""
    nouns = noun(section.kind.record_noun, several=True)
    how = section.sheets[0].settings.interval
    marks = {metric: mark for _, _, own, _ in _everyone(section) for metric, mark in own.items()}
    counts = [candidate.sheet.clusters for candidate in section.candidates]
    counts += [mark.clusters for mark in marks.values() if mark.clusters is not None]
    fewest = min(counts, default=FEW_CLUSTERS)
    found: list[Text] = []
    if how != JACKKNIFE and 1 < fewest < FEW_CLUSTERS:
        way = named("interval", how)
        found.append(
            phrase("table.few", count=f"{fewest:,}", records=nouns, few=FEW_CLUSTERS, interval=way)
        )
    if how == JACKKNIFE and 1 < fewest < VERY_FEW:
        found.append(phrase("table.very_few", count=f"{fewest:,}", records=nouns))
    if how == JACKKNIFE and fewest > 1:
        without = [
            metric_words(metric)
            for metric, mark in marks.items()
            if mark.score is not None and mark.low is None
        ]
        if without:
            found.append(phrase("table.no_interval", metrics=listed(without), records=nouns))
    return found


def _everyone(section: Section) -> list[tuple[Text, Look, dict[str, Mark], str]]:
    """Candidates, then people's own marksheets: name, look, marks and how many were answered."""
    found: list[tuple[Text, Look, dict[str, Mark], str]] = []
    for candidate in section.candidates:
        recorded = candidate.sheet.recorded
        answered = recorded.units - len(recorded.unanswered) - len(recorded.errors)
        units = f"{answered:,} / {recorded.units:,}"
        found.append((candidate.label, candidate.look, recorded.marks, units))
    for sheet in section.people:
        method = sheet.recorded.method
        name = section.people_words(method, "row", method=named("method", method or ""))
        found.append((name, PEOPLE, sheet.recorded.marks, f"{sheet.recorded.units:,}"))
    return found


def _marks_table(section: Section) -> Table:
    head = [
        words_cell(phrase("head.candidate")),
        *(_metric_cell(section, metric) for metric in section.metrics),
        Cell(phrase("head.answered", units=noun(section.kind.unit_noun, several=True))),
    ]
    rows = []
    for name, look, marks, answered in _everyone(section):
        cells = [words_cell(name, look=look)]
        for metric in section.metrics:
            mark = marks.get(metric, Mark())
            scale = section.scale(metric)
            under = numbers.with_count(numbers.interval(mark.low, mark.high, scale), mark.units)
            cells.append(Cell(numbers.mark(mark.score, scale), under=under, strong=True))
        rows.append([*cells, Cell(answered)])
    return Table(phrase("table.marks"), head, rows)


def _metric_cell(section: Section, metric: str) -> Cell:
    lower = phrase("head.lower") if section.lower_is_better(metric) else None
    return Cell(metric_words(metric), under=lower)


def _by_axis(section: Section) -> list[list[str]]:
    """Metrics that may share an axis: of one scale, and of one quantity that they declare."""
    found: dict[tuple[float, str], list[str]] = {}
    for metric in section.metrics:
        key = section.scale(metric), section.quantity(metric) or metric
        found.setdefault(key, []).append(metric)
    return list(found.values())


def _marks_figure(section: Section, metrics: Sequence[str], number: int) -> Figure:
    everyone = _everyone(section)
    scale = section.scale(metrics[0])
    rows, boths = [], []
    for metric in metrics:
        dots = []
        for index, (name, look, marks, _) in enumerate(everyone):
            mark = marks.get(metric, Mark())
            text = numbers.mark(mark.score, scale)
            sat = index < len(section.candidates)
            href = units_link(section.number, candidate=index) if sat else None
            dots.append(Dot(look, mark.score, mark.low, mark.high, text, href))
            boths.append(described(joined([metric_words(metric), name], en=" ", zh=" "), mark))
        rows.append(DotRow(metric_words(metric), dots))
    axis = marks_axis(phrase("plot.mark"), scale, plotted(rows))
    return dot_figure(section, f"marks-{number}", rows, axis, phrase("plot.marks"), boths)
