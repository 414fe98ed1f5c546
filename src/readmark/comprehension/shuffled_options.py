"""Options in another order: what a candidate chooses should not depend on its position."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.records import Question
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.hooks import PaperTransform
from readmark.sitting import Ask, UnitCount
from readmark.text.answers.options import options_meant, options_worded


def order_of(seed: int, id: str, repeat: int, options: int) -> tuple[int, ...]:
    """The order of a unit's options in a repeat, by their places in the test.

    Each repeat turns the first order by one place, so after as many repeats as there are options
    every option has stood at every place once; then another order begins.
    """
    if options < 2:
        return tuple(range(options))
    turns, turned = divmod(repeat, options)

    def drawn(place: int) -> bytes:
        # A hash needs no state: a sitting that is resumed shuffles as it began.
        words = f"{seed} {turns} {place} {id}"
        return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()

    order = sorted(range(options), key=drawn)
    return tuple(order[turned:] + order[:turned])


@dataclass
class ShuffleOptions:
    """Shuffles the options of each question, differently in each repeat."""

    seed: int = parameter(help="makes the order reproducible")
    _lettered: UnitCount = field(default_factory=UnitCount, init=False, repr=False)
    """Units that were answered by a letter."""
    _shown: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False
    )
    """The order and the options that were shown, of units that are not answered yet."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        if not test.facts.count("choices"):
            raise UsageError(f"`shuffle_options`: no question of {test.file} has options")
        self._lettered, self._shown = UnitCount(), {}

    def header(self) -> Mapping[str, Any]:
        return {"shuffle_options": self.seed}

    def signature(self) -> Mapping[str, Any]:
        return {"options": f"shuffled, seed {self.seed}"}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """Passages whose questions have their options in the order of the repeat."""
        for ask in asks:
            wanted = frozenset(ask.wanted)
            questions = tuple(
                self._shuffled(question, repeat)
                if question.options and question.id in wanted
                else question
                for question in ask.record.questions
            )
            yield replace(ask, record=msgspec.structs.replace(ask.record, questions=questions))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows with the order that was shown; a letter becomes the option that it names.

        The letter is one of the order shown, which a reader of the sitting cannot see.
        """
        for row in rows:
            with self._lock:
                order, options = self._shown.pop(row.id, ((), ()))
            if not order:
                yield row
                continue
            row = msgspec.structs.replace(row, order=order)
            if isinstance(row.answer, str) and not options_worded(row.text, options):
                chosen = options_meant(row.text, options)
                if chosen:
                    self._lettered.add(row.id)
                    row = msgspec.structs.replace(row, answer=options[chosen[0]])
            yield row

    def closing_notes(self) -> Iterable[str]:
        """How many answers were letters."""
        if self._lettered.count:
            yield (
                "answers by letter were journalled as the option they name in the order shown: "
                f"{self._lettered}"
            )

    def _shuffled(self, question: Question, repeat: int) -> Question:
        order = order_of(self.seed, question.id, repeat, len(question.options))
        options = tuple(question.options[place] for place in order)
        with self._lock:
            self._shown[question.id] = order, options
        return msgspec.structs.replace(question, options=options)
