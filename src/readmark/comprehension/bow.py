"""The bag-of-words readers of the bilingual corpus document: BOW, and with NEF and PR.

The sentence that shares most stems with the question answers it, the first of equals. Named
entity filtering (NEF) prefers sentences with an entity of the type that the question asks for;
pronoun resolution (PR) reads he and she as the person they stand for. A question in the other
language meets the sentences through a bilingual lexicon, and rare words count for more.

The dependency reader is the next step that the document proposes: it matches verbs and their
arguments as well.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from readmark.comprehension.baselines import lexicon_signature, parameter, sentence_row
from readmark.core.candidate_run import Run
from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Analysis, Layer, Offsets, Unit
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Analyser, Kind
from readmark.text.analysers.registry import analyser
from readmark.text.answers.places import SOURCE as SENTENCES
from readmark.text.answers.places import passage_sentences
from readmark.text.bags import Bags
from readmark.text.dependencies import RULES, dependencies
from readmark.text.questions.types import expected_entity
from readmark.text.third_persons import annotated_persons, is_third_person, nearest_persons

# A passage as the bag-of-words readers see it: sentences as bags, with their entities.


WordBag = frozenset[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its offsets, its bag, the entities in it by type, and its words in order."""

    offsets: Offsets
    bag: WordBag
    entities: Sequence[tuple[Offsets, str]] = ()
    words: Sequence[str] = ()

    def has(self, type: str) -> bool:
        """Whether an entity of that type occurs in it."""
        return any(one == type for _, one in self.entities)


@dataclass(frozen=True, slots=True)
class BaggedPassage:
    """The sentences of a passage."""

    text: str
    sentences: Sequence[Sentence]
    bags: Bags

    def phrase(self, sentence: Sentence, type: str, asked: WordBag) -> dict[str, Any] | None:
        """The first phrase of the type wanted that says more than the question did."""
        for (start, end), one in sentence.entities:
            if one == type and not self.bags.of(self.text[start:end]) <= asked:
                return {"text": self.text[start:end], "start": start, "end": end, "type": type}
        return None


