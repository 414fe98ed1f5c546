"""One gold annotation of two: what both agree on, and what was adopted where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.making.crosscheck.adoption import AdoptedItems
from readmark.making.crosscheck.compared_layers import ComparedLayers
from readmark.making.crosscheck.differences import LayerPair, layer_pairs, shared_keys
from readmark.making.crosscheck.gold_mentions import gold_mentions
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    PLACES,
    Items,
    LayerItem,
    layer_items,
)
from readmark.making.crosscheck.marks import MARK, mark_columns
from readmark.making.crosscheck.texts import has_proposed_sentences, parts_of, with_layers

_ONLY_IN_B = ("title", "dateline", "article", "genre", "topic", "split", "parallel")


def gold_passage(
    a: Passage, b: Passage, layers: ComparedLayers, adopted: Sequence[AdoptedItems], *, source: str
) -> Passage:
    """The passage with the gold layers. Where the result is A's or B's layer, it is that layer.

    Layers that are not compared are A's, or B's where A has none, and so is the rest of the
    passage.
    """
    base = _with_missing(a, b)
    texts = {part.id: part.text for part in parts_of(base)}
    layers_a, layers_b = (
        {part.id: part.layers for part in parts_of(passage) if texts.get(part.id) == part.text}
        for passage in (a, b)
    )
    gold: dict[str, Layers] = {id: {**layers_b.get(id, {}), **layers_a.get(id, {})} for id in texts}
    sentences = {
        question.id: question.key.sentences
        for passage in (b, base)
        for question in passage.questions
        if question.key and question.key.sentences
    }
    confirmed = {
        question.id
        for passage in (a, b)
        for question in passage.questions
        if question.key and question.key.sentences and not has_proposed_sentences(question.key)
    }
    adopted_of: dict[tuple[str, str], list[AdoptedItems]] = {}
    for items in adopted:
        layer_of_part = items.difference.part.id, items.difference.what
        adopted_of.setdefault(layer_of_part, []).append(items)

    mention_pairs: dict[str, LayerPair] = {}
    for pair in layer_pairs(a, b, layers):
        adopted_here = adopted_of.get((pair.part.id, pair.what), [])
        if pair.what == ANSWER_SENTENCE:
            if pair.part.unit is not None:
                answer_sentences = adopted_here[0].items if adopted_here else pair.a
                sentences[pair.part.unit] = tuple(item.span for item in answer_sentences)
                if adopted_here:
                    confirmed.add(pair.part.unit)
        elif pair.what == "mention":
            mention_pairs[pair.part.id] = pair
        else:
            layer_a, layer_b = (side[pair.part.id].get(pair.what) for side in (layers_a, layers_b))
            layer = _gold_layer(pair, adopted_here, layer_a, layer_b, source)
            _put(gold[pair.part.id], pair.what, layer)
    # Even where mentions are not compared, those of both files must be numbered together.
    mentions = {
        id: _gold_items(pair, adopted_of.get((id, "mention"), []))
        for id, pair in mention_pairs.items()
    }
    for id, mention_layer in gold_mentions(
        a, b, base, mentions, mention_pairs, source=source
    ).items():
        _put(gold[id], "mention", mention_layer)
    return with_layers(base, gold, sentences, confirmed)


def _with_missing(a: Passage, b: Passage) -> Passage:
    """A's passage with what only B's file says: formats of layers hold no questions, no title."""
    missing = {
        name: getattr(b, name) for name in ("language", *_ONLY_IN_B) if getattr(a, name) is None
    }
    questions_of_b = {question.id: question for question in b.questions}
    questions = tuple(
        question
        if question.key is not None or question.id not in questions_of_b
        else msgspec.structs.replace(question, key=questions_of_b[question.id].key)
        for question in a.questions
    )
    return msgspec.structs.replace(a, questions=questions or b.questions, **missing)


def _put(layers: Layers, name: str, layer: Layer | None) -> None:
    layers.pop(name, None)
    if layer is not None:
        layers[name] = layer


def _gold_items(pair: LayerPair, adopted: Sequence[AdoptedItems]) -> Items:
    """What both have, with the labels of both, and what was adopted."""
    shared = shared_keys(pair)
    of_b: dict[tuple[Offsets, bytes], Items] = {}
    for item in pair.b:
        of_b.setdefault(item.key(pair.columns), []).append(item)
    gold = []
    for item in pair.a:
        key = item.key(pair.columns)
        if shared[key]:
            shared[key] -= 1
            other = of_b[key].pop(0)
            gold.append(LayerItem(item.span, {**other.labels, **item.labels}))
    gold += [item for choice in adopted for item in choice.items]
    return sorted(gold, key=lambda item: item.span)


def _gold_layer(
    pair: LayerPair,
    adopted: Sequence[AdoptedItems],
    layer_a: Layer | None,
    layer_b: Layer | None,
    source: str,
) -> Layer | None:
    items = _gold_items(pair, adopted)
    keys = Counter(item.key(pair.columns) for item in items)
    for layer, other in ((layer_a, layer_b), (layer_b, layer_a)):
        # A layer as its annotator made it keeps its source, unless columns of the other would go.
        has_all_columns = (
            other is None or layer is None or other.columns.keys() <= layer.columns.keys()
        )
        if has_all_columns and keys == Counter(
            item.key(pair.columns) for item in layer_items(layer)
        ):
            return layer
    return layer_of_items(
        items, pair.text, [layer for layer in (layer_a, layer_b) if layer], source
    )


def layer_of_items(items: Items, text: str, layers: Sequence[Layer], source: str) -> Layer:
    """A layer of items, with the columns of the layers that they come from."""
    spans = tuple(item.span for item in items)
    names = dict.fromkeys(name for layer in layers for name in layer.columns)
    if MARK in names:
        columns = mark_columns(items)
    else:
        columns = {
            name: tuple(item.labels.get(name) for item in items)
            for name in names
            if name not in PLACES or any(layer.spans == spans for layer in layers)
        }
    has_quotes = any(layer.quotes for layer in layers)
    quotes = tuple(text[slice(*span)] for span in spans) if has_quotes else ()
    return Layer(spans=spans, source=source, quotes=quotes, columns=columns)
