"""Whether a gold annotation is sound, and which decisions brought in what is not.

Two versions that are each sound can contradict each other once decisions mix them: an entity is
adopted from A, and the noun phrase under it from B.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.core.problems import WarningCode
from readmark.core.records import Offsets, Passage
from readmark.core.spans import clip, overlap
from readmark.making.crosscheck.adoption import AdoptedItems
from readmark.making.crosscheck.items import layer_items
from readmark.making.crosscheck.marks import MARK
from readmark.making.crosscheck.mentions import antecedent_of
from readmark.making.crosscheck.texts import TextPart, parts_of
from readmark.text.guidelines import ENTITY_TYPES
from readmark.text.mentions import Antecedents, mention_findings

CONCERNED = {
    "np_overlap": ("np",),
    "token_overlap": ("token",),
    "ne_off_np": ("ne", "np"),
    "mention_off_np": ("mention", "np"),
    "entity": ("ne",),
    "reference": ("mention",),
}
"""The layers whose decisions may have caused a fault; its own layer comes first."""
_NUMBER = re.compile(r"REF(?:ID)?=(-?\d+)")
"""How a message about references names the mention that it is about."""

_Fault = tuple[str, tuple[Offsets, ...], str]
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
        """What two faults share that are the same one, whatever decisions brought them."""
        return self.code, self.part, self.spans


def new_faults(
    gold: Passage, a: Passage, b: Passage, adopted: Sequence[AdoptedItems]
) -> list[GoldFault]:
    """The gold's faults that are not already in both annotators' files, with their decisions."""
    in_both = {fault.same for fault in faults(a)} & {fault.same for fault in faults(b)}
    return [
        replace(fault, decisions=tuple(_responsible_decisions(fault, adopted)))
        for fault in faults(gold)
        if fault.same not in in_both
    ]


def faults(passage: Passage) -> Iterator[GoldFault]:
    """What is unsound: phrases or words that overlap, entities and mentions on no noun phrase.

    Entities of an unknown type and references that lead nowhere are faults too.
    """
    antecedents: dict[str, Antecedents] = {}
    for part in parts_of(passage):
        before = antecedents.get(part.before or "")
        antecedents[part.id] = Antecedents(part.text, part.layers, before=before)
        for code, spans, message in (
            *_overlapping(part),
            *_off_phrases(part),
            *_unknown_types(part),
            *_lost_references(part.id, antecedents[part.id]),
        ):
            yield GoldFault(code, part.id, spans, message)


def _overlapping(part: TextPart) -> Iterator[_Fault]:
    """Noun phrases and words that share some text."""
    for name, noun in (("np", "noun phrases"), ("token", "words")):
        layer = part.layers.get(name)
        furthest = (0, 0)
        for span in sorted(layer.spans) if layer is not None else ():
            if span[0] < furthest[1] and span[0] < span[1]:
                quotes = f"{_quote(part, furthest)!r} and {_quote(part, span)!r}"
                yield f"{name}_overlap", (furthest, span), f"{noun} {quotes} overlap"
            furthest = max(furthest, span, key=lambda each: each[1])


def _off_phrases(part: TextPart) -> Iterator[_Fault]:
    """Entities and mentions that are not noun phrases, in a text that has noun phrases."""
    np = part.layers.get("np")
    if np is None:
        return
    phrases = set(np.spans)
    for name, noun in (("ne", "entity"), ("mention", "mention")):
        layer = part.layers.get(name)
        for span in layer.spans if layer is not None else ():
            if span not in phrases:
                quote = _quote(part, span)
                yield f"{name}_off_np", (span,), f"{noun} {quote!r} is not a noun phrase"


def _unknown_types(part: TextPart) -> Iterator[_Fault]:
    """Entities of an unknown type; a layer may have no types, and marks have those of a task."""
    layer = part.layers.get("ne")
    if layer is None or MARK in layer.columns:
        return
    for item in layer_items(layer):
        type = item.labels.get("type")
        if "type" in item.labels and type not in ENTITY_TYPES:
            quote = _quote(part, item.span)
            message = f"{quote!r} has the entity type {type!r}, known: {', '.join(ENTITY_TYPES)}"
            yield "entity", (item.span,), message


def _lost_references(id: str, antecedents: Antecedents) -> Iterator[_Fault]:
    """Numbers that lead nowhere, repeat or are miscounted, at the mentions that have them."""
    for _, code, message in mention_findings(id, antecedents, ""):
        if not isinstance(code, WarningCode):
            numbers = {int(number) for number in _NUMBER.findall(message)}
            spans = [
                (mention.start, mention.end)
                for mention in antecedents.mentions
                if {mention.id, mention.ref} & numbers
            ]
            yield code, tuple(spans), message


def _quote(part: TextPart, span: Offsets) -> str:
    return clip(part.text[slice(*span)])


def _responsible_decisions(fault: GoldFault, adopted: Sequence[AdoptedItems]) -> Iterator[str]:
    """The decisions that touch the place of a fault, those of its own layer first."""
    for what in CONCERNED[fault.code]:
        for items in adopted:
            if items.difference.what == what and any(
                _touches(items, fault.part, span) for span in fault.spans
            ):
                yield items.difference.id


def _touches(adopted: AdoptedItems, part: str, span: Offsets) -> bool:
    """Whether a decision is about a span, or about a link to it."""
    difference = adopted.difference
    items = (*adopted.items, *difference.a, *difference.b)
    places = [(difference.part.id, item.span) for item in items]
    places += [place for item in items if (place := antecedent_of(item)) is not None]
    return any(id == part and (place == span or overlap(place, span)) for id, place in places)
