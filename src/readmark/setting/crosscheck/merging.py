"""One gold annotation of two: what both agree on, and what was adopted where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from readmark.corpus.values import Layer, Layers, Offsets, Passage
from readmark.setting.crosscheck.adopting import Adopted
from readmark.setting.crosscheck.comparing import LayerPair, layer_pairs, shared_keys
from readmark.setting.crosscheck.items import PLACES, Item, Items, layer_items
from readmark.setting.crosscheck.numbering import merged_mentions
from readmark.setting.crosscheck.scope import ANSWER_SENTENCE, Scope
from readmark.setting.crosscheck.texts import parts_of, with_layers

_TOLD = ("title", "dateline", "article", "genre", "topic", "split", "parallel")
Chosen = Mapping[tuple[str, str], Sequence[Adopted]]
"""What was adopted, by part and layer."""


def merged(
    a: Passage, b: Passage, scope: Scope, adopted: Sequence[Adopted], *, source: str
) -> Passage:
    """The passage with the gold layers. Where the result is A's or B's layer, it is that layer.

    Layers that are not compared are A's, or B's where A has none; so is all else of the passage.
    """
    base = _base(a, b)
    texts = {part.id: part.text for part in parts_of(base)}
    own, theirs = (
        {part.id: part.layers for part in parts_of(one) if texts.get(part.id) == part.text}
        for one in (a, b)
    )
    made: dict[str, Layers] = {id: {**theirs.get(id, {}), **own.get(id, {})} for id in texts}
    marked = {
        one.id: one.key.sentences
        for side in (b, base)
        for one in side.questions
        if one.key and one.key.sentences
    }
    chosen: dict[tuple[str, str], list[Adopted]] = {}
    for one in adopted:
        chosen.setdefault((one.difference.part.id, one.difference.what), []).append(one)
    links: dict[str, LayerPair] = {}
    for pair in layer_pairs(a, b, scope):
        here = chosen.get((pair.part.id, pair.what), [])
        if pair.what == ANSWER_SENTENCE:
            if pair.part.unit is not None:
                marked[pair.part.unit] = _sentences(pair, here)
        elif pair.what == "mention":
            links[pair.part.id] = pair
        else:
            first, second = (side[pair.part.id].get(pair.what) for side in (own, theirs))
            layer = _layer(pair, here, first, second, source)
            _put(made[pair.part.id], pair.what, layer)
    # Compared or not: references that come of both files must be numbered together.
    items = {id: _items(pair, chosen.get((id, "mention"), [])) for id, pair in links.items()}
    for id, layer in merged_mentions(a, b, base, items, links, source=source).items():
        _put(made[id], "mention", layer)
    return with_layers(base, made, marked)


def _base(a: Passage, b: Passage) -> Passage:
    """A's passage with what only B's file says: formats of layers hold no questions, no title."""
    said = {name: getattr(b, name) for name in ("language", *_TOLD) if getattr(a, name) is None}
    asked = {one.id: one for one in b.questions}
    questions = tuple(
        one
        if one.key is not None or one.id not in asked
        else msgspec.structs.replace(one, key=asked[one.id].key)
        for one in a.questions
    )
    return msgspec.structs.replace(a, questions=questions or b.questions, **said)


def _put(layers: Layers, name: str, layer: Layer | None) -> None:
    layers.pop(name, None)
    if layer is not None:
        layers[name] = layer


def _items(pair: LayerPair, adopted: Sequence[Adopted]) -> Items:
    """What both have, with the labels of both, and what was adopted."""
    shared = shared_keys(pair)
    theirs: dict[tuple[Offsets, bytes], Items] = {}
    for item in pair.b:
        theirs.setdefault(item.key(pair.columns), []).append(item)
    found = []
    for item in pair.a:
        key = item.key(pair.columns)
        if shared[key]:
            shared[key] -= 1
            other = theirs[key].pop(0)
            found.append(Item(item.span, {**other.labels, **item.labels}))
    found += [item for one in adopted for item in one.items]
    return sorted(found, key=lambda item: item.span)


def _layer(
    pair: LayerPair,
    adopted: Sequence[Adopted],
    first: Layer | None,
    second: Layer | None,
    source: str,
) -> Layer | None:
    items = _items(pair, adopted)
    keys = Counter(item.key(pair.columns) for item in items)
    for layer, other in ((first, second), (second, first)):
        richer = other is None or layer is None or other.columns.keys() <= layer.columns.keys()
        if richer and keys == Counter(item.key(pair.columns) for item in layer_items(layer)):
            return layer
    return built(items, pair.text, [one for one in (first, second) if one], source)


def built(items: Items, text: str, like: Sequence[Layer], source: str) -> Layer:
    """A layer of items, with the columns of the layers that it comes of."""
    spans = tuple(item.span for item in items)
    names = dict.fromkeys(name for layer in like for name in layer.columns)
    columns = {
        name: tuple(item.labels.get(name) for item in items)
        for name in names
        if name not in PLACES or any(layer.spans == spans for layer in like)
    }
    quotes = tuple(text[slice(*span)] for span in spans) if any(one.quotes for one in like) else ()
    return Layer(spans=spans, source=source, quotes=quotes, columns=columns)


def _sentences(pair: LayerPair, adopted: Sequence[Adopted]) -> tuple[Offsets, ...]:
    if not adopted:
        return tuple(item.span for item in pair.a)
    return tuple(item.span for item in adopted[0].items)
