"""Standings: people and candidates in order, side by side on the splits of a test.

The one leaderboard: what ``readmark table`` prints, what a report shows of splits, and what a hall
stores and shows as the board of a shared task. `side_by_side.py` builds it of marksheets and marks,
`server/boards/board.py` of submissions and what may be released of them; `standings_grid.py` lays
it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from rich.console import Console

from readmark.core.display import Result
from readmark.core.labels import in_order
from readmark.core.pictures import Picture
from readmark.core.records import Value
from readmark.core.seen import SeenPassages
from readmark.reporting import grid_terminal, grid_text
from readmark.reporting.standings_grid import grid, split_name

Layout = Literal["cmrc", "smart"]


class StandingMark(Value, frozen=True):
    """A score with its interval; None where there is none."""

    score: float | None
    low: float | None
    high: float | None
    clusters: int | None = None
    """How many passages, series or documents the units are of, where that is known."""
    units: int | None = None
    """How many units it counts, where they are not all."""


class StandingSlice(Value, frozen=True):
    """Marks on the units with one value of a field."""

    units: int
    marks: Mapping[str, StandingMark]


class SplitMarks(Value, frozen=True):
    """What is known of a row on a split that it sat."""

    units: int
    marks: Mapping[str, StandingMark] | None
    """By metric; None where they are withheld."""
    withheld: str | None = None
    """Why there are no marks, as a code."""
    answered: int | None = None
    by: Mapping[str, Mapping[str, StandingSlice]] = {}
    """Slices by field and value."""
    seen: SeenPassages | None = None
    """How much of the split the candidate learnt from, where it did."""
    method: str | None = None
    """How people's marks were made; None for a candidate."""
    who: str | None = None
    """``people``, or ``references`` where the key's authors are no study of people."""
    people: int | None = None
    """How many people's sittings the marks are of."""


class NextRow(Value, frozen=True):
    """The paired comparison of a row with the next one of the whole order."""

    row: str
    """The key of the next row."""
    p: float | None
    units: int
    clusters: int
    signature: str
    exact: ExactDifference | None = None
    """None where the split of the order is hidden: what is rounded must not come back exactly."""


class ExactDifference(Value, frozen=True):
    """How far apart two rows are."""

    difference: float | None
    low: float | None
    high: float | None
    detectable: float | None


class Standing(Value, frozen=True):
    """A row: a candidate's marks by split, or people's."""

    name: str
    splits: Mapping[str, SplitMarks]
    method: str | None = None
    """How people's marks were made; None for a candidate."""
    ranks: tuple[int, int] | None = None
    """The first and the last rank that it may have: they differ where rows tie."""
    mean: float | None = None
    """The mean of the metrics on the split that candidates are ordered by."""
    next: NextRow | None = None
    key: str | None = None
    """What distinguishes rows of one name, such as the id of a submission."""

    @property
    def rank(self) -> int | None:
        """The best rank that it may have."""
        return None if self.ranks is None else self.ranks[0]

    @property
    def seen(self) -> dict[str, SeenPassages]:
        """By split, how much of what was marked the candidate learnt from, where it did."""
        return {name: part.seen for name, part in self.splits.items() if part.seen is not None}

    def part(
        self, split: str, level: str = "", field: str | None = None
    ) -> SplitMarks | StandingSlice | None:
        """What is known on a split, or on one of its slices; ``field`` where there are several."""
        part = self.splits.get(split)
        if part is None or not level:
            return part
        values = next(iter(part.by.values()), {}) if field is None else part.by.get(field, {})
        return values.get(level)

    def mark(
        self, split: str, metric: str, level: str = "", field: str | None = None
    ) -> StandingMark | None:
        """One mark; None where there is none, or it is withheld."""
        part = self.part(split, level, field)
        return None if part is None or part.marks is None else part.marks.get(metric)

    def score(self, split: str, metric: str, level: str = "") -> float | None:
        """One score."""
        mark = self.mark(split, metric, level)
        return None if mark is None else mark.score

    def has_slices(self, split: str) -> bool:
        """Whether there are marks on slices of a split."""
        part = self.splits.get(split)
        return part is not None and bool(part.by)

    def withheld(self, split: str) -> str:
        """Why the marks on a split that was sat are not shown, as a code."""
        part = self.splits.get(split)
        return "" if part is None or part.marks is not None else part.withheld or ""

    def units(self, split: str, level: str = "", field: str | None = None) -> int:
        """How many units a split or slice has."""
        part = self.part(split, level, field)
        return 0 if part is None else part.units

    def counted(self, split: str, metric: str, level: str = "", field: str | None = None) -> int:
        """How many of these units a metric counts."""
        mark = self.mark(split, metric, level, field)
        if mark is None or mark.units is None:
            return self.units(split, level, field)
        return mark.units


class StandingSplit(Value, frozen=True):
    """A split: a group of columns."""

    name: str
    units: int
    is_hidden: bool = False
    """Whether marks on it are rounded or withheld, since its key is hidden."""


class StandingMetric(Value, frozen=True):
    """A metric: a column under every split."""

    name: str
    scale: float = 1.0
    lower_is_better: bool = False
    signatures: Sequence[str] = ()
    is_unvalidated: bool = False
    """Whether it is a judge that was not compared with enough labels of people."""


class StandingColumns(Value, frozen=True):
    """The columns of standings: every metric under every split."""

    splits: Sequence[StandingSplit]
    metrics: Sequence[StandingMetric]

    def pairs(self) -> Iterator[tuple[StandingSplit, StandingMetric]]:
        """The columns from left to right."""
        return ((split, metric) for split in self.splits for metric in self.metrics)

    def metric(self, name: str) -> StandingMetric:
        """A metric by its name."""
        return next(metric for metric in self.metrics if metric.name == name)


