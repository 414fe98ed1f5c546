"""Accuracy: how often the option that was chosen is the keyed one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from readmark.comprehension.metrics.overlap import extraction_rules
from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.records import Count, Number, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.hooks import MetricFacts, MetricReport
from readmark.marking.metrics import Ratio
from readmark.statistics.randomisation import chi_square_survival

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Accuracy(Ratio):
    """Share of questions whose chosen option is the keyed one.

    A unit's vector is (right, 1, whether the answer is no option, the chance of a guess).
    """

    extract: bool = parameter(
        False, help="the short answer is taken out of a wordy one first, by its wording"
    )

    facts: ClassVar[MetricFacts] = replace(
        Ratio.facts, width=4, uncounted="there are no options, or the key is none of them"
    )

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Right when the option meant is keyed; an answer that is no option is wrong."""
        options: Sequence[str] = unit.item.options
        keyed = keyed_options(options, references)
        if not keyed:
            return 0.0, 0.0, 0.0, 0.0
        chance = len(keyed) / len(options)
        if answer is None:
            return 0.0, 1.0, 0.0, chance
        meant = self._meant(answer, options)
        right = any(at in keyed for at in meant)
        return float(right), 1.0, float(not meant), chance

    def _meant(self, answer: Any, options: Sequence[str]) -> tuple[int, ...]:
        """The option meant by the short answer, where that is taken out, else by all of it."""
        from readmark.text.answers.options import options_meant

        order: tuple[int, ...] | None = getattr(answer, "order", None)
        if self.extract:
            from readmark.text.answers.replies import short_answer

            short = options_meant(short_answer(answer.text), options, order)
            if short:
                return short
        return options_meant(answer.text, options, order)

    def report(self, rows: Floats) -> MetricReport:
        """What guessing would give, and how many answers are no option."""
        counted = float(rows[:, 1].sum())
        if not counted:
            return MetricReport()
        guessing = 100 * float(rows[:, 3].sum()) / counted
        said = [f"guessing would give {numbers.mark(guessing, 100)}"]
        astray = int((rows[:, 2] > 0).sum())
        if astray:
            are = (
                "question has an answer that is"
                if astray == 1
                else "questions have answers that are"
            )
            said.append(f"{astray} {are} none of the options, and wrong")
        return MetricReport(remarks=said)

    def signature(self) -> Mapping[str, str]:
        """How answers and options are matched."""
        from readmark.text.answers.options import RULES

        taken = {"extract": extraction_rules()} if self.extract else {}
        return {"match": RULES, **taken, "units": "mean"}


def keyed_options(options: Sequence[str], references: Sequence[Sequence[Any]]) -> frozenset[int]:
    """The places of the options that any person's answer is; none where no answer is one.

    A key is the option's own text, as ``readmark check`` has it: a letter is no key.
    """
    from readmark.text.answers.options import options_exactly

    return frozenset(
        at for person in references for one in person for at in options_exactly(one.text, options)
    )


# Where the chosen options stood: whether a candidate prefers a place, whatever is there.


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

    def shares(self, absent: str) -> list[str]:
        """How often it was chosen, had the key, and was right then, in per cent."""
        parts = (self.chosen, self.shown), (self.keyed, self.shown), (self.right, self.keyed)
        return [numbers.percent(part / whole) if whole else absent for part, whole in parts]


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

    @staticmethod
    def counter(test: Test) -> PlaceCounts | None:
        """A counter where any question has options."""
        return PlaceCounts() if test.facts.count("choices") else None

    def as_json(self) -> dict[str, Any]:
        """As ``mark --json`` has it."""
        return asdict(self)

    def show(self, console: Console) -> None:
        """Where the chosen options were shown, and where the key was."""
        from readmark.core.display import ABSENT, counted, plain_table

        table = plain_table("place", "shown", "chosen", "key there", "right then")
        for place in self.places:
            table.add_row(place.place, f"{place.shown:,}", *place.shares(ABSENT))
        answers = counted(self.answers, "answer")
        console.print(f"options by the place where they were shown: {answers}")
        console.print(table)
        console.print(
            f"every place chosen alike: chi-square {numbers.decimal(self.chi_square)}, "
            f"{self.freedom} degrees of freedom, p {numbers.p_value(self.p)}"
        )


@dataclass(slots=True)
class PlaceCounts:
    """Takes answers one by one."""

    _shown: Counter[int] = field(default_factory=Counter)
    _chosen: Counter[tuple[int, int]] = field(default_factory=Counter)
    _keyed: Counter[int] = field(default_factory=Counter)
    _right: Counter[int] = field(default_factory=Counter)

    def add(self, unit: Unit, references: Sequence[Sequence[Any]], rows: Sequence[Row]) -> None:
        """The answers to one unit; one that is no option, or two alike, has no place."""
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
            meant = options_meant(row.text, options, order)
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
            counts = [self._chosen[options, index] for index in range(options)]
            wanted = sum(counts) / options
            value += sum((count - wanted) ** 2 / wanted for count in counts)
            freedom += options - 1
        return value, freedom


def _letter(at: int) -> str:
    return LETTERS[at] if at < len(LETTERS) else str(at + 1)
