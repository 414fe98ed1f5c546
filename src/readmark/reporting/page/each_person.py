"""Everybody's own marks: the members of panels, and the key's annotators left out one by one."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.labels import in_order, labels_of
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.marking import Marksheet, SheetPerson
from readmark.reporting.figures.looks import PEOPLE
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text
from readmark.reporting.page.isolation import isolated
from readmark.reporting.page.layout import Cell, Figure, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sliced_fields import MOST
from readmark.reporting.page.words import named, phrase, value_words


def members(section: Section) -> list[SheetPerson]:
    """Every person of every panel, once."""
    people: dict[str, SheetPerson] = {}
    for sheet in section.sheets:
        for person in sheet.panel:
            people.setdefault(person.name, person)
    return list(people.values())


def annotators(section: Section) -> list[SheetPerson]:
    """Everybody whose answers the key has, by the marksheet with the most of them."""
    return _annotated(section).annotators


def left_out_marks(section: Section) -> dict[str, list[list[float | None]]]:
    """By unit, every annotator's marks against the others' answers, a list for each person."""
    sheet = _annotated(section)
    columns = [sheet.annotator_values(metric) for metric in section.metrics]
    return {
        unit.id: [list(marks) for marks in zip(*(column[row] for column in columns), strict=True)]
        for row, unit in enumerate(sheet.units)
        if any(alone.each for alone in unit.alone.values())
    }


def _annotated(section: Section) -> Marksheet:
    """The marksheet with the most units that have annotators; one with their answers first."""

    def most(sheet: Marksheet) -> tuple[int, int]:
        annotated = [unit for unit in sheet.units if unit.annotators]
        return len(annotated), sum(bool(unit.gold) for unit in annotated)

    return max(section.sheets, key=most)


def each_person_tables(section: Section, metric: str, field: str | None) -> list[Figure]:
    """Everybody's marks by the values of a field: a table for members, one for annotators."""
    figures = []
    for people in (members(section), annotators(section)):
        if people and (figure := _table_of(section, people, metric, field)) is not None:
            figures.append(figure)
    return figures


def _table_of(
    section: Section, people: Sequence[SheetPerson], metric: str, field: str | None
) -> Figure | None:
    """A row for each person; None where the field has too many values for columns."""
    scale = section.scale(metric)
    groups: dict[str, dict[int, list[int]]] = {}
    for number, person in enumerate(people):
        for index, unit in enumerate(person.units):
            for label in labels_of(unit.fields.get(field)) if field is not None else ():
                groups.setdefault(label, {}).setdefault(number, []).append(index)
    labels = sorted(groups, key=in_order)
    if field is not None and len(labels) > MOST:
        return None
    head = [
        words_cell(phrase("people.person")),
        Cell(phrase("people.all")),
        *(Cell(value_words(field or "", label)) for label in labels),
    ]
    rows = []
    for number, person in enumerate(people):
        scores = [person.score(metric, groups[label].get(number, [])) for label in labels]
        rows.append(
            [
                words_cell(_person_words(person.name), look=PEOPLE),
                Cell(numbers.mark(person.score(metric), scale), strong=True),
                *(Cell(numbers.mark(score, scale)) for score in scores),
            ]
        )
    # Members of a panel have a place in it, the key's annotators have none.
    caption = _caption(section, metric, field, is_panel=people[0].index is not None)
    return Figure(None, caption, table=Table(caption, head, rows))


def _person_words(name: str) -> Text:
    """Somebody's name; one that says no more than a place is in the language of the page."""
    sort, _, number = name.partition(" ")
    if number.isdecimal() and sort in ("answer", "annotator"):
        return phrase(f"people.{sort}", number=number)
    return isolated(name)


def _caption(section: Section, metric: str, field: str | None, *, is_panel: bool) -> Bilingual:
    test, words = section.test, metric_words(metric)
    if field is None and is_panel:
        return phrase("people.each", metric=words)
    if field is None:
        return people_phrase(test, LEAVE_ONE_OUT, "each_left_out", metric=words)
    by = phrase("slices.by", field=named("field", field))
    if is_panel:
        return phrase("people.each_by", metric=words, by=by)
    return people_phrase(test, LEAVE_ONE_OUT, "each_left_out_by", metric=words, by=by)
