"""How the marks of single units are spread."""

from __future__ import annotations

from readmark.core.numbers import significant
from readmark.reporting.figures.histograms import Bar, distribution, histogram
from readmark.reporting.page.bilingual import Bilingual, clauses
from readmark.reporting.page.layout import Figure, Part
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import phrase


def spread_section(data: SectionData) -> Part | None:
    """Histograms of the candidates, to one height; None where the metric has no unit marks."""
    section = data.section
    bars = [distribution(candidate, section.main) for candidate in section.candidates]
    # Histograms stand next to each other, so a bar of one means as much as a bar of another.
    highest = max((bar.units for of_candidate in bars for bar in of_candidate), default=0)
    metric, unit = metric_words(section.main), noun(section.kind.unit_noun)
    figures = []
    for index, (candidate, of_candidate) in enumerate(zip(section.candidates, bars, strict=True)):
        if not of_candidate:
            continue
        svg = histogram(
            f"p{section.number}-spread-{index}",
            of_candidate,
            candidate.look,
            most=highest,
            across=phrase("spread.across", metric=metric, unit=unit),
            up=noun(section.kind.unit_noun, several=True),
            title=phrase("spread.title", candidate=candidate.label, metric=metric),
            description=clauses(_bar_words(section, bar) for bar in of_candidate if bar.units),
        )
        figures.append(Figure(svg, candidate.label))
    if not figures:
        return None
    lead = phrase("spread.lead", metric=metric, unit=unit)
    return Part("spread", phrase("part.spread"), lead=[lead], figures=figures)


def _bar_words(section: Section, bar: Bar) -> Bilingual:
    units = counted(bar.units, section.kind.unit_noun)
    if bar.low == bar.high:
        return phrase("spread.exactly", mark=f"{bar.low:g}", units=units)
    return phrase(
        "spread.between", low=significant(bar.low, 2), high=significant(bar.high, 2), units=units
    )
