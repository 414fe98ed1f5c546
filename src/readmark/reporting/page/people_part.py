"""Machine against people, overall and by slice, on the same references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL
from readmark.marking import PeopleComparison
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
from readmark.reporting.page.comparisons import WithPeople
from readmark.reporting.page.dot_figures import dot_figure, plotted
from readmark.reporting.page.each_person import annotators, each_person_tables, members
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.people_words import people_phrase, people_phrase_html
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.slice_rows import (
    cut_note,
    field_caption,
    labels_and_counts,
    largest,
)
from readmark.reporting.page.words import listed, named, phrase, phrase_html, value_words


@dataclass(frozen=True, slots=True)
class _CandidateRatio:
    """A candidate next to people on some units; None where it has no such units."""

    candidate: MarkedCandidate
    units: int = 0
    compared: PeopleComparison | None = None


@dataclass(frozen=True, slots=True)
class _Group:
    """All units, or those with one value of a field, with every candidate on them."""

    words: Text
    ratios: Sequence[_CandidateRatio]


def people_section(data: SectionData) -> Part | None:
    """Ratios to people's marks with their intervals; None where there are no people's marks."""
    section, people = data.section, data.people
    fields: list[str | None] = [*section.fields] or [None]
    if not people:
        return _people_alone(section, fields)
    methods = _methods(people)
    title = people_phrase(section.test, next(iter(methods), None), "part")
    lacking = [with_people.candidate.label for with_people in people if with_people.method is None]
    if len(lacking) == len(people):
        return None  # a note under the marks says so
    notes = []
    if lacking:
        notes.append(people_phrase_html(section.test, None, "none", name=listed(lacking)))
    by_metric = []
    for metric in section.metrics:
        figures = [
            figure
            for method in methods
            for field in fields
            if (figure := _figure(section, people, metric, method, field)) is not None
        ]
        for field in fields:
            figures += each_person_tables(section, metric, field)
        by_metric.append((metric, figures))
    lead = [_method_words(section, people, method) for method in methods]
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


def _people_alone(section: Section, fields: Sequence[str | None]) -> Part | None:
    """Everybody's own marks, where no candidate was marked; None where there is nobody."""
    panel = members(section)
    if not panel and not annotators(section):
        return None
    by_metric = [
        (
            metric,
            [figure for field in fields for figure in each_person_tables(section, metric, field)],
        )
        for metric in section.metrics
    ]
    title = people_phrase(section.test, PANEL if panel else LEAVE_ONE_OUT, "part")
    return Part("people", title, by_metric=by_metric)


def _gist(section: Section, people: Sequence[WithPeople]) -> Text:
    """Everybody's ratio to people's main mark, or difference from it."""
    scale = section.scale(section.main)
    parts = []
    for with_people in people:
        compared = with_people.marks.get(section.main)
        if compared is None:
            continue
        if compared.ratio is not None:
            value = numbers.share(compared.ratio)
        elif compared.difference is not None:
            value = numbers.mark(compared.difference, scale, signed=True)
        else:
            continue
        parts.append(phrase_html("lead.named", name=with_people.candidate.label, what=value))
    return clauses(parts)


def _methods(people: Sequence[WithPeople]) -> list[str]:
    return list(dict.fromkeys(person.method for person in people if person.method is not None))


def _method_words(section: Section, people: Sequence[WithPeople], method: str) -> Bilingual:
    """How people's figure is made, and on how many units."""
    test = section.test
    compared = [person for person in people if person.method == method]
    fullest = max(compared, key=lambda person: person.units)
    skipped = Bilingual("", "")
    if fullest.skipped:
        skipped = people_phrase(test, method, "skipped", count=f"{fullest.skipped:,}")
    units = counted(fullest.units, section.kind.unit_noun)
    texts = [
        phrase("people.how", method=named("method", method), units=units, skipped=skipped),
        people_phrase(test, method, method),
    ]
    if any(person.units != fullest.units for person in compared):
        texts.append(phrase("people.fewer"))
    return joined(texts, en=" ", zh="")


