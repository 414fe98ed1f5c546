"""The lead: what is said first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Offsets, Unit
from readmark.sitting.candidates import one_by_one
from readmark.text.sentences import RULES, sentences


@dataclass
class Lead:
    """Answers every question with the first sentence of its passage: the floor to beat."""

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"sentences": RULES}

    def _reply(self, unit: Unit) -> Row:
        found = sentences(unit.record.text, self.language)
        return sentence_row(unit, found[0]) if found else Row(id=unit.id, text="")


def sentence_row(unit: Unit, at: Offsets, **more: object) -> Row:
    """A row whose answer is a sentence of the passage."""
    start, end = at
    text = unit.record.text[start:end]
    return Row(id=unit.id, text=text, start=start, end=end, sentence=at, **more)  # type: ignore[arg-type]
