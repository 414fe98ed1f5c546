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
        False, help="extract the short answer from a wordy one first, by its wording"
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
        """Right if the chosen option is keyed; an answer that names no option is wrong."""
        options: Sequence[str] = unit.item.options
        keyed = keyed_options(options, references)
        if not keyed:
            return 0.0, 0.0, 0.0, 0.0
        chance = len(keyed) / len(options)
        if answer is None:
            return 0.0, 1.0, 0.0, chance
        chosen = self._chosen_options(answer, options)
        is_right = any(index in keyed for index in chosen)
        return float(is_right), 1.0, float(not chosen), chance

    def _chosen_options(self, answer: Any, options: Sequence[str]) -> tuple[int, ...]:
        """What the short answer says, if it is extracted and names an option, else all of it."""
        from readmark.text.answers.options import options_meant

        order: tuple[int, ...] | None = getattr(answer, "order", None)
        if self.extract:
            from readmark.text.answers.short_answers import short_answer

            chosen = options_meant(short_answer(answer.text), options, order)
            if chosen:
                return chosen
        return options_meant(answer.text, options, order)

    def report(self, rows: Floats) -> MetricReport:
        """What guessing would give, and how many answers name no option."""
        questions = float(rows[:, 1].sum())
        if not questions:
            return MetricReport()
        guessing = 100 * float(rows[:, 3].sum()) / questions
        remarks = [f"guessing would give {numbers.mark(guessing, 100)}"]
        misses = int((rows[:, 2] > 0).sum())
        if misses:
            have = (
                "questions have answers that are"
                if misses > 1
                else "question has an answer that is"
            )
            remarks.append(f"{misses} {have} none of the options, and wrong")
        return MetricReport(remarks=remarks)

    def signature(self) -> Mapping[str, str]:
        from readmark.text.answers.options import RULES

        extract = {"extract": extraction_rules()} if self.extract else {}
        return {"match": RULES, **extract, "units": "mean"}


def keyed_options(options: Sequence[str], references: Sequence[Sequence[Any]]) -> frozenset[int]:
    """The indices of the options that equal any person's answer.

    A key is the option's own text, as ``readmark check`` demands: a letter is not a key.
    """
    from readmark.text.answers.options import options_exactly

    return frozenset(
        index
        for person in references
        for answer in person
        for index in options_exactly(answer.text, options)
    )
