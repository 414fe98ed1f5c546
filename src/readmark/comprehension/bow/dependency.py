"""The dependency reader: shared words, and shared verbs with their arguments.

*A new machine has been made* and *The machine is called a typewriter* share two words each with
*What is the new machine called?*, but only the second has a machine that is called something.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from readmark.comprehension.sentence_rows import sentence_row
from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.errors import UsageError
from readmark.core.records import Layer, Offsets, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Analyser, Kind
from readmark.text.analysers.registry import analyser
from readmark.text.answers.sentences import SOURCE as SENTENCES
from readmark.text.answers.sentences import passage_sentences
from readmark.text.bags import Bags
from readmark.text.dependencies import RULES, dependencies

OTHER_ROLE = 0.5
"""What a verb's argument counts for if its role in the question is another one.

It is not nothing, because parsers err in questions.
"""

Triple = tuple[str, str, str]
"""Stems of a verb and an argument, and the role between."""


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

    weight: float = parameter(
        1.0, help="how many shared words a shared argument of a verb counts for"
    )
    parts: str = parameter(
        "all", choices=("all", "story"), help="whether title and dateline may be answers"
    )
    _language: str = field(default="en", init=False, repr=False)
    _analyser: Analyser = field(init=False, repr=False)
    _bags: Bags = field(init=False, repr=False)
    _last: tuple[Any, list[Structure]] | None = field(default=None, init=False, repr=False)

    def begin(self, run: Run) -> None:
        if run.languages:
            raise UsageError(
                f"`cross` {run.languages}: dependency reads questions in the language of the "
                "passage; bow and evidence read across languages"
            )

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        self._analyser = analyser(language)
        self._bags = Bags(language)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._row)

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

    def _row(self, unit: Unit) -> Row:
        record = unit.record
        if self._last is None or self._last[0] is not record:
            story_only = self.parts == "story"
            sentences = passage_sentences(record, self._language, story_only=story_only)
            layer = record.layers.get("token")
            self._last = record, list(self._structures(record.text, sentences, layer))
        passage = self._last[1]
        if not passage:
            return Row(id=unit.id, answer="")
        text = unit.item.text
        [question] = self._structures(text, [(0, len(text))], None)
        best = max(passage, key=lambda sentence: self._overlap(question, sentence))
        shared_triples = sorted(question.triples & best.triples)
        evidence = {
            "shared": sorted(question.bag & best.bag),
            "dependencies": [" ".join(triple) for triple in shared_triples],
        }
        most = len(question.bag) + self.weight * len(question.triples)
        score = self._overlap(question, best) / most if most else 0.0
        return sentence_row(unit, best.offsets, score=score, evidence=evidence)

    def _overlap(self, question: Structure, sentence: Structure) -> float:
        words = len(question.bag & sentence.bag)
        equal = question.triples & sentence.triples
        counted = {(verb, argument) for verb, _, argument in equal}
        in_other_roles = (question.pairs() & sentence.pairs()) - counted
        return words + self.weight * (len(equal) + OTHER_ROLE * len(in_other_roles))

    def _structures(
        self, text: str, sentences: Sequence[Offsets], tokens: Layer | None
    ) -> Iterator[Structure]:
        """Sentences as words and triples of stems; ``tokens`` is the file's own layer."""
        if tokens is None or tokens.source != self._analyser.signature():
            tokens = next(iter(self._analyser.analyse([text], ("token",)))).layers["token"]
        stems = [self._bags.stem(text[start:end]) for start, end in tokens.spans]
        starts = [start for start, _ in sentences]
        triples: dict[int, set[Triple]] = {}
        for verb, role, argument in dependencies(text, tokens, self._language):
            verb_stem, argument_stem = stems[verb], stems[argument]
            if verb_stem is not None and argument_stem is not None:
                index = bisect_right(starts, tokens.spans[verb][0]) - 1
                triples.setdefault(index, set()).add((verb_stem, role, argument_stem))
        for index, (start, end) in enumerate(sentences):
            bag = self._bags.of(text[start:end])
            yield Structure((start, end), bag, frozenset(triples.get(index, ())))
