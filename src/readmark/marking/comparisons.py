"""Sittings compared: each against the first, paired by unit, with a verdict in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from readmark.core import numbers
from readmark.core.binding import common_part, part_notes, sat_splits
from readmark.core.display import (
    GAP,
    Result,
    counted,
    folded,
    headline,
    html_table,
    plain_table,
    plural,
    print_signatures,
    printed,
)
from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import read_marksheet_header
from readmark.core.records import distinct_names
from readmark.core.settings import settings_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.registry import SittingInput, TestInput, as_sitting, as_test
from readmark.hooks import Metric
from readmark.marking.fields import UnitFields, known_fields
from readmark.marking.marks import FEW_CLUSTERS, few_in_slices
from readmark.marking.marksheets import is_marksheet, marked_part, paired_from_marksheet
from readmark.marking.metrics import build_metrics, main_metric
from readmark.marking.notes import error_words, gaps, notes, seen_part
from readmark.marking.settings import CompareFields, MarkSettings
from readmark.marking.significance import (
    Comparison,
    Paired,
    adjusted,
    compare_pair,
    compare_slices,
)
from readmark.marking.tally import Tally, labels_of, tally
from readmark.marking.terminal import print_derived

NARROWEST = 16
"""The column of names, however little room there is."""


@dataclass(frozen=True, repr=False)
class Comparisons(Result):
    """Each sitting against the first, by each metric; a sequence of ``Comparison``."""

    comparisons: Sequence[Comparison]
    """The comparisons of the first metric, in the order of the sittings, then the next metric's."""
    alpha: float
    """The significance level of the verdicts."""
    noun: str
    """What the paired test swaps: passage, series, document."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What a reader should know of the sittings, one per line."""
    derived: Mapping[str, str] = field(default_factory=dict)
    """The rules of the fields that slices were asked by and that the file does not have."""

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order in which they were asked for."""
        return list(dict.fromkeys(comparison.metric for comparison in self))

    @property
    def worse(self) -> list[Comparison]:
        """Those in which the sitting is significantly worse than the first."""
        return [comparison for comparison in self if comparison.worse(self.alpha)]

    def as_json(self) -> dict[str, Any]:
        """The document that ``compare --json`` prints: one entry per metric and sitting."""
        return {
            "metrics": self.metrics,
            "a": self[0].a,
            "alpha": self.alpha,
            "comparisons": [comparison.as_json() for comparison in self],
            **({"derived": dict(self.derived)} if self.derived else {}),
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per comparison and slice, with every number."""
        rows = []
        for comparison in self:
            document = comparison.as_json()
            by = document.pop("by")
            rows.append({"field": None, "value": None, **document})
            rows += [
                {**document, "field": name, "value": label, **part}
                for name, values in by.items()
                for label, part in values.items()
            ]
        return rows

    def show(self, console: Console) -> None:
        """Print a table a metric, each comparison with a verdict in words."""
        for comparisons in self._by_metric():
            _show_table(console, comparisons)
            _show_verdicts(console, comparisons, self)
            _show_slices(console, comparisons, self.noun)

    def show_full(self, console: Console) -> None:
        """Print also how many units differ, what could have been found, and the signatures."""
        for comparisons in self._by_metric():
            _show_table(console, comparisons)
            _show_verdicts(console, comparisons, self, full=True)
            _show_slices(console, comparisons, self.noun)
            print_signatures(console, {comparisons[0].metric: comparisons[0].signature})
        print_derived(console, self.derived)

    def __repr__(self) -> str:
        return "\n".join(
            printed(lambda console, found=comparisons: _show_table(console, found))  # type: ignore[misc]
            for comparisons in self._by_metric()
        )

    def _by_metric(self) -> Iterator[list[Comparison]]:
        for metric in self.metrics:
            yield [comparison for comparison in self if comparison.metric == metric]

    def _repr_html_(self) -> str:
        heads = ["candidate", "metric", "score", "difference", "interval", "p", "verdict"]
        rows = [
            [
                comparison.b,
                comparison.metric,
                numbers.mark(comparison.score_b, comparison.scale),
                numbers.mark(comparison.difference, comparison.scale, signed=True),
                numbers.interval(comparison.low, comparison.high, comparison.scale, signed=True),
                numbers.p_value(comparison.decisive_p),
                _side(comparison, self.alpha),
            ]
            for comparison in self
        ]
        return html_table(heads, rows, caption=f"each against {self[0].a}")


