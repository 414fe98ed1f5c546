"""How the marks of single units are spread."""

from __future__ import annotations

from readmark.core.numbers import significant
from readmark.reporting.figures.histograms import Bar, distribution, histogram
from readmark.reporting.page.layout import Figure, Part
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import (
    Both,
    clauses,
    counted,
    metric_words,
    noun,
    phrase,
)


def spread_section(shown: SectionData) -> Part | None:
    """A histogram a candidate, to one height; None where the metric has no unit marks."""
    section = shown.section
    found = [
        (index, distribution(candidate, section.main))
        for index, candidate in enumerate(section.candidates)
    ]
    found = [(at, bars) for at, bars in found if bars]
    if not found:
        return None
    most = max(bar.units for _, bars in found for bar in bars)
    units = noun(section.kind.unit_noun, several=True)
    metric = metric_words(section.main)
    figures = []
    for at, bars in found:
        name = section.candidates[at].label
        svg = histogram(
            f"p{section.number}-spread-{at}",
            bars,
            section.candidates[at].look,
            most=most,
            across=phrase("spread.across", metric=metric, unit=noun(section.kind.unit_noun)),
            up=units,
            title=phrase("spread.title", candidate=name, metric=metric),
            description=clauses(_bar_words(section, bar) for bar in bars if bar.units),
        )
        figures.append(Figure(svg, name))
    lead = phrase("spread.lead", metric=metric, unit=noun(section.kind.unit_noun))
    return Part("spread", phrase("part.spread"), lead=[lead], figures=figures)


def _bar_words(section: Section, bar: Bar) -> Both:
    units = counted(bar.units, section.kind.unit_noun)
    if bar.low == bar.high:
        return phrase("spread.exactly", mark=f"{bar.low:g}", units=units)
    return phrase(
        "spread.between", low=significant(bar.low, 2), high=significant(bar.high, 2), units=units
    )
