"""How far the scores of answers can be trusted: reliability, and risk against coverage."""

from __future__ import annotations

from readmark.core.numbers import decimal
from readmark.marking import Certainty
from readmark.reporting.figures.curves import reliability_plot, risk_plot
from readmark.reporting.page import words as numbers
from readmark.reporting.page.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import (
    Both,
    Text,
    clauses,
    joined,
    metric_words,
    noun,
    phrase,
    phrase_html,
)


def certainty_section(shown: SectionData) -> Part | None:
    """Reliability and risk against coverage; None where no answer carries a score."""
    section = shown.section
    found: list[tuple[int, Certainty]] = []
    for index, candidate in enumerate(section.candidates):
        certainty = candidate.sheet.certainty(section.main)
        if certainty is not None:
            found.append((index, certainty))
    if not found:
        return None
    metric = metric_words(section.main)
    figures = []
    probable = [(section.candidates[at].look, own) for at, own in found if own.bins]
    if probable:
        svg = reliability_plot(
            f"p{section.number}-reliability",
            probable,
            across=phrase("certainty.score"),
            up=phrase("certainty.mark", metric=metric),
            title=phrase("certainty.reliability"),
            description=joined(
                [
                    _bins_words(section.candidates[at].label, certainty)
                    for at, certainty in found
                    if certainty.bins
                ],
                en=" ",
                zh="",
            ),
        )
        figures.append(
            Figure(svg, phrase("certainty.reliability"), note=phrase("certainty.reliability_note"))
        )
    scale = section.scale(section.main)
    svg = risk_plot(
        f"p{section.number}-risk",
        [(section.candidates[at].look, own, scale) for at, own in found],
        across=phrase("certainty.coverage", units=noun(section.kind.unit_noun, several=True)),
        up=phrase("certainty.risk", metric=metric, best=f"{_best(section, found[0][0]) * scale:g}"),
        title=phrase("certainty.risk_coverage"),
        description=joined(
            [_risk_words(section.candidates[at].label, own, scale) for at, own in found],
            en=" ",
            zh="",
        ),
    )
    figures.append(
        Figure(svg, phrase("certainty.risk_coverage"), note=phrase("certainty.risk_note"))
    )
    return Part(
        "certainty",
        phrase("part.certainty"),
        tables=[_certainty_table(section, found)],
        figures=figures,
        notes=[
            phrase_html("certainty.no_probability", candidate=section.candidates[at].label)
            for at, certainty in found
            if not certainty.bins
        ],
        legend=[section.legend[at] for at, _ in found],
    )


def _best(section: Section, at: int) -> float:
    return section.candidates[at].sheet.metrics[section.main].facts.best


def _certainty_table(section: Section, found: list[tuple[int, Certainty]]) -> Table:
    scale = section.scale(section.main)
    head: list[Text] = [
        phrase("certainty.scored"),
        phrase("certainty.full_risk"),
        phrase("certainty.half_risk"),
        phrase("certainty.area"),
        phrase("certainty.error"),
    ]
    rows = []
    for at, one in found:
        half = _risk_at(one, 0.5)
        rows.append(
            [
                words_cell(section.candidates[at].label, look=section.candidates[at].look),
                Cell(f"{one.scored:,} / {one.units:,}"),
                Cell(numbers.mark(float(one.risk.risk[-1]) * scale, scale)),
                Cell(numbers.mark(None if half is None else half * scale, scale)),
                Cell(numbers.mark(one.risk.area * scale, scale)),
                _error_cell(one),
            ]
        )
    cells = [words_cell(phrase("head.candidate")), *(Cell(text) for text in head)]
    return Table(phrase("part.certainty"), cells, rows)


def _error_cell(one: Certainty) -> Cell:
    """The calibration error, and its interval under it."""
    found = one.calibration
    if found is None:
        return Cell(numbers.ABSENT)
    under = None if found.low is None else numbers.interval(found.low, found.high, 1)
    return Cell(numbers.mark(found.error, 1), under)


def _risk_at(one: Certainty, coverage: float) -> float | None:
    """The risk when at least so large a share is answered; None when that is never reached."""
    reached = [
        float(r) for c, r in zip(one.risk.coverage, one.risk.risk, strict=True) if c >= coverage
    ]
    return reached[0] if reached else None


def _bins_words(candidate: Both, one: Certainty) -> Both:
    boths = [
        phrase(
            "certainty.bin_said",
            score=decimal(bin.score),
            mark=decimal(bin.mark),
            units=bin.units,
        )
        for bin in one.bins
    ]
    return phrase("certainty.said", candidate=candidate, what=clauses(boths))


def _risk_words(candidate: Both, one: Certainty, scale: float) -> Both:
    boths = []
    for coverage in (0.25, 0.5, 0.75, 1.0):
        risk = _risk_at(one, coverage)
        if risk is not None:
            shown = numbers.mark(risk * scale, scale)
            boths.append(phrase("certainty.risk_said", share=numbers.share(coverage), risk=shown))
    return phrase("certainty.said", candidate=candidate, what=clauses(boths))
