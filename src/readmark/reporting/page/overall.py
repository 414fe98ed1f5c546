"""The marks with their intervals, each candidate against the first, then the marks by slice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from readmark.core.labels import ABSENT
from readmark.core.marksheet import LEAVE_ONE_OUT
from readmark.core.unvalidated import SIGN, unvalidated
from readmark.marking import Comparison, Mark, PeopleSlice, Slice
from readmark.reporting.figures.canvas import PEOPLE, Look
from readmark.reporting.figures.dots import Axis, Dot, DotRow, dot_plot
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import (
    ComparedCandidates,
    SectionData,
    on_part,
)
from readmark.reporting.page.layout import Cell, Figure, Part, Table, units_link, words_cell
from readmark.reporting.page.sections import LARGE_RECORDS, LARGE_UNITS, Section
from readmark.reporting.page.sheets import people_phrase
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    counted,
    joined,
    listed,
    metric_words,
    named,
    noun,
    phrase,
    phrase_html,
    value_words,
)
from readmark.statistics.interval_methods import FEW_CLUSTERS, JACKKNIFE, VERY_FEW
from readmark.statistics.randomisation import least_p

ALPHA = 0.05
"""What the page calls significant."""
_GO_BY_P = 20
"""With fewer clusters, a percentile interval of a difference may contradict its p."""
_FLOOR_WORTH_SAYING = 0.01


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
        tables.append(_comparison_table(section, compared))
        figures += [
            _difference_figure(section, compared, metrics, index)
            for index, metrics in enumerate(_by_axis(section))
            if any(metric in compared.by_metric for metric in metrics)
        ]
        notes += _comparison_notes(section, compared)
        for metric in compared.by_metric:
            notes += disagreements(section, compared, metric) if metric != section.main else []
    if section.candidates and any(
        person.recorded.method == LEAVE_ONE_OUT for person in section.people
    ):
        notes.append(people_phrase(section.test, LEAVE_ONE_OUT, "not_alike"))
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
        name = people_phrase(section.test, method, "row", method=named("method", method or ""))
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


def marks_axis(name: Text, scale: float, values: Sequence[float]) -> Axis:
    """From nothing to everything where all values lie there; over the values otherwise."""
    if all(0 <= value <= scale for value in values):
        return Axis(name, 0.0, scale, digits=0 if scale >= 10 else 1)
    return Axis.covering(name, values)


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


def plotted(rows: Sequence[DotRow]) -> list[float]:
    """The numbers of all dots and intervals."""
    values = (v for row in rows for dot in row.dots for v in (dot.value, dot.low, dot.high))
    return [value for value in values if value is not None]


def dot_figure(
    section: Section,
    name: str,
    rows: Sequence[DotRow],
    axis: Axis,
    title: Text,
    words: Iterable[Text],
) -> Figure:
    """A dot plot under its title; ``words`` say what it shows to those who cannot see it."""
    name = f"p{section.number}-{name}".replace(".", "_")
    return Figure(dot_plot(name, rows, axis, title=title, description=clauses(words)), title)


def described(what: Text, mark: Mark, *, scale: float | None = None) -> Both:
    """A mark in words, for those who cannot see the plot."""
    by = mark.scale if scale is None else scale
    score = numbers.mark(mark.score, by)
    if mark.low is None or mark.high is None:
        return phrase("plot.said", what=what, score=score)
    span: Text = phrase(
        "number.span", low=numbers.mark(mark.low, by), high=numbers.mark(mark.high, by)
    )
    span = numbers.with_count(span, mark.units)
    return phrase("plot.said_interval", what=what, score=score, interval=span)


def _comparison_table(section: Section, compared: ComparedCandidates) -> Table:
    several = len(section.candidates) > 2
    partly = any(
        on_part(section, comparison)
        for comparisons in compared.by_metric.values()
        for comparison in comparisons
    )
    first = section.candidates[0].label
    head = [words_cell(phrase_html("head.against", first=first))]
    if len(compared.by_metric) > 1:
        head.append(words_cell(phrase("head.metric")))
    head += [Cell(phrase("head.there"))] if partly else []
    head += [Cell(phrase("head.difference")), Cell("p")]
    head += [Cell(phrase("head.holm"))] if several else []
    head += [Cell(phrase("head.differ")), Cell(phrase("head.detectable"))]
    looks = {candidate.name: candidate.look for candidate in section.candidates}
    rows = []
    for metric, comparisons in compared.by_metric.items():
        scale = section.scale(metric)
        for comparison in comparisons:
            row = [words_cell(section.label(comparison.b), look=looks[comparison.b])]
            if len(compared.by_metric) > 1:
                row.append(words_cell(metric_words(metric)))
            if partly:
                theirs = phrase(
                    "compare.first_there", score=numbers.mark(comparison.score_a, scale)
                )
                row.append(Cell(numbers.mark(comparison.score_b, scale), under=theirs))
            under = numbers.interval(comparison.low, comparison.high, scale, signed=True)
            difference = numbers.mark(comparison.difference, scale, signed=True)
            row += [Cell(difference, under=under, strong=True), Cell(numbers.p_value(comparison.p))]
            row += [Cell(numbers.p_value(comparison.adjusted_p))] if several else []
            row += [
                Cell(f"{comparison.discordant:,} / {comparison.units:,}"),
                Cell(numbers.mark(comparison.detectable, scale)),
            ]
            rows.append(row)
    return Table(phrase_html("table.compare", first=first), head, rows)


def _difference_figure(
    section: Section, compared: ComparedCandidates, metrics: Sequence[str], number: int
) -> Figure:
    looks = {candidate.name: candidate.look for candidate in section.candidates}
    index = {candidate.name: number for number, candidate in enumerate(section.candidates)}
    scale = section.scale(metrics[0])
    rows, boths = [], []
    for metric in metrics:
        comparisons = compared.by_metric.get(metric, ())
        if comparisons:
            dots = [
                Dot(
                    looks[comparison.b],
                    comparison.difference,
                    comparison.low,
                    comparison.high,
                    numbers.mark(comparison.difference, scale, signed=True),
                    units_link(section.number, right=index[comparison.b], wrong=0),
                )
                for comparison in comparisons
            ]
            rows.append(DotRow(metric_words(metric), dots))
            boths += [
                _difference_words(section, metric, comparison, scale) for comparison in comparisons
            ]
    first = section.candidates[0].label
    title = phrase("plot.differences", first=first)
    axis = Axis.covering(phrase("plot.difference", first=first), plotted(rows), reference=0.0)
    return dot_figure(section, f"differences-{number}", rows, axis, title, boths)


def _difference_words(section: Section, metric: str, one: Comparison, scale: float) -> Both:
    mark = Mark(one.difference, one.low, one.high, scale)
    return described(joined([metric_words(metric), section.label(one.b)], en=" ", zh=" "), mark)


def _comparison_notes(section: Section, compared: ComparedCandidates) -> list[Text]:
    first = next(iter(compared.by_metric.values()))[0]
    nouns = noun(section.kind.record_noun, several=True)
    notes: list[Text] = [
        phrase(
            "compare.how", trials=f"{section.candidates[0].sheet.settings.trials:,}", records=nouns
        )
    ]
    if any(
        on_part(section, comparison)
        for comparisons in compared.by_metric.values()
        for comparison in comparisons
    ):
        notes.append(phrase("compare.shared"))
    if len(section.candidates) > 2:
        notes.append(phrase("compare.holm"))
    if len(compared.by_metric) > 1:
        notes.append(phrase("compare.metrics"))
    drawn = section.candidates[0].sheet.settings.interval != JACKKNIFE
    if drawn and first.clusters < _GO_BY_P:
        notes.append(phrase("compare.few", few=_GO_BY_P, records=nouns))
    floor = least_p(first.clusters)
    several = len(section.candidates) - 1
    told = {"count": f"{first.clusters:,}", "records": nouns}
    if floor < ALPHA <= several * floor:
        p = numbers.p_value(several * floor)
        notes.append(phrase("compare.floor_holm", several=several, p=p, **told))
    elif floor > _FLOOR_WORTH_SAYING:
        key = "compare.floor" if floor < ALPHA else "compare.floor_never"
        notes.append(phrase(key, p=numbers.p_value(floor), **told))
    return notes


def p_words(p: float | None) -> Markup:
    """A p-value in a sentence, which is not broken."""
    words = numbers.ABSENT if p is None else numbers.p_words(p)
    return Markup("<i>p</i>&nbsp;{}").format(words.replace(" ", "\N{NO-BREAK SPACE}"))


def disagreements(section: Section, compared: ComparedCandidates, metric: str) -> list[Both]:
    """Where an interval leaves out 0 and p is no smaller than 0.05: why, and what to go by."""
    found = []
    for comparison in compared.by_metric.get(metric, ()):
        p, low, high = comparison.decisive_p, comparison.low, comparison.high
        if p is None or low is None or high is None or p < ALPHA or low <= 0 <= high:
            continue
        adjusted = comparison.p is not None and comparison.p < ALPHA
        near = "disagree_few" if comparison.clusters < _GO_BY_P else "disagree_near"
        found.append(
            phrase_html(
                f"lead.{'disagree_holm' if adjusted else near}",
                name=section.label(comparison.b),
                metric=metric_words(metric),
                interval=numbers.interval(low, high, section.scale(metric), signed=True),
                p=p_words(p),
                count=f"{comparison.clusters:,}",
                records=noun(section.kind.record_noun, several=True),
            )
        )
    return found


# Marks by every field that is worth it, as dot-and-interval plots with counts.


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
