"""The metrics: what one gives for a unit, and how the units' vectors make a mark.

A metric first gives a vector of sufficient statistics a unit; the mark is a function of their
sums, so intervals, slices and paired tests work on vectors and never on text.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.error_rows import error_line
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.parsed_names import ParsedName
from readmark.core.records import LARGEST, Unit
from readmark.core.registry import Registry
from readmark.core.test import Test
from readmark.core.traffic import Traffic
from readmark.hooks import Case, MarkRun, Metric, MetricFacts, MetricReport, hook
from readmark.marking.function_metric import (
    FunctionMetric,
    MetricFunction,
    MetricInput,
    recorded_function,
)
from readmark.statistics.grid import to_grid

# Several vectors of a unit as one: over repeats, and over the reference sets of leave-one-out.


class LeftOutVectors(NamedTuple):
    """A unit's vectors against the sets that lack one person each: means, and each person's."""

    machine: Sequence[float]
    people: Sequence[float]
    each: Sequence[Sequence[float]]
    """A person's own against the others', in the order of the references."""


def leave_one_out(
    unit: Unit,
    references: Sequence[Sequence[Any]],
    said: Sequence[Any],
    metric: Any,
) -> LeftOutVectors:
    """The candidate's and people's vectors over the sets that lack one person each."""
    machine, people = [], []
    for left_out in range(len(references)):
        others = (*references[:left_out], *references[left_out + 1 :])
        machine += [metric.statistics(unit, others, one) for one in said]
        people.append(metric.statistics(unit, others, references[left_out][0]))
    return LeftOutVectors(mean(machine), mean(people), [mean([own]) for own in people])


def averaged(metric: Any, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
    """A unit's repeats as one vector: their mean, unless the metric knows better."""
    if len(vectors) > 1 and (hook(metric, "averaged") is not None):
        return _on_grid(tuple(metric.averaged(vectors)))
    return mean(vectors)


def mean(vectors: Sequence[Sequence[float]]) -> Sequence[float]:
    """The mean of vectors, on the grid that makes sums exact."""
    if len(vectors) == 1:
        return _on_grid(tuple(vectors[0]))
    return _on_grid(tuple(sum(cells) / len(vectors) for cells in zip(*vectors, strict=True)))


@functools.lru_cache(maxsize=2**12)
def _on_grid(vector: tuple[float, ...]) -> tuple[float, ...]:
    # Kept, since a million units have few different vectors.
    return tuple(to_grid(cell) for cell in vector)


# Many answers marked by one call, for metrics that offer it; the numbers are those of each.


BLOCK = 256
"""How many units are marked together: enough to share the cost of a call, few enough to hold."""

T = TypeVar("T")


class CheckedMetric:
    """A metric whose vectors are checked: a plug-in's mistake is one line with its name."""

    def __init__(self, name: str, metric: Any) -> None:
        self._name = name
        self._metric = metric
        self._width = width = metric.facts.width
        if not isinstance(width, int) or width < 1:
            raise ReadmarkError(f"metric {name}: its width is {width!r}, expected 1 or more")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._metric, name)

    def statistics(self, unit: Unit, *rest: Any) -> Sequence[float]:
        """A unit's vector."""
        try:
            vector = self._metric.statistics(unit, *rest)
        except ReadmarkError:
            raise
        except Exception as error:
            raise ReadmarkError(
                f"metric {self._name} failed in statistics on unit {unit.id}: {error_line(error)}"
            ) from error
        return self._checked(vector, unit.id)

    def batch_statistics(self, cases: Sequence[Case]) -> Sequence[Sequence[float]]:
        """The vectors of many answers, at once where the metric offers it."""
        statistics_of_many = hook(self._metric, "statistics_of_many")
        if statistics_of_many is None:
            return [self.statistics(*case) for case in cases]
        found = statistics_of_many(cases)
        if len(found) != len(cases):
            raise ReadmarkError(
                f"metric {self._name} gave {len(found)} vectors for {len(cases)} answers"
            )
        return [self._checked(one, case.unit.id) for one, case in zip(found, cases, strict=True)]

    def mean_of(self, vectors: Sequence[Sequence[float]], id: str) -> Sequence[float]:
        """A unit's repeats as one vector: their mean, unless the metric knows better."""
        if len(vectors) == 1:  # checked when it was made
            return _on_grid(tuple(vectors[0]))
        return self._checked(averaged(self._metric, vectors), id)

    def _checked(self, vector: Sequence[float], id: str) -> Sequence[float]:
        try:
            sound = len(vector) == self._width
            for cell in vector:
                sound = sound and -LARGEST <= cell <= LARGEST
        except TypeError:  # no numbers, or nothing at all
            sound = False
        if not sound:
            what = f"{self._width} numbers, none of them infinite or undefined"
            raise ReadmarkError(
                f"metric {self._name} gave {vector!r:.60} for unit {id}, expected {what}"
            )
        return vector


