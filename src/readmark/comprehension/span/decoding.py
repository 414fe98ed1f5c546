"""The best span by the scores of a question's windows: start times end, over all valid spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats32


@dataclass(frozen=True, slots=True)
class ScoredWindow:
    """One window's scores of its tokens of the passage, and of there being no answer."""

    first: int
    """The number of its first token in the passage."""
    starts: Floats32
    ends: Floats32
    none: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Tokens of the passage, first to last, and how likely they are the answer."""

    first: int
    last: int
    probability: float


def choose(windows: Sequence[ScoredWindow], *, longest: int, count: int = 1) -> list[Choice]:
    """The likeliest spans, best first; windows are weighed against each other by raw scores."""
    windows = [window for window in windows if len(window.starts)]
    if not windows:
        return []
    total = _log_sum([window.starts for window in windows]) + _log_sum(
        [window.ends for window in windows]
    )
    best: dict[tuple[int, int], float] = {}
    for window in windows:
        for score, first, last in _best_spans(window, longest, count):
            # Windows overlap: a span that two of them have counts once.
            place = window.first + first, window.first + last
            best[place] = max(best.get(place, -np.inf), score)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:count]
    return [Choice(*place, float(np.exp(score - total))) for place, score in ranked]


def _best_spans(window: ScoredWindow, longest: int, count: int) -> list[tuple[float, int, int]]:
    """The spans of a window with the highest scores: score, first and last token."""
    tokens = len(window.starts)
    reach = min(longest, tokens)
    # Row d holds the spans of d + 1 tokens, by where they begin.
    sums = np.full((reach, tokens), -np.inf, np.float32)
    for more in range(reach):
        sums[more, : tokens - more] = window.starts[: tokens - more] + window.ends[more:]
    flat = sums.ravel()
    # Each of the best starts has a span that is as good as the least of these or better.
    least = -np.inf if count > tokens else np.sort(sums.max(axis=0))[-count]
    places = np.flatnonzero(flat >= least)
    places = places[np.argsort(-flat[places], kind="stable")[:count]]
    return [
        (float(flat[place]), int(place % tokens), int(place % tokens + place // tokens))
        for place in places.tolist()
        if np.isfinite(flat[place])
    ]


def _log_sum(parts: Sequence[Floats32]) -> float:
    """The logarithm of the sum of the scores' exponentials."""
    scores = np.concatenate(parts).astype(np.float64)
    top = scores.max()
    return float(top + np.log(np.exp(scores - top).sum()))


def most_overlapping(choices: Sequence[Choice]) -> list[Choice]:
    """The span with the greatest expected F1 first, the others as they come.

    Each span is taken for the answer as often as it is likely, and F1 counted in tokens: minimum
    Bayes risk. A span between several likely ones can come before the likeliest.
    """
    if len(choices) < 2:
        return list(choices)
    first = np.array([choice.first for choice in choices])
    after = np.array([choice.last + 1 for choice in choices])
    shared = np.minimum(after[:, None], after) - np.maximum(first[:, None], first)
    sizes = after - first
    overlap = 2 * np.maximum(shared, 0) / (sizes[:, None] + sizes)
    best = int((overlap @ np.array([choice.probability for choice in choices])).argmax())
    return [choices[best], *choices[:best], *choices[best + 1 :]]


def none_score(windows: Sequence[ScoredWindow], best: Choice | None) -> float:
    """How much likelier no answer is than the best one, by the most doubtful window."""
    none = min((window.none for window in windows), default=0.0)
    if best is None:
        return none
    score = max(
        float(window.starts[best.first - window.first] + window.ends[best.last - window.first])
        for window in windows
        if window.first <= best.first and best.last < window.first + len(window.starts)
    )
    return none - score
