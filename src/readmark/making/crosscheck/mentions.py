"""Mentions of a passage as they are compared: by the antecedent that they mean, not by its number.

Two people who count differently agree when they link the same noun phrases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.records import Offsets
from readmark.making.crosscheck.items import (
    ANTECEDENT,
    NUMBERED,
    Items,
    LayerItem,
    PlacedSpan,
    layer_items,
)
from readmark.making.crosscheck.texts import TextPart

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a passage, by part, with antecedents in place of numbers."""

    items: Mapping[str, Items]
    numbered: frozenset[PlacedSpan]
    """Every mention that has a number."""
    antecedents: frozenset[PlacedSpan]
    """Everything that a mention refers to."""


def mentions_of(parts: Sequence[TextPart]) -> Mentions:
    """The mentions of all parts of a passage; references across its parts are followed."""
    spans_by_number = {part.id: _spans_by_number(part) for part in parts}
    part_before = {part.id: part.before for part in parts}
    texts = {part.id: part.text for part in parts}
    items: dict[str, Items] = {}
    numbered: set[PlacedSpan] = set()
    antecedents: set[PlacedSpan] = set()
    for part in parts:
        items[part.id] = []
        for item in layer_items(part.layers.get("mention")):
            labels = dict(item.labels)
            number, ref = labels.pop("id", None), labels.pop("ref", None)
            if ref is not None:
                place = _antecedent(ref, part.id, item.span, spans_by_number, part_before)
                if place is None:
                    labels[ANTECEDENT] = {"number": ref}
                else:
                    antecedents.add(place)
                    id, span = place
                    quote = texts[id][slice(*span)]
                    labels[ANTECEDENT] = {"in": id, "span": list(span), "quote": quote}
            if number is not None:
                numbered.add((part.id, item.span))
            items[part.id].append(LayerItem(item.span, labels))
    return Mentions(items, frozenset(numbered), frozenset(antecedents))


def comparable_mentions(mentions: Mentions, others: Mentions, part: str) -> Items:
    """A part's mentions as they are compared with those of another annotator.

    That something is an antecedent shows in what refers to it. A number is compared by itself only
    if nothing refers to it and the other annotator has not given it.
    """
    items = []
    for item in mentions.items.get(part, []):
        place = part, item.span
        is_numbered = place in mentions.numbered
        if is_numbered and place not in mentions.antecedents and place not in others.numbered:
            items.append(LayerItem(item.span, {**item.labels, NUMBERED: True}))
        elif not is_numbered or ANTECEDENT in item.labels:
            items.append(item)
    return items


def antecedent_of(item: LayerItem) -> PlacedSpan | None:
    """The part and span that a mention refers to."""
    antecedent = item.labels.get(ANTECEDENT)
    if not antecedent or "span" not in antecedent:
        return None
    return antecedent["in"], (antecedent["span"][0], antecedent["span"][1])


def _spans_by_number(part: TextPart) -> dict[bytes, list[Offsets]]:
    spans: dict[bytes, list[Offsets]] = {}
    for item in layer_items(part.layers.get("mention")):
        if (number := item.labels.get("id")) is not None:
            spans.setdefault(_encode(number), []).append(item.span)
    return spans


def _antecedent(
    ref: Any,
    part: str,
    anaphor: Offsets,
    spans_by_number: Mapping[str, Mapping[bytes, list[Offsets]]],
    part_before: Mapping[str, str | None],
) -> PlacedSpan | None:
    """The nearest mention of that number before the anaphor, else in the texts before, else after.

    A question's own numbers come first: it may count from 1 again.
    """
    number = _encode(ref)
    spans = spans_by_number[part].get(number, [])
    earlier_spans = [span for span in spans if span[0] < anaphor[0]]
    if earlier_spans:
        return part, max(earlier_spans)
    before = part_before[part]
    while before is not None:
        if spans_before := spans_by_number[before].get(number):
            return before, spans_before[0]
        before = part_before[before]
    return (part, spans[0]) if spans else None
