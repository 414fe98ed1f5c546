"""Marksheets cut by split and level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from readmark.core.errors import UsageError
from readmark.core.labels import ABSENT, labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.marking import Marksheet
from readmark.reporting.columns_of_tests import columns_of_tests
from readmark.reporting.marks_in_memory import WHOLE, Cells

SPLIT = "split"
Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SplitSheet:
    """A marksheet with the splits and the levels of every unit."""

    sheet: Marksheet
    places: Sequence[tuple[Labels, Labels]]
    """For every unit its splits, and its levels: it counts for each level of each split."""

    @property
    def splits(self) -> list[str]:
        """The splits that any unit is in."""
        return list(dict.fromkeys(split for splits, _ in self.places for split in splits))

    def units(self, split: str) -> dict[str, MarkedUnit]:
        """The units of a split."""
        pairs = zip(self.sheet.units, self.places, strict=True)
        return {unit.id: unit for unit, (splits, _) in pairs if split in splits}

    def in_splits(self, splits: Sequence[Labels]) -> SplitSheet:
        """The marksheet with other splits of its units."""
        pairs = zip(splits, self.places, strict=True)
        return replace(self, places=[(names, levels) for names, (_, levels) in pairs])

    def cells(self, metrics: Sequence[str], *, same_sets: bool) -> Cells:
        """The candidate's marks."""
        marks = {
            split: self.sheet.marks_by(self._levels(split), metrics, same_sets=same_sets)
            for split in self.splits
        }
        return {split: dict(levels) for split, levels in marks.items() if levels}

    def people(self, metrics: Sequence[str]) -> Cells:
        """People's marks, where the marksheet has any."""
        marks = {split: self.sheet.people_by(self._levels(split), metrics) for split in self.splits}
        return {split: dict(levels) for split, levels in marks.items() if levels}

    def _levels(self, split: str) -> list[Labels]:
        """What each unit counts for in a split."""
        return [(WHOLE, *levels) if split in splits else () for splits, levels in self.places]


def split_sheet(sheet: Marksheet, by: str, name: str | None = None) -> SplitSheet:
    """A marksheet that was read, with the splits and levels of its units.

    ``name`` is the split of all of them; where a unit has none it is the test's name.
    """
    test = sheet.header.test.name
    places = []
    for unit in sheet.units:
        splits = (name,) if name is not None else labels_of(unit.fields.get(SPLIT))
        levels = labels_of(unit.fields.get(by))
        levels = tuple(level for level in levels if level not in (ABSENT, WHOLE))
        places.append((tuple(test if split == ABSENT else split for split in splits), levels))
    return SplitSheet(sheet, places)


def split_and_file(text: str) -> tuple[str | None, str]:
    """``SPLIT=FILE`` or ``FILE`` in its parts; the name of a file may have an equals sign."""
    name, sign, file = text.partition("=")
    if not sign or Path(text).exists():
        return None, text
    if not name or not file:
        raise UsageError(f"{text!r} is neither MARKSHEET nor SPLIT=MARKSHEET")
    return name, file


def only_split(parts: Sequence[SplitSheet], split: str) -> list[SplitSheet]:
    """The marksheets that have a split, with the units of that split alone."""
    names = dict.fromkeys(name for part in parts for name in part.splits)
    if split not in names:
        raise UsageError(f"the marksheets have no split {split!r}; they have {', '.join(names)}")
    return [
        part.in_splits([(split,) if split in splits else () for splits, _ in part.places])
        for part in parts
        if split in part.splits
    ]


def whole_tests(parts: Sequence[SplitSheet]) -> list[SplitSheet]:
    """Where two tests have a split of one name, such as two languages, a column for each test."""
    firsts: dict[str, SplitSheet] = {}
    if all(
        is_one_test(split, firsts.setdefault(split, part), part)
        for part in parts
        for split in part.splits
    ):
        return list(parts)
    columns = columns_of_tests([part.sheet.header.test for part in parts])
    return [
        part.in_splits([(column,) if splits else () for splits, _ in part.places])
        for column, part in zip(columns, parts, strict=True)
    ]


def is_one_test(split: str, first: SplitSheet, part: SplitSheet) -> bool:
    """Whether a split has the same units with the same gold in both marksheets."""
    test, other_test = first.sheet.header.test, part.sheet.header.test
    if (test.paper, test.key) == (other_test.paper, other_test.key):
        return True
    if test.language != other_test.language:  # a translation has the ids of the original
        return False
    ours, theirs = first.units(split), part.units(split)
    shared = ours.keys() & theirs.keys()
    return len(shared) == min(len(ours), len(theirs)) and all(
        ours[id].gold == theirs[id].gold for id in shared if ours[id].gold and theirs[id].gold
    )
