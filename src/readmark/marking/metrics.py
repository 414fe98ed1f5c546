"""The metrics by their names, and what is to be known of one.

A metric first gives a vector of sufficient statistics a unit; the mark is a function of their
sums, so intervals, slices and paired tests work on vectors and never on text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from readmark.core.arrays import Floats
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.numbers import finite
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.registry import Registry
from readmark.core.test import Test
from readmark.core.traffic import Traffic
from readmark.hooks import MarkRun, Metric, MetricReport, hook
from readmark.marking.function_metric import (
    FunctionMetric,
    MetricFunction,
    MetricInput,
    recorded_function,
)
from readmark.marking.ratio import Ratio


class MetricRegistry(Registry):
    """The metrics by name: built in, and those of other packages."""

    def kinds(self, name: str) -> tuple[str, ...]:
        """The kinds of test that a metric marks, whatever its parameters; all of them if empty."""
        base = parse_name(name).base
        kinds: tuple[str, ...] = self.entry(base).kinds or self.load(base).facts.kinds
        return kinds


METRICS = MetricRegistry("metric", "readmark.metrics")


def build_metrics(
    names: Sequence[MetricInput] | MetricInput,
    test: Test,
    *,
    traffic: Traffic | None = None,
    watch: Callable[[str, int, int], None] | None = None,
) -> dict[str, Metric]:
    """The metrics asked for, by canonical name, resolved for a test and fit for its kind.

    A function's name is the metric's. ``traffic`` and ``watch`` are for metrics that send requests.
    """
    built: dict[str, Metric] = {}
    for requested in (names,) if isinstance(names, str) or callable(names) else names:
        if not isinstance(requested, str):
            _add_function(built, requested)
            continue
        name, metric = METRICS.build(requested)
        kinds = METRICS.kinds(name.base)
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


def recorded_metrics(signatures: Mapping[str, str]) -> dict[str, Any]:
    """The metrics of a marksheet that are installed here, or were functions; by their names."""
    metrics = {}
    for name, signature in signatures.items():
        try:
            metrics[name] = METRICS.build(name)[1]
        except ReadmarkError:  # a plug-in's, or of another version
            if (function := recorded_function(signature)) is not None:
                metrics[name] = function
    return metrics


def short_name(name: ParsedName, metric: Any) -> str:
    """A metric's name without what only says where things are: its signature has the rest."""
    places = fields(metric) if is_dataclass(metric) else ()
    unnamed = {place.name for place in places if place.metadata.get("unnamed")}
    named = {key: value for key, value in name.parameters.items() if key not in unnamed}
    return str(ParsedName(name.base, named))


def main_metric(test: Test) -> str:
    """What candidates are compared by: the kind's main metric, or the first that is marked."""
    marked = test.kind.metrics(test.header, test.facts)
    return test.kind.main_metric if test.kind.main_metric in marked else marked[0]


def is_additive(metric: Metric) -> bool:
    """Whether the mark is a function of sums over units."""
    return hook(metric, "score") is None


def lower_is_better(metric: Metric) -> bool:
    """Whether lower marks are better."""
    return metric.facts.best < metric.facts.worst


def has_ratio(metric: Metric) -> bool:
    """Whether a mark may be divided by people's: not where less is better or there is no zero."""
    without_zero = metric.facts.quantity in ("correlation", "difference")
    return not without_zero and not lower_is_better(metric)


def needs_only_sums(metrics: Mapping[str, Metric]) -> bool:
    """Whether all that is to be known of the metrics is a function of sums over units.

    Of a ratio, sums also show whether any of their units counts.
    """
    return all(
        is_additive(metric)
        and hook(metric, "report") is None
        and (not metric.facts.uncounted or isinstance(metric, Ratio))
        for metric in metrics.values()
    )


def report_of(metric: Metric, rows: Floats) -> MetricReport:
    """What a metric has to say on the vectors of all units."""
    make_report = hook(metric, "report")
    report: MetricReport = MetricReport() if make_report is None else make_report(rows)
    return report


def values_of_units(metric: Metric, vectors: Floats) -> list[float | None]:
    """A metric on each unit alone, unscaled; None where it has none."""
    if not is_additive(metric):
        return [None] * len(vectors)
    return list(map(finite, metric.aggregate(vectors).tolist()))


def score_of_units(metric: Any, vectors: Floats) -> float | None:
    """A metric on some units together, unscaled; None where it is undefined."""
    if is_additive(metric):
        return finite(float(metric.aggregate(vectors.sum(axis=0))))
    return finite(float(metric.score(vectors)))
