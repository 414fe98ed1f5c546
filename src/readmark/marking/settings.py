"""How marks are made: what is random, what it is seeded with, and the signature that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.version import __version__
from readmark.marking.metrics import Metric
from readmark.measures.draws import MOST_DRAWS

JACKKNIFE = "jackknife"
INTERVALS = ("percentile", "bca", JACKKNIFE)
FEW_CLUSTERS = 10
"""With fewer than these, percentile and BCa intervals are too narrow (docs/statistics.md)."""


VERY_FEW = 4
"""With fewer than these, any interval that covers is wide."""


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


def interval_name(settings: Settings, *, bca: bool) -> str:
    """How an interval is made; without ``bca`` a percentile one takes the place of a BCa one."""
    return "percentile" if settings.interval == "bca" and not bca else settings.interval


def interval_words(settings: Settings, *, bca: bool = True) -> dict[str, str | int | float]:
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
        return f"{clusters} {noun if clusters == 1 else nouns}: too few for an interval"
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
