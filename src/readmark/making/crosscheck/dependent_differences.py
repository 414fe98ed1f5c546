"""Differences that a difference of noun phrases explains, so that one decision settles both.

An entity stands on a phrase whose edges differ, or a mention refers to one: whoever decides the
phrase has decided these as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter

from readmark.core.records import Offsets
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.items import ANTECEDENT, LayerItem, PlacedSpan
from readmark.making.crosscheck.mentions import antecedent_of

PhraseDifferences = dict[PlacedSpan, list[Difference]]
"""Differences of noun phrases, by part and by each span that they are about."""

_Versions = tuple[str, list[Offsets], list[Offsets]]
"""A part, and the spans in it that A's and B's versions of a difference rest on."""

_NOWHERE = (-1, -1)


def phrase_decisions(differences: Sequence[Difference]) -> dict[str, str]:
    """Ids of differences of one passage with the id of the noun phrases' that each rests on."""
    phrases: PhraseDifferences = {}
    for difference in differences:
        if difference.what == "np":
            for span in {item.span for item in (*difference.a, *difference.b)}:
                phrases.setdefault((difference.part.id, span), []).append(difference)
    decisions = {}
    for difference in differences:
        if difference.what in ("ne", "mention"):
            if difference.sort == "link":
                versions = list(_antecedents(difference))
            else:
                versions = _labelled_spans(difference)
            bases = {_explaining(part, a, b, phrases) for part, a, b in versions}
            # Two phrases, or one end that no phrase explains: it needs a decision of its own.
            base = bases.pop() if len(bases) == 1 else None
            if base is not None:
                decisions[difference.id] = base
    return decisions


def _labelled_spans(difference: Difference) -> list[_Versions]:
    """The spans of an entity or anaphor, if both label it alike or only one could label it."""
    is_labelled_alike = Counter(map(_labels_key, difference.a)) == Counter(
        map(_labels_key, difference.b)
    )
    if not is_labelled_alike and difference.sort not in ("only_a", "only_b"):
        return []
    spans_a, spans_b = ([item.span for item in side] for side in (difference.a, difference.b))
    return [(difference.part.id, spans_a, spans_b)]


def _labels_key(item: LayerItem) -> str:
    labels = {name: label for name, label in item.labels.items() if name != ANTECEDENT}
    return repr((sorted(labels.items()), antecedent_of(item)))


def _antecedents(difference: Difference) -> Iterator[_Versions]:
    """The antecedents of mentions that both have, where A's is another than B's."""
    items_a, items_b = (
        sorted(side, key=attrgetter("span")) for side in (difference.a, difference.b)
    )
    for item_a, item_b in zip(items_a, items_b, strict=True):
        first, second = antecedent_of(item_a), antecedent_of(item_b)
        if first != second:
            if first is None or second is None or first[0] != second[0]:
                yield difference.part.id, [_NOWHERE], [_NOWHERE]
            else:
                yield first[0], [first[1]], [second[1]]


def _explaining(
    part: str, a: list[Offsets], b: list[Offsets], phrases: PhraseDifferences
) -> str | None:
    """The difference of noun phrases that explains these two versions."""
    for phrase in phrases.get((part, next(iter([*a, *b]), _NOWHERE)), ()):
        phrases_a, phrases_b = ({item.span for item in side} for side in (phrase.a, phrase.b))
        if not (set(a) <= phrases_a and set(b) <= phrases_b):
            continue
        # Where A has no entity, A must lack the phrase as well: otherwise A chose to mark none.
        if (a or not phrases_a) and (b or not phrases_b):
            return phrase.id
    return None
