"""Machine against people, overall and by slice, on the same references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readmark.marking.people import Beside
from readmark.reporting.html import numbers
from readmark.reporting.html.figures.dots import Axis, Dot, DotRow, both_label, dot_plot
from readmark.reporting.html.figures.series import series
from readmark.reporting.html.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.html.parts.overall import known
from readmark.reporting.html.parts.sliced import labels_and_counts, largest
from readmark.reporting.html.sections import Section
from readmark.reporting.html.slices import WithPeople
from readmark.reporting.html.words import (
    Both,
    Text,
    counted,
    joined,
    metric_words,
    named,
    noun,
    say,
)

Group = tuple[Text, int, Sequence[Beside | None]]
"""A label, its units, and a comparison a candidate."""


def beside(section: Section, people: Sequence[WithPeople]) -> Part:
    """Ratios to people's marks with their intervals, and the marks behind them."""
    notes = [say("people.none", name=one.candidate.name) for one in people if one.method is None]
    if len(notes) == len(people):
        return Part("people", say("part.people"), lead=[say("people.nobody")])
    by_metric = []
    for metric in section.metrics:
        figures = [
            _figure(section, people, metric, method, field, at)
            for method in _methods(people)
            for at, field in enumerate(section.fields or [None])
        ]
        by_metric.append((metric, [one for one in figures if one is not None]))
    lead = [_method_words(section, people, method) for method in _methods(people)]
    return Part("people", say("part.people"), lead=lead, by_metric=by_metric, notes=notes)


def _methods(people: Sequence[WithPeople]) -> list[str]:
    return list(dict.fromkeys(one.method for one in people if one.method is not None))


def _method_words(section: Section, people: Sequence[WithPeople], method: str) -> Both:
    first = next(one for one in people if one.method == method)
    units = counted(first.units, section.kind.unit_noun)
    skipped = say("people.skipped", count=f"{first.skipped:,}") if first.skipped else Both("", "")
    known = say("people.how", method=named("method", method), units=units, skipped=skipped)
    told = named("method_words", method)
    return joined([known, told], en=" ", zh="")


def _figure(
    section: Section,
    people: Sequence[WithPeople],
    metric: str,
    method: str,
    field: str | None,
    at: int,
) -> Figure | None:
    groups = _groups(section, people, metric, method, field)
    rows, told = [], []
    for label, count, found in groups:
        dots = [
            Dot(
                series(who),
                one.ratio if one else None,
                one.low if one else None,
                one.high if one else None,
            )
            for who, one in enumerate(found)
        ]
        rows.append(DotRow(label, dots, count))
        told += [
            _said(section, label, who, one) for who, one in enumerate(found) if one is not None
        ]
    values = [value for row in rows for dot in row.dots for value in known(dot)]
    if not values:
        return None
    axis = Axis.covering(
        say("people.ratio_axis", metric=metric_words(metric)), [0.0, *values], reference=1.0
    )
    where = named("field", field) if field is not None else say("people.all")
    title = say("people.title", metric=metric_words(metric), field=where)
    which = f"{_methods(people).index(method)}-m{section.metrics.index(metric)}-f{at}"
    name = f"p{section.number}-people-{which}"
    svg = dot_plot(name, rows, axis, title=title, description=joined(told, en="; ", zh="；"))
    caption = say("slices.by", field=where) if field is not None else where
    return Figure(svg, caption, table=_table(section, metric, field, groups))


def _groups(
    section: Section,
    people: Sequence[WithPeople],
    metric: str,
    method: str,
    field: str | None,
) -> list[Group]:
    """All units first, then the values of a field."""
    chosen = [one if one.method == method else None for one in people]
    units = max(one.units for one in chosen if one is not None)
    everything = [None if one is None else one.marks.get(metric) for one in chosen]
    groups: list[Group] = [(say("people.all"), units, everything)]
    if field is None:
        return groups
    found: list[Mapping[str, tuple[int, Mapping[str, Beside]]]] = [
        {} if one is None else one.slices(field) for one in chosen
    ]
    counts = labels_and_counts(found)  # type: ignore[arg-type]
    for label in largest(counts):
        several = [slices[label][1].get(metric) if label in slices else None for slices in found]
        groups.append((both_label(label), counts[label], several))
    return groups


def _said(section: Section, label: Text, who: int, one: Beside) -> Both:
    span = (
        say("number.span", low=numbers.ratio(one.low), high=numbers.ratio(one.high))
        if one.low is not None
        else numbers.ABSENT
    )
    return say(
        "people.said",
        label=label,
        candidate=section.candidates[who].name,
        ratio=numbers.ratio(one.ratio),
        interval=span,
    )


def _table(section: Section, metric: str, field: str | None, groups: Sequence[Group]) -> Table:
    scale = section.scale(metric)
    head = [
        words_cell(named("field", field) if field is not None else ""),
        Cell(noun(section.kind.unit_noun, several=True)),
        words_cell(say("head.candidate")),
        Cell(say("head.machine")),
        Cell(say("head.people")),
        Cell(say("head.ratio")),
    ]
    rows = []
    for label, count, found in groups:
        for who, one in enumerate(found):
            if one is None:
                continue
            rows.append(
                [
                    words_cell(label),
                    Cell(f"{count:,}"),
                    words_cell(section.candidates[who].name, look=series(who)),
                    Cell(numbers.mark(one.machine, scale)),
                    Cell(numbers.mark(one.people, scale)),
                    Cell(numbers.ratio(one.ratio), under=numbers.ratio_interval(one.low, one.high)),
                ]
            )
    return Table(say("people.table", metric=metric_words(metric)), head, rows)
