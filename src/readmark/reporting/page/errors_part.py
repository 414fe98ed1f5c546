"""What is wrong with the answers that are not right: classes counted, by slice, with examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.core.marksheet import MarkedUnit
from readmark.core.numbers import count as count_words
from readmark.core.numbers import percent
from readmark.marking import ClassCounts, Errors
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.figures.looks import PEOPLE, Look
from readmark.reporting.page import numbers
from readmark.reporting.page.answers import answer_words, shown_gold
from readmark.reporting.page.bilingual import Text, clauses, joined
from readmark.reporting.page.dot_figures import dot_figure
from readmark.reporting.page.isolation import isolated
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.links import unit_link, units_link
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sliced_fields import MOST
from readmark.reporting.page.words import named, phrase, phrase_html, value_words

EXAMPLES = 2
"""Answers that are shown of each class, for each candidate."""
LONGEST = 160
"""Characters of an example's text; longer ones are cut."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate, or people: how the page writes them, and their classes."""

    name: Text
    look: Look
    counts: ClassCounts
    index: int | None = None
    """The candidate's number; None for people."""
    errors: Errors | None = None


def errors_section(data: SectionData) -> Part | None:
    """Tables and a plot of the classes; None where no answer is of any.

    A key of answer sentences alone has no words that a class could be decided by.
    """
    section = data.section
    rows = list(_rows(section))
    classes = [
        name
        for name in dict.fromkeys(name for row in rows for name in row.counts.counts)
        if any(row.counts.counts.get(name) for row in rows)
    ]
    if not classes:
        return None
    tables = [_overall(section, rows, classes)]
    tables += [_sliced(section, rows, classes, field) for field in _fields(section, rows)]
    examples = _examples(section, rows)
    notes: list[Text] = [phrase("errors.order"), phrase("errors.gap")]
    if any(row.index is None for row in rows):
        notes.append(phrase("errors.means"))
    return Part(
        "errors",
        phrase("part.errors"),
        lead=[phrase("errors.lead")],
        tables=[*tables, *([examples] if examples is not None else [])],
        figures=[_figure(section, rows, classes)],
        notes=notes,
        legend=[(row.name, row.look) for row in rows],
        gist=_gist(rows),
    )


def _gist(rows: Sequence[_Row]) -> Text:
    """The largest class of every candidate's wrong answers."""
    parts: list[Text] = []
    for row in rows:
        right, *wrong = row.counts.counts
        most = max(wrong, key=lambda name: row.counts.counts[name], default=right)
        if row.index is not None and row.counts.counts.get(most):
            parts.append(phrase_html("lead.named", name=row.name, what=_class(most)))
    return clauses(parts)


def _rows(section: Section) -> Iterator[_Row]:
    people: dict[str, _Row] = {}
    for index, candidate in enumerate(section.candidates):
        errors = candidate.sheet.errors(section.fields)
        if errors is None or errors.machine is None:
            continue
        yield _Row(candidate.label, candidate.look, errors.machine, index, errors)
        if errors.people is not None and errors.method is not None:
            people.setdefault(errors.method, _people(section, errors.method, errors.people))
    for sheet in section.people:
        errors = sheet.errors(list(sheet.recorded.by))
        if errors is not None and errors.people is not None and errors.method is not None:
            people.setdefault(errors.method, _people(section, errors.method, errors.people))
    yield from people.values()


def _people(section: Section, method: str, counts: ClassCounts) -> _Row:
    name = people_phrase(section.test, method, "row", method=named("method", method))
    return _Row(name, PEOPLE, counts)


def _class(name: str) -> Text:
    return named("error_class", name)


def _overall(section: Section, rows: Sequence[_Row], classes: Sequence[str]) -> Table:
    head = [
        words_cell(phrase("head.candidate")),
        *(Cell(_class(name)) for name in classes),
        Cell(phrase("errors.gap_head"), under=phrase("errors.gap_boundary")),
        Cell(noun(section.kind.unit_noun, several=True)),
    ]
    cells = []
    for row in rows:
        counts = row.counts
        cells.append(
            [
                words_cell(row.name, look=row.look),
                *(_count(section, row, counts, name) for name in classes),
                Cell(numbers.mark(counts.gap, 100), under=numbers.mark(counts.boundary_gap, 100)),
                Cell(count_words(counts.units)),
            ]
        )
    return Table(phrase("errors.table"), head, cells)


def _count(
    section: Section,
    row: _Row,
    counts: ClassCounts,
    name: str,
    field: tuple[str, str] | None = None,
) -> Cell:
    """A count over its share, as dark as the share is large, with a link to its units."""
    if name not in counts.counts:
        return Cell(numbers.ABSENT)
    share = counts.share(name)
    under = None if share is None else percent(share)
    has_units = field is None or field[0] in section.recorded
    href = None
    if row.index is not None and counts.counts[name] and has_units:
        href = units_link(section.number, candidate=row.index, error_class=name, field=field)
    return Cell(count_words(counts.counts[name]), under=under, href=href, shade=share)


