"""Between annotated texts and layers: np and ne on the paper, mention under the key, token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.brcc.inline_text import without_crossings
from readmark.comprehension.brcc.notation import Annotated, AnswerSentence, NounPhrase
from readmark.core.records import Layer, Layers, Offsets

SOURCE = "brcc"
"""Who made the layers that were read from the notation."""

HELD: Mapping[str, frozenset[str]] = {
    "np": frozenset(),
    "ne": frozenset({"type"}),
    "mention": frozenset({"id", "ref"}),
    "token": frozenset(),
}
"""The layers that the notation holds, with their columns."""


def paper_layers(annotated: Annotated, *, segmented: bool) -> Layers:
    """What candidates may see: np, ne, and the words of a text whose words are marked."""
    layers: Layers = {}
    if segmented and annotated.words:
        layers["token"] = Layer(spans=annotated.words, source=SOURCE)
    if annotated.phrases:
        layers["np"] = Layer(spans=_spans(annotated.phrases), source=SOURCE)
    entities = [one for one in annotated.phrases if one.entity is not None]
    if entities:
        types = tuple(one.entity for one in entities)
        layers["ne"] = Layer(spans=_spans(entities), source=SOURCE, columns={"type": types})
    return layers


def key_layers(annotated: Annotated) -> Layers:
    """What candidates may not see: who refers to whom."""
    found = [one for one in annotated.phrases if one.id is not None or one.ref is not None]
    if not found:
        return {}
    columns = {"id": tuple(one.id for one in found), "ref": tuple(one.ref for one in found)}
    return {"mention": Layer(spans=_spans(found), source=SOURCE, columns=columns)}


def _spans(phrases: Any) -> tuple[Offsets, ...]:
    return tuple((one.start, one.end) for one in phrases)


@dataclass(slots=True)
class Taken:
    """Layers as an annotated text, and what it cannot hold, in words."""

    annotated: Annotated
    segmented: bool
    lost: list[str] = field(default_factory=list)


def annotated_from(
    text: str, layers: Layers, answers: tuple[AnswerSentence, ...] = (), *, language: str
) -> Taken:
    """The text with what the notation holds of its layers (the key's among them)."""
    lost: list[str] = list(_unheld(layers, language))
    held, dropped = _distinct(answers, len(text))
    if dropped:
        lost.append("answer sentences that are empty or overlap another of their question")
    phrases = _phrases(text, layers, lost)
    whole, crossing = without_crossings(phrases, held)
    if crossing:
        lost.append("noun phrases that are empty or cross another or an answer sentence")
    edges: frozenset[int] = frozenset()
    segmented = language == "zh" and "token" in layers
    if segmented:
        spans = layers["token"].spans
        edges = frozenset(edge for span in spans for edge in span if 0 < edge < len(text))
    annotated = Annotated(text, tuple(whole), tuple(held), edges)
    return Taken(annotated, segmented, lost)


def _unheld(layers: Layers, language: str) -> Iterator[str]:
    for name, layer in layers.items():
        if name not in HELD or (name == "token" and language != "zh"):
            yield f"layers {name}"
            continue
        for column in layer.columns:
            if column not in HELD[name]:
                yield f"columns {column} of layers {name}"
        if layer.source not in ("", SOURCE):
            yield f"who made the layers {name}"


def _phrases(text: str, layers: Layers, lost: list[str]) -> list[NounPhrase]:
    """Every noun phrase with what ne and mention say of its span."""
    entities = _by_span(layers.get("ne"), ("type",))
    mentions = _by_span(layers.get("mention"), ("id", "ref"))
    found = []
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
        if not (_is_number(id) and _is_number(ref)):
            lost.append("numbers of mentions that are no whole numbers from 0")
            id, ref = (one if _is_number(one) else None for one in (id, ref))
        found.append(NounPhrase(start, end, entity, id, ref))
    if entities:
        lost.append("entities that are no noun phrases")
    if mentions:
        lost.append("mentions that are no noun phrases")
    return found


def _by_span(layer: Layer | None, names: tuple[str, ...]) -> dict[Offsets, tuple[Any, ...]]:
    if layer is None:
        return {}
    return {
        span: tuple(_cell(layer, name, at) for name in names) for at, span in enumerate(layer.spans)
    }


def _cell(layer: Layer, name: str, at: int) -> Any:
    column = layer.columns.get(name, ())
    return column[at] if at < len(column) else None


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _distinct(
    answers: tuple[AnswerSentence, ...], length: int
) -> tuple[list[AnswerSentence], list[AnswerSentence]]:
    """Answer sentences that the notation holds: of one question none overlaps another."""
    held: list[AnswerSentence] = []
    dropped: list[AnswerSentence] = []
    ends: dict[int, int] = {}
    for one in sorted(set(answers), key=lambda one: (one.start, one.end, one.number)):
        if 0 <= max(one.start, ends.get(one.number, 0)) <= one.start < one.end <= length:
            held.append(one)
            ends[one.number] = one.end
        else:
            dropped.append(one)
    return held, dropped
