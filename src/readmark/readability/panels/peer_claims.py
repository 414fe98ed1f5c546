"""The verdict on a machine among raters, in plain words."""

from __future__ import annotations

from readmark.core import numbers
from readmark.core.display import counted
from readmark.core.numbers import percent
from readmark.readability.panels.equivalence import BELOW_AVERAGE, PeerVerdict
from readmark.statistics.equivalence import (
    BETTER,
    EQUIVALENT,
    POWER,
    WORSE,
    Equivalence,
    clusters_needed,
)


def peer_claim(candidate: str, verdict: PeerVerdict) -> str:
    """What is shown of a machine by one metric, and how many passages a test would need."""
    test, metric = verdict.test, verdict.metric
    if test is None or test.p is None or test.p_lower is None or test.p_different is None:
        return f"{candidate}: cannot tell by {metric}, which has no test here"
    margin = f"{test.margin:g}{' stars' if verdict.is_distance else ''}"
    different = f"by {metric} (p {numbers.p_words(test.p_different)})"
    texts = {
        EQUIVALENT: f"equivalent to the average rater by {metric}: "
        f"the difference is below {margin} (p {numbers.p_words(test.p)})",
        BETTER: f"better than the average rater {different}",
        WORSE: f"worse than the average rater, and behind every rater, {different}",
        BELOW_AVERAGE: f"worse than the average rater, but not behind every rater, {different}",
    }
    text = texts.get(verdict.verdict)
    if text is None:
        text = f"cannot tell by {metric} whether it is equivalent to the average rater"
        if test.not_worse:
            text += f"; it is not worse by {margin} or more (p {numbers.p_words(test.p_lower)})"
    return f"{candidate}: {text}. {_places(verdict)}. {_needed(test)}"


def _places(verdict: PeerVerdict) -> str:
    """How many raters the machine is ahead of, and level with."""
    places = [peer.place for peer in verdict.counted]
    level = f" and level with {places.count(0)}" if 0 in places else ""
    return f"It is ahead of {places.count(-1)} of {counted(len(places), 'rater')}{level}"


def _needed(test: Equivalence) -> str:
    needed = clusters_needed(test)
    passages = "over a million passages" if needed is None else counted(needed, "passage")
    return (
        f"With {passages} like these (now {test.clusters:,}), a machine equal to the average rater "
        f"would be called equivalent in {percent(POWER, 0)} of tests"
    )