def compare(
    test: TestInput,
    a: SittingInput,
    *others: SittingInput,
    settings: MarkSettings | None = None,
    alpha: float = 0.05,
    errors_as_wrong: bool = False,
    watch_replies: Callable[[str, int, int], None] | None = None,
    **fields: Unpack[CompareFields],
) -> Comparisons:
    """Each of the others against A, paired by unit.

    Sittings may also be marksheets of the same test, whose vectors are then taken as they are.
    ``settings`` are those of `mark`, and keyword arguments name its fields. Without ``metrics`` the
    kind's main metric is compared. The p-values of several sittings are Holm-adjusted, metric by
    metric. ``by`` compares on each slice of these fields too; their p-values are adjusted over all
    slices of a field and all sittings. ``alpha`` is the significance level of the verdicts. Error
    rows are an error unless ``errors_as_wrong``. ``watch_replies`` is called as the replies come
    that a metric waits for.
    """
    settings = settings_of(MarkSettings, settings, fields)
    if not others:
        raise UsageError("a comparison takes two sittings or more")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1")
    whole = as_test(test)
    given = [one if is_marksheet(one) else as_sitting(one, whole.kind) for one in (a, *others)]
    test = common_part(whole, [_part(whole, side) for side in given])
    built = build_metrics(settings.metrics or [main_metric(test)], test, watch=watch_replies)
    sat = [side for side in given if isinstance(side, Sitting)]
    remarks: dict[str, None] = dict.fromkeys(part_notes(whole, test, sat))
    sides = _sides(test, given, built, errors_as_wrong, remarks)
    by = known_fields(test, settings.by)
    unit_fields = UnitFields(test, by)
    labels = _labels(test, by, unit_fields)
    comparisons: list[Comparison] = []
    for name, metric in built.items():
        first, *rest = [side[name] for side in sides]
        pairs = [compare_pair(name, metric, first, paired, test.kind, settings) for paired in rest]
        slices = {
            asked: _adjusted_slices(
                [
                    compare_slices(name, metric, first, paired, values, test.kind, settings)
                    for paired in rest
                ]
            )
            for asked, values in labels.items()
        }
        comparisons += [
            replace(pair, by={asked: parts[index] for asked, parts in slices.items()})
            for index, pair in enumerate(adjusted(pairs))
        ]
    noun = test.kind.record_noun
    return Comparisons(tuple(comparisons), alpha, noun, tuple(remarks), unit_fields.rules)


def _labels(
    test: Test, by: Sequence[str], fields: UnitFields
) -> dict[str, dict[str, tuple[str, ...]]]:
    """The slices that each unit of the test is in, by field."""
    labels: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in by}
    for unit in test.units() if by else ():
        for name, values in labels.items():
            values[unit.id] = labels_of(fields.value(unit, name))
    return labels


def _adjusted_slices(several: Sequence[dict[str, Comparison]]) -> list[dict[str, Comparison]]:
    """The slices of a field for each sitting, with Holm's adjustment over all of them."""
    family = [comparison for slices in several for comparison in slices.values()]
    results = iter(adjusted(family, over=" over slices and candidates"))
    return [{label: next(results) for label in slices} for slices in several]


def _part(test: Test, side: SittingInput) -> tuple[str | None, ...]:
    """The splits of the test that a sitting or a marksheet is of."""
    return sat_splits(test, side) if isinstance(side, Sitting) else marked_part(str(side), test)


