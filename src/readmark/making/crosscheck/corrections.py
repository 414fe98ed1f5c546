"""What people changed of an analyser's proposal: kept, moved, retyped, removed, added.

Counts only: how long it took, or would have taken without the proposal, is not in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, fitting, headline, plain_table
from readmark.core.records import Offsets, Passage
from readmark.core.test import Test
from readmark.making.crosscheck.comparison import percent
from readmark.making.crosscheck.differences import Difference, LayerPair, differences, layer_pairs
from readmark.making.crosscheck.items import (
    Scope,
    layers_to_compare,
    notes_on,
    paired,
    parts_of,
)
from readmark.settling import name_two
from readmark.statistics.overlap import f1


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


@dataclass(frozen=True)
class Corrections(Result):
    """A proposal and its correction, layer by layer."""

    names: tuple[str, str]
    layers: Mapping[str, Corrected]
    passages: int
    sources: Mapping[str, list[str]]
    """Who made each layer of the proposal, as it says itself."""
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        measures = ("precision", "recall", "f1")
        return {
            "proposed": self.names[0],
            "corrected": self.names[1],
            "passages": self.passages,
            "sources": self.sources,
            "layers": {
                name: {**asdict(layer), **{each: getattr(layer, each) for each in measures}}
                for name, layer in self.layers.items()
            },
            "notes": self.notes,
        }

    def show(self, console: Console) -> None:
        """What was kept and changed of the proposal, and how good it was."""
        console.print(headline(self.names[0], " corrected as ", self.names[1], ""))
        counts = ["proposed", "kept", "moved", "retyped", "removed", "added"]
        for columns in fitting(counts, console.width - 20):
            table = plain_table("layer", *columns)
            for name, layer in self.layers.items():
                table.add_row(name, *(_share(layer, column) for column in columns))
            console.print(table)
        table = plain_table("layer", "precision", "recall", "F1")
        for name, layer in self.layers.items():
            table.add_row(name, *map(percent, (layer.precision, layer.recall, layer.f1)))
        console.print(table)


def _share(layer: Corrected, column: str) -> str:
    """A count with its share: of the proposal, or of the result where it was added."""
    count: int = getattr(layer, column)
    if column == "proposed":
        return f"{count:,}"
    whole = layer.corrected if column == "added" else layer.proposed
    return f"{count:,} ({numbers.percent(count / whole)})" if whole else f"{count:,}"


def count_corrections(
    proposed: Test,
    corrected: Test,
    *,
    names: Sequence[str] = (),
    layers: Sequence[str] = (),
    common: bool = False,
) -> Corrections:
    """Count what people kept and changed of a proposal; ``common`` as in `cross_check`."""
    called = name_two((proposed.file, corrected.file), names, "annotator", with_folder=True)
    pairs = paired(proposed, corrected, common=common)
    scope, lone = layers_to_compare(pairs, layers)
    counts: dict[str, Corrected] = {}
    sources: dict[str, list[str]] = {}
    for before, after in pairs:
        for pair in layer_pairs(before, after, scope):
            _count(counts.setdefault(pair.what, Corrected()), pair)
        _note_sources(before, scope, sources)
    notes = tuple(notes_on(pairs, called, lone))
    return Corrections(called, counts, len(pairs), sources, notes)


def _note_sources(passage: Passage, scope: Scope, into: dict[str, list[str]]) -> None:
    for part in parts_of(passage):
        for name in scope:
            layer = part.layers.get(name)
            if layer is not None and layer.source not in into.setdefault(name, []):
                into[name].append(layer.source)


def _count(layer: Corrected, pair: LayerPair) -> None:
    """Add a layer over a text, A the proposal and B what people made of it."""
    changed = [_changed(difference) for difference in differences(pair)]
    retyped, moved, removed, added = (
        sum(each) for each in zip((0, 0, 0, 0), *changed, strict=True)
    )
    layer.proposed += len(pair.a)
    layer.corrected += len(pair.b)
    layer.kept += len(pair.a) - retyped - moved - removed
    layer.retyped += retyped
    layer.moved += moved
    layer.removed += removed
    layer.added += added


def _changed(one: Difference) -> tuple[int, int, int, int]:
    """Items of a place that were retyped, moved, removed and added."""
    before, after = list(one.a), list(one.b)
    if one.sort == "sentence":  # whole lists: what is in both was kept
        shared = {item.span for item in before} & {item.span for item in after}
        before = [item for item in before if item.span not in shared]
        after = [item for item in after if item.span not in shared]
    same = Counter(item.span for item in before) & Counter(item.span for item in after)
    ours, theirs = (
        sorted((Counter(item.span for item in side) - same).elements()) for side in (before, after)
    )
    moved = _moved(ours, theirs)
    return same.total(), moved, len(ours) - moved, len(theirs) - moved


def _moved(before: Sequence[Offsets], after: Sequence[Offsets]) -> int:
    """Pairs of overlapping spans, each in one pair at most, the largest overlap first."""
    overlaps = []
    first = 0
    for index, one in enumerate(before):
        while first < len(after) and after[first][1] <= one[0]:
            first += 1
        for to in range(first, len(after)):
            if after[to][0] >= one[1]:
                break
            shared = min(one[1], after[to][1]) - max(one[0], after[to][0])
            if shared > 0:
                overlaps.append((-shared, index, to))
    overlaps.sort()
    left: set[int] = set()
    right: set[int] = set()
    for _, at, to in overlaps:
        if at not in left and to not in right:
            left.add(at)
            right.add(to)
    return len(left)
