"""One gold annotation of two: what both agree on, what was adopted, and whether it is sound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.core.spans import clip, overlap
from readmark.making.crosscheck.adoption import AdoptedItems
from readmark.making.crosscheck.differences import LayerPair, layer_pairs, shared_keys
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    MARK,
    NUMBERED,
    PLACES,
    Items,
    LayerItem,
    Scope,
    TextPart,
    antecedent_of,
    has_proposed_sentences,
    layer_items,
    mark_columns,
    mentions_of,
    parts_of,
    with_layers,
)
from readmark.text.guidelines import ENTITY_TYPES
from readmark.text.mentions import Antecedents, mention_findings

_ONLY_IN_B = ("title", "dateline", "article", "genre", "topic", "split", "parallel")


def merged(
    a: Passage, b: Passage, scope: Scope, adopted: Sequence[AdoptedItems], *, source: str
) -> Passage:
    """The passage with the gold layers. Where the result is A's or B's layer, it is that layer.

    Layers that are not compared are A's, or B's where A has none; so is all else of the passage.
    """
    base = _base(a, b)
    texts = {part.id: part.text for part in parts_of(base)}
    own, theirs = (
        {part.id: part.layers for part in parts_of(passage) if texts.get(part.id) == part.text}
        for passage in (a, b)
    )
    made: dict[str, Layers] = {id: {**theirs.get(id, {}), **own.get(id, {})} for id in texts}
    marked = {
        question.id: question.key.sentences
        for side in (b, base)
        for question in side.questions
        if question.key and question.key.sentences
    }
    confirmed = {
        question.id
        for side in (a, b)
        for question in side.questions
        if question.key and question.key.sentences and not has_proposed_sentences(question.key)
    }
    chosen: dict[tuple[str, str], list[AdoptedItems]] = {}
    for choice in adopted:
        place = choice.difference.part.id, choice.difference.what
        chosen.setdefault(place, []).append(choice)
    links: dict[str, LayerPair] = {}
    for pair in layer_pairs(a, b, scope):
        here = chosen.get((pair.part.id, pair.what), [])
        if pair.what == ANSWER_SENTENCE:
            if pair.part.unit is not None:
                items = here[0].items if here else pair.a
                marked[pair.part.unit] = tuple(item.span for item in items)
                confirmed |= {pair.part.unit} if here else set()
        elif pair.what == "mention":
            links[pair.part.id] = pair
        else:
            first, second = (side[pair.part.id].get(pair.what) for side in (own, theirs))
            layer = _layer(pair, here, first, second, source)
            _put(made[pair.part.id], pair.what, layer)
    # Compared or not: references that come of both files must be numbered together.
    linked = {id: _items(pair, chosen.get((id, "mention"), [])) for id, pair in links.items()}
    for id, layer in merged_mentions(a, b, base, linked, links, source=source).items():
        _put(made[id], "mention", layer)
    return with_layers(base, made, marked, confirmed)


def _base(a: Passage, b: Passage) -> Passage:
    """A's passage with what only B's file says: formats of layers hold no questions, no title."""
    missing = {
        name: getattr(b, name) for name in ("language", *_ONLY_IN_B) if getattr(a, name) is None
    }
    asked = {question.id: question for question in b.questions}
    questions = tuple(
        question
        if question.key is not None or question.id not in asked
        else msgspec.structs.replace(question, key=asked[question.id].key)
        for question in a.questions
    )
    return msgspec.structs.replace(a, questions=questions or b.questions, **missing)


def _put(layers: Layers, name: str, layer: Layer | None) -> None:
    layers.pop(name, None)
    if layer is not None:
        layers[name] = layer


def _items(pair: LayerPair, adopted: Sequence[AdoptedItems]) -> Items:
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
            found.append(LayerItem(item.span, {**other.labels, **item.labels}))
    found += [item for choice in adopted for item in choice.items]
    return sorted(found, key=lambda item: item.span)


def _layer(
    pair: LayerPair,
    adopted: Sequence[AdoptedItems],
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
    return built(items, pair.text, [layer for layer in (first, second) if layer], source)


def built(items: Items, text: str, like: Sequence[Layer], source: str) -> Layer:
    """A layer of items, with the columns of the layers that it comes of."""
    spans = tuple(item.span for item in items)
    names = dict.fromkeys(name for layer in like for name in layer.columns)
    columns = {
        name: tuple(item.labels.get(name) for item in items)
        for name in names
        if name not in PLACES or any(layer.spans == spans for layer in like)
    }
    if MARK in names:
        columns = mark_columns(items)
    quotes = (
        tuple(text[slice(*span)] for span in spans) if any(layer.quotes for layer in like) else ()
    )
    return Layer(spans=spans, source=source, quotes=quotes, columns=columns)


CONCERNED = {
    "np_overlap": ("np",),
    "token_overlap": ("token",),
    "ne_off_np": ("ne", "np"),
    "mention_off_np": ("mention", "np"),
    "entity": ("ne",),
    "reference": ("mention",),
}
"""The layers whose decisions a fault may come of."""
_NUMBER = re.compile(r"REF(?:ID)?=(-?\d+)")
"""What a message about references says of whom it is."""


_Finding = tuple[str, tuple[Offsets, ...], str]
"""A code, the spans concerned, and a line of prose."""


@dataclass(frozen=True, slots=True)
class GoldFault:
    """Something unsound in a text: what, where, and the decisions that brought it there."""

    code: str
    part: str
    spans: tuple[Offsets, ...]
    message: str
    decisions: tuple[str, ...] = ()

    @property
    def same(self) -> tuple[str, str, tuple[Offsets, ...]]:
        """What the fault is, whoever decided it."""
        return self.code, self.part, self.spans


def faults(passage: Passage) -> Iterator[GoldFault]:
    """What is unsound: phrases or words that overlap, entities and mentions on no noun phrase.

    Entities of no known type and references that lead nowhere, too.
    """
    antecedents: dict[str, Antecedents] = {}
    for part in parts_of(passage):
        before = antecedents.get(part.before or "")
        antecedents[part.id] = Antecedents(part.text, part.layers, before=before)
        for code, spans, message in (
            *_overlapping(part),
            *_off_phrases(part),
            *_untyped(part),
            *_lost_references(part.id, antecedents[part.id]),
        ):
            yield GoldFault(code, part.id, spans, message)


def blamed(
    gold: Passage, a: Passage, b: Passage, adopted: Sequence[AdoptedItems]
) -> list[GoldFault]:
    """The gold's faults that are not already in both annotators' files, with their decisions."""
    theirs = {fault.same for fault in faults(a)} & {fault.same for fault in faults(b)}
    return [
        replace(fault, decisions=tuple(_deciding(fault, adopted)))
        for fault in faults(gold)
        if fault.same not in theirs
    ]


def _overlapping(part: TextPart) -> Iterator[_Finding]:
    """Noun phrases and words that share some text."""
    for name, noun in (("np", "noun phrases"), ("token", "words")):
        layer = part.layers.get(name)
        furthest = (0, 0)
        for span in sorted(layer.spans) if layer is not None else ():
            if span[0] < furthest[1] and span[0] < span[1]:
                quotes = " and ".join(repr(_quote(part, each)) for each in (furthest, span))
                yield f"{name}_overlap", (furthest, span), f"{noun} {quotes} overlap"
            furthest = max(furthest, span, key=lambda each: each[1])


def _off_phrases(part: TextPart) -> Iterator[_Finding]:
    """Entities and mentions that are no noun phrase, where there are any."""
    np = part.layers.get("np")
    phrases = set(np.spans) if np is not None else set()
    for name, noun in (("ne", "entity"), ("mention", "mention")):
        layer = part.layers.get(name)
        for span in layer.spans if layer is not None and np is not None else ():
            if span not in phrases:
                quote = _quote(part, span)
                yield f"{name}_off_np", (span,), f"{noun} {quote!r} is not a noun phrase"


def _untyped(part: TextPart) -> Iterator[_Finding]:
    """Entities of no known type; a layer without types is another matter, and so are marks."""
    layer = part.layers.get("ne")
    for item in layer_items(layer if layer is not None and MARK not in layer.columns else None):
        type = item.labels.get("type")
        if "type" in item.labels and type not in ENTITY_TYPES:
            quote = _quote(part, item.span)
            message = f"{quote!r} has the entity type {type!r}, known: {', '.join(ENTITY_TYPES)}"
            yield "entity", (item.span,), message


def _lost_references(id: str, own: Antecedents) -> Iterator[_Finding]:
    """Numbers that lead nowhere, repeat or are miscounted, at the mentions that have them."""
    for _, code, message in mention_findings(id, own, ""):
        if not isinstance(code, WarningCode):
            numbers = {int(number) for number in _NUMBER.findall(message)}
            spans = [
                (mention.start, mention.end)
                for mention in own.mentions
                if {mention.id, mention.ref} & numbers
            ]
            yield code, tuple(spans), message


def _quote(part: TextPart, span: Offsets) -> str:
    return clip(part.text[slice(*span)])


def _deciding(fault: GoldFault, adopted: Sequence[AdoptedItems]) -> Iterator[str]:
    """The decisions that touch the place of a fault, those of its own layer first."""
    for what in CONCERNED[fault.code]:
        for items in adopted:
            if items.difference.what == what and any(
                _touches(items, fault.part, span) for span in fault.spans
            ):
                yield items.difference.id


def _touches(one: AdoptedItems, part: str, span: Offsets) -> bool:
    """Whether a decision is about a span, or about a link to it."""
    items = (*one.items, *one.difference.a, *one.difference.b)
    places = [(one.difference.part.id, item.span) for item in items]
    places += [at for item in items if (at := antecedent_of(item)) is not None]
    return any(id == part and (at == span or overlap(at, span)) for id, at in places)


# Mentions of a merged annotation: numbered as A or B had them, else counted anew.


Layered = dict[str, Layer | None]
Places = frozenset[tuple[str, Offsets]]


def merged_mentions(
    a: Passage,
    b: Passage,
    base: Passage,
    items: Mapping[str, Items],
    pairs: Mapping[str, LayerPair],
    *,
    source: str,
) -> Layered:
    """The mention layer of every part of the gold passage."""
    sides = [{part.id: part for part in parts_of(passage)} for passage in (a, b)]
    mentions = [mentions_of(list(side.values())) for side in sides]
    there = list(parts_of(base))
    # Parts that were not compared come from the side that annotated them, and so do their numbers.
    whole: dict[str, Items] = {}
    both = mentions[0].numbered & mentions[1].numbered
    given = set(both)
    for part in there:
        if part.id in items:
            whole[part.id] = items[part.id]
        else:
            own = mentions[0] if _has(sides[0], part) or not _has(sides[1], part) else mentions[1]
            whole[part.id] = own.items.get(part.id, [])
            given |= {at for at in own.numbered if at[0] == part.id}
    wanted = _wanted(there, whole, given)
    for side, own in zip(sides, mentions, strict=True):
        if wanted == own.numbered and all(
            _stated_labels(part.id, whole[part.id], wanted, pairs)
            == _stated_labels(part.id, own.items.get(part.id, []), wanted, pairs)
            for part in there
        ):
            return {
                part.id: side[part.id].layers.get("mention") if part.id in side else None
                for part in there
            }
    return _counted(there, whole, wanted, sides, source)


def _has(side: Mapping[str, TextPart], part: TextPart) -> bool:
    """Whether an annotator marked references in a part, in these words."""
    own = side.get(part.id)
    return own is not None and own.text == part.text and "mention" in own.layers


def _wanted(
    there: list[TextPart], items: Mapping[str, Items], given: set[tuple[str, Offsets]]
) -> Places:
    """Everything that gets a number: what is referred to, and what was given one."""
    parts = {part.id for part in there}
    found = set(given)
    for id, own in items.items():
        found |= {at for item in own if (at := antecedent_of(item)) is not None}
        found |= {(id, item.span) for item in own if NUMBERED in item.labels}
    return frozenset(at for at in found if at[0] in parts)


def _stated_labels(
    id: str, items: Items, numbered: Places, pairs: Mapping[str, LayerPair]
) -> Counter[tuple[Offsets, bytes]]:
    """What a part's mentions say beyond their numbers."""
    columns = pairs[id].columns if id in pairs else (ANTECEDENT,)
    compared = [name for name in columns if name != NUMBERED]
    return Counter(
        item.key(compared)
        for item in items
        if ANTECEDENT in item.labels or (id, item.span) not in numbered
    )


