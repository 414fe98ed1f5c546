"""Where the chosen options stood: whether a candidate prefers a position, whatever is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.comprehension.metrics.accuracy import keyed_options
from readmark.core import numbers
from readmark.core.records import BoundedCount, Number, Unit
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.statistics.distributions import chi_square_survival

if TYPE_CHECKING:
    from rich.console import Console

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class OptionPosition:
    """One position among the options, over all answers whose options reach that far."""

    place: str
    """Its letter."""
    shown: BoundedCount
    """How often an option stood there."""
    chosen: BoundedCount
    keyed: BoundedCount
    """How often the keyed option stood there."""
    right: BoundedCount
    """How often it was chosen then."""

    def shares(self, absent: str) -> list[str]:
        """How often it was chosen, had the key, and was right then, in per cent."""
        parts = (self.chosen, self.shown), (self.keyed, self.shown), (self.right, self.keyed)
        return [numbers.percent(part / whole) if whole else absent for part, whole in parts]


@dataclass(frozen=True, slots=True)
class OptionPositions:
    """How often each position was chosen, and whether that is more than chance would make it.

    Chi-square is summed over questions with two options, with three and so on, against every
    position being chosen equally often.
    """

    answers: BoundedCount
    places: Sequence[OptionPosition]
    chi_square: Number
    freedom: BoundedCount
    p: Number

    @staticmethod
    def counter(test: Test) -> PositionCounter | None:
        """A counter if any question has options."""
        return PositionCounter() if test.facts.count("choices") else None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def show(self, console: Console) -> None:
        from readmark.core.display import ABSENT, counted, plain_table

        table = plain_table("place", "shown", "chosen", "key there", "right then")
        for position in self.places:
            table.add_row(position.place, f"{position.shown:,}", *position.shares(ABSENT))
        answers = counted(self.answers, "answer")
        console.print(f"options by the place where they were shown: {answers}")
        console.print(table)
        console.print(
            f"every place chosen alike: chi-square {numbers.decimal(self.chi_square)}, "
            f"{self.freedom} degrees of freedom, p {numbers.p_value(self.p)}"
        )


@dataclass(slots=True)
class PositionCounter:
    """Counts positions while a sitting is marked."""

    _shown: Counter[int] = field(default_factory=Counter)
    _chosen: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By the number of options and the position."""
    _keyed: Counter[int] = field(default_factory=Counter)
    _right: Counter[int] = field(default_factory=Counter)

    def add(self, unit: Unit, references: Sequence[Sequence[Any]], rows: Sequence[Row]) -> None:
        """The answers to one unit; one that names no option, or two of them, has no position."""
        if all(row.order is None for row in rows):
            return
        from readmark.text.answers.options import options_meant

        options = unit.item.options
        keyed = keyed_options(options, references)
        if len(keyed) != 1:
            return
        key = next(iter(keyed))
        for row in rows:
            order = row.order
            if row.error is not None or order is None or sorted(order) != [*range(len(options))]:
                continue
            answered = options_meant(row.text, options, order)
            if len(answered) != 1:
                continue
            chosen, right = order.index(answered[0]), order.index(key)
            self._shown.update(range(len(order)))
            self._chosen[len(order), chosen] += 1
            self._keyed[right] += 1
            self._right[right] += chosen == right

    def counted(self) -> OptionPositions | None:
        """The counts; None if no answer has its order recorded."""
        answers = self._chosen.total()
        if not answers:
            return None
        chosen: Counter[int] = Counter()
        for (_, index), count in self._chosen.items():
            chosen[index] += count
        positions = [
            OptionPosition(
                LETTERS[index] if index < len(LETTERS) else str(index + 1),
                self._shown[index],
                chosen[index],
                self._keyed[index],
                self._right[index],
            )
            for index in sorted(self._shown)
        ]
        value, freedom = 0.0, 0
        for options in sorted({options for options, _ in self._chosen}):
            counts = [self._chosen[options, index] for index in range(options)]
            expected = sum(counts) / options
            value += sum((count - expected) ** 2 / expected for count in counts)
            freedom += options - 1
        p = chi_square_survival(value, freedom)
        return OptionPositions(answers, positions, value, freedom, p)
