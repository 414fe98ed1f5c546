"""Marks: a score with its interval, overall and by slice, from a tally's vectors."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats, Ints
from readmark.core.counts import counted
from readmark.core.labels import in_order
from readmark.core.numbers import first_ids
from readmark.core.version import __version__
from readmark.hooks import Kind, Metric
from readmark.marking.metrics import CORRELATION, SHARE, is_additive
from readmark.marking.settings import JACKKNIFE, MarkSettings
from readmark.marking.tally import Tally
from readmark.statistics.grid import totals
from readmark.statistics.intervals import Interval, bca_interval, interval
from readmark.statistics.jackknife import (
    correlation_interval,
    jackknife_values,
    leave_one_out,
    leave_one_out_rows,
    share_interval,
    t_interval,
)
from readmark.statistics.resampling import (
    Aggregate,
    bootstrap_rows,
    cluster_sums,
    resampled_sums,
)

FEW_CLUSTERS = 10
"""With fewer than these, percentile and BCa intervals are too narrow (docs/statistics.md)."""


VERY_FEW = 4
"""With fewer than these, any interval that covers is wide."""


def signature(
    name: str, metric: Metric, kind: Kind, settings: MarkSettings, **more: str | int | float
) -> str:
    """One line that says everything that decided a number."""
    parts: Mapping[str, object] = {
        "metric": name,
        **metric.signature(),
        "clusters": kind.record_noun,
        **more,
        "seed": settings.seed,
        "readmark": __version__,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def interval_name(settings: MarkSettings, *, bca: bool) -> str:
    """How an interval is made; without ``bca`` a percentile one takes the place of a BCa one."""
    return "percentile" if settings.interval == "bca" and not bca else settings.interval


def interval_words(settings: MarkSettings, *, bca: bool = True) -> dict[str, str | int | float]:
    """The part of a signature that describes an interval; the jackknife draws nothing."""
    how = interval_name(settings, bca=bca)
    words: dict[str, str | int | float] = {"interval": how, "confidence": settings.confidence}
    return words if how == JACKKNIFE else {**words, "draws": settings.draws}


def few_words(clusters: int, noun: str, interval: str) -> str | None:
    """What a reader should know of intervals made of few clusters; None where they are enough."""
    if clusters >= FEW_CLUSTERS:
        return None
    nouns = plural(noun)
    if clusters < 2:
        return f"{counted(clusters, noun)}: too few for an interval"
    if interval == JACKKNIFE:
        wide = "so few leave the intervals wide, but not too narrow"
        return f"{clusters} {nouns}: {wide}" if clusters < VERY_FEW else None
    return f"{clusters} {nouns} (< {FEW_CLUSTERS}): {too_narrow(interval)}"


def too_narrow(interval: str) -> str:
    """Why intervals of few clusters are not to be trusted, and which are."""
    return f"{interval} intervals are too narrow; use --interval {JACKKNIFE}"


def no_interval_words(noun: str) -> str:
    """Why the jackknife gives no interval of several clusters."""
    return f"no variation over the {plural(noun)}, or undefined without one of them"


def plural(noun: str) -> str:
    """What clusters are called, in the plural: passages, documents, series."""
    return noun if noun.endswith("s") else f"{noun}s"


_NAMED = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """A score in the metric's scale with its interval; None where there is none."""

    score: float | None
    low: float | None
    high: float | None
    scale: float
    signature: str
    clusters: int | None = None
    """How many passages, series or documents the units are of that it counts."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The marks of the units that share a value of a field."""

    units: int
    marks: Mapping[str, Mark]
    counted: Mapping[str, int] = field(default_factory=dict)
    """How many of the units each metric counts that does not count them all."""


By = Mapping[str, Mapping[str, Slice]]


