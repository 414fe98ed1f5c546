"""Each candidate against the first: the differences with their intervals and p-values."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from readmark.marking import Mark
from readmark.reporting.figures.dots import Axis, Dot, DotRow
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, joined
from readmark.reporting.page.comparisons import ComparedCandidates, on_part
from readmark.reporting.page.dot_figures import described, dot_figure, plotted
from readmark.reporting.page.layout import Cell, Figure, Table, words_cell
from readmark.reporting.page.links import units_link
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import phrase, phrase_html
from readmark.statistics.interval_methods import JACKKNIFE
from readmark.statistics.randomisation import least_p

ALPHA = 0.05
"""What the page calls significant."""
_GO_BY_P = 20
"""With fewer clusters, a percentile interval of a difference may contradict its p."""
_FLOOR_WORTH_SAYING = 0.01
"""The smallest p that the clusters allow is noted from here on: well below ALPHA it hides nothing.
"""


def difference_table(section: Section, compared: ComparedCandidates) -> Table:
    """A row for each candidate but the first, and for each metric."""
    has_holm = len(section.candidates) > 2
    has_shared = _has_shared(section, compared)
    first = section.candidates[0].label
    head = [words_cell(phrase_html("head.against", first=first))]
    if len(compared.by_metric) > 1:
        head.append(words_cell(phrase("head.metric")))
    head += [Cell(phrase("head.there"))] if has_shared else []
    head += [Cell(phrase("head.difference")), Cell("p")]
    head += [Cell(phrase("head.holm"))] if has_holm else []
    head += [Cell(phrase("head.differ")), Cell(phrase("head.detectable"))]
    looks = {candidate.name: candidate.look for candidate in section.candidates}
    rows = []
    for metric, comparisons in compared.by_metric.items():
        scale = section.scale(metric)
        for comparison in comparisons:
            row = [words_cell(section.label(comparison.b), look=looks[comparison.b])]
            if len(compared.by_metric) > 1:
                row.append(words_cell(metric_words(metric)))
            if has_shared:
                first_score = phrase(
                    "compare.first_there", score=numbers.mark(comparison.score_a, scale)
                )
                row.append(Cell(numbers.mark(comparison.score_b, scale), under=first_score))
            under = numbers.interval(comparison.low, comparison.high, scale, signed=True)
            difference = numbers.mark(comparison.difference, scale, signed=True)
            row += [Cell(difference, under=under, strong=True), Cell(numbers.p_value(comparison.p))]
            row += [Cell(numbers.p_value(comparison.adjusted_p))] if has_holm else []
            row += [
                Cell(f"{comparison.discordant:,} / {comparison.units:,}"),
                Cell(numbers.mark(comparison.detectable, scale)),
            ]
            rows.append(row)
    return Table(phrase_html("table.compare", first=first), head, rows)


def _has_shared(section: Section, compared: ComparedCandidates) -> bool:
    """Whether any two candidates are compared on a part of what one of them sat."""
    return any(
        on_part(section, comparison)
        for comparisons in compared.by_metric.values()
        for comparison in comparisons
    )


def difference_figure(
    section: Section, compared: ComparedCandidates, metrics: Sequence[str], number: int
) -> Figure:
    """A plot of the differences by metrics of one scale."""
    looks = {candidate.name: candidate.look for candidate in section.candidates}
    index = {candidate.name: number for number, candidate in enumerate(section.candidates)}
    scale = section.scale(metrics[0])
    rows, words = [], []
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
            for comparison in comparisons:
                name = section.label(comparison.b)
                what = joined([metric_words(metric), name], en=" ", zh=" ")
                difference = Mark(comparison.difference, comparison.low, comparison.high, scale)
                words.append(described(what, difference))
    first = section.candidates[0].label
    title = phrase("plot.differences", first=first)
    axis = Axis.covering(phrase("plot.difference", first=first), plotted(rows), reference=0.0)
    return dot_figure(section, f"differences-{number}", rows, axis, title, words)


def difference_notes(section: Section, compared: ComparedCandidates) -> list[Text]:
    """How p came about, and what limits it: shared units, adjustments, few clusters."""
    first = next(iter(compared.by_metric.values()))[0]
    nouns = noun(section.kind.record_noun, several=True)
    notes: list[Text] = [
        phrase(
            "compare.how", trials=f"{section.candidates[0].sheet.settings.trials:,}", records=nouns
        )
    ]
    if _has_shared(section, compared):
        notes.append(phrase("compare.shared"))
    if len(section.candidates) > 2:
        notes.append(phrase("compare.holm"))
    if len(compared.by_metric) > 1:
        notes.append(phrase("compare.metrics"))
    drawn = section.candidates[0].sheet.settings.interval != JACKKNIFE
    if drawn and first.clusters < _GO_BY_P:
        notes.append(phrase("compare.few", few=_GO_BY_P, records=nouns))
    floor = least_p(first.clusters)
    comparisons = len(section.candidates) - 1
    # Holm multiplies the smallest p by the number of comparisons.
    if floor < ALPHA <= comparisons * floor:
        notes.append(
            phrase(
                "compare.floor_holm",
                count=f"{first.clusters:,}",
                records=nouns,
                several=comparisons,
                p=numbers.p_value(comparisons * floor),
            )
        )
    elif floor > _FLOOR_WORTH_SAYING:
        notes.append(
            phrase(
                "compare.floor" if floor < ALPHA else "compare.floor_never",
                count=f"{first.clusters:,}",
                records=nouns,
                p=numbers.p_value(floor),
            )
        )
    return notes


def p_words(p: float | None) -> Markup:
    """A p-value in a sentence, which is not broken."""
    words = numbers.ABSENT if p is None else numbers.p_words(p)
    return Markup("<i>p</i>&nbsp;{}").format(words.replace(" ", "\N{NO-BREAK SPACE}"))


def disagreements(section: Section, compared: ComparedCandidates, metric: str) -> list[Bilingual]:
    """Where an interval leaves out 0 and p is no smaller than 0.05: why, and what to go by."""
    notes = []
    for comparison in compared.by_metric.get(metric, ()):
        p, low, high = comparison.decisive_p, comparison.low, comparison.high
        if p is None or low is None or high is None or p < ALPHA or low <= 0 <= high:
            continue
        adjusted = comparison.p is not None and comparison.p < ALPHA
        near = "disagree_few" if comparison.clusters < _GO_BY_P else "disagree_near"
        notes.append(
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
    return notes
