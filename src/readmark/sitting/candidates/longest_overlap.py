"""Word overlap: the oldest reader there is."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Offsets, Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.lead import sentence_row
from readmark.text.sentences import RULES as SENTENCES
from readmark.text.sentences import sentences
from readmark.text.words import RULES as WORDS
from readmark.text.words import words


@dataclass
class LongestOverlap:
    """Answers with the first sentence that shares most distinct words with the question."""

    language: str = field(default="en", init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SENTENCES, "words": WORDS}

    def _reply(self, unit: Unit) -> Row:
        asked = frozenset(words(unit.item.text, self.language))
        best: tuple[int, Offsets, list[str]] | None = None
        for at, said in _sentence_words(unit.record.text, self.language):
            shared = asked & said
            if best is None or len(shared) > best[0]:
                best = len(shared), at, sorted(shared)
        if best is None:
            return Row(id=unit.id, text="")
        count, at, shared_words = best
        score = count / len(asked) if asked else 0.0
        return sentence_row(unit, at, score=score, evidence={"shared": shared_words})


@functools.lru_cache(maxsize=256)
def _sentence_words(text: str, language: str) -> list[tuple[Offsets, frozenset[str]]]:
    # Questions of one passage come one after another: its sentences are split once.
    found = sentences(text, language)
    return [((start, end), frozenset(words(text[start:end], language))) for start, end in found]
