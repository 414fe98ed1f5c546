"""At which positions the chosen options stood, for sittings that recorded the order shown."""

from __future__ import annotations

from readmark.core.numbers import ABSENT, decimal, p_value
from readmark.reporting import Part, SectionData, Table
from readmark.reporting.sections import Cell, phrase, words_cell


def positions_section(data: SectionData) -> Part | None:
    """A row per candidate and position; None if no order was recorded."""
    rows, notes = [], []
    for candidate in data.candidates:
        positions = candidate.sheet.recorded.tables.get("positions")
        if positions is None:
            continue
        for position in positions.places:
            name = words_cell(candidate.label, look=candidate.look)
            shares = map(Cell, position.shares(ABSENT))
            rows.append([name, words_cell(position.place), *shares])
        notes.append(
            phrase(
                "positions.note",
                candidate=candidate.label,
                value=decimal(positions.chi_square),
                freedom=str(positions.freedom),
                p=p_value(positions.p),
            )
        )
    if not rows:
        return None
    head = [words_cell(phrase("head.candidate")), words_cell(phrase("positions.place"))]
    head += [Cell(phrase(f"positions.{name}")) for name in ("chosen", "keyed", "right")]
    return Part(
        "positions",
        phrase("part.positions"),
        lead=[phrase("positions.lead")],
        tables=[Table(phrase("part.positions"), head, rows)],
        notes=notes,
    )
