"""Marksheets cut by split and level, and whether several may stand in one column of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.labels import ABSENT
from readmark.corpus.marksheet import MarkedUnit
from readmark.marking.marks import Slice, slices
from readmark.marking.people import people_marks
from readmark.marking.tally import Tally, labels_of
from readmark.reporting.html.recorded import Recorded, recorded_metrics, recorded_tally, rules_of
from readmark.reporting.html.sheets import Sheet, read_sheet

SPLIT = "split"
WHOLE = ""
"""All units of a split, among its levels."""
_CELL = "\x1f"

Cells = dict[str, dict[str, Slice]]
"""Marks by split, then by level; ``WHOLE`` has all of a split."""


@dataclass(frozen=True, slots=True)
class SplitSheet:
    """A marksheet with the split and the levels of every unit."""

    sheet: Sheet
    recorded: Mapping[str, Recorded]
    places: Sequence[tuple[str, ...]]
    """For every unit the cells that it is in: its split, and its split with each level."""

    @property
    def splits(self) -> list[str]:
        """The splits that any unit is in."""
        return list(
            dict.fromkeys(one.split(_CELL)[0] for several in self.places for one in several)
        )

    def units(self, split: str) -> dict[str, MarkedUnit]:
        """The units of a split."""
        whole = _CELL.join((split, WHOLE))
        pairs = zip(self.sheet.units, self.places, strict=True)
        return {unit.id: unit for unit, cells in pairs if whole in cells}

    def tally(self, metrics: Sequence[str]) -> Tally:
        """The marksheet's vectors, with the cells as a field."""
        chosen = {name: self.recorded[name] for name in metrics if name in self.recorded}
        tally = recorded_tally(self.sheet, chosen, [])
        tally.fields[SPLIT] = list(self.places)
        return tally

    def cells(self, metrics: Sequence[str], *, same_sets: bool) -> Cells:
        """The candidate's marks."""
        tally = self.tally(metrics)
        vectors = None
        if same_sets:
            if not tally.alone:
                raise DataError(
                    "has no answers of two people to mark against", file=self.sheet.file
                )
            vectors = {name: pair[0].matrix() for name, pair in tally.alone.items()}
            counted = tally.alone_units
            tally.fields[SPLIT] = [
                cells if counts else () for cells, counts in zip(self.places, counted, strict=True)
            ]
        found = slices(tally, self.sheet.kind, self.sheet.settings, vectors)
        return _by_cell(found.get(SPLIT, {}))

    def people(self, metrics: Sequence[str]) -> Iterator[tuple[str, Cells]]:
        """People's marks, where the marksheet has any."""
        told = self.sheet.told
        method = told.people.method if told.people is not None else told.method
        if method is None:
            return
        tally = self.tally(metrics)
        if tally.metrics:
            marks = people_marks(tally, method, self.sheet.kind, self.sheet.settings)
            yield method, _by_cell(marks.by.get(SPLIT, {}))


def read_split_sheet(given: str, by: str) -> SplitSheet:
    """A marksheet, given as FILE or SPLIT=FILE."""
    name, file = _named(given)
    return split_sheet(read_sheet(file), by, name)


def split_sheet(sheet: Sheet, by: str, name: str | None = None) -> SplitSheet:
    """A marksheet that was read, with the splits and levels of its units."""
    recorded = recorded_metrics(sheet)
    return SplitSheet(sheet, recorded, [_cells_of(unit, name, sheet, by) for unit in sheet.units])


def _named(given: str) -> tuple[str | None, str]:
    """A split's name before the file's, unless all of it is a file's name."""
    name, sign, file = given.partition("=")
    if not sign or Path(given).exists():
        return None, given
    if not name or not file:
        raise UsageError(f"{given!r} is neither MARKSHEET nor SPLIT=MARKSHEET")
    return name, file


def _cells_of(unit: MarkedUnit, name: str | None, sheet: Sheet, by: str) -> tuple[str, ...]:
    splits = (name,) if name is not None else labels_of(unit.fields.get(SPLIT))
    levels = [WHOLE, *(one for one in labels_of(unit.fields.get(by)) if one != ABSENT)]
    return tuple(
        _CELL.join((sheet.header.test.name if split == ABSENT else split, level))
        for split in splits
        for level in levels
    )


def _by_cell(found: Mapping[str, Slice]) -> Cells:
    cells: Cells = {}
    for label, one in found.items():
        split, _, level = label.partition(_CELL)
        cells.setdefault(split, {})[level] = one
    return cells


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
    one, other = first.sheet.header.test, part.sheet.header.test
    if (one.paper, one.key) == (other.paper, other.key):
        return
    ours, theirs = first.units(split), part.units(split)
    shared = ours.keys() & theirs.keys()
    fewer = min(len(ours), len(theirs))
    alike = all(
        ours[id].gold == theirs[id].gold for id in shared if ours[id].gold and theirs[id].gold
    )
    if len(shared) < fewer or not alike:
        raise DataError(
            f"its {split} is not the test of {first.sheet.file}: name the splits, "
            "as in dev=FILE test=FILE",
            file=part.sheet.file,
        )


def _same_rules(split: str, first: SplitSheet, part: SplitSheet, metrics: Sequence[str]) -> None:
    for metric in metrics:
        ours = rules_of(first.sheet.header.metrics.get(metric, ""))
        theirs = rules_of(part.sheet.header.metrics.get(metric, ""))
        if ours and theirs and ours != theirs:
            raise DataError(
                f"{metric} on {split} was marked by other rules than in {first.sheet.file}; "
                "mark the sitting again",
                file=part.sheet.file,
            )
