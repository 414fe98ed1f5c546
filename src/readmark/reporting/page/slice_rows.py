"""Which slices have a row in a plot by a field, what their marks count, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readmark.marking import Mark, PeopleSlice, Slice
from readmark.reporting.page.bilingual import Text, joined
from readmark.reporting.page.nouns import noun
from readmark.reporting.page.sections import Section
from readmark.reporting.page.words import listed, named, phrase

MOST_ROWS = 24
"""More would not fit on a screen; the table under the plot has the rest."""
FEWEST_UNITS = 5
"""A slice of fewer is in the table alone: its mark says next to nothing."""

BySlice = Mapping[str, Slice]
"""A candidate's slices by the values of a field."""


def slice_mark(slices: BySlice, label: str, metric: str) -> Mark:
    """A metric's mark of a slice; one without a score where there is none."""
    return slices[label].marks.get(metric, Mark()) if label in slices else Mark()


def slice_units(slices: BySlice, label: str, metric: str) -> int:
    """How many units of a slice a metric counts."""
    units = slice_mark(slices, label, metric).units
    return slices[label].units if units is None else units


def labels_and_counts(by_candidate: Sequence[Mapping[str, Slice | PeopleSlice]]) -> dict[str, int]:
    """The values of a field, in the candidates' order, with the most units any of them has."""
    counts: dict[str, int] = {}
    for slices in by_candidate:
        for label, part in slices.items():
            counts[label] = max(part.units, counts.get(label, 0))
    return counts


def labels_and_counted(by_candidate: Sequence[BySlice], metric: str) -> dict[str, int]:
    """The same with the units that a metric counts."""
    counts: dict[str, int] = {}
    for slices in by_candidate:
        for label in slices:
            counts[label] = max(slice_units(slices, label, metric), counts.get(label, 0))
    return counts


def largest(counts: Mapping[str, int]) -> list[str]:
    """The values that a plot shows, in order: those of five units or more, the most numerous."""
    enough = [label for label in counts if counts[label] >= FEWEST_UNITS]
    largest = set(sorted(enough, key=lambda label: -counts[label])[:MOST_ROWS])
    return [label for label in enough if label in largest]


def field_caption(section: Section, field: str) -> Text:
    """What a figure is sliced by, and which other fields would give the same slices."""
    caption = phrase("slices.by", field=named("field", field))
    alike = section.sliced.alike.get(field)
    if not alike:
        return caption
    names = listed(named("field", name) for name in alike)
    return joined([caption, phrase("slices.alike", fields=names)], en=" ", zh="")


def cut_note(section: Section, labels: Sequence[str], counts: Mapping[str, int]) -> Text | None:
    """Which values a plot of these labels leaves to its table."""
    if len(labels) == len(counts):
        return None
    if len(labels) == MOST_ROWS:
        return phrase("slices.cut", shown=len(labels), all=len(counts))
    units = noun(section.kind.unit_noun, several=True)
    return phrase("slices.small", count=len(counts) - len(labels), few=FEWEST_UNITS, units=units)