def slice_rows(marks: Mapping[str, Mark], by: By, units: int) -> list[dict[str, Any]]:
    """One row per metric and slice, for a data frame; those of the whole test have no field."""
    parts: list[tuple[str | None, str | None, Slice]] = [(None, None, Slice(units, marks))]
    parts += [(name, label, part) for name, values in by.items() for label, part in values.items()]
    return [
        {
            "field": name,
            "value": label,
            "units": part.counted.get(metric, part.units),
            "metric": metric,
            "score": mark.score,
            "low": mark.low,
            "high": mark.high,
        }
        for name, label, part in parts
        for metric, mark in part.marks.items()
    ]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of the chosen units, renumbered from 0."""

    codes: Ints
    count: int

    @classmethod
    def of(cls, groups: Ints) -> Clusters:
        """Number the groups in the order of their codes."""
        members = distinct(groups)
        ranks = np.zeros(int(members[-1]) + 1 if len(members) else 0, dtype=np.int64)
        ranks[members] = np.arange(len(members))
        return cls(ranks[groups], len(members))


def distinct(codes: Ints) -> Ints:
    """The clusters among some codes, in order; np.unique would import all of numpy.ma."""
    return np.flatnonzero(np.bincount(codes))


def make_marks(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Floats],
    groups: Ints,
    kind: Kind,
    settings: MarkSettings,
) -> dict[str, Mark]:
    """Every metric's mark of some units; all are drawn together, so they share the draws."""
    clusters = Clusters.of(groups)
    additive = [name for name, metric in metrics.items() if is_additive(metric)]
    sums = {name: cluster_sums(vectors[name], clusters.codes, clusters.count) for name in additive}
    drawn = {} if settings.interval == JACKKNIFE else drawn_together(sums, settings)
    marks = {}
    for name, metric in metrics.items():
        counts = unit_counts(metric, vectors[name])
        own = distinct(clusters.codes[counts])
        if settings.interval == JACKKNIFE:
            units = int(counts.sum())
            if is_additive(metric):
                found = from_left_out(metric, sums[name][own], metric.aggregate, units, settings)
            else:
                found = _from_rows_left_out(metric, vectors[name], clusters, settings)
        elif is_additive(metric):
            found = _from_sums(metric, sums[name], drawn[name], settings)
        else:
            found = _from_rows(metric, vectors[name], clusters, settings)
        score, low, high = (None if one is None else one * metric.facts.scale for one in found)
        words = interval_words(settings, bca=is_additive(metric))
        said = signature(name, metric, kind, settings, **words)
        marks[name] = Mark(score, low, high, metric.facts.scale, said, len(own))
    return marks


MarkEstimate = tuple[float | None, float | None, float | None]


def drawn_together(sums: Mapping[str, Floats], settings: MarkSettings) -> dict[str, Floats]:
    """The resampled sums of several statistics over the same clusters, from one set of draws."""
    if not sums:
        return {}
    edges = np.cumsum([value.shape[1] for value in sums.values()])[:-1]
    together = resampled_sums(
        np.hstack(list(sums.values())), seed=settings.seed, draws=settings.draws
    )
    return dict(zip(sums, np.split(together, edges, axis=1), strict=True))


def from_left_out(
    metric: Metric, sums: Floats, statistic: Aggregate, units: int, settings: MarkSettings
) -> MarkEstimate:
    """A mark with its jackknife interval, from the sums of the clusters that count."""
    observed = float(statistic(totals(sums)))
    if not math.isfinite(observed):
        return None, None, None
    return observed, *_left_out_interval(
        metric, observed, leave_one_out(sums, statistic), units, settings
    )


def _from_rows_left_out(
    metric: Any, rows: Floats, clusters: Clusters, settings: MarkSettings
) -> MarkEstimate:
    observed = metric.score(rows)
    if not math.isfinite(observed):
        return None, None, None
    left_out = leave_one_out_rows(rows, clusters.codes, clusters.count, metric.score)
    return observed, *_left_out_interval(metric, observed, left_out, len(rows), settings)


def _left_out_interval(
    metric: Metric, observed: float, left_out: Floats, units: int, settings: MarkSettings
) -> Interval:
    """The interval that suits the range of the mark."""
    level = settings.confidence
    quantity = metric.facts.quantity
    if quantity == SHARE and 0 <= observed <= 1:
        return share_interval(observed, left_out, units=units, level=level)
    if quantity == CORRELATION:
        return correlation_interval(observed, left_out, level=level)
    return t_interval(observed, left_out, level=level)


def _from_sums(metric: Metric, sums: Floats, drawn: Floats, settings: MarkSettings) -> MarkEstimate:
    observed = float(metric.aggregate(totals(sums)))
    if not math.isfinite(observed):  # draws that miss what makes it undefined say nothing of it
        return None, None, None
    values = metric.aggregate(drawn)
    if settings.interval == "bca" and len(sums) > 1:
        left_out = jackknife_values(sums, metric.aggregate)
        return observed, *bca_interval(values, observed, left_out, level=settings.confidence)
    return observed, *interval(values, level=settings.confidence)


def _from_rows(
    metric: Any, rows: Floats, clusters: Clusters, settings: MarkSettings
) -> MarkEstimate:
    observed = metric.score(rows)
    if not math.isfinite(observed):
        return None, None, None
    values = bootstrap_rows(
        rows,
        clusters.codes,
        clusters.count,
        metric.score,
        seed=settings.seed,
        draws=settings.draws,
    )
    return observed, *interval(values, level=settings.confidence)


