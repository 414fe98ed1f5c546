"""The methods of intervals, and which to trust with how many clusters (docs/statistics.md).

Nothing is computed here, so that the command line can name the methods without loading numpy.
"""

from __future__ import annotations

from readmark.core.counts import counted, plural

PERCENTILE, BCA, JACKKNIFE = "percentile", "bca", "jackknife"
INTERVAL_METHODS = (PERCENTILE, BCA, JACKKNIFE)
FEW_CLUSTERS = 10
"""With fewer than these, percentile and BCa intervals are too narrow."""
VERY_FEW = 4
"""With fewer than these, any interval that covers is wide."""


def suitable_method(clusters: int) -> str:
    """The method whose intervals cover with so many clusters."""
    return JACKKNIFE if clusters < FEW_CLUSTERS else PERCENTILE


def few_words(clusters: int, noun: str, method: str) -> str | None:
    """What a reader should know of intervals made of few clusters; None where they are enough."""
    if clusters >= FEW_CLUSTERS:
        return None
    if clusters < 2:
        return f"{counted(clusters, noun)}: too few for an interval"
    if method == JACKKNIFE:
        wide = "so few leave the intervals wide, but not too narrow"
        return f"{clusters} {plural(noun)}: {wide}" if clusters < VERY_FEW else None
    return f"{clusters} {plural(noun)} (< {FEW_CLUSTERS}): {too_narrow(method)}"


def too_narrow(method: str) -> str:
    """Why intervals of few clusters are not to be trusted, and which are."""
    return f"{method} intervals are too narrow; use --interval {JACKKNIFE}"


def no_interval_words(noun: str) -> str:
    """Why the jackknife gives no interval of several clusters."""
    return f"no variation over the {plural(noun)}, or undefined without one of them"
