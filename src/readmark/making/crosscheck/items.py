"""Layers as single items that two annotators can agree or differ on.

A mention is compared by the antecedent that it means, not by its number: two people who count
differently agree when they link the same noun phrases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import msgspec

from readmark.core.errors import UsageError, did_you_mean
from readmark.core.records import (
    Layer,
    Layers,
    Offsets,
    Passage,
    Question,
    QuestionKey,
    RecordKey,
    visible,
)
from readmark.making.adjudication import AdjudicationHeader

# The texts of a passage that carry annotation: itself, its questions, their published keys.


PASSAGE, QUESTION, KEY = "passage", "question", "key"


@dataclass(frozen=True, slots=True)
class TextPart:
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


def parts_of(passage: Passage) -> Iterator[TextPart]:
    """The passage, then each question with its keys: the order in which references are read."""
    own = passage.id
    yield TextPart(own, PASSAGE, own, None, passage.text, _all(passage.layers, passage.key))
    for question in passage.questions:
        id = f"{own}:{question.id}"
        layers = _all(question.layers, question.key)
        yield TextPart(id, QUESTION, own, question.id, question.text, layers, own)
        for number, phrase in enumerate(question.key.published if question.key else (), 1):
            key = f"{id}:key{number}"
            yield TextPart(key, KEY, own, question.id, phrase.text, phrase.layers, id)


def with_layers(
    passage: Passage,
    layers: Mapping[str, Layers],
    sentences: Mapping[str, tuple[Offsets, ...]],
) -> Passage:
    """The passage with the layers of each part, by its id, and answer sentences by question."""
    questions = tuple(
        _question(passage.id, question, layers, sentences) for question in passage.questions
    )
    paper, hidden = _split(layers[passage.id])
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
    paper, hidden = _split(layers[id])
    marked = sentences.get(question.id, ())
    key = question.key
    if key is not None or hidden or marked:
        key = key or QuestionKey()
        published = tuple(
            msgspec.structs.replace(phrase, layers=layers[f"{id}:key{number}"])
            for number, phrase in enumerate(key.published, 1)
        )
        key = msgspec.structs.replace(key, layers=hidden, sentences=marked, published=published)
    return msgspec.structs.replace(question, layers=paper, key=key)


def _split(layers: Layers) -> tuple[Layers, Layers]:
    """What candidates may see, and what belongs under the key."""
    paper = visible(layers)
    return paper, {name: layer for name, layer in layers.items() if name not in paper}


def _all(layers: Layers, key: Any) -> Layers:
    return {**layers, **key.layers} if key is not None else layers


ANTECEDENT = "antecedent"
NUMBERED = "numbered"
"""Of a mention: it has a number (REFID), nothing refers to it, and the other gave it none."""
PLACES = frozenset({"head"})
"""Columns that count places of their own layer: no two segmentations can share them."""

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class LayerItem:
    """One span of a layer with its labels."""

    span: Offsets
    labels: Mapping[str, Any] = field(default_factory=dict)

    def key(self, columns: Collection[str]) -> tuple[Offsets, bytes]:
        """What two items must share to be the same, as far as the columns go."""
        return self.span, _encode({name: self.labels.get(name) for name in columns})


Items = list[LayerItem]


def layer_items(layer: Layer | None) -> Items:
    """The spans of a layer, each with its row of the columns."""
    if layer is None:
        return []
    columns = {name: layer.column(name) for name in layer.columns}
    return [
        LayerItem(span, {name: column[index] for name, column in columns.items()})
        for index, span in enumerate(layer.spans)
    ]


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a passage, by part, with antecedents in place of numbers."""

    items: Mapping[str, Items]
    numbered: frozenset[tuple[str, Offsets]]
    """Whatever has a number, as a part and a span."""
    meant: frozenset[tuple[str, Offsets]]
    """Whatever something refers to."""


def mentions_of(parts: Sequence[TextPart]) -> Mentions:
    """The mentions of all parts of a passage; references across its parts are followed."""
    placed = {part.id: _numbered(part) for part in parts}
    chain = {part.id: part.before for part in parts}
    texts = {part.id: part.text for part in parts}
    found: dict[str, Items] = {}
    numbered: set[tuple[str, Offsets]] = set()
    meant: set[tuple[str, Offsets]] = set()
    for part in parts:
        found[part.id] = []
        for item in layer_items(part.layers.get("mention")):
            labels = dict(item.labels)
            number, ref = labels.pop("id", None), labels.pop("ref", None)
            if ref is not None:
                place = _antecedent(ref, part.id, item.span, placed, chain)
                labels[ANTECEDENT] = {"number": ref}
                if place is not None:
                    meant.add(place)
                    id, span = place
                    quote = texts[id][slice(*span)]
                    labels[ANTECEDENT] = {"in": id, "span": list(span), "quote": quote}
            if number is not None:
                numbered.add((part.id, item.span))
            found[part.id].append(LayerItem(item.span, labels))
    return Mentions(found, frozenset(numbered), frozenset(meant))


