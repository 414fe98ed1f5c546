"""Candidates of kinds that few sit."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from readmark.core.error_rows import one_by_one
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.hooks import Kind


@dataclass
class Guess:
    """Rates a passage by the length of its words."""

    kinds: ClassVar[tuple[str, ...]] = ("readability",)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def _reply(self, unit: Unit) -> Row:
        words = unit.record.text.split() or [""]
        mean = sum(map(len, words)) / len(words)
        return Row(id=unit.id, answer=max(1.0, min(5.0, 9.0 - mean)))

    def signature(self) -> Mapping[str, str]:
        return {"ratings": "word length"}


@dataclass
class Grep:
    """Finds the words that follow the query's predicate."""

    kinds: ClassVar[tuple[str, ...]] = ("task",)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def _reply(self, unit: Unit) -> Row:
        words = unit.record.text.replace(".", "").split()
        wanted = unit.item.graph.split()[1]
        pairs = itertools.pairwise(words)
        found = [{"B": after} for word, after in pairs if word == wanted]
        return Row(id=unit.id, answer=found, evidence={"words": len(words)})

    def signature(self) -> Mapping[str, str]:
        return {"rule": "next word"}
