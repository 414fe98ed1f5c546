"""BOW: the sentence that shares most stems with the question answers it, the first of equals.

Named entity filtering (NEF) prefers sentences with an entity of the type that the question asks
for; pronoun resolution (PR) reads he and she as the person they stand for. A question in the other
language meets the sentences through a bilingual lexicon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.bow.across_languages import shared_across
from readmark.comprehension.bow.passages import BaggedPassage, BaggedSentence, BagReader
from readmark.comprehension.sentence_rows import sentence_row
from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.text.questions.types import expected_entity


@dataclass
class Bow:
    """Answers with the first of the sentences that share most stems with the question."""

    nef: bool = parameter(False, help="prefer sentences with an entity of the type asked for")
    pr: str = parameter(
        "none",
        choices=("none", "auto", "gold"),
        help="replace he and she by the person they refer to",
    )
    seg: str = parameter(
        "auto",
        choices=("auto", "gold"),
        help="where words come from: the analyser or the file",
    )
    ne: str = parameter(
        "auto",
        choices=("auto", "gold"),
        help="where entities come from: the analyser or the file",
    )
    nef_as: str = parameter(
        "filter",
        choices=("filter", "ties"),
        help="whether the entity type decides before overlap, or only between ties",
    )
    num: bool = parameter(False, help="let questions such as how many ask for NUM")
    parts: str = parameter(
        "all", choices=("all", "story"), help="whether title and dateline may be answers"
    )
    hmm: bool = parameter(True, help="guess Chinese words that are not in the dictionary")
    _languages: str = field(default="", init=False, repr=False)
    _reader: BagReader = field(init=False, repr=False)
    _last: tuple[Any, BaggedPassage] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.needs = ("mention",) if self.pr == "gold" else ()
        gold = {"token": self.seg == "gold", "ne": self.nef and self.ne == "gold"}
        self.requires = (*self.needs, *(name for name, is_gold in gold.items() if is_gold))

    def begin(self, run: Run) -> None:
        self._languages = run.languages

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
        return one_by_one(units, self._row)

    def signature(self) -> Mapping[str, Any]:
        rules: dict[str, Any] = {"ties": "first sentence", "nothing shared": "first sentence"}
        if self.nef:
            rules["nef"] = f"{self.nef_as}; all sentences when none of the type shares a word"
        if self._languages:
            from readmark.text.cross_language import lexicon_signature

            question_language, _, _ = self._languages.partition("-")
            bags = self._reader.bags(question_language).signature()
            rules |= lexicon_signature(bags.get("segmenter") or bags["stems"])
        return {**self._reader.signature(), **rules}

    def _row(self, unit: Unit) -> Row:
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._reader.read(unit.record)
        passage = self._last[1]
        if not passage.sentences:
            return Row(id=unit.id, answer="")
        language = unit.item.language or self._reader.language
        question = self._reader.bag(unit.item)
        if language == self._reader.language:
            shared = [sentence.bag & question for sentence in passage.sentences]
            shares = [float(len(words)) for words in shared]
            most = float(len(question))
        else:
            words = self._reader.words(unit.item)
            shares, shared, most = shared_across(words, language, passage.sentences)
        entity = expected_entity(unit.item.text, language, num=self.num) if self.nef else None
        best = self._best(passage.sentences, shares, entity)
        evidence: dict[str, Any] = {"shared": sorted(shared[best])}
        if entity is not None:
            evidence["wanted"] = entity
            phrase = passage.phrase(passage.sentences[best], entity, question)
            if phrase is not None:
                evidence["phrase"] = phrase
        score = shares[best] / most if most else 0.0
        return sentence_row(unit, passage.sentences[best].offsets, score=score, evidence=evidence)

    def _best(
        self, sentences: Sequence[BaggedSentence], shares: Sequence[float], entity: str | None
    ) -> int:
        """The index of the first sentence that shares most, preferring those with the entity."""
        indices = range(len(sentences))
        if entity is None:
            return max(indices, key=lambda index: shares[index])
        if self.nef_as == "ties":
            return max(indices, key=lambda index: (shares[index], sentences[index].has(entity)))
        sharing = [index for index in indices if shares[index]] or indices
        fitting = [index for index in sharing if sentences[index].has(entity)]
        return max(fitting or sharing, key=lambda index: shares[index])
