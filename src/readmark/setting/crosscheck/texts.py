"""The texts of a passage that carry annotation: itself, its questions, their published keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.corpus.values import (
    PAPER_LAYERS,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)

PASSAGE, QUESTION, KEY = "passage", "question", "key"


@dataclass(frozen=True, slots=True)
class Part:
    """A text with its layers, the paper's and the key's together."""

    id: str
    """The passage's id; a question's after it; the number of a published key after that."""
    sort: str
    record: str
    unit: str | None
    text: str
    layers: Layers
    before: str | None = None
    """The part whose antecedents this one may refer to."""


def parts_of(passage: Passage) -> Iterator[Part]:
    """The passage, then each question with its keys: the order in which references are read."""
    own = passage.id
    yield Part(own, PASSAGE, own, None, passage.text, _all(passage.layers, passage.key))
    for question in passage.questions:
        id = f"{own}:{question.id}"
        layers = _all(question.layers, question.key)
        yield Part(id, QUESTION, own, question.id, question.text, layers, own)
        for number, phrase in enumerate(question.key.published if question.key else (), 1):
            key = f"{id}:key{number}"
            yield Part(key, KEY, own, question.id, phrase.text, phrase.layers, id)


def with_layers(
    passage: Passage,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
) -> Passage:
    """The passage with the layers of each part, by its id, and answer sentences by question."""
    questions = tuple(
        _question(passage.id, question, layers, sentences) for question in passage.questions
    )
    paper, hidden = _told_apart(layers[passage.id])
    key = passage.key
    if key is not None or hidden:
        key = msgspec.structs.replace(key or RecordKey(), layers=hidden)
    return msgspec.structs.replace(passage, layers=paper, questions=questions, key=key)


def _question(
    record: str,
    question: Question,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
) -> Question:
    id = f"{record}:{question.id}"
    paper, hidden = _told_apart(layers[id])
    marked = sentences.get(question.id, ())
    key = question.key
    if key is not None or hidden or marked:
        key = key or QuestionKey()
        published = tuple(
            _phrase(phrase, layers[f"{id}:key{number}"])
            for number, phrase in enumerate(key.published, 1)
        )
        key = msgspec.structs.replace(key, layers=hidden, sentences=marked, published=published)
    return msgspec.structs.replace(question, layers=paper, key=key)


def _phrase(phrase: Phrase, layers: Layers) -> Phrase:
    return msgspec.structs.replace(phrase, layers=layers)


def _told_apart(layers: Layers) -> tuple[Layers, Layers]:
    """What candidates may see, and what belongs under the key."""
    paper = {name: layer for name, layer in layers.items() if name in PAPER_LAYERS}
    hidden = {name: layer for name, layer in layers.items() if name not in PAPER_LAYERS}
    return paper, hidden


def _all(layers: Layers, key: Any) -> Layers:
    return {**layers, **key.layers} if key is not None else layers