def _fields(section: Section, rows: Sequence[_Row]) -> list[str]:
    """The fields that marks were asked by, and level, where they have few values."""
    requested = {field for sheet in section.sheets for field in sheet.recorded.by}
    return [
        field
        for field in section.fields
        if (field in requested or field == "level")
        and all(len(row.counts.by.get(field, ())) <= MOST for row in rows)
        and any(len(row.counts.by.get(field, ())) > 1 for row in rows)
    ]


def _sliced(section: Section, rows: Sequence[_Row], classes: Sequence[str], field: str) -> Table:
    """A matrix of classes by the values of a field, for every candidate."""
    labels = list(dict.fromkeys(label for row in rows for label in row.counts.by.get(field, ())))
    head = [
        words_cell(phrase("head.candidate")),
        words_cell(phrase("errors.class_head")),
        *(
            Cell(
                value_words(field, label),
                href=section.link(field, label),
                under=_size(rows, field, label),
            )
            for label in labels
        ),
    ]
    cells = []
    for row in rows:
        by = row.counts.by.get(field, {})
        for name in classes:
            if not row.counts.counts.get(name):
                continue
            counts = [
                _count(section, row, by[label], name, (field, label))
                if label in by
                else Cell(numbers.ABSENT)
                for label in labels
            ]
            cells.append([words_cell(row.name, look=row.look), words_cell(_class(name)), *counts])
        gaps = [numbers.mark(by[label].gap if label in by else None, 100) for label in labels]
        gap = words_cell(phrase("errors.gap_head"))
        cells.append([words_cell(row.name, look=row.look), gap, *map(Cell, gaps)])
    return Table(phrase("errors.by", field=named("field", field)), head, cells)


def _size(rows: Sequence[_Row], field: str, label: str) -> str:
    """How many units a slice has."""
    tables = (row.counts.by.get(field, {}).get(label) for row in rows)
    return f"n {count_words(max(counts.units for counts in tables if counts is not None))}"


def _figure(section: Section, rows: Sequence[_Row], classes: Sequence[str]) -> Figure:
    """A row for each class, a dot for everybody's share of it."""
    plotted, words = [], []
    for name in classes:
        dots = []
        for row in rows:
            share = row.counts.share(name) if name in row.counts.counts else None
            value = None if share is None else 100 * share
            text = numbers.mark(value, 100)
            href = _count(section, row, row.counts, name).href
            dots.append(Dot(row.look, value, text=text, href=href))
            what = joined([_class(name), row.name])
            words.append(phrase("plot.said", what=what, score=text))
        plotted.append(DotRow(_class(name), dots))
    axis = Axis(phrase("errors.share"), 0.0, 100.0, digits=0)
    return dot_figure(section, "errors", plotted, axis, phrase("errors.plot"), words)


def _examples(section: Section, rows: Sequence[_Row]) -> Table | None:
    """The first answers of every class but the right ones, as they were given."""
    cells = []
    for row in rows:
        if row.index is None or row.errors is None or row.errors.each is None:
            continue
        examples: dict[str, list[MarkedUnit]] = {}
        right = next(iter(row.counts.counts))
        for unit in section.candidates[row.index].sheet.units:
            name = row.errors.each.get(unit.id)
            if name not in (None, right) and len(examples.get(str(name), ())) < EXAMPLES:
                examples.setdefault(str(name), []).append(unit)
        for name in row.counts.counts:
            cells += [_example(section, row, name, unit) for unit in examples.get(name, ())]
    if not cells:
        return None
    head = [
        words_cell(phrase("errors.class_head")),
        words_cell(phrase("head.candidate")),
        words_cell(noun(section.kind.unit_noun)),
        words_cell(phrase("errors.said")),
        words_cell(phrase("errors.wanted")),
    ]
    return Table(phrase("errors.examples"), head, cells)


def _example(section: Section, row: _Row, name: str, unit: MarkedUnit) -> list[Cell]:
    kind = section.kind
    question = unit.shown[0].text if unit.shown else unit.id
    answer = next((answer_words(kind, row) or row.error for row in unit.answers), None)
    golds = dict.fromkeys(
        shown_gold(kind, gold).get("t", "") for person in unit.gold for gold in person
    )
    return [
        words_cell(_class(name)),
        words_cell(row.name, look=row.look),
        words_cell(_clipped(question), href=unit_link(section.number, unit.id)),
        words_cell(_clipped(answer) if answer else numbers.ABSENT),
        words_cell(_clipped(" / ".join(golds)) if any(golds) else numbers.ABSENT),
    ]


def _clipped(text: str) -> Text:
    plain = " ".join(text.split())
    return isolated(plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…")
