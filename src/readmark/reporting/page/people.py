"""Machine against people, overall and by slice, on the same references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from readmark.core.labels import in_order, labels_of
from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL
from readmark.marking import Marksheet, PeopleComparison, PeopleSlice, SheetPerson
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.figures.looks import PEOPLE
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import WithPeople
from readmark.reporting.page.dot_figures import dot_figure, plotted
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.people_words import people_phrase, people_phrase_html
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sliced_fields import MOST
from readmark.reporting.page.slices_part import (
    cut_note,
    field_caption,
    labels_and_counts,
    largest,
)
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    counted,
    isolated,
    joined,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
    value_words,
)

Group = tuple[Text, Sequence[tuple[int, PeopleComparison] | None]]
"""A label, and for every candidate its units and the comparison."""


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


def person_name(name: str) -> Text:
    """Somebody's name; one that says no more than a place is in the language of the page."""
    sort, _, number = name.partition(" ")
    if number.isdecimal() and sort in ("answer", "annotator"):
        return phrase(f"people.{sort}", number=number)
    return isolated(name)


def _each_table(section: Section, metric: str, field: str | None) -> list[Figure]:
    """Everybody's marks by the values of a field: the panel's members, the key's annotators."""
    return [
        figure
        for people in (members(section), annotators(section))
        if (figure := _each_person(section, people, metric, field)) is not None
    ]


def _each_person(
    section: Section, people: Sequence[SheetPerson], metric: str, field: str | None
) -> Figure | None:
    """A table of people by the values of a field."""
    if not people:
        return None
    scale = section.scale(metric)
    groups: dict[str, dict[int, list[int]]] = {}
    for number, member in enumerate(people):
        for index, unit in enumerate(member.units):
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
    for number, member in enumerate(people):
        scores = [member.score(metric, groups[label].get(number, [])) for label in labels]
        rows.append(
            [
                words_cell(person_name(member.name), look=PEOPLE),
                Cell(numbers.mark(member.score(metric), scale), strong=True),
                *(Cell(numbers.mark(score, scale)) for score in scores),
            ]
        )
    caption = _each_caption(section, metric, field, panel=people[0].index is not None)
    return Figure(None, caption, table=Table(caption, head, rows))


def _each_caption(section: Section, metric: str, field: str | None, *, panel: bool) -> Both:
    """What a table of people shows: of a panel, or of the key's annotators left out one by one."""
    test, words = section.test, metric_words(metric)
    if field is None and panel:
        return phrase("people.each", metric=words)
    if field is None:
        return people_phrase(test, LEAVE_ONE_OUT, "each_left_out", metric=words)
    by = phrase("slices.by", field=named("field", field))
    if panel:
        return phrase("people.each_by", metric=words, by=by)
    return people_phrase(test, LEAVE_ONE_OUT, "each_left_out_by", metric=words, by=by)


def people_section(shown: SectionData) -> Part | None:
    """Ratios to people's marks with their intervals, and the marks behind them."""
    section, people = shown.section, shown.people
    if not people and not members(section) and not annotators(section):
        return None
    test = section.test
    if not people:
        fields: list[str | None] = [*section.fields] or [None]
        each = [
            (metric, [table for field in fields for table in _each_table(section, metric, field)])
            for metric in section.metrics
        ]
        method = PANEL if members(section) else LEAVE_ONE_OUT
        return Part("people", people_phrase(test, method, "part"), by_metric=each)
    title = people_phrase(test, next(iter(_methods(people)), None), "part")
    lacking = [person.candidate.label for person in people if person.method is None]
    notes = [people_phrase_html(test, None, "none", name=listed(lacking))] if lacking else []
    if len(lacking) == len(people):
        return Part("people", title, lead=[people_phrase(test, None, "nobody")])
    by_metric = []
    for metric in section.metrics:
        figures = [
            _figure(section, people, metric, method, field, index)
            for method in _methods(people)
            for index, field in enumerate(section.fields or [None])
        ]
        fields = [*section.fields] or [None]
        figures += [table for field in fields for table in _each_table(section, metric, field)]
        by_metric.append((metric, [figure for figure in figures if figure is not None]))
    lead = [_method_words(section, people, method) for method in _methods(people)]
    lead += [
        phrase("people.named_ratio", metric=metric_words(metric), name=ratio)
        for metric in section.metrics
        if (ratio := PeopleComparison.ratio_name(metric))
    ]
    legend = [key for key, person in zip(section.legend, people, strict=True) if person.method]
    return Part(
        "people",
        title,
        lead=lead,
        by_metric=by_metric,
        notes=notes,
        legend=legend,
        gist=_gist(section, people),
    )


