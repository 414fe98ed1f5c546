"""Where the chosen options stood: whether a candidate prefers a place, whatever stands there.

Counted only over answers whose order of options was recorded (``sit --shuffle-options``): in the
test's own order nobody can tell a candidate's preference from the key's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from readmark.corpus.sitting import Row
from readmark.corpus.values import Count, Number
from readmark.marking.metrics.accuracy import keyed_options
from readmark.marking.tally import UnitMarks
from readmark.measures.chi_square import chi_square_survival
from readmark.text.options import options_meant

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Place:
    """One place among the options, over all answers with so many options."""

    place: str
    """Its letter."""
    shown: Count
    """How often an option stood there."""
    chosen: Count
    keyed: Count
    """How often the key stood there."""
    right: Count
    """How often it was chosen then."""


@dataclass(frozen=True, slots=True)
class Positions:
    """How often each place was chosen, and whether that is more than chance would make it.

    Chi-square is summed over questions with two options, with three and so on, against every place
    being chosen alike.
    """

    answers: Count
    places: Sequence[Place]
    chi_square: Number
    freedom: Count
    p: Number

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)


@dataclass(slots=True)
class PlaceCounts:
    """Takes answers one by one."""

    _shown: Counter[int] = field(default_factory=Counter)
    _chosen: Counter[tuple[int, int]] = field(default_factory=Counter)
    _keyed: Counter[int] = field(default_factory=Counter)
    _right: Counter[int] = field(default_factory=Counter)

    def before(self, on_unit: Callable[[UnitMarks], None] | None) -> Callable[[UnitMarks], None]:
        """Look at every unit that is marked, and then go on as before."""

        def each(marked: UnitMarks) -> None:
            if any(row.order is not None for row in marked.rows):
                options = marked.unit.item.options
                self.add(options, keyed_options(options, marked.references), marked.rows)
            if on_unit is not None:
                on_unit(marked)

        return each

    def add(self, options: Sequence[str], keyed: frozenset[int], rows: Sequence[Row]) -> None:
        """The answers to one unit; one that is no option, or two alike, has no place."""
        if len(keyed) != 1:
            return
        key = next(iter(keyed))
        for row in rows:
            order = row.order
            if row.error is not None or order is None or sorted(order) != [*range(len(options))]:
                continue
            meant = options_meant(row.words("text"), options, order)
            if len(meant) != 1:
                continue
            chosen, right = order.index(meant[0]), order.index(key)
            self._shown.update(range(len(order)))
            self._chosen[len(order), chosen] += 1
            self._keyed[right] += 1
            self._right[right] += chosen == right

    def counted(self) -> Positions | None:
        """The counts; None where no answer has its order recorded."""
        answers = self._chosen.total()
        if not answers:
            return None
        chosen: Counter[int] = Counter()
        for (_, at), count in self._chosen.items():
            chosen[at] += count
        places = [
            Place(_letter(at), self._shown[at], chosen[at], self._keyed[at], self._right[at])
            for at in sorted(self._shown)
        ]
        value, freedom = self._chi_square()
        return Positions(answers, places, value, freedom, chi_square_survival(value, freedom))

    def _chi_square(self) -> tuple[float, int]:
        value, freedom = 0.0, 0
        for options in sorted({several for several, _ in self._chosen}):
            counts = [self._chosen[options, at] for at in range(options)]
            wanted = sum(counts) / options
            value += sum((count - wanted) ** 2 / wanted for count in counts)
            freedom += options - 1
        return value, freedom


def _letter(at: int) -> str:
    return LETTERS[at] if at < len(LETTERS) else str(at + 1)
