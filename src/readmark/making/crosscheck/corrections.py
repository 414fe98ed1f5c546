"""What people changed in an analyser's proposal: kept, moved, retyped, removed, added.

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
from readmark.making.crosscheck.compared_layers import ComparedLayers, layers_to_compare
from readmark.making.crosscheck.comparison import percent
from readmark.making.crosscheck.differences import Difference, LayerPair, differences, layer_pairs
from readmark.making.crosscheck.pairing import not_compared, pair_passages
from readmark.making.crosscheck.texts import parts_of
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
        """F1 of the proposal against the result; None where both are empty."""
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
        measures = ("precision", "recall", "f1")  # properties, which asdict does not see
        return {
            "proposed": self.names[0],
            "corrected": self.names[1],
            "passages": self.passages,
            "sources": self.sources,
            "layers": {
                layer_name: {**asdict(layer), **{name: getattr(layer, name) for name in measures}}
                for layer_name, layer in self.layers.items()
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
    annotators = name_two((proposed.file, corrected.file), names, "annotator", with_folder=True)
    pairs = pair_passages(proposed, corrected, common=common)
    compared_layers, layers_of_one = layers_to_compare(pairs, layers)
    counts: dict[str, Corrected] = {}
    sources: dict[str, list[str]] = {}
    for before, after in pairs:
        for pair in layer_pairs(before, after, compared_layers):
            _count(counts.setdefault(pair.what, Corrected()), pair)
        _note_sources(before, compared_layers, sources)
    notes = tuple(not_compared(pairs, annotators, layers_of_one))
    return Corrections(annotators, counts, len(pairs), sources, notes)


def _note_sources(passage: Passage, layers: ComparedLayers, sources: dict[str, list[str]]) -> None:
    for part in parts_of(passage):
        for name in layers:
            layer = part.layers.get(name)
            if layer is not None and layer.source not in sources.setdefault(name, []):
                sources[name].append(layer.source)


def _count(layer: Corrected, pair: LayerPair) -> None:
    """Add a layer over a text, A the proposal and B what people made of it."""
    retyped = moved = removed = added = 0
    for difference in differences(pair):
        changes = _changes(difference)
        retyped += changes[0]
        moved += changes[1]
        removed += changes[2]
        added += changes[3]
    layer.proposed += len(pair.a)
    layer.corrected += len(pair.b)
    layer.kept += len(pair.a) - retyped - moved - removed
    layer.retyped += retyped
    layer.moved += moved
    layer.removed += removed
    layer.added += added


def _changes(difference: Difference) -> tuple[int, int, int, int]:
    """Items of a place that were retyped, moved, removed and added."""
    before, after = list(difference.a), list(difference.b)
    if difference.sort == "sentence":  # whole lists: what is in both was kept
        shared = {item.span for item in before} & {item.span for item in after}
        before = [item for item in before if item.span not in shared]
        after = [item for item in after if item.span not in shared]
    spans_before, spans_after = (Counter(item.span for item in side) for side in (before, after))
    retyped = spans_before & spans_after
    spans_before, spans_after = spans_before - retyped, spans_after - retyped
    moved = moved_spans(sorted(spans_before.elements()), sorted(spans_after.elements()))
    removed, added = spans_before.total() - moved, spans_after.total() - moved
    return retyped.total(), moved, removed, added


def moved_spans(before: Sequence[Offsets], after: Sequence[Offsets]) -> int:
    """How many spans pair with one that overlaps; the largest overlaps first, each span once.

    Both are in the order of the text.
    """
    overlaps = []
    first = 0  # spans of after before this one end before any span that is still to come begins
    for index, span in enumerate(before):
        while first < len(after) and after[first][1] <= span[0]:
            first += 1
        for other in range(first, len(after)):
            if after[other][0] >= span[1]:
                break
            shared = min(span[1], after[other][1]) - max(span[0], after[other][0])
            if shared > 0:
                overlaps.append((-shared, index, other))
    overlaps.sort()
    paired_before: set[int] = set()
    paired_after: set[int] = set()
    for _, index, other in overlaps:
        if index not in paired_before and other not in paired_after:
            paired_before.add(index)
            paired_after.add(other)
    return len(paired_before)
