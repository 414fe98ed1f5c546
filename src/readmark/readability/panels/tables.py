"""Raters by metrics: Table 1 of the DARPA readability evaluation, and what stands beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.marksheet import MarkedUnit
from readmark.core.registry import parse_name
from readmark.marking.marks import Mark, finite, units_by_label
from readmark.marking.metrics import Floats
from readmark.marking.tally import labels_of
from readmark.readability.metrics import ALIKE
from readmark.readability.panels.novices import (
    ALPHA,
    METRICS,
    Judges,
    Panel,
    Verdict,
    against_judges,
    left_out,
    verdicts,
    worth,
)

# A marksheet's vectors as ratings: the gold, the machine's and every novice's, a row a passage.


DIFFERENCE, TARGET, PEARSON = METRICS

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Gathered:
    """One rater and the novices on the passages that both have something to say of."""

    ids: tuple[str, ...]
    novices: tuple[str, ...]
    panel: Panel
    machine: Floats
    """(passages, 7): what the rater's ratings are worth; the rating is NaN where there is none."""
    narrow: NDArray[np.bool_]
    """Which targets have no width."""
    fields: tuple[Mapping[str, Any], ...]
    alone: tuple[str, ...]
    """Passages that no novice rated: left out."""

    @property
    def answered(self) -> bool:
        """Whether every passage was rated, without which there is no correlation."""
        return bool(np.isfinite(self.machine).all())

    def of_passages(self, chosen: NDArray[np.int64]) -> Gathered:
        """The same on some passages alone."""
        return Gathered(
            tuple(self.ids[at] for at in chosen),
            self.novices,
            self.panel.of_passages(chosen),
            self.machine[chosen],
            self.narrow[chosen],
            tuple(self.fields[at] for at in chosen),
            self.alone,
        )


def named(metrics: Iterable[str], base: str) -> str | None:
    """The first metric of that base, whatever its parameters."""
    return next((name for name in metrics if parse_name(name).base == base), None)


def gather(
    units: Iterable[MarkedUnit], metrics: Iterable[str], novices: Sequence[str]
) -> Gathered | None:
    """The ratings behind a marksheet's rows; None where it has no panel or not the metrics.

    Passages stand in the order of their ids and novices in that of their names, so that a file
    in another order gets the same draws.
    """
    metrics = list(metrics)
    pearson, target = named(metrics, PEARSON), named(metrics, TARGET)
    if not novices or pearson is None or target is None:
        return None
    difference = named(metrics, DIFFERENCE)
    order = sorted(range(len(novices)), key=lambda at: novices[at])
    kept: list[MarkedUnit] = []
    alone: list[MarkedUnit] = []
    for unit in sorted(units, key=lambda one: one.id):
        members = unit.panel.get(pearson, ())
        some = any(_rating(one) is not None for one in members)
        (kept if some else alone).append(unit)
    if not kept:
        return None
    gold = np.array([_gold(unit, pearson) for unit in kept])
    ratings = np.zeros((len(kept), len(novices)))
    hits = np.zeros_like(ratings)
    rated = np.zeros(ratings.shape, dtype=np.bool_)
    for row, unit in enumerate(kept):
        for column, at in enumerate(order):
            said = _rating(unit.panel[pearson][at])
            hit = unit.panel[target][at]
            if said is not None and hit is not None:
                ratings[row, column], hits[row, column], rated[row, column] = said, hit[0], True
    return Gathered(
        tuple(unit.id for unit in kept),
        tuple(novices[at] for at in order),
        Panel.of(gold, rated, ratings, hits),
        np.array([_own(unit, pearson, target, difference) for unit in kept]),
        np.array([_narrow(unit, target) for unit in kept]),
        tuple(unit.fields for unit in kept),
        tuple(unit.id for unit in alone),
    )


def _rating(vector: Vector | None) -> float | None:
    """The rating in a vector of pearson's; None where the passage was not rated."""
    return None if vector is None or vector[-1] > 0 else vector[2]