def _sides(
    test: Test,
    given: Sequence[SittingInput],
    metrics: dict[str, Metric],
    errors_as_wrong: bool,
    remarks: dict[str, None],
) -> list[dict[str, Paired]]:
    """Each sitting's or marksheet's vectors by metric, under distinct names."""
    sides: list[dict[str, Paired]] = []
    tallies: dict[int, tuple[Sitting, Tally]] = {}
    for index, one in enumerate(given):
        if not isinstance(one, Sitting):
            file = str(one)
            read = {
                name: paired_from_marksheet(file, test, name, metric)
                for name, metric in metrics.items()
            }
            side = {name: vectors for name, (vectors, _) in read.items()}
            errors = next(iter(read.values()))[1]
            seen = read_marksheet_header(file).seen
        else:
            sitting = one
            found = tally(test, sitting, metrics)
            file, errors = sitting.file, found.errors
            seen = seen_part(test, sitting)
            remarks.update(dict.fromkeys(notes(test, sitting, found, compared=True)))
            tallies[index] = sitting, found
            side = {
                name: Paired(sitting.candidate, found.ids, found.groups, column.matrix())
                for name, column in found.vectors.items()
            }
        if errors and not errors_as_wrong:
            raise DataError(error_words(errors), file=file)
        if seen is not None:
            remarks[f"{file}: warning: {seen.words}"] = None
        sides.append(side)
    first = next(iter(metrics))
    units = [frozenset(side[first].ids) for side in sides]
    for index, (sitting, found) in tallies.items():
        compared_with = units[0] if index else frozenset[str]().union(*units[1:])
        remarks.update(dict.fromkeys(gaps(sitting, found, compared_with)))
    names = distinct_names([side[first].candidate for side in sides])
    return [
        {metric: replace(paired, candidate=name) for metric, paired in side.items()}
        for side, name in zip(sides, names, strict=True)
    ]


def _show_table(console: Console, comparisons: Sequence[Comparison]) -> None:
    """One metric's comparisons: a row each."""
    first = comparisons[0]
    # A's score depends on the units it shares with the other, so it may differ from row to row.
    alike = len({comparison.score_a for comparison in comparisons}) == 1
    score = f" ({numbers.mark(first.score_a, first.scale)})" if alike else ""
    console.print(headline(first.metric, ", each against ", first.a, score))
    if first.lower_is_better:
        console.print("lower is better")
    columns, rows = _cells(comparisons, alike=alike, stacked=False)
    if _room(columns, rows, console.width) < NARROWEST:
        columns, rows = _cells(comparisons, alike=alike, stacked=True)
    room = max(_room(columns, rows, console.width), NARROWEST)
    table = plain_table("candidate", *columns)
    for comparison, cells in zip(comparisons, rows, strict=True):
        table.add_row(folded(comparison.b, room), *cells)
    console.print(table)


def _show_verdicts(
    console: Console, comparisons: Sequence[Comparison], result: Comparisons, *, full: bool = False
) -> None:
    """One metric's comparisons in words."""
    alpha, noun = result.alpha, result.noun
    for comparison in comparisons:
        words = verdict(comparison, alpha)
        details = verdict_details(comparison, noun) if full else ""
        console.print(f"{comparison.b}: {words}{details}")
        if out_of_reach(comparison, comparisons, alpha):
            console.print(f"{comparison.b}: {_never(comparison, comparisons, alpha, noun)}")
    for note in dict.fromkeys(
        comparison.interval_note for comparison in comparisons if comparison.interval_note
    ):
        console.print(note)


def _show_slices(console: Console, comparisons: Sequence[Comparison], noun: str) -> None:
    """One metric's comparisons slice by slice: a table per field and sitting."""
    few: dict[str, int] = {}
    for comparison in comparisons:
        for name, values in comparison.by.items():
            console.print(f"{comparison.metric} by {name}: {comparison.b} − {comparison.a}")
            console.print(_slices_table(name, values, console.width))
            few |= {
                f"{name} {label}": part.clusters
                for label, part in values.items()
                if part.clusters < FEW_CLUSTERS and "interval:percentile" in part.signature
            }
    if few:
        console.print(few_in_slices(few, noun, "percentile"))
    if comparisons[0].by:
        others = " and all candidates" if len(comparisons) > 1 else ""
        console.print(f"p (Holm) is adjusted over all slices of a field{others}")


