"""How far the scores of answers can be trusted: reliability, and risk against coverage."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.numbers import decimal
from readmark.marking import Certainty
from readmark.reporting.figures.curves import reliability_plot, risk_plot
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import Bilingual, Text, clauses, joined
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import MarkedCandidate, Section
from readmark.reporting.page.words import phrase, phrase_html

Sure = tuple[MarkedCandidate, Certainty]
"""A candidate whose answers carry scores, and how far these can be trusted."""


def certainty_section(data: SectionData) -> Part | None:
    """Reliability and risk against coverage; None where no answer carries a score."""
    section = data.section
    scored = [
        (candidate, certainty)
        for candidate in section.candidates
        if (certainty := candidate.sheet.certainty(section.main)) is not None
    ]
    if not scored:
        return None
    # Scores that are no probabilities have no bins: they only put answers in an order.
    probable = [(candidate, certainty) for candidate, certainty in scored if certainty.bins]
    figures = [_reliability(section, probable)] if probable else []
    return Part(
        "certainty",
        phrase("part.certainty"),
        tables=[_certainty_table(section, scored)],
        figures=[*figures, _risk(section, scored)],
        notes=[
            phrase_html("certainty.no_probability", candidate=candidate.label)
            for candidate, certainty in scored
            if not certainty.bins
        ],
        legend=[(candidate.label, candidate.look) for candidate, _ in scored],
    )


def _reliability(section: Section, probable: Sequence[Sure]) -> Figure:
    title = phrase("certainty.reliability")
    words = [_bins_words(candidate.label, certainty) for candidate, certainty in probable]
    svg = reliability_plot(
        f"p{section.number}-reliability",
        [(candidate.look, certainty) for candidate, certainty in probable],
        across=phrase("certainty.score"),
        up=phrase("certainty.mark", metric=metric_words(section.main)),
        title=title,
        description=joined(words, en=" ", zh=""),
    )
    return Figure(svg, title, note=phrase("certainty.reliability_note"))


def _risk(section: Section, scored: Sequence[Sure]) -> Figure:
    title, scale = phrase("certainty.risk_coverage"), section.scale(section.main)
    best = scored[0][0].sheet.metrics[section.main].facts.best * scale
    words = [_risk_words(candidate.label, certainty, scale) for candidate, certainty in scored]
    svg = risk_plot(
        f"p{section.number}-risk",
        [(candidate.look, certainty, scale) for candidate, certainty in scored],
        across=phrase("certainty.coverage", units=noun(section.kind.unit_noun, several=True)),
        up=phrase("certainty.risk", metric=metric_words(section.main), best=f"{best:g}"),
        title=title,
        description=joined(words, en=" ", zh=""),
    )
    return Figure(svg, title, note=phrase("certainty.risk_note"))


def _certainty_table(section: Section, scored: Sequence[Sure]) -> Table:
    scale = section.scale(section.main)
    head: list[Text] = [
        phrase("certainty.scored"),
        phrase("certainty.full_risk"),
        phrase("certainty.half_risk"),
        phrase("certainty.area"),
        phrase("certainty.error"),
    ]
    rows = []
    for candidate, certainty in scored:
        half = _risk_at(certainty, 0.5)
        rows.append(
            [
                words_cell(candidate.label, look=candidate.look),
                Cell(f"{certainty.scored:,} / {certainty.units:,}"),
                Cell(numbers.mark(float(certainty.risk.risk[-1]) * scale, scale)),
                Cell(numbers.mark(None if half is None else half * scale, scale)),
                Cell(numbers.mark(certainty.risk.area * scale, scale)),
                _error_cell(certainty),
            ]
        )
    cells = [words_cell(phrase("head.candidate")), *(Cell(text) for text in head)]
    return Table(phrase("part.certainty"), cells, rows)


def _error_cell(certainty: Certainty) -> Cell:
    """The calibration error, and its interval under it."""
    calibration = certainty.calibration
    if calibration is None:
        return Cell(numbers.ABSENT)
    low, high = calibration.low, calibration.high
    under = None if low is None else numbers.interval(low, high, 1)
    return Cell(numbers.mark(calibration.error, 1), under)


def _risk_at(certainty: Certainty, coverage: float) -> float | None:
    """The risk when at least so large a share is answered; None when that is never reached."""
    curve = zip(certainty.risk.coverage, certainty.risk.risk, strict=True)
    return next((float(risk) for share, risk in curve if share >= coverage), None)


def _bins_words(candidate: Bilingual, certainty: Certainty) -> Bilingual:
    bins = [
        phrase(
            "certainty.bin_said",
            score=decimal(bin.score),
            mark=decimal(bin.mark),
            units=bin.units,
        )
        for bin in certainty.bins
    ]
    return phrase("certainty.said", candidate=candidate, what=clauses(bins))


def _risk_words(candidate: Bilingual, certainty: Certainty, scale: float) -> Bilingual:
    points = []
    for coverage in (0.25, 0.5, 0.75, 1.0):
        risk = _risk_at(certainty, coverage)
        if risk is not None:
            words = numbers.mark(risk * scale, scale)
            points.append(phrase("certainty.risk_said", share=numbers.share(coverage), risk=words))
    return phrase("certainty.said", candidate=candidate, what=clauses(points))
