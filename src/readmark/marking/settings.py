"""How marks are made: the options of `mark`, `people` and `compare` as a settings object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

from readmark.core.errors import UsageError
from readmark.core.processes import MOST_WORKERS
from readmark.core.settings import setting
from readmark.core.traffic import Traffic
from readmark.core.version import __version__
from readmark.statistics.interval_methods import BCA, INTERVAL_METHODS, JACKKNIFE, PERCENTILE

if TYPE_CHECKING:
    from readmark.formats.inputs import SittingInput
    from readmark.hooks import Metric
    from readmark.marking.function_metric import MetricInput

RECORDED = ("seed", "draws", "trials", "confidence", "interval", "count_seen")
"""What a marksheet's header records: the numbers of its marks follow from these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkSettings:
    """How marks are made. `people`, `compare` and reports use what concerns them."""

    metrics: Sequence[MetricInput] | MetricInput = setting(
        (), "Metric to compute (repeatable)", takes=list, default_words="the kind's own"
    )
    by: Sequence[str] | str = setting(
        (), "Fields to break the marks down by, such as level or type", takes=list
    )
    people: Sequence[SittingInput] = setting(
        (), "Sitting of a panel member, for comparison with people (repeatable)", takes=list
    )
    seed: int = setting(1, "Random seed; the same seed gives the same result")
    draws: int = setting(1000, "Bootstrap samples for the intervals, up to 1,000,000")
    trials: int = setting(10_000, "Trials of the randomisation test, up to 1,000,000")
    confidence: float = setting(0.95, "Confidence level of the intervals")
    interval: str = setting(
        PERCENTILE, "Method for the intervals. Use jackknife for fewer than ten passages"
    )
    strict: bool = setting(False, "Fail if the sitting answers units that the test does not have")
    redact: bool = setting(False, "Omit the gold answers, and people's, from the marksheet")
    classes: bool = setting(True, "Sort wrong answers into classes, which takes as long as marking")
    units: bool = setting(True, "Keep the scores of single units")
    fail_under: Sequence[str] | str = setting(
        (),
        "Conditions on the marks: f1=70 on the score, f1.low=70 on the low end of the interval",
        takes=list,
    )
    count_seen: bool = setting(
        False, "Rank a candidate, and compare it with people, even if it learnt from the test"
    )
    workers: int = setting(1, "Worker processes, for a test in parts")
    traffic: Traffic | None = setting(
        None, "Limits of the requests of a metric that uses a network", takes=Traffic
    )

    def __post_init__(self) -> None:
        from readmark.statistics.draws import MOST_DRAWS

        for name in ("metrics", "by", "fail_under"):  # one name alone is not a list of letters
            value = getattr(self, name)
            if isinstance(value, str) or callable(value):
                object.__setattr__(self, name, (value,))
        if self.seed < 0:
            raise UsageError(f"`seed` {self.seed} is negative, expected 0 or more")
        for name, most in (
            ("draws", MOST_DRAWS),
            ("trials", MOST_DRAWS),
            ("workers", MOST_WORKERS),
        ):
            value = getattr(self, name)
            if not 1 <= value <= most:
                raise UsageError(f"`{name}` {value:,} is not from 1 to {most:,}")
        if not 0 < self.confidence < 1:
            raise UsageError(f"`confidence` {self.confidence} is not between 0 and 1")
        if self.interval not in INTERVAL_METHODS:
            raise UsageError(
                f"`interval` {self.interval!r} is not one of {'|'.join(INTERVAL_METHODS)}"
            )

    def without_bca(self) -> MarkSettings:
        """The same with percentile intervals instead, as differences and people's marks have."""
        return replace(self, interval=PERCENTILE) if self.interval == BCA else self

    def signature(
        self, name: str, metric: Metric, clusters: str, **rules: str | int | float
    ) -> str:
        """One line that says everything that decided a metric's number.

        ``clusters`` is what is resampled (passage, series, document). ``rules`` are those that
        neither the metric nor the seed decides, such as how an interval was made.
        """
        parts: dict[str, object] = {
            "metric": name,
            **metric.signature(),
            "clusters": clusters,
            **rules,
            "seed": self.seed,
            "readmark": __version__,
        }
        return "|".join(f"{part}:{value}" for part, value in parts.items())

    def interval_rules(self) -> dict[str, str | int | float]:
        """The part of a signature that describes an interval; the jackknife draws nothing."""
        rules: dict[str, str | int | float] = {
            "interval": self.interval,
            "confidence": self.confidence,
        }
        return rules if self.interval == JACKKNIFE else {**rules, "draws": self.draws}

    def recorded(self) -> dict[str, Any]:
        """The settings as a marksheet's header has them."""
        return {name: getattr(self, name) for name in RECORDED}


class _SharedFields(TypedDict, total=False):
    metrics: Sequence[MetricInput] | MetricInput
    by: Sequence[str] | str
    seed: int
    draws: int
    confidence: float
    interval: str


class CompareFields(_SharedFields, total=False):
    """The fields of `MarkSettings` that a comparison uses, as keyword arguments."""

    trials: int


class PeopleFields(_SharedFields, total=False):
    """The fields of `MarkSettings` that people's marks use, as keyword arguments."""

    redact: bool


class MarkFields(_SharedFields, total=False):
    """The fields of `MarkSettings` as keyword arguments."""

    people: Sequence[SittingInput]
    trials: int
    count_seen: bool
    strict: bool
    classes: bool
    units: bool
    redact: bool
    fail_under: Sequence[str] | str
    workers: int
    traffic: Traffic | None
