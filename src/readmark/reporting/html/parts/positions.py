"""At which places the chosen options stood, where sittings recorded the order shown."""

from __future__ import annotations

from readmark.marking.positions import Place
from readmark.reporting.html import numbers
from readmark.reporting.html.figures.series import series
from readmark.reporting.html.layout import Cell, Part, Table, words_cell
from readmark.reporting.html.sections import Section
from readmark.reporting.html.words import say


def positions(section: Section) -> Part | None:
    """A row a candidate and place; None where no order was recorded."""
    rows, notes = [], []
    for at, one in enumerate(section.candidates):
        found = one.sheet.told.positions
        if found is None:
            continue
        rows += [
            [words_cell(one.label, look=series(at)), words_cell(place.place), *_cells(place)]
            for place in found.places
        ]
        notes.append(
            say(
                "positions.note",
                candidate=one.label,
                value=f"{found.chi_square:.2f}",
                freedom=str(found.freedom),
                p=numbers.p_value(found.p),
            )
        )
    if not rows:
        return None
    head = [words_cell(say("head.candidate")), words_cell(say("positions.place"))]
    head += [Cell(say(f"positions.{name}")) for name in ("chosen", "keyed", "right")]
    return Part(
        "positions",
        say("part.positions"),
        lead=[say("positions.lead")],
        tables=[Table(say("part.positions"), head, rows)],
        notes=notes,
    )


def _cells(place: Place) -> list[Cell]:
    return [
        Cell(f"{100 * part / whole:.1f}%" if whole else numbers.ABSENT)
        for part, whole in (
            (place.chosen, place.shown),
            (place.keyed, place.shown),
            (place.right, place.keyed),
        )
    ]