class BagReader:
    """Reads passages and questions into bags, with the layers that were asked for."""

    def __init__(
        self,
        language: str,
        *,
        gold_words: bool = False,
        entities: str | None = None,
        pronouns: str | None = None,
        story_only: bool = False,
        hmm: bool = True,
    ) -> None:
        self.language = language
        self._hmm = hmm
        self._bags = {language: Bags(language, hmm=hmm)}
        self._gold_words = gold_words
        self._entities = entities
        self._pronouns = pronouns
        self._story_only = story_only
        asked = "auto" in (entities, pronouns)
        self._analyser = analyser(language, hmm=hmm) if asked else None

    def bag(self, question: Any) -> WordBag:
        """A question's bag, in its own language."""
        bags = self.bags(question.language or self.language)
        if question.layers.get("token") is None:
            return bags.of(question.text)
        return bags.of_words(self.words(question))

    def words(self, question: Any) -> list[str]:
        """A question's words, in its own language."""
        bags = self.bags(question.language or self.language)
        text, layer = question.text, question.layers.get("token")
        gold = self._gold_words and layer is not None
        words = layer.spans if gold else bags.words_in(text, layer)
        return [text[start:end] for start, end in words]

    def bags(self, language: str) -> Bags:
        """What makes the bags of a language."""
        if language not in self._bags:
            self._bags[language] = Bags(language, hmm=self._hmm)
        return self._bags[language]

    def read(self, record: Any) -> BaggedPassage:
        """A passage's sentences as bags."""
        bags = self._bags[self.language]
        text = record.text
        spans = passage_sentences(record, self.language, story_only=self._story_only)
        if self._gold_words:
            words: Sequence[Offsets] = _gold(record, "token").spans
        else:
            words = bags.words_in(text, record.layers.get("token"))
        analysis = self._analysis(record)
        entities = self._entity_spans(record, analysis)
        meant = self._meant(record, analysis, words)
        sentences = []
        for (start, end), inside in zip(spans, _within(spans, words), strict=True):
            said: list[str] = []
            for word in inside:
                if word[0] in meant:
                    whom = text[slice(*meant[word[0]])]
                    said += (whom[first:last] for first, last in bags.words(whom))
                else:
                    said.append(text[word[0] : word[1]])
            held = [entity for entity in entities if start <= entity[0][0] < end]
            sentences.append(Sentence((start, end), bags.of_words(said), held, said))
        return BaggedPassage(text, sentences, bags)

    def signature(self) -> Mapping[str, Any]:
        """Where words, sentences, entities and antecedents come from."""
        said = {"sentences": SENTENCES, **self._bags[self.language].signature()}
        if self._analyser is not None:
            said["analyser"] = self._analyser.signature()
        own = [name for name in ("analyser", "segmenter", "stems") if name in said]
        return {**said, PER_LANGUAGE: own}

    def _analysis(self, record: Any) -> Analysis | None:
        """What the analyser says, where it must be asked: a file may hold its entities already."""
        if self._analyser is None:
            return None
        stored = record.layers.get("ne")
        if self._pronouns != "auto" and stored is not None and self._made(stored):
            return Analysis({"ne": stored})
        return next(iter(self._analyser.analyse([record.text], ("ne",))))

    def _made(self, layer: Layer) -> bool:
        return self._analyser is not None and layer.source == self._analyser.signature()

    def _entity_spans(self, record: Any, analysis: Analysis | None) -> list[tuple[Offsets, str]]:
        if self._entities is None:
            return []
        if self._entities == "gold" or analysis is None:
            layer = _gold(record, "ne", beside="np")
        else:
            layer = analysis.layers["ne"]
        types = layer.columns.get("type", ())
        if len(types) != len(layer.spans):
            raise DataError(f"the ne layer of passage {record.id!r} does not say its types")
        return sorted(zip(layer.spans, types, strict=True))

    def _meant(self, record: Any, analysis: Any, words: Sequence[Offsets]) -> Mapping[int, Offsets]:
        """Where third persons occur, by their start, each with the stretch that it means."""
        if self._pronouns is None:
            return {}
        text = record.text
        pronouns = [
            span for span in words if is_third_person(text[span[0] : span[1]], self.language)
        ]
        if self._pronouns == "gold" or analysis is None:
            mentions = _gold(record, "mention", beside="np")
            return annotated_persons(text, pronouns, mentions, self.language)
        return nearest_persons(
            pronouns, [(person.start, person.end) for person in analysis.persons]
        )


def _within(spans: Sequence[Offsets], words: Sequence[Offsets]) -> Iterator[Sequence[Offsets]]:
    """The words that begin in each sentence; both are in the order of the text."""
    starts = [start for start, _ in words]
    for start, end in spans:
        yield words[bisect_left(starts, start) : bisect_left(starts, end)]


def _gold(record: Any, name: str, *, beside: str | None = None) -> Layer:
    """A layer of the file; a passage that was annotated may have nothing of one sort."""
    if name in record.layers:
        layer: Layer = record.layers[name]
        return layer
    if beside is not None and beside in record.layers:
        return Layer(spans=())
    raise DataError(f"passage {record.id!r} has no {name} layer, which gold annotation needs")


