"""accuracy: how often the option that was chosen is the keyed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.comprehension.metrics.best_over_references import extraction_rules
from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts, MetricReport
from readmark.marking import Ratio


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
        right = any(index in keyed for index in meant)
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
        questions = float(rows[:, 1].sum())
        if not questions:
            return MetricReport()
        guessing = 100 * float(rows[:, 3].sum()) / questions
        remarks = [f"guessing would give {numbers.mark(guessing, 100)}"]
        no_option = int((rows[:, 2] > 0).sum())
        if no_option:
            are = "question has an answer that is"
            if no_option > 1:
                are = "questions have answers that are"
            remarks.append(f"{no_option} {are} none of the options, and wrong")
        return MetricReport(remarks=remarks)

    def signature(self) -> Mapping[str, str]:
        """How answers and options are matched."""
        from readmark.text.answers.options import RULES

        taken = {"extract": extraction_rules()} if self.extract else {}
        return {"match": RULES, **taken, "units": "mean"}


def keyed_options(options: Sequence[str], references: Sequence[Sequence[Any]]) -> frozenset[int]:
    """The indices of the options that any person's answer is; none where no answer is one.

    A key is the option's own text, as ``readmark check`` has it: a letter is no key.
    """
    from readmark.text.answers.options import options_exactly

    return frozenset(
        index
        for person in references
        for answer in person
        for index in options_exactly(answer.text, options)
    )
