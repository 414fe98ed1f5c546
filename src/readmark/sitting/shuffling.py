"""Options in another order: what a candidate chooses should not hang on where it stands."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from readmark.corpus.errors import UsageError
from readmark.corpus.sitting import Row
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, Question
from readmark.sitting.noted import Noted
from readmark.text.options import options_meant, options_worded


def order_of(seed: int, id: str, repeat: int, options: int) -> tuple[int, ...]:
    """The order of a unit's options in a repeat, by their places in the test.

    Each repeat turns the first order by one place, so after as many repeats as there are options
    every option has stood at every place once; then another order begins.
    """
    if options < 2:
        return tuple(range(options))
    turns, turned = divmod(repeat, options)
    drawn = sorted(range(options), key=lambda at: _drawn(seed, id, turns, at))
    return tuple(drawn[turned:] + drawn[:turned])


def _drawn(seed: int, id: str, turns: int, at: int) -> bytes:
    """The same on any machine, for any unit by itself: resuming needs no state."""
    return hashlib.sha256(f"{seed} {turns} {at} {id}".encode("utf-8", "surrogatepass")).digest()


@dataclass(slots=True)
class Shuffling:
    """Mixes the options of what is asked, and notes on each row how they stood."""

    seed: int
    lettered: Noted = field(default_factory=Noted)
    """Units that were answered by a letter: it is one of the order shown, so the text is kept."""
    _asked: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def words(self) -> str:
        """As a signature has it."""
        return f"shuffled, seed {self.seed}"

    def __call__(self, paper: Passage, wanted: Sequence[str], repeat: int) -> Passage:
        """A passage whose questions have their options in the order of this repeat."""
        asked = frozenset(wanted)
        questions = tuple(
            self._mixed(one, repeat) if one.options and one.id in asked else one
            for one in paper.questions
        )
        return msgspec.structs.replace(paper, questions=questions)

    def noted(self, row: Row) -> Row:
        """The row with the order that was shown; a letter becomes the option that it names."""
        with self._lock:
            order, shown = self._asked.pop(row.id, ((), ()))
        if not order:
            return row
        row = msgspec.structs.replace(row, order=order)
        if not isinstance(row.text, str):
            return row
        meant = options_meant(row.text, shown)
        if not meant or options_worded(row.text, shown):
            return row
        self.lettered.add(row.id)
        return msgspec.structs.replace(row, text=shown[meant[0]])

    def _mixed(self, question: Question, repeat: int) -> Question:
        order = order_of(self.seed, question.id, repeat, len(question.options))
        shown = tuple(question.options[at] for at in order)
        with self._lock:
            self._asked[question.id] = order, shown
        return msgspec.structs.replace(question, options=shown)


def shuffling(seed: int | None, test: Test) -> Shuffling | None:
    """The shuffling that was asked for; a test without options has nothing to shuffle."""
    if seed is None:
        return None
    if not test.facts.choices:
        raise UsageError(f"--shuffle-options: no question of {test.file} has options")
    return Shuffling(seed)
