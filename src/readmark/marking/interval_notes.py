"""What a reader should know of the intervals of marks, in words."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.core.counts import plural
from readmark.core.numbers import first_ids
from readmark.marking.marks import By, Mark
from readmark.statistics.interval_methods import (
    FEW_CLUSTERS,
    JACKKNIFE,
    few_words,
    no_interval_words,
    too_narrow,
)

NAMED_SLICES = 5
"""How many slices a note names."""


def interval_notes(marks: Mapping[str, Mark], by: By, noun: str, method: str) -> list[str]:
    """What to know of the intervals of marks and slices, a line each; ``noun`` is the clusters'."""
    scored = {name: mark for name, mark in marks.items() if mark.score is not None}
    few = [few_words(mark.clusters or 0, noun, method) for mark in scored.values()]
    notes = [note for note in dict.fromkeys(few) if note is not None]
    if method == JACKKNIFE:
        without = [
            name for name, mark in scored.items() if mark.low is None and (mark.clusters or 0) > 1
        ]
        if without:
            notes.append(f"no interval of {', '.join(without)}: {no_interval_words(noun)}")
        return notes
    if not notes:
        slices = {
            f"{field} {label}": fewest
            for field, values in by.items()
            for label, part in values.items()
            if (fewest := _fewest_clusters(part.marks)) < FEW_CLUSTERS
        }
        if slices:
            notes.append(few_in_slices(slices, noun, method))
    certain = [
        name for name, mark in scored.items() if mark.low is not None and mark.low == mark.high
    ]
    if certain:
        notes.append(
            f"{', '.join(certain)}: the same in every draw; an interval without width does not "
            "mean that the mark is certain"
        )
    return notes


def _fewest_clusters(marks: Mapping[str, Mark]) -> int:
    """The fewest clusters that an interval is made of; no interval is made of few if none is."""
    counts = (mark.clusters for mark in marks.values() if mark.low is not None and mark.clusters)
    return min(counts, default=FEW_CLUSTERS)


def few_in_slices(slices: Mapping[str, int], noun: str, method: str) -> str:
    """Which slices have too few clusters for their intervals, and how many they have."""
    listed = first_ids([f"{name} ({count:,})" for name, count in slices.items()], NAMED_SLICES)
    where = f"fewer than {FEW_CLUSTERS} {plural(noun)} in {listed}"
    return f"{where}: {too_narrow(method)}"