def _gist(section: Section, people: Sequence[WithPeople]) -> Text:
    """Everybody's ratio to people's main mark, or difference from it."""
    found = []
    for person in people:
        one = person.marks.get(section.main)
        if one is None or (one.ratio is None and one.difference is None):
            continue
        value = (
            numbers.share(one.ratio)
            if one.ratio is not None
            else numbers.mark(one.difference, section.scale(section.main), signed=True)
        )
        found.append(phrase_html("lead.named", name=person.candidate.label, what=value))
    return clauses(found)


def _methods(people: Sequence[WithPeople]) -> list[str]:
    return list(dict.fromkeys(person.method for person in people if person.method is not None))


def _method_words(section: Section, people: Sequence[WithPeople], method: str) -> Both:
    test = section.test
    several = [person for person in people if person.method == method]
    most = max(several, key=lambda with_people: with_people.units)
    units = counted(most.units, section.kind.unit_noun)
    skipped = Both("", "")
    if most.skipped:
        skipped = people_phrase(test, method, "skipped", count=f"{most.skipped:,}")
    how = phrase("people.how", method=named("method", method), units=units, skipped=skipped)
    boths = [how, people_phrase(test, method, method)]
    if any(with_people.units != most.units for with_people in several):
        boths.append(phrase("people.fewer"))
    return joined(boths, en=" ", zh="")


def _figure(
    section: Section,
    people: Sequence[WithPeople],
    metric: str,
    method: str,
    field: str | None,
    at: int,
) -> Figure | None:
    groups, counts = _groups(section, people, metric, method, field)
    shown = largest(counts)
    # A correlation has no ratio scale: then people's mark is subtracted.
    differ = any(
        one and one[1].difference is not None for _, found in groups.values() for one in found
    )
    rows, boths = [], []
    for label, (words, found) in groups.items():
        if label is not None and label not in shown:
            continue
        href = section.link(field, label) if field is not None and label is not None else None
        dots = []
        for who, told_of in enumerate(found):
            if told_of is None:
                dots.append(Dot(section.candidates[who].look, None))
                continue
            one = told_of[1]
            value = one.difference if differ else one.ratio
            text = (
                numbers.mark(value, section.scale(metric), signed=True)
                if differ
                else numbers.ratio(value)
            )
            dots.append(Dot(section.candidates[who].look, value, one.low, one.high, text, href))
            boths.append(_described(section, words, who, one))
        rows.append(DotRow(words, dots, max((one[0] for one in found if one), default=0)))
    values = plotted(rows)
    if not values:
        return None
    test, named_metric = section.test, metric_words(metric)
    where = named("field", field) if field is not None else phrase("people.all")
    if differ:
        across = people_phrase(test, method, "difference_axis", metric=named_metric)
        title = people_phrase(test, method, "difference_title", metric=named_metric, field=where)
    else:
        across = people_phrase(test, method, "ratio_axis", metric=named_metric)
        title = people_phrase(test, method, "title", metric=named_metric, field=where)
    axis = Axis.covering(across, [0.0, *values], reference=0.0 if differ else 1.0)
    which = f"{_methods(people).index(method)}-m{section.metrics.index(metric)}-f{at}"
    return replace(
        dot_figure(section, f"people-{which}", rows, axis, title, boths),
        caption=field_caption(section, field) if field is not None else where,
        table=_table(section, metric, method, field, list(groups.values()), differ=differ),
        note=cut_note(section, shown, counts),
    )