def _some(unit: MarkedUnit, metric: str) -> Vector:
    """A vector of the unit, for what all of them say alike."""
    if metric in unit.vectors:
        return unit.vectors[metric]
    return next(one for one in unit.panel[metric] if one is not None)


def _gold(unit: MarkedUnit, pearson: str) -> float:
    return _some(unit, pearson)[1]


def _narrow(unit: MarkedUnit, target: str) -> bool:
    return _some(unit, target)[1] > 0


def _own(unit: MarkedUnit, pearson: str, target: str, difference: str | None) -> Floats:
    """What the rater's rating is worth; nobody's, on a marksheet of people alone."""
    if pearson not in unit.vectors:
        return np.full(7, np.nan)
    moments, hit = unit.vectors[pearson], unit.vectors[target][0]
    gold, said = np.array(moments[1]), np.array(moments[2])
    own = np.array(worth(gold, said, np.array(hit)), dtype=np.float64)
    if difference is not None and unit.vectors[difference][2] > 0:
        own[0] = unit.vectors[difference][0]
    if moments[-1] > 0:
        own[2:] = np.nan
    return own


Null = Callable[[Panel], Floats]


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater on some passages: its marks, the novices' null, and whole judges, by metric."""

    candidate: str
    passages: int
    marks: Mapping[str, Mark]
    verdicts: Mapping[str, Verdict]
    judges: Mapping[str, Judges]
    why: Mapping[str, str] = field(default_factory=dict)
    """Why a metric has no p, where it has none."""
    single: int = 0
    """Passages of them that one novice alone rated."""

    @property
    def better(self) -> list[str]:
        """The metrics by which the document's test calls the rater better than a novice."""
        return [name for name, one in self.verdicts.items() if one.better]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A novice as the machine against the others, by the document's test."""

    novice: str
    passages: int
    verdicts: Mapping[str, Verdict]

    @property
    def passes(self) -> list[str]:
        """The metrics by which the novice is called better than a novice."""
        return [name for name, one in self.verdicts.items() if one.better]


@dataclass(frozen=True, slots=True)
class PanelTables:
    """Everything that ``panel mark`` shows."""

    test: str
    novices: Sequence[str]
    experts: Sequence[str]
    passages: int
    narrow: int
    """Passages whose target has no width."""
    single: int
    """Passages that one novice alone rated."""
    rounded: bool
    """Whether ratings were rounded to stars for the target."""
    draws: int
    seed: int
    raters: Sequence[RaterLine]
    by: Mapping[str, Mapping[str, Sequence[RaterLine]]]
    left_out: Sequence[LeftOut]
    claims: Sequence[str] = ()
    excluded: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids that were not counted, by the reason."""
    failed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids with error rows, by rater."""
    notes: Sequence[str] = ()

    @property
    def passing(self) -> dict[str, int]:
        """How many of the novices pass by each metric."""
        return {
            name: sum(name in one.passes for one in self.left_out if name in one.verdicts)
            for name in METRICS
        }

    @property
    def signatures(self) -> dict[str, str]:
        """What decided each metric's numbers: the mark's signature, and the null's."""
        null = (
            f"null:novice per passage|novices:{len(self.novices)}|null draws:{self.draws}"
            f"|alpha:{ALPHA:g}"
        )
        marks = self.raters[0].marks
        return {
            name: f"{one.signature}|{null}" if name in METRICS else one.signature
            for name, one in marks.items()
        }

    def as_json(self) -> dict[str, Any]:
        """One document; notes are on stderr."""
        return {
            "test": self.test,
            "passages": self.passages,
            "novices": list(self.novices),
            "experts": list(self.experts),
            "zero_width": {"targets": self.narrow, "share": self.narrow / self.passages},
            "one_novice": self.single,
            "round": self.rounded,
            "draws": self.draws,
            "seed": self.seed,
            "alpha": ALPHA,
            "signatures": self.signatures,
            "raters": {one.candidate: _line_json(one) for one in self.raters},
            "by": {
                name: {
                    label: {one.candidate: _line_json(one) for one in lines}
                    for label, lines in labels.items()
                }
                for name, labels in self.by.items()
            },
            "leave_one_out": {
                one.novice: {
                    "passages": one.passages,
                    **{name: _verdict_json(verdict) for name, verdict in one.verdicts.items()},
                }
                for one in self.left_out
            },
            "passing": {"novices": len(self.left_out), **self.passing},
            "claims": list(self.claims),
            "excluded": {name: list(ids) for name, ids in self.excluded.items()},
            "errors": {name: list(ids) for name, ids in self.failed.items()},
        }