@dataclass
class Bow:
    """Answers with the first of the sentences that share most stems with the question."""

    nef: bool = parameter(False, "prefer sentences with an entity of the type asked for")
    pr: str = parameter(
        "none", "replace he and she by the person they refer to", "none", "auto", "gold"
    )
    seg: str = parameter("auto", "where words come from: the analyser or the file", "auto", "gold")
    ne: str = parameter(
        "auto", "where entities come from: the analyser or the file", "auto", "gold"
    )
    nef_as: str = parameter(
        "filter",
        "whether the entity type decides before overlap, or only between ties",
        "filter",
        "ties",
    )
    num: bool = parameter(False, "let questions such as how many ask for NUM")
    parts: str = parameter("all", "whether title and dateline may be answers", "all", "story")
    hmm: bool = parameter(True, "guess Chinese words that are not in the dictionary")
    _languages: str = field(default="", init=False, repr=False)
    _reader: BagReader = field(init=False, repr=False)
    _last: tuple[Any, BaggedPassage] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.needs = ("mention",) if self.pr == "gold" else ()
        gold = {"token": self.seg == "gold", "ne": self.nef and self.ne == "gold"}
        self.requires = (*self.needs, *(name for name, asked in gold.items() if asked))

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
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, Any]:
        said = {"ties": "first sentence", "nothing shared": "first sentence"}
        if self.nef:
            said["nef"] = f"{self.nef_as}; all sentences when none of the type shares a word"
        if self._languages:
            asked, _, _ = self._languages.partition("-")
            own = self._reader.bags(asked).signature()
            said |= lexicon_signature(own.get("segmenter") or own["stems"])
        return {**self._reader.signature(), **said}

    def _reply(self, unit: Unit) -> Row:
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._reader.read(unit.record)
        passage = self._last[1]
        if not passage.sentences:
            return Row(id=unit.id, answer="")
        language = unit.item.language or self._reader.language
        wanted = expected_entity(unit.item.text, language, num=self.num) if self.nef else None
        asked = self._reader.bag(unit.item)
        if language == self._reader.language:
            shared = [sentence.bag & asked for sentence in passage.sentences]
            shares = [float(len(words)) for words in shared]
            most = float(len(asked))
        else:
            words = self._reader.words(unit.item)
            shares, shared, most = shared_across(words, language, passage.sentences)
        best = self._best(passage.sentences, shares, wanted)
        evidence: dict[str, Any] = {"shared": sorted(shared[best])}
        if wanted is not None:
            evidence["wanted"] = wanted
            phrase = passage.phrase(passage.sentences[best], wanted, asked)
            if phrase is not None:
                evidence["phrase"] = phrase
        score = shares[best] / most if most else 0.0
        return sentence_row(unit, passage.sentences[best].offsets, score=score, evidence=evidence)

    def _best(
        self, sentences: Sequence[Sentence], shares: Sequence[float], wanted: str | None
    ) -> int:
        """The place of the first sentence that shares most, by the entity wanted."""
        places = range(len(sentences))
        if wanted is None:
            return max(places, key=lambda place: shares[place])
        if self.nef_as == "ties":
            return max(places, key=lambda place: (shares[place], sentences[place].has(wanted)))
        sharing = [place for place in places if shares[place]] or places
        fitting = [place for place in sharing if sentences[place].has(wanted)]
        return max(fitting or sharing, key=lambda place: shares[place])


# Questions in the other language: words meet through the lexicon, rare ones count for more.


def shared_across(
    words: Sequence[str], language: str, sentences: Sequence[Sentence]
) -> tuple[list[float], list[frozenset[str]], float]:
    """What each sentence shares with a question in the other language, by rarity in the passage.

    Returned are the shares, the question's words that each sentence has, and the share of a
    sentence that has them all. A word counts as the nearest word of the sentence corresponds.
    """
    from readmark.text.cross_language import content_words, correspondence

    read = [word for sentence in sentences for word in sentence.words]
    kept = content_words(words, language)
    if language == "zh":
        strengths = correspondence(words, read)[kept]
    else:
        strengths = correspondence(read, words).T[kept]
    ends = np.cumsum([len(sentence.words) for sentence in sentences])[:-1]
    nearest = np.stack(
        [part.max(axis=1, initial=0.0) for part in np.split(strengths, ends, axis=1)]
    )
    rarity = np.log((len(sentences) + 1) / (nearest.sum(axis=0) + 0.5)).clip(0.0)
    shares = [math.fsum(row) for row in (nearest * rarity).tolist()]
    shared = [
        frozenset(words[place].lower() for place, met in zip(kept, row, strict=True) if met)
        for row in nearest.tolist()
    ]
    return shares, shared, math.fsum(rarity.tolist())


# Verbs and their arguments: *A new machine has been made* and *The machine is called a typewriter*
# share two words each with *What is the new machine called?*, but only the second has a machine
# that is called something.


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

    def _reply(self, unit: Unit) -> Row:
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, list(self._read(unit.record))
        passage = self._last[1]
        if not passage:
            return Row(id=unit.id, answer="")
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
