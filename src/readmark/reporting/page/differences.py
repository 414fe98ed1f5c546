"""Each candidate against the first: the differences with their intervals and p-values."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from readmark.marking import Comparison, Mark
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.page import words as numbers
from readmark.reporting.page.comparisons import ComparedCandidates, on_part
from readmark.reporting.page.dot_figures import described, dot_figure, plotted
from readmark.reporting.page.layout import Cell, Figure, Table, units_link, words_cell
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import (
    Both,
    Text,
    joined,
    metric_words,
    noun,
    phrase,
    phrase_html,
)
from readmark.statistics.interval_methods import JACKKNIFE
from readmark.statistics.randomisation import least_p

ALPHA = 0.05
"""What the page calls significant."""
_GO_BY_P = 20
"""With fewer clusters, a percentile interval of a difference may contradict its p."""
_FLOOR_WORTH_SAYING = 0.01


def difference_table(section: Section, compared: ComparedCandidates) -> Table:
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


def difference_figure(
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


def difference_notes(section: Section, compared: ComparedCandidates) -> list[Text]:
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
