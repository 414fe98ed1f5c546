"""Several tests on one page: who leads where, a plot and a matrix of candidates and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.reporting.figures.dots import Dot, DotRow, dot_plot
from readmark.reporting.figures.looks import PEOPLE, Look, series
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
from readmark.reporting.page.dot_figures import described, marks_axis, plotted
from readmark.reporting.page.layout import Cell, Figure, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.verdict import comparable, main_mark, ranking
from readmark.reporting.page.words import listed, phrase, phrase_html


@dataclass(frozen=True, slots=True)
class Overview:
    """Who leads where in a sentence, and a plot and a matrix for every kind of test on the page."""

    sentence: Bilingual | None
    plots: Sequence[OverviewPlot]
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class OverviewPlot:
    """The main marks on every test of a kind, and which look is whose."""

    figure: Figure
    legend: Sequence[tuple[Text, Look]]


def overview(data: Sequence[SectionData]) -> Overview | None:
    """Candidates by tests; None where the page has one test."""
    if len(data) < 2:
        return None
    kinds: dict[str, list[SectionData]] = {}
    for test in data:
        kinds.setdefault(test.section.kind.name, []).append(test)
    leads = [lead for tests in kinds.values() for lead in _leads(tests)]
    sentence = phrase_html("summary.sentence", clauses=clauses(leads)) if leads else None
    plots = [_plot(f"overview-{number}", tests) for number, tests in enumerate(kinds.values(), 1)]
    return Overview(
        sentence,
        [plot for plot in plots if plot is not None],
        [_matrix(tests) for tests in kinds.values()],
    )


def _leaders(test: SectionData) -> list[Bilingual]:
    """The labels of those with the best main mark of several: more than one where they tie."""
    section = test.section
    ranked = ranking(section)
    if len(ranked) < 2 or not comparable(section, test.compared):
        return []
    scores = [main_mark(section, section.candidates[index]).score for index in ranked]
    return [
        section.candidates[index].label
        for index, score in zip(ranked, scores, strict=True)
        if score == scores[0]
    ]


def _leads(tests: Sequence[SectionData]) -> list[Bilingual]:
    """Who leads on which of the tests."""
    where: dict[tuple[str, ...], tuple[list[Bilingual], list[Text]]] = {}
    for test in tests:
        leaders = _leaders(test)
        if leaders:
            _, names = where.setdefault(tuple(label.en for label in leaders), (leaders, []))
            names.append(test.section.test_name)
    return [
        phrase_html(
            "overview.there" if len(leaders) == 1 else "overview.tied",
            name=listed(leaders),
            tests=listed(names),
        )
        for leaders, names in where.values()
    ]


def _names(tests: Sequence[SectionData]) -> dict[str, Bilingual]:
    """The candidates of the tests, each once, in the order of the page."""
    names: dict[str, Bilingual] = {}
    for test in tests:
        for candidate in test.section.candidates:
            names.setdefault(candidate.label.en, candidate.label)
    return names


def _plot(name: str, tests: Sequence[SectionData]) -> OverviewPlot | None:
    """A row for each test, a dot for each candidate that sat it; None where scales differ."""
    scales = {test.section.scale(test.section.main) for test in tests}
    if len(tests) < 2 or len(scales) > 1:
        return None
    [scale] = scales
    looks = {label: series(index) for index, label in enumerate(_names(tests))}
    rows, words = [], []
    for test in tests:
        section, dots = test.section, []
        for candidate in section.candidates:
            mark = main_mark(section, candidate)
            if mark.score is None:
                continue
            score = numbers.mark(mark.score, scale)
            href = f"#test-{section.number}"
            look = looks[candidate.label.en]
            dots.append(Dot(look, mark.score, mark.low, mark.high, score, href))
            what = joined([section.test_name, candidate.label])
            words.append(described(what, mark, scale=scale))
        if dots:
            rows.append(DotRow(section.test_name, dots))
    if len(rows) < 2:
        return None
    section = tests[0].section
    title = phrase("overview.plot", metric=metric_words(section.main))
    axis = marks_axis(metric_words(section.main), scale, plotted(rows))
    svg = dot_plot(name, rows, axis, title=title, description=clauses(words))
    legend = [(label, looks[key]) for key, label in _names(tests).items()]
    return OverviewPlot(Figure(svg, title), legend)


def _matrix(tests: Sequence[SectionData]) -> Table:
    """A row for each candidate, a column for each test; people, where there are any, last."""
    sections = [test.section for test in tests]
    names = _names(tests)
    head = [words_cell(phrase("head.candidate"))]
    for section in sections:
        under = metric_words(section.main)
        head.append(Cell(section.test_name, under=under, href=f"#test-{section.number}"))
    rows = [
        [words_cell(label), *(_cell(test, name) for test in tests)] for name, label in names.items()
    ]
    people = [_people_cell(test) for test in tests]
    if any(cell is not None for cell in people):
        first = words_cell(people_phrase(sections[0].test, None, "head"), look=PEOPLE)
        rows.append([first, *(cell or Cell(numbers.ABSENT) for cell in people)])
    return Table(phrase("overview.matrix", metric=metric_words(sections[0].main)), head, rows)


def _cell(test: SectionData, name: str) -> Cell:
    section = test.section
    candidate = next((sat for sat in section.candidates if sat.label.en == name), None)
    if candidate is None:
        return Cell(numbers.ABSENT)
    mark = main_mark(section, candidate)
    return Cell(
        numbers.mark(mark.score, mark.scale),
        under=numbers.interval(mark.low, mark.high, mark.scale),
        strong=name in [label.en for label in _leaders(test)],
        href=f"#test-{section.number}",
    )


def _people_cell(test: SectionData) -> Cell | None:
    """People's main mark, by whatever method the test has."""
    section = test.section
    scale = section.scale(section.main)
    for person in test.people:
        if person.method is not None and section.main in person.marks:
            return Cell(numbers.mark(person.marks[section.main].people, scale))
    for sheet in section.people:
        mark = sheet.recorded.marks.get(section.main)
        if mark is not None:
            under = numbers.interval(mark.low, mark.high, scale)
            return Cell(numbers.mark(mark.score, scale), under=under)
    return None