def comparable_mentions(own: Mentions, other: Mentions, part: str) -> Items:
    """A part's mentions as they are compared with another annotator's.

    That something is an antecedent shows in what refers to it. Only a number that nothing refers
    to, and that the other has not given, is a thing of its own.
    """
    found = []
    for item in own.items.get(part, []):
        at = part, item.span
        numbered = at in own.numbered
        if numbered and at not in own.meant and at not in other.numbered:
            found.append(LayerItem(item.span, {**item.labels, NUMBERED: True}))
        elif not numbered or ANTECEDENT in item.labels:
            found.append(item)
    return found


def antecedent_of(item: LayerItem) -> tuple[str, Offsets] | None:
    """The part and span that a mention refers to."""
    antecedent = item.labels.get(ANTECEDENT)
    if not antecedent or "span" not in antecedent:
        return None
    return antecedent["in"], (antecedent["span"][0], antecedent["span"][1])


def columns_of(first: Layer | None, second: Layer | None) -> tuple[str, ...]:
    """The columns that both layers have and that can be compared item by item."""
    if first is None or second is None:
        there = first or second
        return tuple(sorted(there.columns.keys() - PLACES)) if there is not None else ()
    return tuple(sorted((first.columns.keys() & second.columns.keys()) - PLACES))


def _numbered(part: TextPart) -> dict[Any, list[Offsets]]:
    found: dict[Any, list[Offsets]] = {}
    for item in layer_items(part.layers.get("mention")):
        if (number := item.labels.get("id")) is not None:
            found.setdefault(_encode(number), []).append(item.span)
    return found


def _antecedent(
    ref: Any,
    id: str,
    anaphor: Offsets,
    placed: Mapping[str, Mapping[Any, list[Offsets]]],
    chain: Mapping[str, str | None],
) -> tuple[str, Offsets] | None:
    """The nearest mention of that number before the anaphor, else in the texts before, else after.

    A question's own numbers come first: it may count from 1 again.
    """
    here = placed[id].get(_encode(ref), [])
    before = [span for span in here if span[0] < anaphor[0]]
    if before:
        return id, max(before)
    earlier = chain[id]
    while earlier is not None:
        if spans := placed[earlier].get(_encode(ref)):
            return earlier, spans[0]
        earlier = chain[earlier]
    return (id, here[0]) if here else None


# What is compared: the layers that both annotators have, in the sorts of text that have them.


ANSWER_SENTENCE = "answer_sentence"
COMPARED = ("sentence", "token", "np", "ne", "mention", ANSWER_SENTENCE)
"""What is compared, in the order in which it is annotated: each rests on those before it."""
SORTS_OF_TEXT = (PASSAGE, QUESTION, KEY)
Scope = Mapping[str, Sequence[str]]
"""What is compared: layers, each with the sorts of text in which it is."""


def layers_to_compare(
    pairs: Iterable[tuple[Passage, Passage]], asked: Sequence[str] = ()
) -> tuple[Scope, list[tuple[str, str, str]]]:
    """The layers that both annotators have, by sort of text; those that one alone has.

    The latter are layer, sort of text, and "a" or "b". A layer that is asked for is
    compared in all texts, even where one annotator has none of it.
    """
    for name in asked:
        if name not in COMPARED:
            raise UsageError(f"{name!r} is not compared; {did_you_mean(name, COMPARED)}")
    if asked:
        return {name: SORTS_OF_TEXT for name in COMPARED if name in asked}, []
    first: set[tuple[str, str]] = set()
    second: set[tuple[str, str]] = set()
    for a, b in pairs:
        first.update(_there(a))
        second.update(_there(b))
    scope: dict[str, tuple[str, ...]] = {}
    lone = []
    for name, sort in product(COMPARED, SORTS_OF_TEXT):
        if (name, sort) in first & second:
            scope[name] = (*scope.get(name, ()), sort)
        elif (name, sort) in first | second:
            lone.append((name, sort, "a" if (name, sort) in first else "b"))
    return scope, lone


def scope_of(header: AdjudicationHeader) -> Scope | None:
    """What an adjudication file says was compared; None where it does not say."""
    try:
        return msgspec.convert(header.fields.get("layers"), dict[str, list[str]])
    except msgspec.ValidationError:
        return None


def _there(passage: Passage) -> Iterator[tuple[str, str]]:
    for part in parts_of(passage):
        for name in part.layers:
            yield name, part.sort
    if any(question.key and question.key.sentences for question in passage.questions):
        yield ANSWER_SENTENCE, QUESTION
