"""Whether a merged annotation is sound, and which decisions do not go together where it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.corpus.mentions import Antecedents, mention_findings
from readmark.corpus.notation import ENTITY_TYPES
from readmark.corpus.problems import WARNINGS
from readmark.corpus.spans import clip
from readmark.corpus.values import Layer, Layers, Offsets, Passage
from readmark.setting.crosscheck.adopting import Adopted
from readmark.setting.crosscheck.items import antecedent_of, layer_items
from readmark.setting.crosscheck.texts import Part, parts_of

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


@dataclass(frozen=True, slots=True)
class Fault:
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


def faults(passage: Passage) -> Iterator[Fault]:
    """What is unsound: phrases or words that overlap, entities and mentions on no noun phrase.

    Entities of no known type and references that lead nowhere, too.
    """
    antecedents: dict[str, Antecedents] = {}
    for part in parts_of(passage):
        for name, called in (("np", "noun phrases"), ("token", "words")):
            for one, other in _overlaps(part.layers.get(name)):
                quotes = " and ".join(repr(clip(part.text[slice(*at)])) for at in (one, other))
                yield Fault(f"{name}_overlap", part.id, (one, other), f"{called} {quotes} overlap")
        yield from _off_phrases(part.id, part.text, part.layers)
        yield from _untyped(part)
        before = antecedents.get(part.before or "")
        antecedents[part.id] = Antecedents(part.text, part.layers, before=before)
        yield from _lost_references(part.id, antecedents[part.id])


def blamed(gold: Passage, a: Passage, b: Passage, adopted: Sequence[Adopted]) -> list[Fault]:
    """The gold's faults that are not already in both annotators' files, with their decisions."""
    theirs = {one.same for one in faults(a)} & {one.same for one in faults(b)}
    return [
        Fault(one.code, one.part, one.spans, one.message, tuple(_deciding(one, adopted)))
        for one in faults(gold)
        if one.same not in theirs
    ]


def _off_phrases(id: str, text: str, layers: Layers) -> Iterator[Fault]:
    """Entities and mentions rest on noun phrases, where there are any."""
    np = layers.get("np")
    if np is None:
        return
    phrases = set(np.spans)
    for name, called in (("ne", "entity"), ("mention", "mention")):
        layer = layers.get(name)
        for span in layer.spans if layer is not None else ():
            if span not in phrases:
                quote = clip(text[slice(*span)])
                yield Fault(f"{name}_off_np", id, (span,), f"{called} {quote!r} is no noun phrase")


def _untyped(part: Part) -> Iterator[Fault]:
    """Entities of no known type; a layer that has no types at all is another matter."""
    for item in layer_items(part.layers.get("ne")):
        type = item.labels.get("type")
        if "type" in item.labels and type not in ENTITY_TYPES:
            quote = clip(part.text[slice(*item.span)])
            message = f"{quote!r} has the entity type {type!r}, known: {', '.join(ENTITY_TYPES)}"
            yield Fault("entity", part.id, (item.span,), message)


def _lost_references(id: str, own: Antecedents) -> Iterator[Fault]:
    """Numbers that lead nowhere, repeat or are miscounted, at the mentions that have them."""
    for _, code, message in mention_findings(id, own, ""):
        if code not in WARNINGS:
            numbers = {int(number) for number in _NUMBER.findall(message)}
            at = [(one.start, one.end) for one in own.mentions if {one.id, one.ref} & numbers]
            yield Fault(code, id, tuple(at), message)


def _overlaps(layer: Layer | None) -> Iterator[tuple[Offsets, Offsets]]:
    furthest = (0, 0)
    for span in sorted(layer.spans) if layer is not None else ():
        if span[0] < furthest[1] and span[0] < span[1]:
            yield furthest, span
        furthest = max(furthest, span, key=lambda one: one[1])


def _deciding(fault: Fault, adopted: Sequence[Adopted]) -> Iterator[str]:
    """The decisions that touch the place of a fault, those of its own layer first."""
    for what in CONCERNED[fault.code]:
        for one in adopted:
            if one.difference.what == what and any(
                _touches(one, fault.part, span) for span in fault.spans
            ):
                yield one.difference.id


def _touches(one: Adopted, part: str, span: Offsets) -> bool:
    """Whether a decision is about a span, or about a link to it."""
    items = (*one.items, *one.difference.a, *one.difference.b)
    places = [(one.difference.part.id, item.span) for item in items]
    places += [at for item in items if (at := antecedent_of(item)) is not None]
    return any(id == part and _overlap(at, span) for id, at in places)


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one == other or (one[0] < other[1] and other[0] < one[1])
