"""Marksheets cut by split and level, and whether several may share one column of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from readmark.core.errors import DataError, UsageError
from readmark.core.labels import ABSENT, labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.core.signatures import metric_rules
from readmark.core.unvalidated import UNVALIDATED, is_unvalidated
from readmark.marking import Marksheet
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
        return replace(self, places=[(own, levels) for own, (_, levels) in pairs])

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


def split_and_file(given: str) -> tuple[str | None, str]:
    """``SPLIT=FILE`` or ``FILE`` in its parts; what is a file's name as a whole has no split."""
    name, sign, file = given.partition("=")
    if not sign or Path(given).exists():
        return None, given
    if not name or not file:
        raise UsageError(f"{given!r} is neither MARKSHEET nor SPLIT=MARKSHEET")
    return name, file


def only_split(parts: Sequence[SplitSheet], split: str) -> list[SplitSheet]:
    """The marksheets that have a split, with the units of that split alone."""
    known = dict.fromkeys(name for part in parts for name in part.splits)
    if split not in known:
        raise UsageError(f"the marksheets have no split {split!r}; they have {', '.join(known)}")
    return [
        part.in_splits([(split,) if split in splits else () for splits, _ in part.places])
        for part in parts
        if split in part.splits
    ]


def whole_tests(parts: Sequence[SplitSheet]) -> list[SplitSheet]:
    """Where two tests have a split of one name, such as two languages, a column for each test."""
    firsts: dict[str, SplitSheet] = {}
    if all(
        _is_one_test(split, firsts.setdefault(split, part), part)
        for part in parts
        for split in part.splits
    ):
        return list(parts)
    return [
        part.in_splits(
            [(part.sheet.header.test.name,) if splits else () for splits, _ in part.places]
        )
        for part in parts
    ]


# Whether they may stand in one table.


def require_field(parts: Sequence[SplitSheet], name: str) -> None:
    """Refuse a field that no unit has, and list those there are."""
    fields = {field for part in parts for unit in part.sheet.units for field in unit.fields}
    if name not in fields:
        listed = ", ".join(sorted(fields)) or "none"
        raise UsageError(f"the marksheets have no field {name!r}; their fields are {listed}")


def require_one_kind(parts: Sequence[SplitSheet]) -> None:
    """A table is of one kind of test."""
    first = parts[0].sheet
    for part in parts[1:]:
        if part.sheet.header.kind != first.header.kind:
            raise DataError(
                f"is of a {part.sheet.header.kind} test, {first.file} of a {first.header.kind} one",
                file=part.sheet.file,
            )


def require_marks(parts: Sequence[SplitSheet], metrics: Sequence[str], *, chosen: bool) -> None:
    """Every marksheet has every metric: a dash would say that a split was not sat."""
    for part in parts:
        known = part.sheet.header.metrics
        for metric in metrics:
            if metric not in known:
                others = "" if chosen else f", as {parts[0].sheet.file} has; -m names others"
                raise DataError(
                    f"has no marks of {metric}{others}; it has {', '.join(known)}",
                    file=part.sheet.file,
                )


def require_comparable(parts: Sequence[SplitSheet], metrics: Sequence[str]) -> None:
    """A column holds one test's units, marked by the same rules."""
    firsts: dict[str, SplitSheet] = {}
    for part in parts:
        for split in part.splits:
            first = firsts.setdefault(split, part)
            if first is not part:
                _same_units(split, first, part)
                _same_rules(split, first, part, metrics)


def _same_units(split: str, first: SplitSheet, part: SplitSheet) -> None:
    if not _is_one_test(split, first, part):
        raise DataError(
            f"its {split} is not the test of {first.sheet.file}: name the splits, "
            "as in dev=FILE test=FILE",
            file=part.sheet.file,
        )


def _is_one_test(split: str, first: SplitSheet, part: SplitSheet) -> bool:
    """Whether a split has the same units with the same gold in both marksheets."""
    marked_test, other = first.sheet.header.test, part.sheet.header.test
    if (marked_test.paper, marked_test.key) == (other.paper, other.key):
        return True
    ours, theirs = first.units(split), part.units(split)
    shared = ours.keys() & theirs.keys()
    return len(shared) == min(len(ours), len(theirs)) and all(
        ours[id].gold == theirs[id].gold for id in shared if ours[id].gold and theirs[id].gold
    )


def _same_rules(split: str, first: SplitSheet, part: SplitSheet, metrics: Sequence[str]) -> None:
    for metric in metrics:
        ours = metric_rules(first.sheet.header.metrics.get(metric, ""))
        theirs = metric_rules(part.sheet.header.metrics.get(metric, ""))
        if ours and theirs and ours != theirs:
            raise DataError(
                f"{metric} on {split} was marked by other rules than in {first.sheet.file}; "
                "mark the sitting again",
                file=part.sheet.file,
            )


def require_validated(parts: Sequence[SplitSheet], leading: Sequence[str]) -> None:
    """A judge that was not held against people leads no table."""
    for name in leading:
        for part in parts:
            if is_unvalidated(part.sheet.header.metrics.get(name, "")):
                raise UsageError(
                    f"{part.sheet.file}: {name} is {UNVALIDATED}: name another metric first"
                )
