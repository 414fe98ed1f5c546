"""Candidates and people side by side on the splits of a test, from marksheets alone.

The layouts are CMRC 2018's Table 2 (candidates by splits, the human row first, ordered by the mean
of EM and F1 on the test split) and SMART's tables 2 and 3 (levels by candidates and people).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console

from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.marksheet import UNVALIDATED, MarkedUnit, is_unvalidated, unvalidated
from readmark.core.records import ABSENT, in_order
from readmark.core.seen import SeenPassages
from readmark.core.sitting import PER_LANGUAGE
from readmark.marking.marks import FEW_CLUSTERS, Slice, plural, slice_json, slices
from readmark.marking.metrics import lower_is_better
from readmark.marking.people import LEAVE_ONE_OUT, people_marks, people_or_references
from readmark.marking.results import Marks
from readmark.marking.tally import Tally, labels_of
from readmark.reporting.marks_in_memory import (
    WHOLE,
    Cells,
    cluster_noun,
    default_metrics,
    marks_rows,
)
from readmark.reporting.page.sections import portable_name
from readmark.reporting.page.sheets import (
    ReadSheet,
    Recorded,
    read_sheet,
    recorded_metrics,
    recorded_tally,
    rules_of,
)
from readmark.reporting.standings_table import as_csv, as_html, as_markdown, show_standings

LAYOUTS = CMRC, SMART = "cmrc", "smart"

# Marksheets cut by split and level, and whether several may share one column of a table.


SPLIT = "split"
_CELL = "\x1f"


@dataclass(frozen=True, slots=True)
class SplitSheet:
    """A marksheet with the split and the levels of every unit."""

    sheet: ReadSheet
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
        recorded_marks = self.sheet.recorded
        method = (
            recorded_marks.people.method
            if recorded_marks.people is not None
            else recorded_marks.method
        )
        if method is None:
            return
        tally = self.tally(metrics)
        if tally.metrics:
            marks = people_marks(tally, method, self.sheet.kind, self.sheet.settings)
            yield method, _by_cell(marks.by.get(SPLIT, {}))


def split_sheet(sheet: ReadSheet, by: str, name: str | None = None) -> SplitSheet:
    """A marksheet that was read, with the splits and levels of its units."""
    recorded = recorded_metrics(sheet)
    return SplitSheet(sheet, recorded, [_cells_of(unit, name, sheet, by) for unit in sheet.units])


def _require_field(parts: Sequence[SplitSheet], name: str) -> None:
    """Refuse a field that no unit has, and list those there are."""
    fields = {field for part in parts for unit in part.sheet.units for field in unit.fields}
    if name not in fields:
        listed = ", ".join(sorted(fields)) or "none"
        raise UsageError(f"the marksheets have no field {name!r}; their fields are {listed}")


def _only_split(parts: Sequence[SplitSheet], split: str) -> list[SplitSheet]:
    """The marksheets that have a split, with the units of that split alone."""
    known = dict.fromkeys(name for part in parts for name in part.splits)
    if split not in known:
        raise UsageError(f"the marksheets have no split {split!r}; they have {', '.join(known)}")
    return [
        replace(
            part,
            places=[
                tuple(cell for cell in cells if cell.split(_CELL)[0] == split)
                for cells in part.places
            ],
        )
        for part in parts
        if split in part.splits
    ]


def _whole_tests(parts: Sequence[SplitSheet]) -> list[SplitSheet]:
    """Where two tests have a split of one name, such as two languages, a column for each test."""
    firsts: dict[str, SplitSheet] = {}
    if all(
        _is_one_test(split, firsts.setdefault(split, part), part)
        for part in parts
        for split in part.splits
    ):
        return list(parts)
    return [
        replace(
            part,
            places=[
                tuple(
                    dict.fromkeys(
                        _CELL.join((part.sheet.header.test.name, cell.split(_CELL)[1]))
                        for cell in cells
                    )
                )
                for cells in part.places
            ],
        )
        for part in parts
    ]


def _named(given: str) -> tuple[str | None, str]:
    """A split's name before the file's, unless all of it is a file's name."""
    name, sign, file = given.partition("=")
    if not sign or Path(given).exists():
        return None, given
    if not name or not file:
        raise UsageError(f"{given!r} is neither MARKSHEET nor SPLIT=MARKSHEET")
    return name, file