def rater_line(
    candidate: str,
    gathered: Gathered,
    null: Null,
    marks: Mapping[str, Mark],
) -> RaterLine:
    """One rater's line."""
    found = verdicts(gathered.panel, gathered.machine, null(gathered.panel))
    judges = against_judges(gathered.panel, gathered.machine)
    return RaterLine(
        candidate,
        gathered.panel.passages,
        marks,
        dict(zip(METRICS, found, strict=True)),
        dict(zip(METRICS, judges, strict=True)),
        _why(gathered, found),
        int(gathered.panel.single.sum()),
    )


def _why(gathered: Gathered, found: Sequence[Verdict]) -> dict[str, str]:
    """Why there is no p, where there is none: nothing is drawn, or no correlation."""
    none = {}
    if gathered.panel.single.all():
        none = dict.fromkeys(METRICS, "no p: every passage has one novice, so nothing is drawn")
    if math.isfinite(found[2].observed):
        return none
    return {**none, **_why_undefined(gathered)}


def _why_undefined(gathered: Gathered) -> dict[str, str]:
    ratings = gathered.machine[:, 2]
    if not gathered.answered:
        missing = int(np.count_nonzero(~np.isfinite(ratings)))
        return {METRICS[2]: f"undefined: {missing} unanswered"}
    if len(ratings) < 2:
        return {METRICS[2]: "undefined: one passage"}
    for what, values in (("ratings", ratings), ("gold ratings", gathered.panel.gold)):
        if np.ptp(values) == 0:
            return {METRICS[2]: f"undefined: the {what} are all the same"}
    return {METRICS[2]: f"undefined: {ALIKE}"}


def by_label(gathered: Gathered, field: str) -> list[tuple[str, Gathered]]:
    """The passages of each value of a field, in order."""
    labels = [labels_of(one.get(field)) for one in gathered.fields]
    return [(label, gathered.of_passages(chosen)) for label, chosen in units_by_label(labels)]


def leave_each_out(gathered: Gathered, *, seed: int, draws: int) -> list[LeftOut]:
    """Every novice who shares a passage with another, as the machine."""
    found = []
    each = left_out(gathered.panel, seed=seed, draws=draws)
    for at, (name, told) in enumerate(zip(gathered.novices, each, strict=True)):
        if told is not None:
            passages = int(gathered.panel.without(at)[1].sum())
            found.append(LeftOut(name, passages, dict(zip(METRICS, told, strict=True))))
    return found


def _line_json(line: RaterLine) -> dict[str, Any]:
    return {
        "passages": line.passages,
        "metrics": {
            name: {
                **_verdict_json(line.verdicts[name]),
                **_interval(line.marks.get(name)),
                "judges": {
                    "beaten": line.judges[name].beaten,
                    "of": line.judges[name].judges,
                    "p": finite(line.judges[name].p),
                    "smallest_p": line.judges[name].smallest,
                },
                **({"why": line.why[name]} if name in line.why else {}),
            }
            for name in METRICS
        },
        "beside": {
            name: {"score": mark.score, "low": mark.low, "high": mark.high}
            for name, mark in line.marks.items()
            if name not in METRICS
        },
    }


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "observed": finite(verdict.observed),
        "critical": finite(verdict.critical),
        "p": finite(verdict.p),
        "better": verdict.better if not math.isnan(verdict.p) else None,
    }


def _interval(mark: Mark | None) -> dict[str, Any]:
    return {} if mark is None else {"low": mark.low, "high": mark.high}
