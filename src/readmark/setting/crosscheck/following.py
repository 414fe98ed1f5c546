"""Differences that rest on another: an entity on a phrase whose edges differ, a link to one.

Entities and references are annotated on noun phrases (BRCC, sections 4.4 and 4.5). When two people
put the same type on a phrase that they cut differently, there is one thing to decide, not two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from readmark.corpus.values import Offsets
from readmark.setting.crosscheck.comparing import Difference
from readmark.setting.crosscheck.items import ANTECEDENT, Item, antecedent_of

Phrases = dict[tuple[str, Offsets], list[Difference]]
"""Differences of noun phrases, by part and by each span that they are about."""


def followed(found: Sequence[Difference]) -> dict[str, str]:
    """Ids of differences of one passage with the id of the noun phrases' that each rests on."""
    phrases: Phrases = {}
    for one in found:
        if one.what == "np":
            for span in {item.span for item in (*one.a, *one.b)}:
                phrases.setdefault((one.part.id, span), []).append(one)
    return {
        one.id: base
        for one in found
        if one.what in ("ne", "mention") and (base := _base(one, phrases)) is not None
    }


def _base(one: Difference, phrases: Phrases) -> str | None:
    ends = list(_antecedents(one)) if one.sort == "link" else _own(one)
    if not ends:
        return None
    bases = {_moved(part, a, b, phrases) for part, a, b in ends}
    return bases.pop() if len(bases) == 1 else None


def _own(one: Difference) -> list[tuple[str, list[Offsets], list[Offsets]]]:
    """The spans of an entity or anaphor that both label alike, or that one alone could label."""
    alike = Counter(map(_said, one.a)) == Counter(map(_said, one.b))
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
    for one in phrases.get((part, next(iter([*a, *b]), (-1, -1))), ()):
        own, theirs = ({item.span for item in side} for side in (one.a, one.b))
        if not (set(a) <= own and set(b) <= theirs):
            continue
        # Where one has nothing, the other's phrase must be missing as well: else it is a choice.
        if (a or not own) and (b or not theirs):
            return one.id
    return None


def _said(item: Item) -> str:
    kept = {name: it for name, it in item.labels.items() if name != ANTECEDENT}
    return repr((sorted(kept.items()), antecedent_of(item)))


def _in_order(items: Sequence[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.span)
