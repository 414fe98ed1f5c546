"""What people changed of an analyser's proposal: kept, moved, retyped, removed, added.

Counts only: how long it took, or would have taken without the proposal, is not in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.making.crosscheck.comparison import not_compared
from readmark.making.crosscheck.differences import Difference, LayerPair, differences, layer_pairs
from readmark.making.crosscheck.items import Item, Scope, layers_to_compare, parts_of
from readmark.making.crosscheck.pairs import paired
from readmark.stats.overlap import f1


@dataclass(slots=True)
class Corrected:
    """One layer before and after correction; every item is counted once on each side."""

    proposed: int = 0
    corrected: int = 0
    kept: int = 0
    moved: int = 0
    """Other edges over some of the same text."""
    retyped: int = 0
    """The same edges with another type, link or label."""
    removed: int = 0
    added: int = 0

    @property
    def precision(self) -> float | None:
        """The share of the proposal that stayed as it was."""
        return self.kept / self.proposed if self.proposed else None

    @property
    def recall(self) -> float | None:
        """The share of the result that had been proposed."""
        return self.kept / self.corrected if self.corrected else None

    @property
    def f1(self) -> float | None:
        """Of the proposal against the result."""
        whole = self.proposed + self.corrected
        return f1(self.kept, self.proposed, self.corrected) if whole else None


@dataclass(slots=True)
class Corrections:
    """A proposal and its correction, layer by layer."""

    layers: dict[str, Corrected] = field(default_factory=dict)
    passages: int = 0
    sources: dict[str, list[str]] = field(default_factory=dict)
    """Who made each layer of the proposal, as it says itself."""
    notes: list[str] = field(default_factory=list)


def corrections(
    proposed: Test,
    corrected: Test,
    *,
    names: tuple[str, str],
    layers: Sequence[str] = (),
    common: bool = False,
) -> Corrections:
    """Count what people kept and changed of a proposal."""
    pairs = paired(proposed, corrected, common=common)
    scope, lone = layers_to_compare(pairs.passages, layers)
    made = Corrections(notes=not_compared(pairs, names, lone))
    for one, other in pairs.passages:
        count_corrections(made.layers, layer_pairs(one, other, scope))
        _note_sources(one, scope, made.sources)
        made.passages += 1
    return made


def _note_sources(passage: Passage, scope: Scope, into: dict[str, list[str]]) -> None:
    for part in parts_of(passage):
        for name in scope:
            layer = part.layers.get(name)
            if layer is not None and layer.source not in into.setdefault(name, []):
                into[name].append(layer.source)


def count_corrections(into: dict[str, Corrected], pairs: Iterable[LayerPair]) -> None:
    """Add the layers of a passage, A the proposal and B what people made of it."""
    for pair in pairs:
        layer = into.setdefault(pair.what, Corrected())
        found = differences(pair)
        layer.proposed += len(pair.a)
        layer.corrected += len(pair.b)
        changed = [_changed(one) for one in found]
        left = sum(sum(one[:3]) for one in changed)
        layer.kept += len(pair.a) - left
        layer.retyped += sum(one[0] for one in changed)
        layer.moved += sum(one[1] for one in changed)
        layer.removed += sum(one[2] for one in changed)
        layer.added += sum(one[3] for one in changed)


def _changed(one: Difference) -> tuple[int, int, int, int]:
    """Items of a place that were retyped, moved, removed and added."""
    before, after = list(one.a), list(one.b)
    if one.sort == "sentence":  # whole lists: what is in both was kept
        shared = {item.span for item in before} & {item.span for item in after}
        before = [item for item in before if item.span not in shared]
        after = [item for item in after if item.span not in shared]
    same = Counter(item.span for item in before) & Counter(item.span for item in after)
    ours, theirs = (_beyond(same, side) for side in (before, after))
    moved = _moved(ours, theirs)
    return same.total(), moved, len(ours) - moved, len(theirs) - moved


def _beyond(same: Counter[Offsets], items: Iterable[Item]) -> list[Offsets]:
    """The spans that are left when each of the same is taken once, in the order of the text."""
    return sorted((Counter(item.span for item in items) - same).elements())


def _moved(before: Sequence[Offsets], after: Sequence[Offsets]) -> int:
    """Pairs of overlapping spans, each in one pair at most, the largest overlap first."""
    overlaps = []
    first = 0
    for at, one in enumerate(before):
        while first < len(after) and after[first][1] <= one[0]:
            first += 1
        for to in range(first, len(after)):
            if after[to][0] >= one[1]:
                break
            if (shared := _shared(one, after[to])) > 0:
                overlaps.append((-shared, at, to))
    overlaps.sort()
    left: set[int] = set()
    right: set[int] = set()
    for _, at, to in overlaps:
        if at not in left and to not in right:
            left.add(at)
            right.add(to)
    return len(left)


def _shared(one: Offsets, other: Offsets) -> int:
    return min(one[1], other[1]) - max(one[0], other[0])
