"""How far the marks of the slices of a field are apart: which field is worth a look first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core.labels import ABSENT
from readmark.reporting.page import numbers
from readmark.reporting.page.bilingual import joined
from readmark.reporting.page.layout import Cell, Table, words_cell
from readmark.reporting.page.metric_names import metric_words
from readmark.reporting.page.nouns import counted
from readmark.reporting.page.sections import Section
from readmark.reporting.page.slice_rows import BySlice, slice_mark, slice_units
from readmark.reporting.page.sliced_fields import LARGE_RECORDS, LARGE_UNITS
from readmark.reporting.page.words import named, phrase, value_words

MOST_GAPS = 12
"""Rows of the table of gaps."""


@dataclass(frozen=True, slots=True)
class SliceGap:
    """How far a candidate's marks of the slices of a field are apart."""

    field: str
    index: int
    """The candidate's."""
    lowest: str
    highest: str
    size: float
    slices: BySlice


def slice_gaps(
    section: Section, metric: str, slices_by_field: Mapping[str, Sequence[BySlice]]
) -> list[SliceGap]:
    """The gaps of every field and candidate between slices that are large, the largest first.

    ``slices_by_field`` has every candidate's slices.
    """
    gaps = []
    for field, by_candidate in slices_by_field.items():
        for index, slices in enumerate(by_candidate):
            scores = {
                label: score
                for label in slices
                if label != ABSENT and (score := _large_score(slices, label, metric)) is not None
            }
            if len(scores) > 1:
                lowest = min(scores, key=scores.__getitem__)
                highest = max(scores, key=scores.__getitem__)
                size = scores[highest] - scores[lowest]
                gaps.append(SliceGap(field, index, lowest, highest, size, slices))
    return sorted(gaps, key=lambda gap: -gap.size)


def _large_score(slices: BySlice, label: str, metric: str) -> float | None:
    """The mark of a slice; None if too few units or records make it."""
    mark = slice_mark(slices, label, metric)
    is_large = slice_units(slices, label, metric) >= LARGE_UNITS and (
        mark.clusters is None or mark.clusters >= LARGE_RECORDS
    )
    return mark.score if is_large else None


def gaps_table(section: Section, gaps: Sequence[SliceGap]) -> Table:
    """The lowest and the highest slice of each field, with the two main marks of both."""
    has_several = len(section.candidates) > 1
    heads = ["field", *(["candidate"] if has_several else []), "lowest", "highest"]
    head = [words_cell(phrase(f"head.{name}")) for name in heads]
    rows = []
    for gap in gaps[:MOST_GAPS]:
        row = [words_cell(named("field", gap.field))]
        if has_several:
            candidate = section.candidates[gap.index]
            row.append(words_cell(candidate.label, look=candidate.look))
        row += [_slice_cell(section, gap, label) for label in (gap.lowest, gap.highest)]
        size = numbers.mark(gap.size, section.scale(section.main))
        rows.append([*row, Cell(size, strong=True)])
    caption = phrase("slices.gaps", metric=metric_words(section.main))
    return Table(caption, [*head, Cell(phrase("head.gap"))], rows)


def _slice_cell(section: Section, gap: SliceGap, label: str) -> Cell:
    """A slice with its two main marks, and how many units they are of."""
    marks = [
        phrase(
            "slices.mark",
            metric=metric_words(metric),
            score=numbers.mark(slice_mark(gap.slices, label, metric).score, section.scale(metric)),
        )
        for metric in list(dict.fromkeys([section.main, *section.metrics]))[:2]
    ]
    units = counted(slice_units(gap.slices, label, section.main), section.kind.unit_noun)
    href = section.link(gap.field, label)
    return words_cell(value_words(gap.field, label), under=joined([*marks, units]), href=href)
