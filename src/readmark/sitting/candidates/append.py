"""The simplest rewriting that helps: say the target at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from readmark.corpus.kinds import Kind
from readmark.corpus.series_notation import OTHER
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one


@dataclass
class AppendTarget:
    """Appends the target after the question, as the TREC question series document does.

    An OTHER question asks about the target already and stays as it is, as do all without one.
    """

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"append": "space"}

    def _reply(self, unit: Unit) -> Row:
        if unit.item.category == OTHER or not unit.record.target.strip():
            return Row(id=unit.id, rewrite=unit.item.text)
        return Row(id=unit.id, rewrite=f"{unit.item.text} {unit.record.target}")
