"""A reader that matches verbs and their arguments: the next step that the bilingual corpus document
proposes after bags of words.

*A new machine has been made* and *The machine is called a typewriter* share two words each with
*What is the new machine called?*, but only the second has a machine that is called something.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from readmark.comprehension.baselines import parameter, sentence_row
from readmark.core.errors import UsageError
from readmark.core.records import Layer, Offsets, Unit
from readmark.core.sitting import PER_LANGUAGE, Row, one_by_one
from readmark.hooks import Analyser, Kind
from readmark.text.analysers.registry import analyser
from readmark.text.answers.places import SOURCE as SENTENCES
from readmark.text.answers.places import passage_sentences
from readmark.text.bags import Bags
from readmark.text.dependencies import RULES, dependencies

Triple = tuple[str, str, str]
"""Stems of a verb and an argument, and the role between."""


OTHER_ROLE = 0.5
"""What a verb's argument counts that has another role in the question: parsers err in questions."""


class Structure(NamedTuple):
    """A sentence: its offsets, its stems, and its verbs' arguments with their roles."""

    offsets: Offsets
    bag: frozenset[str]
    triples: frozenset[Triple]

    def pairs(self) -> frozenset[tuple[str, str]]:
        """Verbs and arguments, whatever the role."""
        return frozenset((verb, argument) for verb, _, argument in self.triples)


@dataclass
class DependencyReader:
    """Answers with the first sentence that shares most words and most arguments of verbs."""

    weight: float = parameter(1.0, "how many shared words a shared argument of a verb counts for")
    parts: str = parameter("all", "whether title and dateline may be answers", "all", "story")
    _language: str = field(default="en", init=False, repr=False)
    _analyser: Analyser = field(init=False, repr=False)
    _bags: Bags = field(init=False, repr=False)
    _last: tuple[Any, list[Structure]] | None = field(default=None, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        self._analyser = analyser(language)
        self._bags = Bags(language)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, Any]:
        return {
            "sentences": SENTENCES,
            **self._bags.signature(),
            "analyser": self._analyser.signature(),
            "structures": RULES[self._language],
            "roles": f"equal 1, other {OTHER_ROLE:g}",
            "ties": "first sentence",
            PER_LANGUAGE: ["analyser", "segmenter", "stems", "structures"],
        }

    def cross_signature(self, languages: str) -> Mapping[str, Any]:
        raise UsageError(
            f"`cross` {languages}: dependency reads questions in the language of the passage; "
            "bow and evidence read across languages"
        )

    def _reply(self, unit: Unit) -> Row:
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, list(self._read(unit.record))
        passage = self._last[1]
        if not passage:
            return Row(id=unit.id, text="")
        text = unit.item.text
        (asked,) = self._structures(text, [(0, len(text))], None)
        best = max(passage, key=lambda one: self._shared(asked, one))
        evidence = {
            "shared": sorted(asked.bag & best.bag),
            "dependencies": [" ".join(triple) for triple in sorted(asked.triples & best.triples)],
        }
        most = len(asked.bag) + self.weight * len(asked.triples)
        score = self._shared(asked, best) / most if most else 0.0
        return sentence_row(unit, best.offsets, score=score, evidence=evidence)

    def _shared(self, asked: Structure, sentence: Structure) -> float:
        words, same = len(asked.bag & sentence.bag), asked.triples & sentence.triples
        others = (asked.pairs() & sentence.pairs()) - {
            (verb, argument) for verb, _, argument in same
        }
        return words + self.weight * (len(same) + OTHER_ROLE * len(others))

    def _read(self, record: Any) -> Iterator[Structure]:
        spans = passage_sentences(record, self._language, story_only=self.parts == "story")
        return self._structures(record.text, spans, record.layers.get("token"))

    def _structures(
        self, text: str, spans: list[Offsets], stored: Layer | None
    ) -> Iterator[Structure]:
        """Sentences as words and triples of stems."""
        if stored is None or stored.source != self._analyser.signature():
            stored = next(iter(self._analyser.analyse([text], ("token",)))).layers["token"]
        stems = [self._bags.stem(text[start:end]) for start, end in stored.spans]
        starts = [start for start, _ in spans]
        triples: dict[int, set[Triple]] = {}
        for verb, role, argument in dependencies(text, stored, self._language):
            acts, named = stems[verb], stems[argument]
            if acts is not None and named is not None:
                at = bisect_right(starts, stored.spans[verb][0]) - 1
                triples.setdefault(at, set()).add((acts, role, named))
        for place, (start, end) in enumerate(spans):
            bag = self._bags.of(text[start:end])
            yield Structure((start, end), bag, frozenset(triples.get(place, ())))