def _figure(
    section: Section, people: Sequence[WithPeople], metric: str, method: str, field: str | None
) -> Figure | None:
    """A row for all units and for each large slice, a dot for each candidate."""
    groups, counts = _groups(people, metric, method, field)
    labels = largest(counts)
    # A correlation has no ratio scale: then people's mark is subtracted.
    is_difference = any(
        ratio.compared is not None and ratio.compared.difference is not None
        for group in groups.values()
        for ratio in group.ratios
    )
    rows, words = [], []
    for label, group in groups.items():
        if label is not None and label not in labels:
            continue
        href = section.link(field, label) if field is not None and label is not None else None
        dots = []
        for ratio in group.ratios:
            compared = ratio.compared
            if compared is None:
                dots.append(Dot(ratio.candidate.look, None))
                continue
            if is_difference:
                value = compared.difference
                text = numbers.mark(value, section.scale(metric), signed=True)
            else:
                value = compared.ratio
                text = numbers.ratio(value)
            ends = compared.low, compared.high
            dots.append(Dot(ratio.candidate.look, value, *ends, text, href))
            words.append(_described(group.words, ratio.candidate, compared, section.scale(metric)))
        rows.append(DotRow(group.words, dots, max(ratio.units for ratio in group.ratios)))
    values = plotted(rows)
    if not values:
        return None
    where = named("field", field) if field is not None else phrase("people.all")
    test, name = section.test, metric_words(metric)
    if is_difference:
        across = people_phrase(test, method, "difference_axis", metric=name)
        title = people_phrase(test, method, "difference_title", metric=name, field=where)
    else:
        across = people_phrase(test, method, "ratio_axis", metric=name)
        title = people_phrase(test, method, "title", metric=name, field=where)
    axis = Axis.covering(across, [0.0, *values], reference=0.0 if is_difference else 1.0)
    number = section.fields.index(field) if field is not None else 0
    slug = f"people-{_methods(people).index(method)}-m{section.metrics.index(metric)}-f{number}"
    return replace(
        dot_figure(section, slug, rows, axis, title, words),
        caption=field_caption(section, field) if field is not None else where,
        table=_table(
            section, metric, method, field, list(groups.values()), is_difference=is_difference
        ),
        note=cut_note(section, labels, counts),
    )


def _groups(
    people: Sequence[WithPeople], metric: str, method: str, field: str | None
) -> tuple[dict[str | None, _Group], dict[str, int]]:
    """All units first, under None, then the values of a field; and how many units those have."""

    def ratio(
        with_people: WithPeople, units: int, marks: Mapping[str, PeopleComparison]
    ) -> _CandidateRatio:
        if with_people.method != method or metric not in marks:
            return _CandidateRatio(with_people.candidate)
        return _CandidateRatio(with_people.candidate, units, marks[metric])

    everything = [ratio(person, person.units, person.marks) for person in people]
    groups: dict[str | None, _Group] = {None: _Group(phrase("people.all"), everything)}
    if field is None:
        return groups, {}
    slices = [person.slices(field) if person.method == method else {} for person in people]
    counts = labels_and_counts(slices)
    for label in counts:
        ratios = [
            ratio(person, parts[label].units, parts[label].marks)
            if label in parts
            else _CandidateRatio(person.candidate)
            for person, parts in zip(people, slices, strict=True)
        ]
        groups[label] = _Group(value_words(field, label), ratios)
    return groups, counts


def _described(
    label: Text, candidate: MarkedCandidate, compared: PeopleComparison, scale: float
) -> Bilingual:
    """A dot in words, for those who cannot see the plot."""
    if compared.difference is not None:
        return phrase(
            "people.difference_said",
            label=label,
            candidate=candidate.label,
            difference=numbers.mark(compared.difference, scale, signed=True),
            interval=numbers.interval(compared.low, compared.high, scale, signed=True),
        )
    span: Text = numbers.ABSENT
    if compared.low is not None:
        low, high = numbers.ratio(compared.low), numbers.ratio(compared.high)
        span = phrase("number.span", low=low, high=high)
    return phrase(
        "people.said",
        label=label,
        candidate=candidate.label,
        ratio=numbers.ratio(compared.ratio),
        interval=span,
    )


def _table(
    section: Section,
    metric: str,
    method: str,
    field: str | None,
    groups: Sequence[_Group],
    *,
    is_difference: bool,
) -> Table:
    """The marks behind the ratios: a row for each slice and candidate."""
    scale = section.scale(metric)
    head = [
        words_cell(named("field", field) if field is not None else ""),
        Cell(noun(section.kind.unit_noun, several=True)),
        words_cell(phrase("head.candidate")),
        Cell(phrase("head.machine")),
        Cell(people_phrase(section.test, method, "head")),
        Cell(phrase("head.difference" if is_difference else "head.ratio")),
    ]
    rows = []
    for group in groups:
        for ratio in group.ratios:
            compared = ratio.compared
            if compared is None:
                continue
            low, high = compared.low, compared.high
            if is_difference:
                value = numbers.mark(compared.difference, scale, signed=True)
                interval: Text = numbers.interval(low, high, scale, signed=True)
            else:
                value = numbers.ratio(compared.ratio)
                interval = numbers.ratio_interval(low, high)
            rows.append(
                [
                    words_cell(group.words),
                    Cell(f"{ratio.units:,}"),
                    words_cell(ratio.candidate.label, look=ratio.candidate.look),
                    _mark_cell(compared.machine, compared.machine_units, scale),
                    _mark_cell(compared.people, compared.people_units, scale),
                    Cell(value, under=interval),
                ]
            )
    caption = people_phrase(section.test, method, "table", metric=metric_words(metric))
    return Table(caption, head, rows)


def _mark_cell(mark: float | None, units: int | None, scale: float) -> Cell:
    """A mark, and how many units it counts where there is one and that is not all of them."""
    under = None if mark is None or units is None else f"n {units:,}"
    return Cell(numbers.mark(mark, scale), under=under)