def _groups(
    section: Section,
    people: Sequence[WithPeople],
    metric: str,
    method: str,
    field: str | None,
) -> tuple[dict[str | None, Group], dict[str, int]]:
    """All units first, under None, then the values of a field; and how many units those have."""
    chosen = [person if person.method == method else None for person in people]
    everything = [
        None if with_people is None else _with(with_people.units, with_people.marks, metric)
        for with_people in chosen
    ]
    groups: dict[str | None, Group] = {None: (phrase("people.all"), everything)}
    if field is None:
        return groups, {}
    found: list[Mapping[str, PeopleSlice]] = [
        {} if with_people is None else with_people.slices(field) for with_people in chosen
    ]
    counts = labels_and_counts(found)
    for label in counts:
        several = [
            _with(slices[label].units, slices[label].marks, metric) if label in slices else None
            for slices in found
        ]
        groups[label] = value_words(field, label), several
    return groups, counts


def _with(
    units: int, marks: Mapping[str, PeopleComparison], metric: str
) -> tuple[int, PeopleComparison] | None:
    return (units, marks[metric]) if metric in marks else None


def _described(section: Section, label: Text, who: int, one: PeopleComparison) -> Both:
    if one.difference is not None:
        return phrase(
            "people.difference_said",
            label=label,
            candidate=section.candidates[who].label,
            difference=numbers.mark(one.difference, 1.0, signed=True),
            interval=numbers.interval(one.low, one.high, 1.0, signed=True),
        )
    span = (
        phrase("number.span", low=numbers.ratio(one.low), high=numbers.ratio(one.high))
        if one.low is not None
        else numbers.ABSENT
    )
    return phrase(
        "people.said",
        label=label,
        candidate=section.candidates[who].label,
        ratio=numbers.ratio(one.ratio),
        interval=span,
    )


def _table(
    section: Section,
    metric: str,
    method: str,
    field: str | None,
    groups: Sequence[Group],
    *,
    differ: bool,
) -> Table:
    scale = section.scale(metric)
    head = [
        words_cell(named("field", field) if field is not None else ""),
        Cell(noun(section.kind.unit_noun, several=True)),
        words_cell(phrase("head.candidate")),
        Cell(phrase("head.machine")),
        Cell(people_phrase(section.test, method, "head")),
        Cell(phrase("head.difference" if differ else "head.ratio")),
    ]
    rows = []
    for label, found in groups:
        for who, told in enumerate(found):
            if told is None:
                continue
            count, one = told
            rows.append(
                [
                    words_cell(label),
                    Cell(f"{count:,}"),
                    words_cell(section.candidates[who].label, look=section.candidates[who].look),
                    Cell(
                        numbers.mark(one.machine, scale),
                        under=_fewer(one.machine, one.machine_units),
                    ),
                    Cell(
                        numbers.mark(one.people, scale), under=_fewer(one.people, one.people_units)
                    ),
                    _ratio_cell(one, scale, differ=differ),
                ]
            )
    caption = people_phrase(section.test, method, "table", metric=metric_words(metric))
    return Table(caption, head, rows)


def _fewer(mark: float | None, units: int | None) -> str | None:
    """How many units a mark counts, where there is one and that is not all of them."""
    return None if mark is None or units is None else f"n {units:,}"


def _ratio_cell(one: PeopleComparison, scale: float, *, differ: bool) -> Cell:
    """The ratio to people's mark, or the difference from it, over its interval."""
    if not differ:
        return Cell(numbers.ratio(one.ratio), under=numbers.ratio_interval(one.low, one.high))
    return Cell(
        numbers.mark(one.difference, scale, signed=True),
        under=numbers.interval(one.low, one.high, scale, signed=True),
    )
