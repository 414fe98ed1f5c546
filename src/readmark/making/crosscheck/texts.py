"""The texts of a passage that carry annotation: itself, its questions and their published keys."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from readmark.core.records import (
    PROPOSED,
    Layers,
    Offsets,
    Passage,
    Question,
    QuestionKey,
    RecordKey,
    visible,
)

PASSAGE, QUESTION, KEY = "passage", "question", "key"
SORTS_OF_TEXT = (PASSAGE, QUESTION, KEY)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text with its layers, the paper's and the key's together."""

    id: str
    """The passage's id; for a question, its id after that; for a published key, its number too."""
    sort: str
    record: str
    unit: str | None
    text: str
    layers: Layers
    before: str | None = None
    """The part whose antecedents this one may refer to."""


def parts_of(passage: Passage) -> Iterator[TextPart]:
    """The passage, then each question with its keys: the order in which references are read."""
    hidden = passage.key.layers if passage.key is not None else {}
    layers = {**passage.layers, **hidden}
    yield TextPart(passage.id, PASSAGE, passage.id, None, passage.text, layers)
    for question in passage.questions:
        id = f"{passage.id}:{question.id}"
        layers = {**question.layers, **(question.key.layers if question.key is not None else {})}
        yield TextPart(id, QUESTION, passage.id, question.id, question.text, layers, passage.id)
        for number, phrase in enumerate(question.key.published if question.key else (), 1):
            key = f"{id}:key{number}"
            yield TextPart(key, KEY, passage.id, question.id, phrase.text, phrase.layers, id)


def with_layers(
    passage: Passage,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
    confirmed: Collection[str] = (),
) -> Passage:
    """The passage with the layers of each part, by its id, and answer sentences by question.

    The answer sentences of ``confirmed`` questions are people's, and lose the mark of a proposal.
    """
    questions = tuple(
        _question_with_layers(passage.id, question, layers, sentences, question.id in confirmed)
        for question in passage.questions
    )
    paper, hidden = _paper_and_hidden(layers[passage.id])
    key = passage.key
    if key is not None or hidden:
        key = msgspec.structs.replace(key or RecordKey(), layers=hidden)
    return msgspec.structs.replace(passage, layers=paper, questions=questions, key=key)


def _question_with_layers(
    record: str,
    question: Question,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
    confirmed: bool,
) -> Question:
    id = f"{record}:{question.id}"
    paper, hidden = _paper_and_hidden(layers[id])
    answer_sentences = sentences.get(question.id, ())
    key = question.key
    if key is not None or hidden or answer_sentences:
        key = key or QuestionKey()
        published = tuple(
            msgspec.structs.replace(phrase, layers=layers[f"{id}:key{number}"])
            for number, phrase in enumerate(key.published, 1)
        )
        key = msgspec.structs.replace(
            key, layers=hidden, sentences=answer_sentences, published=published
        )
        if confirmed and has_proposed_sentences(key):
            proposals = [name for name in key.fields[PROPOSED] if name != "sentences"]
            fields = {name: value for name, value in key.fields.items() if name != PROPOSED}
            if proposals:
                fields[PROPOSED] = proposals
            key = msgspec.structs.replace(key, fields=fields)
    return msgspec.structs.replace(question, layers=paper, key=key)


def has_proposed_sentences(key: QuestionKey | None) -> bool:
    """Whether nobody has confirmed the answer sentences that a rule proposed."""
    return key is not None and "sentences" in key.fields.get(PROPOSED, ())


def _paper_and_hidden(layers: Layers) -> tuple[Layers, Layers]:
    paper = visible(layers)
    return paper, {name: layer for name, layer in layers.items() if name not in paper}