class StandingOrder(Value, frozen=True):
    """What candidates are ordered by: the mean of metrics on a split; None is as they came."""

    split: str | None
    metrics: Sequence[str]


class Standings(Result, Value, frozen=True):
    """People first, then candidates from the best to the worst."""

    columns: StandingColumns
    rows: Sequence[Standing]
    fields: Sequence[str]
    """The fields that rows have slices by."""
    order: StandingOrder
    same_sets: bool = False
    """Whether candidates face the leave-one-out answer sets that people face."""
    notes: Sequence[str] = ()
    few_clusters: str | None = None
    """Which splits have few passages, series or documents, in words."""
    layout: Layout = "cmrc"
    """``cmrc`` has one row per candidate and one column per split, ``smart`` one row per level."""

    @property
    def splits(self) -> list[str]:
        """The names of the splits."""
        return [split.name for split in self.columns.splits]

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return [metric.name for metric in self.columns.metrics]

    @property
    def ranked_by(self) -> str | None:
        """The split that candidates are ordered by."""
        return self.order.split

    @property
    def field(self) -> str:
        """The field of the rows of layout ``smart``."""
        return self.fields[0]

    @property
    def levels(self) -> list[str]:
        """The values of that field that anybody has marks of."""
        labels = {
            label
            for row in self.rows
            for part in row.splits.values()
            for label in part.by.get(self.field, ())
        }
        return sorted(labels, key=in_order)

    @property
    def unvalidated(self) -> frozenset[str]:
        """The metrics of a judge that was not compared with enough labels of people."""
        return frozenset(metric.name for metric in self.columns.metrics if metric.is_unvalidated)

    @property
    def seen(self) -> list[str]:
        """Which candidates learnt from what they were marked on, one per line and split."""
        return [
            f"{row.name}: {split_name(split)}: {seen.words}"
            for row in self.rows
            for split, seen in row.seen.items()
        ]

    def values(self, split: str, field: str) -> dict[str, int]:
        """The slices of a split that anybody has marks of, in order, with their units."""
        units: dict[str, int] = {}
        for row in self.rows:
            part = row.splits.get(split)
            slices = {} if part is None else part.by.get(field, {})
            for value, marks in slices.items():
                units[value] = max(units.get(value, 0), marks.units)
        return {value: units[value] for value in sorted(units, key=in_order)}

    def plot(self) -> Picture:
        """A picture of the marks with their intervals, for slides."""
        from readmark.reporting.standings_picture import grid_picture

        return grid_picture(grid(self))

    def show(self, console: Console) -> None:
        """Print the table in its layout."""
        grid_terminal.show(console, self)

    def as_markdown(self, *, full: bool = False) -> str:
        """A pipe table; a split that a candidate did not sit is a dash."""
        return grid_text.grid_markdown(grid(self))

    def as_latex(self, *, full: bool = False) -> str:
        """A table of booktabs; a split that a candidate did not sit is a dash."""
        return grid_text.grid_latex(grid(self))

    def as_csv(self) -> str:
        """Commas; a split that a candidate did not sit is left empty."""
        return grid_text.grid_csv(grid(self))

    def _repr_html_(self) -> str:
        return grid_text.grid_html(grid(self))

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
                "units": part.units if mark.units is None else mark.units,
            }
            for row in self.rows
            for split in self.splits
            if split in row.splits
            for level, part in _levels(row.splits[split])
            for metric, mark in (part.marks or {}).items()
        ]

    def as_json(self) -> dict[str, Any]:
        """The document that ``table --json`` prints; a split that was not sat is null."""
        return {
            "layout": self.layout,
            "metrics": self.metrics,
            "splits": self.splits,
            "field": self.field,
            "levels": self.levels,
            "ranked_by": self.ranked_by,
            "same_sets": self.same_sets,
            "rows": [self._row_json(row) for row in self.rows],
            "notes": list(self.notes),
            **({"few_clusters": self.few_clusters} if self.few_clusters else {}),
            **({"unvalidated": sorted(self.unvalidated)} if self.unvalidated else {}),
        }

    def _row_json(self, row: Standing) -> dict[str, Any]:
        document: dict[str, Any] = {"name": row.name, "people": row.method, "rank": row.rank}
        document["mean"] = row.mean
        if row.seen:
            document["seen"] = {split: seen.as_json() for split, seen in row.seen.items()}
        document["splits"] = {
            split: None if part is None else _split_json(part)
            for split, part in ((split, row.splits.get(split)) for split in self.splits)
        }
        return document


def _levels(split: SplitMarks) -> Iterable[tuple[str, SplitMarks | StandingSlice]]:
    """All of a split under no name, then its slices."""
    yield "", split
    for values in split.by.values():
        yield from values.items()


def _split_json(split: SplitMarks) -> dict[str, Any]:
    slices = {level: part for values in split.by.values() for level, part in values.items()}
    by = {level: _part_json(part) for level, part in slices.items()}
    return {**_part_json(split), "by": by}


def _part_json(part: SplitMarks | StandingSlice) -> dict[str, Any]:
    marks = {name: _mark_json(mark) for name, mark in (part.marks or {}).items()}
    return {"units": part.units, **marks}


def _mark_json(mark: StandingMark) -> dict[str, Any]:
    """A mark that does not count all units has units of its own."""
    document = {
        "score": mark.score,
        "low": mark.low,
        "high": mark.high,
        "clusters": mark.clusters,
    }
    return document if mark.units is None else {**document, "units": mark.units}