def _counted(
    there: list[TextPart],
    items: Mapping[str, Items],
    wanted: Places,
    sides: list[dict[str, TextPart]],
    source: str,
) -> Layered:
    placed: dict[str, list[Offsets]] = {}
    for id, span in wanted:
        placed.setdefault(id, []).append(span)
    numbers = _numbers(there, placed)
    made: Layered = {}
    for part in there:
        here = {item.span: item for item in items[part.id]}
        spans = sorted({*here, *placed.get(part.id, ())})
        like = [
            layer
            for side in sides
            if _has(side, part) and (layer := side[part.id].layers.get("mention")) is not None
        ]
        # An antecedent's own labels are in the layers that it comes from.
        known = {item.span: item.labels for layer in reversed(like) for item in layer_items(layer)}
        if not spans and not like:
            made[part.id] = None
            continue
        rows = [_row(part.id, span, here.get(span), numbers, known.get(span, {})) for span in spans]
        names = dict.fromkeys(("id", "ref", *(name for row in rows for name in row)))
        quotes = tuple(part.text[slice(*span)] for span in spans)
        made[part.id] = Layer(
            spans=tuple(spans),
            source=source,
            quotes=quotes if any(layer.quotes for layer in like) else (),
            columns={name: tuple(row.get(name) for row in rows) for name in names},
        )
    return made


def _numbers(
    there: list[TextPart], placed: Mapping[str, list[Offsets]]
) -> dict[tuple[str, Offsets], int]:
    """Numbers in the order of the text; a question's continue its passage's."""
    found: dict[tuple[str, Offsets], int] = {}
    last: dict[str | None, int] = {None: 0}
    for part in there:
        first = last[part.before] + 1
        spans = sorted(placed.get(part.id, ()))
        found |= {(part.id, span): number for number, span in enumerate(spans, first)}
        last[part.id] = first + len(spans) - 1
    return found


def _row(
    id: str,
    span: Offsets,
    item: LayerItem | None,
    numbers: Mapping[tuple[str, Offsets], int],
    known: Mapping[str, Any],
) -> dict[str, Any]:
    at = antecedent_of(item) if item is not None else None
    antecedent = item.labels.get(ANTECEDENT) if item is not None else None
    ref = numbers[at] if at is not None else antecedent.get("number") if antecedent else None
    reserved = ("id", "ref", ANTECEDENT, NUMBERED)
    labels = item.labels if item is not None else known
    labels = {name: it for name, it in labels.items() if name not in reserved}
    return {"id": numbers.get((id, span)), "ref": ref, **labels}