def slices(
    tally: Tally, kind: Kind, settings: MarkSettings, vectors: Mapping[str, Floats] | None = None
) -> By:
    """Every field asked for: its values in order, each with its units and marks.

    A slice is marked as a test of its units alone would be.
    """
    matrices = vectors or {name: column.matrix() for name, column in tally.vectors.items()}
    groups = tally.groups
    found: dict[str, dict[str, Slice]] = {}
    for asked, labels in tally.fields.items():
        found[asked] = {}
        for label, members in units_by_label(labels):
            chosen = {name: matrix[members] for name, matrix in matrices.items()}
            marks = make_marks(tally.metrics, chosen, groups[members], kind, settings)
            found[asked][label] = Slice(len(members), marks, counted_units(tally.metrics, chosen))
    return found


def counted_units(metrics: Mapping[str, Metric], *vectors: Mapping[str, Floats]) -> dict[str, int]:
    """How many units each metric counts that does not count them all.

    With several vectors a unit, as of several people, one that is counted is enough.
    """
    found = {}
    for name, metric in metrics.items():
        if name in vectors[0]:
            counts = unit_counts(metric, *(vector[name] for vector in vectors))
            if not counts.all():
                found[name] = int(counts.sum())
    return found


def unit_counts(metric: Metric, *vectors: Floats) -> NDArray[np.bool_]:
    """Which units a metric counts: all of them, unless it says that some do not count."""
    if not is_additive(metric) or not metric.facts.uncounted:
        return np.ones(len(vectors[0]), dtype=np.bool_)
    finite_ones = [np.isfinite(metric.aggregate(vector)) for vector in vectors]
    return np.asarray(np.logical_or.reduce(finite_ones))


def interval_notes(marks: Mapping[str, Mark], by: By, noun: str, interval: str) -> list[str]:
    """What a reader should know of the intervals of marks and slices, one per line."""
    scored = {name: mark for name, mark in marks.items() if mark.score is not None}
    few = [few_words(mark.clusters or 0, noun, interval) for mark in scored.values()]
    notes = [note for note in dict.fromkeys(few) if note is not None]
    if interval == JACKKNIFE:
        without = [name for name, mark in scored.items() if mark.low is None and _several(mark)]
        if without:
            notes.append(f"no interval of {', '.join(without)}: {no_interval_words(noun)}")
        return notes
    if not notes:
        slices = {
            f"{field} {label}": fewest
            for field, values in by.items()
            for label, part in values.items()
            if (fewest := _fewest(part.marks)) is not None
        }
        if slices:
            notes.append(few_in_slices(slices, noun, interval))
    certain = [
        name for name, mark in scored.items() if mark.low is not None and mark.low == mark.high
    ]
    if certain:
        notes.append(
            f"{', '.join(certain)}: the same in every draw; an interval without width does not "
            "mean that the mark is certain"
        )
    return notes


def few_in_slices(slices: Mapping[str, int], noun: str, interval: str) -> str:
    """Which slices have too few clusters for their intervals, and how many they have."""
    listed = first_ids([f"{name} ({count:,})" for name, count in slices.items()], _NAMED)
    where = f"fewer than {FEW_CLUSTERS} {plural(noun)} in {listed}"
    return f"{where}: {too_narrow(interval)}"


def _several(mark: Mark) -> bool:
    return mark.clusters is not None and mark.clusters > 1


def _fewest(marks: Mapping[str, Mark]) -> int | None:
    """The fewest clusters that an interval of a slice is made of, where they are few."""
    counts = [
        value.clusters for value in marks.values() if value.low is not None and value.clusters
    ]
    fewest = min(counts, default=FEW_CLUSTERS)
    return fewest if fewest < FEW_CLUSTERS else None


def units_by_label(labels: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, Ints]]:
    """The values of a field in order (numbers by size), each with the units that have it."""
    members: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
    for index, several in enumerate(labels):
        for label in several:
            members[label].append(index)
    for label in sorted(members, key=in_order):
        yield label, np.frombuffer(members[label], dtype=np.int64)


def by_json(by: By) -> dict[str, Any]:
    """Slices: units, and each mark with its interval."""
    return {
        name: {label: slice_json(one) for label, one in values.items()}
        for name, values in by.items()
    }


def slice_json(one: Slice) -> dict[str, Any]:
    """A slice's units and marks; a mark that does not count them all has units of its own."""
    marks = {
        name: {"score": mark.score, "low": mark.low, "high": mark.high, "clusters": mark.clusters}
        | ({"units": one.counted[name]} if name in one.counted else {})
        for name, mark in one.marks.items()
    }
    return {"units": one.units, **marks}


def finite(value: float) -> float | None:
    """None for what is undefined."""
    return value if math.isfinite(value) else None
