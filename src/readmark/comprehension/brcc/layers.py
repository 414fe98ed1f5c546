"""Between annotated texts and layers: np, ne and token on the paper, mention under the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.brcc.annotated_text import (
    AnnotatedText,
    AnswerSentence,
    TaggedPhrase,
    without_crossings,
)
from readmark.core.records import Layer, Layers, Offsets

SOURCE = "brcc"
"""Who made the layers that were read from the notation."""

WRITABLE_COLUMNS: Mapping[str, frozenset[str]] = {
    "np": frozenset(),
    "ne": frozenset({"type"}),
    "mention": frozenset({"id", "ref"}),
    "token": frozenset(),
}
"""The layers that the notation holds, with their columns."""


def paper_layers(annotated: AnnotatedText, *, segmented: bool) -> Layers:
    """What candidates may see: np, ne, and the words of a text whose words are marked."""
    layers: Layers = {}
    if segmented and annotated.words:
        layers["token"] = Layer(spans=annotated.words, source=SOURCE)
    if annotated.phrases:
        layers["np"] = Layer(spans=_spans(annotated.phrases), source=SOURCE)
    entities = [phrase for phrase in annotated.phrases if phrase.entity is not None]
    if entities:
        types = tuple(entity.entity for entity in entities)
        layers["ne"] = Layer(spans=_spans(entities), source=SOURCE, columns={"type": types})
    return layers


def key_layers(annotated: AnnotatedText) -> Layers:
    """What candidates may not see: who refers to whom."""
    mentions = [
        phrase for phrase in annotated.phrases if phrase.id is not None or phrase.ref is not None
    ]
    if not mentions:
        return {}
    columns = {
        "id": tuple(mention.id for mention in mentions),
        "ref": tuple(mention.ref for mention in mentions),
    }
    return {"mention": Layer(spans=_spans(mentions), source=SOURCE, columns=columns)}


def _spans(phrases: Iterable[TaggedPhrase]) -> tuple[Offsets, ...]:
    return tuple((phrase.start, phrase.end) for phrase in phrases)


@dataclass(slots=True)
class WritableText:
    """Layers as an annotated text, and in words what it cannot hold of them."""

    annotated: AnnotatedText
    segmented: bool
    lost: list[str] = field(default_factory=list)


def annotated_from(
    text: str, layers: Layers, answers: tuple[AnswerSentence, ...] = (), *, language: str
) -> WritableText:
    """The text with what the notation holds of its layers (the key's among them)."""
    lost: list[str] = list(_unwritable_layers(layers, language))
    sentences, dropped = _distinct(answers, len(text))
    if dropped:
        lost.append("answer sentences that are empty or overlap another of their question")
    phrases, crossing = without_crossings(_phrases(text, layers, lost), sentences)
    if crossing:
        lost.append("noun phrases that are empty or cross another or an answer sentence")
    edges: frozenset[int] = frozenset()
    segmented = language == "zh" and "token" in layers
    if segmented:
        spans = layers["token"].spans
        edges = frozenset(edge for span in spans for edge in span if 0 < edge < len(text))
    annotated = AnnotatedText(text, tuple(phrases), tuple(sentences), edges)
    return WritableText(annotated, segmented, lost)


def _unwritable_layers(layers: Layers, language: str) -> Iterator[str]:
    for name, layer in layers.items():
        if name not in WRITABLE_COLUMNS or (name == "token" and language != "zh"):
            yield f"layers {name}"
            continue
        for column in layer.columns:
            if column not in WRITABLE_COLUMNS[name]:
                yield f"columns {column} of layers {name}"
        if layer.source not in ("", SOURCE):
            yield f"who made the layers {name}"


def _phrases(text: str, layers: Layers, lost: list[str]) -> list[TaggedPhrase]:
    """Every noun phrase with what ne and mention say of its span."""
    entities = _by_span(layers.get("ne"), ("type",))
    mentions = _by_span(layers.get("mention"), ("id", "ref"))
    phrases = []
    np = layers.get("np")
    for start, end in np.spans if np is not None else ():
        if not 0 <= start <= end <= len(text):
            lost.append("noun phrases outside their text")
            continue
        [entity] = entities.pop((start, end), (None,))
        id, ref = mentions.pop((start, end), (None, None))
        if not isinstance(entity, str | None):
            lost.append("entity types that are no text")
            entity = None
        if not (_is_number_or_none(id) and _is_number_or_none(ref)):
            lost.append("numbers of mentions that are no whole numbers from 0")
            id, ref = (value if _is_number_or_none(value) else None for value in (id, ref))
        phrases.append(TaggedPhrase(start, end, entity, id, ref))
    # What is still there has no noun phrase to be written with.
    if entities:
        lost.append("entities that are no noun phrases")
    if mentions:
        lost.append("mentions that are no noun phrases")
    return phrases


def _by_span(layer: Layer | None, names: tuple[str, ...]) -> dict[Offsets, tuple[Any, ...]]:
    if layer is None:
        return {}
    columns = [layer.column(name) for name in names]
    return dict(zip(layer.spans, zip(*columns, strict=True), strict=True))


def _is_number_or_none(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _distinct(
    answers: tuple[AnswerSentence, ...], length: int
) -> tuple[list[AnswerSentence], list[AnswerSentence]]:
    """Answer sentences that the notation holds: those of one question never overlap."""
    sentences: list[AnswerSentence] = []
    dropped: list[AnswerSentence] = []
    ends: dict[int, int] = {}
    for answer in sorted(
        set(answers), key=lambda answer: (answer.start, answer.end, answer.number)
    ):
        if ends.get(answer.number, 0) <= answer.start < answer.end <= length:
            sentences.append(answer)
            ends[answer.number] = answer.end
        else:
            dropped.append(answer)
    return sentences, dropped
