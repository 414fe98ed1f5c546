"""The rewriters without rules: none, which changes nothing, and append, which adds the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from readmark.core.counts import counted
from readmark.core.error_rows import one_by_one
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.series.notation import OTHER


@dataclass
class Unchanged:
    """Returns every question unchanged."""

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, lambda unit: Row(id=unit.id, answer=unit.item.text))

    def signature(self) -> Mapping[str, str]:
        return {}


@dataclass
class AppendTarget:
    """Appends the target after the question, as the TREC question series document does.

    An OTHER question asks about the target already and stays as it is, as do all without one.
    """

    _without_target: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._row)

    def signature(self) -> Mapping[str, str]:
        return {"append": "space"}

    def _row(self, unit: Unit) -> Row:
        if unit.item.category == OTHER:
            return Row(id=unit.id, answer=unit.item.text)
        if not unit.record.target.strip():
            self._without_target += 1
            evidence = {"unchanged": "the series has no target"}
            return Row(id=unit.id, answer=unit.item.text, evidence=evidence)
        return Row(id=unit.id, answer=f"{unit.item.text} {unit.record.target}")

    def closing_notes(self) -> Iterator[str]:
        """How many questions there was nothing to append to."""
        if self._without_target:
            questions = counted(self._without_target, "question is", "questions are")
            yield f"{questions} unchanged: their series have no target to append"
