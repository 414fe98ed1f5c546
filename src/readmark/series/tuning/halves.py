"""Two halves of the series: weights are sought on one and reported on the other."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

from rich.console import Console

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.test import Test
from readmark.series.tuning.sitting_rewrites import keyed_units


@dataclass(frozen=True, slots=True)
class Halves:
    """The ids of the series that weights are sought on, and of those they are only reported on."""

    train: Sequence[str]
    held: Sequence[str]
    train_questions: int
    held_questions: int

    def show(self, console: Console) -> None:
        """A line for each half."""
        for name, ids, questions in (
            ("train", self.train, self.train_questions),
            ("held", self.held, self.held_questions),
        ):
            size = f"{counted(len(ids), 'series')}, {counted(questions, 'question')}"
            console.print(f"{name}: {size}: {', '.join(ids)}")


def halves_of(test: Test, seed: int, compared: Container[str] | None = None) -> Halves:
    """Whole series to one half or the other, in the order of a hash of seed and id.

    With ``compared``, only series with one of those questions are listed; which half a series is in
    does not depend on that.
    """
    units = list(keyed_units(test))
    ids = sorted({unit.group for unit in units}, key=lambda id: _hash(f"{seed}:{id}"))
    if len(ids) < 2:
        size = counted(len(ids), "series")
        raise DataError(f"has {size} with golds, tuning needs two or more", file=test.file)
    questions = Counter(unit.group for unit in units if compared is None or unit.id in compared)
    train, held = (sorted(set(questions) & set(half)) for half in (ids[0::2], ids[1::2]))
    for name, half in (("train", train), ("held", held)):
        if not half:
            raise DataError(f"no question of the {name} half was asked", file=test.file)
    return Halves(
        train=train,
        held=held,
        train_questions=sum(questions[id] for id in train),
        held_questions=sum(questions[id] for id in held),
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