def in_blocks(units: Iterable[T], size: int = BLOCK) -> Iterator[list[T]]:
    """What comes, so many at a time."""
    each = iter(units)
    while block := list(islice(each, size)):
        yield block


SHARE, CORRELATION, DIFFERENCE = "share", "correlation", "difference"
"""What a metric's ``quantity`` may be: from 0 to 1, from -1 to 1, or without a natural zero."""


def is_additive(metric: Metric) -> bool:
    """Whether the mark is a function of sums over units."""
    return hook(metric, "score") is None


def lower_is_better(metric: Metric) -> bool:
    """Whether lower marks are better."""
    return metric.facts.best < metric.facts.worst


def has_ratio(metric: Metric) -> bool:
    """Whether a mark may be divided by people's: not where less is better or there is no zero."""
    return metric.facts.quantity not in (CORRELATION, DIFFERENCE) and not lower_is_better(metric)


def report_of(metric: Metric, rows: Floats) -> MetricReport:
    """What a metric has to say on the vectors of all units."""
    report = hook(metric, "report")
    found: MetricReport = MetricReport() if report is None else report(rows)
    return found


METRICS = Registry("metric", "readmark.metrics")


def build_metrics(
    asked: Sequence[MetricInput] | MetricInput,
    test: Test,
    *,
    traffic: Traffic | None = None,
    watch: Callable[[str, int, int], None] | None = None,
) -> dict[str, Metric]:
    """The metrics asked for, by canonical name, resolved for a test and fit for its kind.

    A function's name is the metric's. ``traffic`` and ``watch`` are for metrics that send requests.
    """
    built: dict[str, Metric] = {}
    for given in (asked,) if isinstance(asked, str) or callable(asked) else asked:
        if not isinstance(given, str):
            _add_function(built, given)
            continue
        name, metric = METRICS.build(given)
        kinds = METRICS.entry(name.base).kinds or metric.facts.kinds
        if kinds and test.kind.name not in kinds:
            raise UsageError(
                f"metric {name.base} marks {', '.join(kinds)} tests, this one is {test.kind.name}"
            )
        short = short_name(name, metric)
        resolve = hook(metric, "resolve")
        built[str(name) if short in built else short] = metric if resolve is None else resolve(test)
    for number, (called, metric) in enumerate(built.items()):
        begin = hook(metric, "begin")
        if begin is not None:
            begin(MarkRun(name=called, leads=number == 0, traffic=traffic, watch=watch))
    return built


def _add_function(built: dict[str, Metric], function: MetricFunction) -> None:
    if not callable(function) or isinstance(function, type):
        raise UsageError(
            f"a metric is a name or a function of answer and references, not {function!r:.60}"
        )
    metric = FunctionMetric(function)
    if metric.name in built or metric.name in METRICS:
        raise UsageError(f"there is another metric {metric.name}: give the function another name")
    built[metric.name] = metric


def installed_metrics(signatures: Mapping[str, str]) -> dict[str, Any]:
    """The metrics of a marksheet that are installed here, or were functions; by their names."""
    found = {}
    for name, signature in signatures.items():
        try:
            found[name] = METRICS.build(name)[1]
        except ReadmarkError:  # a plug-in's, or of another version
            if (function := recorded_function(signature)) is not None:
                found[name] = function
    return found


def short_name(name: ParsedName, metric: Any) -> str:
    """A metric's name without what only says where things are: its signature has the rest."""
    places = fields(metric) if is_dataclass(metric) else ()
    unnamed = {place.name for place in places if place.metadata.get("unnamed")}
    said = {key: value for key, value in name.parameters.items() if key not in unnamed}
    return str(ParsedName(name.base, said))


def main_metric(test: Test) -> str:
    """What candidates are compared by: the kind's main metric, or the first that is marked."""
    marked = test.kind.metrics(test.header, test.facts)
    return test.kind.main_metric if test.kind.main_metric in marked else marked[0]


# What most metrics share: a mark that is one sum over another.


class Ratio:
    """A unit's vector is (what counts for it, what could); a unit of (0, 0) does not count."""

    facts: ClassVar[MetricFacts] = MetricFacts(scale=100.0, width=2, quantity=SHARE)

    def aggregate(self, sums: Floats) -> Floats:
        """The first sum over the second; undefined where nothing counts."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])


@dataclass
class RatioInLanguage(Ratio):
    """One that cuts texts into sentences or words by the test's language."""

    language: str = field(default="en", init=False)

    def resolve(self, test: Test) -> Self:
        """The metric for the test's language; nothing that was kept for another goes with it."""
        resolved = dataclasses.replace(self)
        resolved.language = test.language
        return resolved


def need_only_sums(metrics: Mapping[str, Metric]) -> bool:
    """Whether all that is to be known of the metrics is a function of sums over units.

    Of a ratio, sums also show whether any of their units counts.
    """
    return all(
        is_additive(metric)
        and hook(metric, "report") is None
        and (not metric.facts.uncounted or isinstance(metric, Ratio))
        for metric in metrics.values()
    )
