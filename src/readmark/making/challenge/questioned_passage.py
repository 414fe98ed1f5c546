"""A passage as its questions are judged: its sentences, their words, and its members of classes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from readmark.core.language import primary
from readmark.core.records import Answer, Layer, Offsets, Passage
from readmark.core.spans import overlap, places
from readmark.making.challenge.classes import Classes, classes_of
from readmark.making.challenge.clues import SentenceWords, read
from readmark.text.answers.sentences import passage_sentences, sentences_of_answers

Entities = Callable[[Passage, str], Layer | None]
"""The entities of a passage in a language, from its own layer or an analyser."""

_QUOTED_STOP = re.compile(r"[!?！？…][」』”’》）)\"]+$")


class QuestionedPassage:
    """What the questions of a passage share, looked up when the first of them needs it."""

    def __init__(self, passage: Passage, language: str, entities: Entities) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._entities = entities

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences; what follows a quoted exclamation belongs to its sentence."""
        text = self.passage.text
        sentences: list[Offsets] = []
        for start, end in passage_sentences(self.passage, self.language):
            if sentences and _QUOTED_STOP.search(text, *sentences[-1]):
                sentences[-1] = sentences[-1][0], end
            else:
                sentences.append((start, end))
        return sentences

    @functools.cached_property
    def words(self) -> SentenceWords:
        """The words of the sentences."""
        text = self.passage.text
        return read([text[start:end] for start, end in self.sentences], self.language)

    @functools.cached_property
    def classes(self) -> Classes:
        """Where members of classes occur."""
        layer = self._entities(self.passage, self.language)
        return classes_of(self.passage.text, self.language, layer)

    def place(self, answer: Answer) -> Offsets | None:
        """Where an answer occurs: its offsets if they are right, else its first occurrence."""
        text = self.passage.text
        if answer.offsets is not None and text[slice(*answer.offsets)] == answer.text != "":
            return answer.offsets
        starts = places(text, answer.text) if answer.text.strip() else []
        return (starts[0], starts[0] + len(answer.text)) if starts else None

    def holding(self, text: str) -> list[int]:
        """The sentences that hold an answer, wherever it occurs."""
        return sorted(sentences_of_answers([Answer(text=text)], self.passage.text, self.sentences))

    def over(self, span: Offsets) -> list[int]:
        """The sentences that a span overlaps."""
        return [index for index, sentence in enumerate(self.sentences) if overlap(sentence, span)]