def _cells_of(unit: MarkedUnit, name: str | None, sheet: ReadSheet, by: str) -> tuple[str, ...]:
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


def _require_one_kind(parts: Sequence[SplitSheet]) -> None:
    """A table is of one kind of test."""
    first = parts[0].sheet
    for part in parts[1:]:
        if part.sheet.header.kind != first.header.kind:
            raise DataError(
                f"is of a {part.sheet.header.kind} test, {first.file} of a {first.header.kind} one",
                file=part.sheet.file,
            )


def _require_marks(parts: Sequence[SplitSheet], metrics: Sequence[str], *, chosen: bool) -> None:
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


def _require_comparable(parts: Sequence[SplitSheet], metrics: Sequence[str]) -> None:
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
        ours = rules_of(first.sheet.header.metrics.get(metric, ""))
        theirs = rules_of(part.sheet.header.metrics.get(metric, ""))
        if ours and theirs and ours != theirs:
            raise DataError(
                f"{metric} on {split} was marked by other rules than in {first.sheet.file}; "
                "mark the sitting again",
                file=part.sheet.file,
            )


# Which marksheets make up one row of a table: those of one run, as far as that can be known.


VERSION = "readmark"
"""The part of a signature that runs of one candidate may differ in."""
HOW = ("without", "cross", "rewrite", "shuffle_options", "repeats")
"""What a marksheet's header says of how it was sat."""


@dataclass(slots=True)
class _Row:
    """A candidate's marks by split, or people's."""

    name: str
    cells: Cells = field(default_factory=dict)
    by_name: bool = False
    """Whether nothing but their name says that its marksheets are of one run."""
    seen: dict[str, SeenPassages] = field(default_factory=dict)
    """By split, how much of what was marked the candidate learnt from, where it did."""
    may_lead: bool = True
    """Whether it has a rank on those splits all the same."""


@dataclass(slots=True)
class _Run:
    """What one file holds; it may be given for several splits, or twice for one."""

    name: str
    file: Path
    sat: dict[str, Any]
    cells: Cells
    language: str | None = None
    seen: SeenPassages | None = None
    may_lead: bool = True
    own: frozenset[str] = frozenset()
    """The members of ``sat`` that differ between languages by design: prompts, analysers."""

    @property
    def elsewhere(self) -> dict[str, Any]:
        """What must be the same in a run of the same candidate in another language."""
        return {key: value for key, value in self.sat.items() if key not in self.own}


def rows_of(parts: Sequence[tuple[SplitSheet, Cells]]) -> tuple[list[_Row], list[str]]:
    """One row per run, in the order given, and notes on how runs were distinguished.

    One file is one run. Files of one name and one signature are one run where no split is in two
    of them; otherwise nobody knows which of them belong together, and each has a row. Between
    languages a signature may differ in what it lists as made for each language.
    """
    runs: list[_Run] = []
    for part, cells in parts:
        _keep(runs, part, cells)
    rows: list[_Row] = []
    notes: list[str] = []
    for name in dict.fromkeys(run.name for run in runs):
        own = [run for run in runs if run.name == name]
        alike = list(_alike(own))
        for several in alike:
            rows += _joined(name, several, notes)
        notes += _differing(name, [several[0].sat for several in alike])
    by_name = [row.name for row in rows if row.by_name]
    if by_name:
        notes.append(f"joined by name alone, having no signature: {', '.join(by_name)}")
    _number(rows)
    return rows, notes


def _keep(runs: list[_Run], part: SplitSheet, cells: Cells) -> None:
    header = part.sheet.header
    name = portable_name(header.candidate)
    if header.covers is not None:
        name = f"{name} ({header.covers})"
    file = Path(part.sheet.file).resolve()
    for run in runs:
        if run.file == file and run.cells.keys().isdisjoint(cells):
            run.cells.update(cells)
            return
    sat = {
        key: value for key, value in header.signature.items() if key not in (VERSION, PER_LANGUAGE)
    }
    sat.update((how, getattr(header, how)) for how in HOW)
    own = frozenset(header.signature.get(PER_LANGUAGE, ()))
    runs.append(
        _Run(
            name,
            file,
            sat,
            dict(cells),
            header.test.language,
            header.seen,
            part.sheet.may_lead,
            own,
        )
    )


