"""Mentions of a merged annotation: numbered as A or B numbered them, otherwise numbered anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from readmark.core.records import Layer, Offsets, Passage
from readmark.making.crosscheck.differences import LayerPair
from readmark.making.crosscheck.items import (
    ANTECEDENT,
    NUMBERED,
    Items,
    LayerItem,
    PlacedSpan,
    layer_items,
)
from readmark.making.crosscheck.mentions import antecedent_of, mentions_of
from readmark.making.crosscheck.texts import TextPart, parts_of

MentionLayers = dict[str, Layer | None]
"""The mention layer of each part, by the part's id."""


def gold_mentions(
    a: Passage,
    b: Passage,
    base: Passage,
    items: Mapping[str, Items],
    pairs: Mapping[str, LayerPair],
    *,
    source: str,
) -> MentionLayers:
    """The mention layer of every part of the gold passage.

    ``items`` are the gold's mentions and ``pairs`` what they were compared from, both by part.
    """
    parts_a, parts_b = ({part.id: part for part in parts_of(passage)} for passage in (a, b))
    mentions_a, mentions_b = (mentions_of(list(side.values())) for side in (parts_a, parts_b))
    parts = list(parts_of(base))
    # Parts that were not compared come from the side that annotated them, and so do their numbers.
    gold: dict[str, Items] = {}
    numbered = set(mentions_a.numbered & mentions_b.numbered)
    for part in parts:
        if part.id in items:
            gold[part.id] = items[part.id]
        else:
            is_of_a = _has_mentions(parts_a, part) or not _has_mentions(parts_b, part)
            mentions = mentions_a if is_of_a else mentions_b
            gold[part.id] = mentions.items.get(part.id, [])
            numbered |= {place for place in mentions.numbered if place[0] == part.id}
    numbered |= _needing_numbers(gold)
    part_ids = {part.id for part in parts}
    to_number = frozenset(place for place in numbered if place[0] in part_ids)

    # Where the gold says just what an annotator said, it is that annotator's layer and numbers.
    for side, mentions in ((parts_a, mentions_a), (parts_b, mentions_b)):
        if to_number == mentions.numbered and all(
            _stated_labels(part.id, gold[part.id], to_number, pairs)
            == _stated_labels(part.id, mentions.items.get(part.id, []), to_number, pairs)
            for part in parts
        ):
            return {
                part.id: side[part.id].layers.get("mention") if part.id in side else None
                for part in parts
            }
    return _numbered_anew(parts, gold, to_number, [parts_a, parts_b], source)


def _has_mentions(parts: Mapping[str, TextPart], part: TextPart) -> bool:
    """Whether an annotator marked mentions in a part, in these words."""
    version = parts.get(part.id)
    return version is not None and version.text == part.text and "mention" in version.layers


def _needing_numbers(gold: Mapping[str, Items]) -> set[PlacedSpan]:
    """Mentions that something refers to, and those whose number was adopted by itself."""
    places = set()
    for part, items in gold.items():
        places |= {place for item in items if (place := antecedent_of(item)) is not None}
        places |= {(part, item.span) for item in items if NUMBERED in item.labels}
    return places


def _stated_labels(
    part: str, items: Items, numbered: frozenset[PlacedSpan], pairs: Mapping[str, LayerPair]
) -> Counter[tuple[Offsets, bytes]]:
    """What a part's mentions say beyond their numbers."""
    columns = pairs[part].columns if part in pairs else (ANTECEDENT,)
    compared = [name for name in columns if name != NUMBERED]
    return Counter(
        item.key(compared)
        for item in items
        if ANTECEDENT in item.labels or (part, item.span) not in numbered
    )


def _numbered_anew(
    parts: list[TextPart],
    gold: Mapping[str, Items],
    to_number: frozenset[PlacedSpan],
    sides: list[dict[str, TextPart]],
    source: str,
) -> MentionLayers:
    spans_to_number: dict[str, list[Offsets]] = {}
    for id, span in to_number:
        spans_to_number.setdefault(id, []).append(span)
    numbers = _numbers(parts, spans_to_number)
    layers: MentionLayers = {}
    for part in parts:
        items = {item.span: item for item in gold[part.id]}
        spans = sorted({*items, *spans_to_number.get(part.id, ())})
        originals = [
            layer
            for side in sides
            if _has_mentions(side, part)
            and (layer := side[part.id].layers.get("mention")) is not None
        ]
        if not spans and not originals:
            layers[part.id] = None
            continue
        # A mention that is only an antecedent has its labels from the annotators' layers; A's win.
        labels = {
            item.span: item.labels for layer in reversed(originals) for item in layer_items(layer)
        }
        rows = [
            _row(part.id, span, items.get(span), numbers, labels.get(span, {})) for span in spans
        ]
        names = dict.fromkeys(("id", "ref", *(name for row in rows for name in row)))
        quotes = tuple(part.text[slice(*span)] for span in spans)
        layers[part.id] = Layer(
            spans=tuple(spans),
            source=source,
            quotes=quotes if any(layer.quotes for layer in originals) else (),
            columns={name: tuple(row.get(name) for row in rows) for name in names},
        )
    return layers


def _numbers(
    parts: list[TextPart], spans_to_number: Mapping[str, list[Offsets]]
) -> dict[PlacedSpan, int]:
    """Numbers in the order of the text; a question's continue its passage's."""
    numbers: dict[PlacedSpan, int] = {}
    last_numbers: dict[str | None, int] = {None: 0}
    for part in parts:
        first = last_numbers[part.before] + 1
        spans = sorted(spans_to_number.get(part.id, ()))
        numbers |= {(part.id, span): number for number, span in enumerate(spans, first)}
        last_numbers[part.id] = first + len(spans) - 1
    return numbers


def _row(
    part: str,
    span: Offsets,
    item: LayerItem | None,
    numbers: Mapping[PlacedSpan, int],
    original_labels: Mapping[str, Any],
) -> dict[str, Any]:
    ref = None
    labels = original_labels
    if item is not None:
        labels = item.labels
        place = antecedent_of(item)
        if place is not None:
            ref = numbers[place]
        elif antecedent := item.labels.get(ANTECEDENT):
            ref = antecedent.get("number")
    reserved = ("id", "ref", ANTECEDENT, NUMBERED)
    labels = {name: label for name, label in labels.items() if name not in reserved}
    return {"id": numbers.get((part, span)), "ref": ref, **labels}
