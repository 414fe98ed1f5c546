"""How marks are made: what is random, what it is seeded with, and the signature that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.version import __version__
from readmark.marking.metrics import Metric
from readmark.measures.draws import MOST_DRAWS

INTERVALS = ("percentile", "bca")


@dataclass(frozen=True, slots=True)
class Settings:
    """Seed, draws, trials and confidence; the defaults are the house's."""

    seed: int = 1
    draws: int = 1000
    trials: int = 10_000
    confidence: float = 0.95
    interval: str = "percentile"

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"seed {self.seed} is negative, expected 0 or more")
        for count in (self.draws, self.trials):
            if not 1 <= count <= MOST_DRAWS:
                raise UsageError(
                    f"draws and trials must be from 1 to {MOST_DRAWS:,}, found {count:,}"
                )
        if not 0 < self.confidence < 1:
            raise UsageError(f"confidence {self.confidence} is not between 0 and 1")
        if self.interval not in INTERVALS:
            raise UsageError(f"interval {self.interval!r} is not one of {'|'.join(INTERVALS)}")


def signature(
    name: str, metric: Metric, kind: Kind, settings: Settings, **more: str | int | float
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


def interval_words(settings: Settings, *, bca: bool = True) -> dict[str, str | int | float]:
    """The part of a signature that tells of an interval; without ``bca`` it is a percentile one."""
    how = settings.interval if bca else "percentile"
    return {"interval": how, "confidence": settings.confidence, "draws": settings.draws}
