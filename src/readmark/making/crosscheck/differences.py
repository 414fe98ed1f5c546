"""Where two annotators differ: layers compared item by item, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from readmark.core.records import Offsets, Passage
from readmark.making.crosscheck.compared_layers import ComparedLayers
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    NUMBERED,
    Items,
    LayerItem,
    comparable_columns,
    layer_items,
)
from readmark.making.crosscheck.mentions import comparable_mentions, mentions_of
from readmark.making.crosscheck.texts import QUESTION, TextPart, parts_of
from readmark.statistics.overlap import f1

REPEAT = "repeat"
"""The sort of a place that both marked alike, and one of them more often."""
SORTS = ("only_a", "only_b", "boundary", "type", "link", "label", REPEAT, "sentence")


@dataclass(frozen=True, slots=True)
class Difference:
    """A place of one layer where two annotators differ, with what each has there."""

    part: TextPart
    what: str
    text: str
    """What the place lies in: answer sentences of a question lie in its passage."""
    place: Offsets
    a: tuple[LayerItem, ...]
    b: tuple[LayerItem, ...]
    sort: str

    @property
    def id(self) -> str:
        """The same whenever the same files are compared."""
        if self.what == ANSWER_SENTENCE:
            return f"{self.part.id}:{self.what}"
        return f"{self.part.id}:{self.what}:{self.place[0]}-{self.place[1]}"


@dataclass(slots=True)
class LayerCount:
    """Items of a layer: A's, B's, those that are the same, and places of difference by sort."""

    a: int = 0
    b: int = 0
    same: int = 0
    places: int = 0
    sorts: dict[str, int] = field(default_factory=dict)

    @property
    def f1(self) -> float | None:
        """F1 of one annotator against the other; None where neither marked anything."""
        return f1(self.same, self.a, self.b) if self.a + self.b else None


@dataclass(frozen=True, slots=True)
class LayerPair:
    """One layer over one text, A's items and B's, and the columns that are compared."""

    part: TextPart
    what: str
    text: str
    a: Items
    b: Items
    columns: tuple[str, ...]


def layer_pairs(a: Passage, b: Passage, layers: ComparedLayers) -> Iterator[LayerPair]:
    """Every layer over every text that both have, answer sentences of a question among them."""
    parts_a, parts_b = list(parts_of(a)), {part.id: part for part in parts_of(b)}
    mentions_a, mentions_b = mentions_of(parts_a), mentions_of(list(parts_b.values()))
    sentences_a, sentences_b = (
        {question.id: question.key.sentences for question in passage.questions if question.key}
        for passage in (a, b)
    )
    for part in parts_a:
        other = parts_b.get(part.id)
        if other is None or other.text != part.text:
            continue
        for what, sorts in layers.items():
            if part.sort not in sorts:
                continue
            if what == ANSWER_SENTENCE:
                if part.sort == QUESTION and part.unit is not None:
                    items_a, items_b = (
                        [LayerItem(span) for span in sentences.get(part.unit, ())]
                        for sentences in (sentences_a, sentences_b)
                    )
                    yield LayerPair(part, what, a.text, items_a, items_b, ())
                continue
            layer_a, layer_b = part.layers.get(what), other.layers.get(what)
            columns = comparable_columns(layer_a, layer_b)
            if what == "mention":
                items_a = comparable_mentions(mentions_a, mentions_b, part.id)
                items_b = comparable_mentions(mentions_b, mentions_a, part.id)
                labels = (name for name in columns if name not in ("id", "ref"))
                columns = (*labels, ANTECEDENT, NUMBERED)
            else:
                items_a, items_b = layer_items(layer_a), layer_items(layer_b)
            yield LayerPair(part, what, part.text, items_a, items_b, columns)


def differences(pair: LayerPair) -> list[Difference]:
    """The places where a layer differs: items that overlap are one place, decided together."""
    shared = shared_keys(pair)
    unshared_a, unshared_b = (_unshared(items, shared, pair.columns) for items in (pair.a, pair.b))
    if not unshared_a and not unshared_b:
        return []
    part = replace(pair.part, layers={})  # differences stay in memory, and layers are long
    if pair.what == ANSWER_SENTENCE:  # a question's answer sentences are decided together
        spans = [item.span for item in (*unshared_a, *unshared_b)]
        place = (min(start for start, _ in spans), max(end for _, end in spans))
        return [
            Difference(part, pair.what, pair.text, place, tuple(pair.a), tuple(pair.b), "sentence")
        ]
    places: list[tuple[Offsets, Items, Items]] = []
    both = [(item.span, 1, item) for item in unshared_a]
    both += [(item.span, 2, item) for item in unshared_b]
    for span, side, item in sorted(both, key=lambda entry: entry[:2]):
        start, end = span
        if places and (start < places[-1][0][1] or span == places[-1][0]):
            (first, last), items_a, items_b = places[-1]
            places[-1] = (first, max(last, end)), items_a, items_b
        else:
            places.append((span, [], []))
        (places[-1][1] if side == 1 else places[-1][2]).append(item)

    def sort(items_a: Items, items_b: Items) -> str:
        is_repeat = not (items_a and items_b) and all(
            item.key(pair.columns) in shared for item in (*items_a, *items_b)
        )
        return REPEAT if is_repeat else sort_of(pair.what, items_a, items_b)

    return [
        Difference(
            part,
            pair.what,
            pair.text,
            place,
            tuple(items_a),
            tuple(items_b),
            sort(items_a, items_b),
        )
        for place, items_a, items_b in places
    ]


def sort_of(what: str, a: Sequence[LayerItem], b: Sequence[LayerItem]) -> str:
    """How two versions of a place differ."""
    if not a or not b:
        return "only_a" if a else "only_b"
    if sorted(item.span for item in a) != sorted(item.span for item in b):
        return "boundary"
    return {"ne": "type", "mention": "link"}.get(what, "label")


def count(
    counts: dict[str, LayerCount], pair: LayerPair, differences: Iterable[Difference]
) -> None:
    """Add a layer over a text to the counts."""
    layer = counts.setdefault(pair.what, LayerCount())
    layer.a += len(pair.a)
    layer.b += len(pair.b)
    layer.same += shared_keys(pair).total()
    for difference in differences:
        layer.places += 1
        layer.sorts[difference.sort] = layer.sorts.get(difference.sort, 0) + 1


def shared_keys(pair: LayerPair) -> Counter[tuple[Offsets, bytes]]:
    """What both have, and how often."""
    return Counter(item.key(pair.columns) for item in pair.a) & Counter(
        item.key(pair.columns) for item in pair.b
    )


def _unshared(
    items: Items, shared: Counter[tuple[Offsets, bytes]], columns: tuple[str, ...]
) -> Items:
    """The items beyond those that both have: the last ones of equal items."""
    counts: Counter[tuple[Offsets, bytes]] = Counter()
    unshared = []
    for item in items:
        key = item.key(columns)
        counts[key] += 1
        if counts[key] > shared[key]:
            unshared.append(item)
    return unshared
