"""No rewriting at all: the first line of every table of rewriters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one


@dataclass
class Unchanged:
    """Gives every question back as it stands in the series."""

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, lambda unit: Row(id=unit.id, rewrite=unit.item.text))

    def signature(self) -> Mapping[str, str]:
        return {}
