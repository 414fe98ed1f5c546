"""The bag-of-words readers of the bilingual corpus document: BOW, and with NEF and PR.

The sentence that shares most stems with the question answers it, the first of equals. Named
entity filtering (NEF) prefers sentences with an entity of the type that the question asks for;
pronoun resolution (PR) reads he and she as the person they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.bagged import BaggedPassage, BagReader, Sentence
from readmark.sitting.candidates.lead import sentence_row
from readmark.text.expected_entities import expected_entity


def _parameter(default: Any, help: str, *choices: str) -> Any:
    return field(default=default, metadata={"help": help, "choices": choices})


@dataclass
class Bow:
    """Answers with the first of the sentences that share most stems with the question."""

    nef: bool = _parameter(False, "prefer sentences with an entity of the type asked for")
    pr: str = _parameter("none", "read he and she as the person meant", "none", "auto", "gold")
    seg: str = _parameter("auto", "whose words: the analyser's or the file's", "auto", "gold")
    ne: str = _parameter("auto", "whose entities: the analyser's or the file's", "auto", "gold")
    nef_as: str = _parameter(
        "filter", "the type decides before overlap, or only between equals", "filter", "ties"
    )
    num: bool = _parameter(False, "how many and its kin ask for NUM")
    parts: str = _parameter("all", "whether title and dateline may answer", "all", "story")
    hmm: bool = _parameter(True, "Chinese words that no dictionary has are guessed")
    _reader: BagReader = field(init=False, repr=False)
    _last: tuple[Any, BaggedPassage] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.needs = ("mention",) if self.pr == "gold" else ()
        gold = {"token": self.seg == "gold", "ne": self.nef and self.ne == "gold"}
        self.layers = (*self.needs, *(name for name, asked in gold.items() if asked))

    def prepare(self, kind: Kind, language: str) -> None:
        self._reader = BagReader(
            language,
            gold_words=self.seg == "gold",
            entities=self.ne if self.nef else None,
            pronouns=None if self.pr == "none" else self.pr,
            story_only=self.parts == "story",
            hmm=self.hmm,
        )

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, Any]:
        said = {"ties": "first sentence", "nothing shared": "first sentence"}
        if self.nef:
            said["nef"] = f"{self.nef_as}; all sentences when none of the type shares a word"
        return {**self._reader.signature(), **said}

    def _reply(self, unit: Unit) -> Row:
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._reader.read(unit.record)
        passage = self._last[1]
        if not passage.sentences:
            return Row(id=unit.id, text="")
        asked = self._reader.bag(unit.item)
        wanted = None
        if self.nef:
            language = unit.item.language or self._reader.language
            wanted = expected_entity(unit.item.text, language, num=self.num)
        best = self._best(passage.sentences, asked, wanted)
        shared = best.bag & asked
        evidence: dict[str, Any] = {"shared": sorted(shared)}
        if wanted is not None:
            evidence["wanted"] = wanted
            phrase = passage.phrase(best, wanted, asked)
            if phrase is not None:
                evidence["phrase"] = phrase
        score = len(shared) / len(asked) if asked else 0.0
        return sentence_row(unit, best.at, score=score, evidence=evidence)

    def _best(
        self, sentences: Sequence[Sentence], asked: frozenset[str], wanted: str | None
    ) -> Sentence:
        if wanted is None:
            shared = [len(one.bag & asked) for one in sentences]
            return sentences[shared.index(max(shared))]
        if self.nef_as == "ties":
            return max(sentences, key=lambda one: (len(one.bag & asked), one.has(wanted)))
        sharing = [one for one in sentences if one.bag & asked] or sentences
        fitting = [one for one in sharing if one.has(wanted)]
        return max(fitting or sharing, key=lambda one: len(one.bag & asked))
