"""Where two annotators differ: layers compared item by item, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from readmark.core.records import Offsets, Passage
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    NUMBERED,
    QUESTION,
    Items,
    LayerItem,
    Scope,
    TextPart,
    antecedent_of,
    columns_of,
    comparable_mentions,
    layer_items,
    mentions_of,
    parts_of,
)
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
        """Of what both marked; none where neither marked anything."""
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


def layer_pairs(a: Passage, b: Passage, scope: Scope) -> Iterator[LayerPair]:
    """Every layer over every text that both have, answer sentences of a question among them."""
    first, second = list(parts_of(a)), {part.id: part for part in parts_of(b)}
    mine, others = mentions_of(first), mentions_of(list(second.values()))
    sentences = [
        {question.id: question.key.sentences for question in passage.questions if question.key}
        for passage in (a, b)
    ]
    for part in first:
        other = second.get(part.id)
        if other is None or other.text != part.text:
            continue
        for what, sorts in scope.items():
            if part.sort not in sorts:
                continue
            if what == ANSWER_SENTENCE:
                if part.sort == QUESTION and part.unit is not None:
                    own, theirs = (
                        [LayerItem(span) for span in sentence.get(part.unit, ())]
                        for sentence in sentences
                    )
                    yield LayerPair(part, what, a.text, own, theirs, ())
                continue
            layer, two = part.layers.get(what), other.layers.get(what)
            own, theirs, columns = layer_items(layer), layer_items(two), columns_of(layer, two)
            if what == "mention":
                own = comparable_mentions(mine, others, part.id)
                theirs = comparable_mentions(others, mine, part.id)
                named = (name for name in columns if name not in ("id", "ref"))
                columns = (*named, ANTECEDENT, NUMBERED)
            yield LayerPair(part, what, part.text, own, theirs, columns)


def differences(pair: LayerPair) -> list[Difference]:
    """The places where a layer differs: items that overlap are one place, decided together."""
    shared = shared_keys(pair)
    own, theirs = (_left(items, shared, pair.columns) for items in (pair.a, pair.b))
    if not own and not theirs:
        return []
    part = replace(pair.part, layers={})  # differences are kept, and layers are long
    if pair.what == ANSWER_SENTENCE:  # a question's answer sentences are decided together
        spans = [item.span for item in (*own, *theirs)]
        place = (min(start for start, _ in spans), max(end for _, end in spans))
        return [
            Difference(part, pair.what, pair.text, place, tuple(pair.a), tuple(pair.b), "sentence")
        ]
    found: list[tuple[Offsets, Items, Items]] = []
    both = [(item.span, 1, item) for item in own] + [(item.span, 2, item) for item in theirs]
    for span, side, item in sorted(both, key=lambda one: one[:2]):
        start, end = span
        if found and (start < found[-1][0][1] or span == found[-1][0]):
            (first, last), a, b = found[-1]
            found[-1] = (first, max(last, end)), a, b
        else:
            found.append((span, [], []))
        (found[-1][1] if side == 1 else found[-1][2]).append(item)

    def sort(a: Items, b: Items) -> str:
        again = not (a and b) and all(item.key(pair.columns) in shared for item in (*a, *b))
        return REPEAT if again else sort_of(pair.what, a, b)

    return [
        Difference(part, pair.what, pair.text, place, tuple(a), tuple(b), sort(a, b))
        for place, a, b in found
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
    into = counts.setdefault(pair.what, LayerCount())
    into.a += len(pair.a)
    into.b += len(pair.b)
    into.same += shared_keys(pair).total()
    for difference in differences:
        into.places += 1
        into.sorts[difference.sort] = into.sorts.get(difference.sort, 0) + 1


def shared_keys(pair: LayerPair) -> Counter[tuple[Offsets, bytes]]:
    """What both have, and how often."""
    return Counter(item.key(pair.columns) for item in pair.a) & Counter(
        item.key(pair.columns) for item in pair.b
    )


def _left(items: Items, shared: Counter[tuple[Offsets, bytes]], columns: tuple[str, ...]) -> Items:
    """The items beyond those that both have."""
    met: Counter[tuple[Offsets, bytes]] = Counter()
    left = []
    for item in items:
        key = item.key(columns)
        met[key] += 1
        if met[key] > shared[key]:
            left.append(item)
    return left


# Differences that rest on another: an entity on a phrase whose edges differ, a link to one.


Phrases = dict[tuple[str, Offsets], list[Difference]]
"""Differences of noun phrases, by part and by each span that they are about."""


def followed(differences: Sequence[Difference]) -> dict[str, str]:
    """Ids of differences of one passage with the id of the noun phrases' that each rests on."""
    phrases: Phrases = {}
    for difference in differences:
        if difference.what == "np":
            for span in {item.span for item in (*difference.a, *difference.b)}:
                phrases.setdefault((difference.part.id, span), []).append(difference)
    return {
        difference.id: base
        for difference in differences
        if difference.what in ("ne", "mention") and (base := _base(difference, phrases)) is not None
    }


def _base(one: Difference, phrases: Phrases) -> str | None:
    ends = list(_antecedents(one)) if one.sort == "link" else _own_spans(one)
    if not ends:
        return None
    bases = {_moved(part, a, b, phrases) for part, a, b in ends}
    return bases.pop() if len(bases) == 1 else None


def _own_spans(one: Difference) -> list[tuple[str, list[Offsets], list[Offsets]]]:
    """The spans of an entity or anaphor that both label alike, or that one alone could label."""
    alike = Counter(map(_labels_key, one.a)) == Counter(map(_labels_key, one.b))
    if not alike and one.sort not in ("only_a", "only_b"):
        return []
    return [(one.part.id, [item.span for item in one.a], [item.span for item in one.b])]


def _antecedents(one: Difference) -> Iterator[tuple[str, list[Offsets], list[Offsets]]]:
    for own, theirs in zip(_in_order(one.a), _in_order(one.b), strict=True):
        first, second = antecedent_of(own), antecedent_of(theirs)
        if first != second:
            if first is None or second is None or first[0] != second[0]:
                yield one.part.id, [(-1, -1)], [(-1, -1)]  # rests on nothing
            else:
                yield first[0], [first[1]], [second[1]]


def _moved(part: str, a: list[Offsets], b: list[Offsets], phrases: Phrases) -> str | None:
    """The difference of noun phrases that explains these two versions."""
    for phrase in phrases.get((part, next(iter([*a, *b]), (-1, -1))), ()):
        own, theirs = ({item.span for item in side} for side in (phrase.a, phrase.b))
        if not (set(a) <= own and set(b) <= theirs):
            continue
        # Where one has nothing, the other's phrase must be missing as well: else it is a choice.
        if (a or not own) and (b or not theirs):
            return phrase.id
    return None


def _labels_key(item: LayerItem) -> str:
    kept = {name: it for name, it in item.labels.items() if name != ANTECEDENT}
    return repr((sorted(kept.items()), antecedent_of(item)))


def _in_order(items: Sequence[LayerItem]) -> list[LayerItem]:
    return sorted(items, key=lambda item: item.span)
