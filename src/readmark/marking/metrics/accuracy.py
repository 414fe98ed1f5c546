"""Accuracy: how often the option that was chosen is the keyed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import Floats, parameter
from readmark.marking.metrics.ratio import Ratio
from readmark.text.options import RULES, options_exactly, options_meant
from readmark.text.short_answers import RULES as EXTRACTION
from readmark.text.short_answers import short_answer


@dataclass(frozen=True)
class Accuracy(Ratio):
    """Share of questions whose chosen option is the keyed one.

    A unit's vector is (right, 1, whether the answer is no option, the chance of a guess).
    """

    extract: bool = parameter(
        False, help="the short answer is taken out of a wordy one first, by its wording"
    )

    width: ClassVar[int] = 4
    uncounted: ClassVar[str] = "there are no options, or the key is none of them"

    def resolve(self, test: Test) -> Self:
        """As it stands: options are told apart alike in every language."""
        return self

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
        order: tuple[int, ...] | None = getattr(answer, "order", None)
        if self.extract:
            short = options_meant(short_answer(answer.text), options, order)
            if short:
                return short
        return options_meant(answer.text, options, order)

    def remarks(self, rows: Floats) -> Sequence[str]:
        """What guessing would give, and how many answers are no option."""
        counted = float(rows[:, 1].sum())
        if not counted:
            return []
        said = [f"guessing would give {100 * float(rows[:, 3].sum()) / counted:.1f}"]
        astray = int((rows[:, 2] > 0).sum())
        if astray:
            are = (
                "question has an answer that is"
                if astray == 1
                else "questions have answers that are"
            )
            said.append(f"{astray} {are} none of the options, and wrong")
        return said

    def signature(self) -> Mapping[str, str]:
        """How answers and options are matched."""
        taken = {"extract": EXTRACTION} if self.extract else {}
        return {"match": RULES, **taken, "units": "mean"}


def keyed_options(options: Sequence[str], references: Sequence[Sequence[Any]]) -> frozenset[int]:
    """The places of the options that any person's answer is; none where no answer is one.

    A key is the option's own text, as ``readmark check`` has it: a letter is no key.
    """
    return frozenset(
        at for person in references for one in person for at in options_exactly(one.text, options)
    )