def _alike(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """Runs that were sat alike; in several languages, if there is one way in each of them."""
    for related in _grouped(runs, lambda run: run.elsewhere):
        ways = _grouped(related, lambda run: run.sat)
        languages = [language for way in ways for language in {run.language for run in way}]
        if len(languages) == len(set(languages)):
            yield related
        else:
            yield from ways


def _grouped(runs: Sequence[_Run], known_by: Callable[[_Run], dict[str, Any]]) -> list[list[_Run]]:
    """Runs with equal members, in the order of the first of each group."""
    groups: list[list[_Run]] = []
    for run in runs:
        group = next((group for group in groups if known_by(group[0]) == known_by(run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return groups


def _joined(name: str, runs: Sequence[_Run], notes: list[str]) -> list[_Row]:
    apart = [run.cells.keys().isdisjoint(other.cells) for run, other in combinations(runs, 2)]
    if not all(apart):
        if any(apart):
            notes.append(f"which marksheets of {name} belong to one run is unknown: each has a row")
        return [_Row(name, run.cells, **_seen([run])) for run in runs]
    cells = {split: one for run in runs for split, one in run.cells.items()}
    unsigned = runs[0].sat.keys() <= set(HOW)
    return [_Row(name, cells, unsigned and len(runs) > 1, **_seen(runs))]


def _seen(runs: Sequence[_Run]) -> dict[str, Any]:
    seen = {split: run.seen for run in runs if run.seen is not None for split in run.cells}
    return {"seen": seen, "may_lead": all(run.may_lead for run in runs)}


def _differing(name: str, sat: Sequence[dict[str, Any]]) -> Iterator[str]:
    keys = dict.fromkeys(key for one in sat for key in one)
    differ = [key for key in keys if any(one.get(key) != sat[0].get(key) for one in sat)]
    if differ:
        yield f"rows of {name} differ in {', '.join(differ)}"


def _number(rows: Sequence[_Row]) -> None:
    """The second row of a name says so."""
    taken: set[str] = set()
    for row in rows:
        name, at = row.name, 1
        while row.name in taken:
            at += 1
            row.name = f"{name} ({at})"
        taken.add(row.name)


LEVEL = "level"
METRICS = ("em", "f1")
"""The metrics of the table of splits."""
RANKED_BY = "test"
ORDER = ("train", "dev", "development", "trial", "test", "challenge")
"""Splits that are known come in this order, others after them as they come."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row: a candidate's marks, or people's."""

    name: str
    cells: Cells
    method: str | None = None
    """How people's marks were made; None for a candidate."""
    mean: float | None = None
    """The mean of the metrics on the split that candidates are ordered by."""
    rank: int | None = None
    seen: Mapping[str, SeenPassages] = field(default_factory=dict)
    """By split, how much of what was marked the candidate learnt from, where it did."""

    def slice(self, split: str, level: str = WHOLE) -> Slice | None:
        """The marks of a cell; None where there are none."""
        return self.cells.get(split, {}).get(level)

    def units(self, split: str, level: str = WHOLE) -> int:
        """How many units a cell has."""
        found = self.slice(split, level)
        return found.units if found is not None else 0

    def counted(self, split: str, metric: str, level: str = WHOLE) -> int:
        """How many units of a cell a metric counts."""
        found = self.slice(split, level)
        return found.counted.get(metric, found.units) if found is not None else 0

    def score(self, split: str, metric: str, level: str = WHOLE) -> float | None:
        """One score."""
        found = self.slice(split, level)
        mark = found.marks.get(metric) if found is not None else None
        return mark.score if mark is not None else None


@dataclass(frozen=True, repr=False)
class Standings(Result):
    """People first, then candidates from the best to the worst."""

    rows: Sequence[Standing]
    metrics: Sequence[str]
    splits: Sequence[str]
    field: str
    levels: Sequence[str]
    ranked_by: str | None
    same_sets: bool
    notes: Sequence[str] = ()
    few_clusters: str | None = None
    """Which splits have few passages, series or documents, in words."""
    layout: str = LAYOUTS[0]
    """``cmrc`` has one row per candidate and one column per split, ``smart`` one row per level."""
    seen: Sequence[str] = ()
    """Which candidates learnt from what they were marked on, one per line."""
    unvalidated: frozenset[str] = frozenset()
    """The metrics of a judge that was not compared with enough labels of people."""

    def show(self, console: Console) -> None:
        """Print the table in its layout."""
        show_standings(console, self, self.layout)

    def as_markdown(self, *, full: bool = False) -> str:
        """A pipe table; a split that a candidate did not sit is a dash."""
        return as_markdown(self, self.layout)

    def as_csv(self) -> str:
        """Commas; a split that a candidate did not sit is left empty."""
        return as_csv(self, self.layout)

    def _repr_html_(self) -> str:
        return as_html(self, self.layout)

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per candidate, split, level and metric; the level of a whole split is empty."""
        return [
            {
                "candidate": row.name,
                "people": row.method,
                "rank": row.rank,
                "split": split,
                self.field: level,
                "metric": metric,
                "score": mark.score,
                "low": mark.low,
                "high": mark.high,
                "units": part.counted.get(metric, part.units),
            }
            for row in self.rows
            for split in self.splits
            for level, part in row.cells.get(split, {}).items()
            for metric, mark in part.marks.items()
        ]

    def as_json(self) -> dict[str, Any]:
        """The document that ``table --json`` prints; a split that was not sat is null."""
        return {
            "layout": self.layout,
            "metrics": list(self.metrics),
            "splits": list(self.splits),
            "field": self.field,
            "levels": list(self.levels),
            "ranked_by": self.ranked_by,
            "same_sets": self.same_sets,
            "rows": [self._row_json(row) for row in self.rows],
            "notes": list(self.notes),
            **({"few_clusters": self.few_clusters} if self.few_clusters else {}),
            **({"unvalidated": sorted(self.unvalidated)} if self.unvalidated else {}),
        }

    def _row_json(self, row: Standing) -> dict[str, Any]:
        told: dict[str, Any] = {"name": row.name, "people": row.method, "rank": row.rank}
        told["mean"] = row.mean
        if row.seen:
            told["seen"] = {split: seen.as_json() for split, seen in row.seen.items()}
        told["splits"] = {
            split: None
            if row.slice(split) is None
            else {
                **slice_json(row.cells[split][WHOLE]),
                "by": {
                    level: slice_json(one)
                    for level, one in row.cells[split].items()
                    if level != WHOLE
                },
            }
            for split in self.splits
        }
        return told


def table(
    *marksheets: str | Path | Marks,
    metrics: Sequence[str] | str = (),
    rank_by: str | None = None,
    by: str | None = None,
    same_sets: bool = False,
    layout: str | None = None,
    split: str | None = None,
) -> Standings:
    """Candidates and people side by side, from marksheets (``FILE``, or ``SPLIT=FILE``) or marks.

    A unit's split is its field ``split``; where units have none it is the name given before the
    file, else the test's name. Of several tests with splits of one name, such as two languages,
    each has one column, called after the test. ``rank_by`` is the split that candidates are ordered
    by, ``by`` the field of the rows of layout ``smart`` (level unless another is named).
    ``same_sets`` marks candidates against the leave-one-out sets that people are marked against.
    ``layout`` is ``cmrc`` or ``smart``: by default ``smart`` where a field is named, else ``cmrc``.
    Of marks that are in memory the columns are their tests, and the levels are those of
    ``mark(..., by=...)``. ``split`` leaves that split of marksheets alone.
    """
    if layout not in (None, *LAYOUTS):
        raise UsageError(f"layout {layout!r} is not one of {'|'.join(LAYOUTS)}")
    if by is not None and layout == CMRC:
        raise UsageError(f"`by` is for layout {SMART}: layout {CMRC} has no rows by {by}")
    layout = layout or (CMRC if by is None else SMART)
    field = by or LEVEL
    asked = [metrics] if isinstance(metrics, str) else metrics
    marks = [given for given in marksheets if isinstance(given, Marks)]
    if marks:
        if len(marks) < len(marksheets):
            raise UsageError("a table takes marks or marksheets, not both")
        if split is not None:
            raise UsageError("`split` is for marksheets: marks in memory are of their whole test")
        standings = _standings_of_marks(marks, asked, rank_by, field, same_sets=same_sets)
    else:
        named = [_named(str(given)) for given in marksheets]
        parts = [split_sheet(read_sheet(file), field, name) for name, file in named]
        if split is not None:
            parts = _only_split(parts, split)
        if all(name is None for name, _ in named):
            parts = _whole_tests(parts)
        if by is not None:
            _require_field(parts, by)
        standings = standings_of(
            parts, metrics=asked, rank_by=rank_by, by=field, same_sets=same_sets
        )
    return replace(standings, layout=layout)


def _standings_of_marks(
    several: Sequence[Marks],
    metrics: Sequence[str],
    rank_by: str | None,
    by: str,
    *,
    same_sets: bool,
) -> Standings:
    """The table of marks that are in memory."""
    asked = list(metrics) or default_metrics(several)
    rows = marks_rows(several, asked, by=by, same_sets=same_sets)
    people = [Standing(row.name, row.cells, row.method) for row in rows if row.method is not None]
    candidates = [
        _Row(row.name, row.cells, seen=row.seen, may_lead=row.may_lead)
        for row in rows
        if row.method is None
    ]
    _number(candidates)
    tests = _ordered(dict.fromkeys(marks.test.name for marks in several))
    ranked = rank_by if rank_by is None else _ranked_by(rank_by, tests)[0]
    ranked = tests[0] if ranked is None and len(tests) == 1 else ranked
    lower = all(several[0].lower_is_better(name) for name in asked)
    ordered = [*people, *_ranked(candidates, asked, ranked, lower_is_better=lower)]
    labels = {level for row in rows for cells in row.cells.values() for level in cells}
    levels = sorted(labels - {WHOLE}, key=in_order)
    few = _few_clusters(ordered, tests, cluster_noun(several[0]))
    seen = _seen_lines(ordered)
    return Standings(ordered, asked, tests, by, levels, ranked, same_sets, (), few, seen=seen)


def standings_of(
    parts: Sequence[SplitSheet],
    *,
    metrics: Sequence[str] = (),
    rank_by: str | None = None,
    by: str = LEVEL,
    same_sets: bool = False,
) -> Standings:
    """The table of marksheets that were read."""
    if not parts:
        raise UsageError("a table takes one marksheet or more")
    _require_one_kind(parts)
    asked = list(metrics) or _default_metrics(parts[0].sheet)
    _require_marks(parts, asked, chosen=bool(metrics))
    _require_comparable(parts, asked)
    _require_validated(parts, asked[:1])
    sat = [(part, part.cells(asked, same_sets=same_sets)) for part in parts if part.sheet.sat]
    rows, run_notes = rows_of(sat)
    people: dict[str, _Row] = {}
    for part in parts:
        for method, cells in part.people(asked):
            _widest(people, part, method, cells)
    found = [*rows, *people.values()]
    if not any(row.cells for row in found):
        raise DataError(f"no marksheet has marks of {', '.join(asked)}", file=parts[0].sheet.file)
    splits = _ordered(dict.fromkeys(split for part in parts for split in part.splits))
    ranked, unranked = _ranked_by(rank_by, splits)
    notes = [*unranked, *run_notes]
    labels = {level for row in found for value in row.cells.values() for level in value}
    levels = sorted(labels - {WHOLE}, key=in_order)
    if people.get(LEAVE_ONE_OUT) and rows and not same_sets:
        who = people[LEAVE_ONE_OUT].name.partition(" (")[0]
        notes.append(f"{who} face one reference fewer than candidates (see `same_sets`)")
    humans = [Standing(row.name, row.cells, method) for method, row in people.items()]
    lower = all(
        lower_is_better(parts[0].recorded[one]) for one in asked if one in parts[0].recorded
    )
    ordered = [*humans, *_ranked(rows, asked, ranked, lower_is_better=lower)]
    few = _few_clusters(ordered, splits, parts[0].sheet.kind.record_noun)
    unsure = frozenset().union(*(unvalidated(part.sheet.header.metrics) for part in parts))
    return Standings(
        ordered,
        asked,
        splits,
        by,
        levels,
        ranked,
        same_sets,
        notes,
        few,
        unvalidated=unsure.intersection(asked),
        seen=_seen_lines(ordered),
    )


def _seen_lines(rows: Sequence[Standing]) -> list[str]:
    """Which candidates learnt from what they were marked on, one per line and split."""
    return [
        f"{row.name}: {split}: {seen.words}" for row in rows for split, seen in row.seen.items()
    ]


def _few_clusters(rows: Sequence[Standing], splits: Sequence[str], noun: str) -> str | None:
    """The splits with few clusters, where an order of rows says little."""
    found = {}
    for split in splits:
        marks = [mark for row in rows if (one := row.slice(split)) for mark in one.marks.values()]
        counts = [mark.clusters for mark in marks if mark.clusters]
        if counts and max(counts) < FEW_CLUSTERS:
            found[split] = max(counts)
    if not found:
        return None
    listed = ", ".join(f"{split} {count}" for split, count in found.items())
    few = f"fewer than {FEW_CLUSTERS} {plural(noun)} ({listed})"
    return f"{few}: the order may be chance; readmark compare tests differences"


def _require_validated(parts: Sequence[SplitSheet], leading: Sequence[str]) -> None:
    """A judge that was not held against people leads no table."""
    for name in leading:
        for part in parts:
            if is_unvalidated(part.sheet.header.metrics.get(name, "")):
                raise UsageError(
                    f"{part.sheet.file}: {name} is {UNVALIDATED}: name another metric first"
                )


def _default_metrics(sheet: ReadSheet) -> list[str]:
    both: list[str] = [name for name in ("em", "f1") if name in sheet.header.metrics]
    return both or list(sheet.header.metrics)[:2]


def _widest(people: dict[str, _Row], part: SplitSheet, method: str, cells: Cells) -> None:
    """People's marks on a split, from the marksheet with most of its units."""
    name = f"{people_or_references(part.sheet.header.test, method)} ({method})"
    row = people.setdefault(method, _Row(name))
    for split, found in cells.items():
        known = row.cells.get(split, {}).get(WHOLE)
        if WHOLE in found and (known is None or found[WHOLE].units > known.units):
            row.cells[split] = found


def _ordered(splits: Mapping[str, None]) -> list[str]:
    known = [name for name in ORDER if name in splits]
    return [*known, *(name for name in splits if name not in known)]


def _ranked_by(asked: str | None, splits: Sequence[str]) -> tuple[str | None, list[str]]:
    if asked is not None:
        if asked not in splits:
            raise UsageError(f"no split {asked!r}; {did_you_mean(asked, splits)}")
        return asked, []
    if RANKED_BY in splits:
        return RANKED_BY, []
    if len(splits) == 1:
        return splits[0], []
    return None, [f"no split {RANKED_BY!r}: candidates are in the given order; try `rank_by`"]


def _ranked(
    rows: Sequence[_Row], metrics: Sequence[str], split: str | None, *, lower_is_better: bool
) -> list[Standing]:
    """From the best mean to the worst, then those that have no rank, as given.

    Who learnt from the split has none, unless that was asked for.
    """
    standings = [Standing(row.name, row.cells, seen=row.seen) for row in rows]
    if split is None:
        return standings
    apart = {row.name for row in rows if split in row.seen and not row.may_lead}
    means = [[row.score(split, metric) for metric in metrics] for row in standings]
    pairs = [
        (fmean([one for one in several if one is not None]), row)
        for several, row in zip(means, standings, strict=True)
        if all(one is not None for one in several) and row.name not in apart
    ]
    pairs.sort(key=lambda pair: pair[0] if lower_is_better else -pair[0])
    best = [
        Standing(row.name, row.cells, None, mean, index, row.seen)
        for index, (mean, row) in enumerate(pairs, 1)
    ]
    placed = {row.name for _, row in pairs}
    return [*best, *(row for row in standings if row.name not in placed)]