def _slices_table(name: str, values: Mapping[str, Comparison], width: int) -> Table:
    """One row per slice; with little room the interval is under the difference."""
    heads = ["units", "difference", "interval", "p", "p (Holm)"]
    rows = [
        [
            f"{part.units:,}",
            numbers.mark(part.difference, part.scale, signed=True),
            numbers.interval(part.low, part.high, part.scale, signed=True),
            numbers.p_value(part.p),
            numbers.p_value(part.decisive_p),
        ]
        for part in values.values()
    ]
    labels = max(map(cell_len, (name, *values)))
    if _room(heads, rows, width) < min(labels, NARROWEST):
        heads.remove("interval")
        rows = [
            [units, f"{difference}\n{interval}", *p_values]
            for units, difference, interval, *p_values in rows
        ]
    room = max(_room(heads, rows, width), NARROWEST)
    table = plain_table(name, *heads)
    for label, cells in zip(values, rows, strict=True):
        table.add_row(folded(label, room), *cells)
    return table


def out_of_reach(comparison: Comparison, comparisons: Sequence[Comparison], alpha: float) -> bool:
    """Whether no difference, however large, could have been significant.

    Holm's method multiplies the least p by the number of comparisons.
    """
    if comparison.significant(alpha) or comparison.p is None or not comparison.discordant:
        return False
    return (
        comparison.least_p >= alpha
        or len(comparisons) * min(other.least_p for other in comparisons) >= alpha
    )


def _never(
    comparison: Comparison, comparisons: Sequence[Comparison], alpha: float, noun: str
) -> str:
    least = f"no p below {numbers.p_value(comparison.least_p)} can be reached"
    if comparison.p is not None and comparison.p < comparison.least_p:
        least += f" ({numbers.p_value(comparison.p)} is an estimate of it)"
    holm = (
        f", {numbers.p_value(min(1.0, len(comparisons) * comparison.least_p))} after Holm"
        if len(comparisons) > 1
        else ""
    )
    reason = f"{least}{holm}: with so few {plural(noun)} that differ"
    return f"{reason}, no difference could be significant at {alpha:g}"


def _cells(
    comparisons: Sequence[Comparison], *, alike: bool, stacked: bool
) -> tuple[list[str], list[list[str]]]:
    """Columns and rows; with little room the interval is under the difference."""
    several = len(comparisons) > 1
    columns = ["score", *(() if alike else ("against",))]
    columns += ["difference"] if stacked else ["difference", "interval"]
    columns += ["p", *(("p (Holm)",) if several else ())]
    rows = []
    for comparison in comparisons:
        scores = [
            numbers.mark(comparison.score_b, comparison.scale),
            *(() if alike else (numbers.mark(comparison.score_a, comparison.scale),)),
        ]
        difference = [
            numbers.mark(comparison.difference, comparison.scale, signed=True),
            numbers.interval(comparison.low, comparison.high, comparison.scale, signed=True),
        ]
        shown = ["\n".join(difference)] if stacked else difference
        p_values = [
            numbers.p_value(comparison.p),
            *((numbers.p_value(comparison.adjusted_p),) if several else ()),
        ]
        rows.append([*scores, *shown, *p_values])
    return columns, rows


def _room(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> int:
    """What the numbers leave for the names."""
    cells = [[head, *column] for head, *column in zip(columns, *rows, strict=True)]
    lines = [[line for cell in column for line in cell.split("\n")] for column in cells]
    return width - sum(max(map(cell_len, column)) + GAP for column in lines)


def verdict(comparison: Comparison, alpha: float) -> str:
    """A comparison in words."""
    p = comparison.decisive_p
    if p is None or comparison.difference is None:
        return "the difference is undefined"
    if comparison.significant(alpha) and comparison.gain:
        return f"{_side(comparison, alpha)} than {comparison.a} (p {numbers.p_words(p)})"
    return f"no significant difference from {comparison.a} (p {numbers.p_words(p)})"


def verdict_details(comparison: Comparison, noun: str) -> str:
    """How many units differ, and which difference would have been found."""
    text = f"; of {counted(comparison.units, 'unit')} in {counted(comparison.clusters, noun)}, "
    text += f"{comparison.discordant} differ" if comparison.discordant != 1 else "1 differs"
    if comparison.left_out:
        text += (
            f"; left out, as not both have a value there: {counted(comparison.left_out, 'unit')}"
        )
    if comparison.detectable:
        least = numbers.mark(comparison.detectable, comparison.scale)
        text += f"; a difference of {least} would be found four times in five"
    return text


def _side(comparison: Comparison, alpha: float) -> str:
    if comparison.better(alpha):
        return "better"
    return "worse" if comparison.worse(alpha) else "no significant difference"
