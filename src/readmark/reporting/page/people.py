"""Machine against people, overall and by slice, on the same references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from readmark.marking.people import PeopleComparison
from readmark.marking.terminal import RATIOS
from readmark.reporting.figures.canvas import series
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import SectionData, WithPeople
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.overall import (
    candidates_key,
    dot_figure,
    labels_and_counts,
    largest,
    plotted,
)
from readmark.reporting.page.sections import Section
from readmark.reporting.page.sheets import people_phrase, people_phrase_html
from readmark.reporting.page.words import (
    Both,
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

Group = tuple[Text, Sequence[tuple[int, PeopleComparison] | None]]
"""A label, and for every candidate its units and the comparison."""


def people_section(shown: SectionData) -> Part | None:
    """Ratios to people's marks with their intervals, and the marks behind them."""
    section, people = shown.section, shown.people
    if not people:
        return None
    test = section.test
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
        by_metric.append((metric, [figure for figure in figures if figure is not None]))
    lead = [_method_words(section, people, method) for method in _methods(people)]
    lead += [
        phrase("people.named_ratio", metric=metric_words(metric), name=RATIOS[base])
        for metric in section.metrics
        if (base := metric.partition("(")[0]) in RATIOS
    ]
    legend = [
        key for key, person in zip(candidates_key(section), people, strict=True) if person.method
    ]
    return Part("people", title, lead=lead, by_metric=by_metric, notes=notes, legend=legend)


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
    groups = _groups(section, people, metric, method, field)
    # A correlation has no ratio scale: then people's mark is subtracted.
    differ = any(one and one[1].difference is not None for _, found in groups for one in found)
    rows, boths = [], []
    for label, found in groups:
        dots = []
        for who, told_of in enumerate(found):
            if told_of is None:
                dots.append(Dot(series(who), None))
                continue
            one = told_of[1]
            value = one.difference if differ else one.ratio
            dots.append(Dot(series(who), value, one.low, one.high))
            boths.append(_described(section, label, who, one))
        rows.append(DotRow(label, dots, max((one[0] for one in found if one), default=0)))
    values = plotted(rows)
    if not values:
        return None
    test, words = section.test, metric_words(metric)
    where = named("field", field) if field is not None else phrase("people.all")
    if differ:
        across = people_phrase(test, method, "difference_axis", metric=words)
        title = people_phrase(test, method, "difference_title", metric=words, field=where)
    else:
        across = people_phrase(test, method, "ratio_axis", metric=words)
        title = people_phrase(test, method, "title", metric=words, field=where)
    axis = Axis.covering(across, [0.0, *values], reference=0.0 if differ else 1.0)
    which = f"{_methods(people).index(method)}-m{section.metrics.index(metric)}-f{at}"
    return replace(
        dot_figure(section, f"people-{which}", rows, axis, title, boths),
        caption=phrase("slices.by", field=where) if field is not None else where,
        table=_table(section, metric, method, field, groups, differ=differ),
    )


def _groups(
    section: Section,
    people: Sequence[WithPeople],
    metric: str,
    method: str,
    field: str | None,
) -> list[Group]:
    """All units first, then the values of a field."""
    chosen = [person if person.method == method else None for person in people]
    everything = [
        None if with_people is None else _with(with_people.units, with_people.marks, metric)
        for with_people in chosen
    ]
    groups: list[Group] = [(phrase("people.all"), everything)]
    if field is None:
        return groups
    found: list[Mapping[str, tuple[int, Mapping[str, PeopleComparison]]]] = [
        {} if with_people is None else with_people.slices(field) for with_people in chosen
    ]
    counts = labels_and_counts(found)  # type: ignore[arg-type]
    for label in largest(counts):
        several = [_with(*slices[label], metric) if label in slices else None for slices in found]
        groups.append((value_words(field, label), several))
    return groups


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
                    words_cell(section.candidates[who].label, look=series(who)),
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
