"""A passage as its questions are judged by: sentences, their words, and members of classes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from readmark.corpus.language import primary
from readmark.corpus.spans import places
from readmark.corpus.values import Answer, Layer, Offsets, Passage
from readmark.setting.challenge.clues import Read, read
from readmark.setting.challenge.instances import Classes, classes_of
from readmark.text.answer_sentences import holding, passage_sentences

Entities = Callable[[Passage, str], Layer | None]
"""The entities of a passage in a language: its own layer's, or an analyser's."""

_QUOTED_STOP = re.compile(r"[!?！？…][」』”’》）)\"]+$")


class Reading:
    """What is looked up once a passage, and only when a question needs it."""

    def __init__(self, passage: Passage, language: str, entities: Entities) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._entities = entities

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences; what follows a quoted exclamation belongs to its sentence."""
        text = self.passage.text
        whole: list[Offsets] = []
        for start, end in passage_sentences(self.passage, self.language):
            if whole and _QUOTED_STOP.search(text, *whole[-1]):
                whole[-1] = whole[-1][0], end
            else:
                whole.append((start, end))
        return whole

    @functools.cached_property
    def words(self) -> Read:
        """The sentences' words."""
        text = self.passage.text
        return read([text[start:end] for start, end in self.sentences], self.language)

    @functools.cached_property
    def classes(self) -> Classes:
        """Where members of classes stand."""
        layer = self._entities(self.passage, self.language)
        return classes_of(self.passage.text, self.language, layer)

    def place(self, answer: Answer) -> Offsets | None:
        """Where an answer stands: its offsets if they are right, else the first place of it."""
        text = self.passage.text
        if answer.offsets is not None and text[slice(*answer.offsets)] == answer.text != "":
            return answer.offsets
        found = places(text, answer.text) if answer.text.strip() else []
        return (found[0], found[0] + len(answer.text)) if found else None

    def holding(self, text: str) -> list[int]:
        """The sentences that hold an answer, wherever it stands."""
        return sorted(holding([Answer(text=text)], self.passage.text, self.sentences))

    def over(self, span: Offsets) -> list[int]:
        """The sentences that a stretch stands in."""
        return [
            at
            for at, (start, end) in enumerate(self.sentences)
            if start < span[1] and span[0] < end
        ]
