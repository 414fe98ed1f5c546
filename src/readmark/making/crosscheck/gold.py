"""Whether a merged annotation is sound, and which decisions do not go together where it is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.problems import WARNINGS, Report
from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.making.adjudication import AdjudicationHeader, Disagreement
from readmark.making.crosscheck.comparison import WORK, compare
from readmark.making.crosscheck.decisions import (
    Adopted,
    Otherwise,
    adopt,
    merged_mentions,
    unknown_ids,
)
from readmark.making.crosscheck.differences import LayerPair, layer_pairs, shared_keys
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    PLACES,
    Item,
    Items,
    Part,
    Scope,
    antecedent_of,
    layer_items,
    parts_of,
    scope_of,
    with_layers,
)
from readmark.making.crosscheck.pairs import HeldPassages, notes, paired
from readmark.text.annotation import ENTITY_TYPES
from readmark.text.coreference import Antecedents, mention_findings

# One gold annotation of two: what both agree on, and what was adopted where they differ.


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


# Adjudicating two annotators: decisions taken, gold made, and who decided what kept with it.


FIELD = "adjudication"
"""Where the gold's header says who decided what; a key is marked by, a header is not."""


@dataclass(slots=True)
class Gold:
    """The merged test, or what stands in its way."""

    test: Test
    passages: int = 0
    adopted: list[Adopted] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    conflicts: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def decisions(self) -> dict[str, int]:
        """How many disagreements were decided each way."""
        return dict(Counter(one.decision for one in self.adopted))

    @property
    def people(self) -> dict[str, int]:
        """How many each person decided."""
        return dict(Counter(one.by for one in self.adopted if one.by))


def adjudicate(
    a: Test,
    b: Test,
    header: AdjudicationHeader,
    decisions: Sequence[Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> Gold:
    """One gold test of two annotators' files and the decisions about where they differ."""
    scope = _checked(header, a, file)
    names = header.a, header.b
    pairs = paired(a, b, common=bool(header.fields.get("common")))
    said = {one.id: one for one in decisions}
    source = f"adjudicated({names[0]},{names[1]})"
    made = HeldPassages()
    gold = Gold(a, notes=list(notes(pairs, names)))
    known: list[str] = []
    for one, other in pairs.passages:
        compared = compare(one, other, scope)
        known += [difference.id for difference in compared.found]
        taken = adopt(compared, said, file=file, otherwise=otherwise)
        gold.undecided += taken.undecided
        gold.adopted += taken.adopted
        if taken.undecided:
            continue
        passage = merged(one, other, scope, taken.adopted, source=source)
        gold.conflicts += blamed(passage, one, other, taken.adopted)
        made.add(passage)
    if stale := unknown_ids(said, known):
        raise DataError(
            f"is no disagreement of these files ({len(stale)} such); run set crosscheck again",
            file=file,
            where=stale[0],
        )
    gold.passages = len(made)
    gold.test = _kept(_header(a.header, b.header, names, gold), made, a.file)
    return gold


def _kept(header: Header, passages: HeldPassages, file: str) -> Test:
    def stream(_: Report) -> Iterator[Placed]:
        for passage in passages.passages():
            yield passage.id, passage

    return Test(header, stream, file)


def _checked(header: AdjudicationHeader, a: Test, file: str) -> Scope:
    """The layers that the file is about; a file of other work or another test is refused."""
    if header.work != WORK:
        raise DataError(f"is of {header.work or 'unnamed work'}, expected {WORK}", file=file)
    if header.paper is not None and header.paper != a.facts.paper:
        raise DataError(f"is about another test than {a.file}", file=file)
    scope = scope_of(header)
    if scope is None:
        message = "does not state in fields.layers what was compared"
        raise DataError(message, file=file, where=1)
    return scope


def _header(a: Header, b: Header, names: tuple[str, str], gold: Gold) -> Header:
    """A's header with what only B's says, and who decided what; formats of layers say little."""
    about: dict[str, Any] = {"a": names[0], "b": names[1], "decisions": gold.decisions}
    if gold.people:
        about["by"] = gold.people
    fields = {**b.fields, **a.fields}
    if FIELD in fields:  # a third annotator beside the gold of two
        about["before"] = fields[FIELD]
    about["decided"] = {
        one.difference.id: one.told() for one in gold.adopted if one.decision in ("a", "b", "other")
    }
    said = {
        name: getattr(a, name) or getattr(b, name)
        for name in ("name", "language", "licence", "source", "profile")
    }
    hidden = tuple(dict.fromkeys((*a.hidden, *b.hidden)))
    return msgspec.structs.replace(a, **said, hidden=hidden, fields={**fields, FIELD: about})
