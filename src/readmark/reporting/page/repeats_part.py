"""What asking again changes: a candidate's own variance, apart from the items'."""

from __future__ import annotations

from readmark.reporting.page import numbers
from readmark.reporting.page.answers import answer_words
from readmark.reporting.page.layout import Cell, Part, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.section_data import SectionData
from readmark.reporting.page.words import phrase


def repeats_section(data: SectionData) -> Part | None:
    """The candidate's own variance next to the items'; None where units were asked once."""
    section = data.section
    rows = []
    for candidate in section.candidates:
        repeated_units = [unit.answers for unit in candidate.sheet.units if len(unit.answers) > 1]
        if not repeated_units:
            continue
        same = sum(
            len({answer_words(section.kind, row) for row in answers}) == 1
            and all(row.answered for row in answers)
            for answers in repeated_units
        )
        for metric, repeated in candidate.sheet.recorded.repeats.items():
            scale = section.scale(metric)
            mark = candidate.sheet.recorded.marks[metric]
            rows.append(
                [
                    words_cell(candidate.label, look=candidate.look),
                    words_cell(metric_words(metric)),
                    Cell(", ".join(numbers.mark(score, scale) for score in repeated.scores)),
                    Cell(numbers.mark(repeated.deviation, scale), strong=True),
                    Cell(numbers.interval(mark.low, mark.high, scale)),
                    Cell(f"{same:,} / {len(repeated_units):,}"),
                ]
            )
    if not rows:
        return None
    head = [words_cell(phrase("head.candidate")), words_cell(phrase("head.metric"))]
    head += [
        Cell(phrase(f"repeats.{name}")) for name in ("scores", "deviation", "interval", "same")
    ]
    lead = phrase("repeats.lead", records=noun(section.kind.record_noun, several=True))
    return Part(
        "repeats",
        phrase("part.repeats"),
        lead=[lead],
        tables=[Table(phrase("part.repeats"), head, rows)],
    )
