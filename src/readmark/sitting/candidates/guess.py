"""Guessing: what a multiple-choice test gives to somebody who has not read it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from readmark.corpus.errors import DataError
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one


@dataclass
class Guess:
    """Chooses an option at random, by its seed; each repeat guesses anew."""

    seed: int = field(default=1, metadata={"help": "seeds the guesses"})
    _repeat: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, int]:
        return {"seed": self.seed}

    def _reply(self, unit: Unit) -> Row:
        options = options_of(unit)
        drawn = lot(f"{self.seed} {self._repeat} {unit.id}")
        return Row(id=unit.id, text=options[drawn % len(options)])


def options_of(unit: Unit) -> tuple[str, ...]:
    """The options of a question, which must have some."""
    options: tuple[str, ...] = unit.item.options
    if not options:
        raise DataError("the question has no options to choose from")
    return options


def lot(words: str) -> int:
    """A number drawn by words: the same on any machine, for any unit by itself."""
    return int.from_bytes(hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16])
