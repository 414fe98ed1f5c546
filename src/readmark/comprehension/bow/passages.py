"""Passages and questions as the bag-of-words reader sees them: sentences as bags, with entities."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.core.records import Analysis, Layer, Offsets
from readmark.core.sitting import PER_LANGUAGE
from readmark.text.analysers.registry import analyser
from readmark.text.answers.sentences import SOURCE as SENTENCES
from readmark.text.answers.sentences import passage_sentences
from readmark.text.bags import Bags
from readmark.text.third_persons import annotated_persons, is_third_person, nearest_persons


@dataclass(frozen=True, slots=True)
class BaggedSentence:
    """One sentence: its offsets, its bag, the entities in it by type, and its words in order."""

    offsets: Offsets
    bag: frozenset[str]
    entities: Sequence[tuple[Offsets, str]] = ()
    words: Sequence[str] = ()

    def has(self, type: str) -> bool:
        """Whether an entity of that type occurs in it."""
        return any(entity_type == type for _, entity_type in self.entities)


@dataclass(frozen=True, slots=True)
class BaggedPassage:
    """The sentences of a passage."""

    text: str
    sentences: Sequence[BaggedSentence]
    bags: Bags

    def phrase(
        self, sentence: BaggedSentence, type: str, question: frozenset[str]
    ) -> dict[str, Any] | None:
        """The first entity of a type in a sentence that says more than the question did."""
        for (start, end), entity_type in sentence.entities:
            text = self.text[start:end]
            if entity_type == type and not self.bags.of(text) <= question:
                return {"text": text, "start": start, "end": end, "type": type}
        return None


class BagReader:
    """Reads passages and questions into bags.

    ``entities`` and ``pronouns`` say where these come from: the analyser (auto), the file (gold),
    or nowhere (None).
    """

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
        is_needed = "auto" in (entities, pronouns)
        self._analyser = analyser(language, hmm=hmm) if is_needed else None

    def bags(self, language: str) -> Bags:
        """What makes the bags of a language."""
        if language not in self._bags:
            self._bags[language] = Bags(language, hmm=self._hmm)
        return self._bags[language]

    def bag(self, question: Any) -> frozenset[str]:
        """A question's bag, in its own language."""
        bags = self.bags(question.language or self.language)
        if question.layers.get("token") is None:
            return bags.of(question.text)
        return bags.of_words(self.words(question))

    def words(self, question: Any) -> list[str]:
        """A question's words, in its own language."""
        bags = self.bags(question.language or self.language)
        text, layer = question.text, question.layers.get("token")
        is_gold = self._gold_words and layer is not None
        spans = layer.spans if is_gold else bags.words_in(text, layer)
        return [text[start:end] for start, end in spans]

    def read(self, record: Any) -> BaggedPassage:
        """A passage's sentences as bags; a pronoun counts as the words that it stands for."""
        bags, text = self._bags[self.language], record.text
        if self._gold_words:
            words: Sequence[Offsets] = _gold_layer(record, "token").spans
        else:
            words = bags.words_in(text, record.layers.get("token"))
        word_starts = [start for start, _ in words]
        analysis = self._analysis(record)
        entities = self._entity_spans(record, analysis)
        antecedent_of = self._antecedents(record, analysis, words)
        sentences = []
        for start, end in passage_sentences(record, self.language, story_only=self._story_only):
            spelt: list[str] = []
            first, last = bisect_left(word_starts, start), bisect_left(word_starts, end)
            for word_start, word_end in words[first:last]:
                if word_start in antecedent_of:
                    antecedent = text[slice(*antecedent_of[word_start])]
                    spelt += (antecedent[begin:stop] for begin, stop in bags.words(antecedent))
                else:
                    spelt.append(text[word_start:word_end])
            inside = [entity for entity in entities if start <= entity[0][0] < end]
            sentences.append(BaggedSentence((start, end), bags.of_words(spelt), inside, spelt))
        return BaggedPassage(text, sentences, bags)

    def signature(self) -> Mapping[str, Any]:
        signature = {"sentences": SENTENCES, **self._bags[self.language].signature()}
        if self._analyser is not None:
            signature["analyser"] = self._analyser.signature()
        per_language = [name for name in ("analyser", "segmenter", "stems") if name in signature]
        return {**signature, PER_LANGUAGE: per_language}

    def _analysis(self, record: Any) -> Analysis | None:
        """The analyser's entities and persons; None if the analyser is not needed."""
        if self._analyser is None:
            return None
        stored = record.layers.get("ne")
        is_current = stored is not None and stored.source == self._analyser.signature()
        if self._pronouns != "auto" and is_current:  # `set annotate` has asked it already
            return Analysis({"ne": stored})
        return next(iter(self._analyser.analyse([record.text], ("ne",))))

    def _entity_spans(self, record: Any, analysis: Analysis | None) -> list[tuple[Offsets, str]]:
        if self._entities is None:
            return []
        if self._entities == "gold" or analysis is None:
            layer = _gold_layer(record, "ne", implied_by="np")
        else:
            layer = analysis.layers["ne"]
        types = layer.columns.get("type", ())
        if len(types) != len(layer.spans):
            raise DataError(f"the ne layer of passage {record.id!r} does not say its types")
        return sorted(zip(layer.spans, types, strict=True))

    def _antecedents(
        self, record: Any, analysis: Any, words: Sequence[Offsets]
    ) -> Mapping[int, Offsets]:
        """By the start of each third-person pronoun, the stretch of text that it stands for."""
        if self._pronouns is None:
            return {}
        text, language = record.text, self.language
        pronouns = [span for span in words if is_third_person(text[slice(*span)], language)]
        if self._pronouns == "gold" or analysis is None:
            mentions = _gold_layer(record, "mention", implied_by="np")
            return annotated_persons(text, pronouns, mentions, language)
        persons = [(person.start, person.end) for person in analysis.persons]
        return nearest_persons(pronouns, persons)


def _gold_layer(record: Any, name: str, *, implied_by: str | None = None) -> Layer:
    """A layer of the file.

    A passage with the layer ``implied_by`` was annotated: that it lacks this one means that it has
    nothing of the sort.
    """
    if name in record.layers:
        layer: Layer = record.layers[name]
        return layer
    if implied_by is not None and implied_by in record.layers:
        return Layer(spans=())
    raise DataError(f"passage {record.id!r} has no {name} layer, which gold annotation needs")
