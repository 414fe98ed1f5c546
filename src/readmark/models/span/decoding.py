"""The best span: start times end over all valid spans of all windows of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scored:
    """One window's scores of its tokens of the passage, and of there being no answer."""

    first: int
    """The number of its first token in the passage."""
    starts: Floats
    ends: Floats
    none: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Tokens of the passage, first to last, and how likely they are the answer."""

    first: int
    last: int
    probability: float


def choose(windows: Sequence[Scored], *, longest: int, many: int = 1) -> list[Choice]:
    """The likeliest spans, best first; windows are weighed against each other by raw scores."""
    windows = [one for one in windows if len(one.starts)]
    if not windows:
        return []
    total = _log_sum([one.starts for one in windows]) + _log_sum([one.ends for one in windows])
    best: dict[tuple[int, int], float] = {}
    for one in windows:
        for score, first, last in _top(one, longest, many):
            place = one.first + first, one.first + last
            best[place] = max(best.get(place, -np.inf), score)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:many]
    return [Choice(*place, float(np.exp(score - total))) for place, score in ranked]


def most_overlapping(choices: Sequence[Choice]) -> list[Choice]:
    """The span with the greatest expected F1 first, the others as they come.

    Each span is taken for the answer as often as it is likely, and F1 counted in tokens: minimum
    Bayes risk. A span between several likely ones can come before the likeliest.
    """
    if len(choices) < 2:
        return list(choices)
    first = np.array([one.first for one in choices])
    after = np.array([one.last + 1 for one in choices])
    shared = np.minimum(after[:, None], after) - np.maximum(first[:, None], first)
    sizes = after - first
    overlap = 2 * np.maximum(shared, 0) / (sizes[:, None] + sizes)
    best = int((overlap @ np.array([one.probability for one in choices])).argmax())
    return [choices[best], *choices[:best], *choices[best + 1 :]]


def none_score(windows: Sequence[Scored], best: Choice | None) -> float:
    """How much likelier no answer is than the best one, by the most doubtful window."""
    nothing = min((one.none for one in windows), default=0.0)
    if best is None:
        return nothing
    said = max(
        float(one.starts[best.first - one.first] + one.ends[best.last - one.first])
        for one in windows
        if one.first <= best.first and best.last < one.first + len(one.starts)
    )
    return nothing - said


def _top(window: Scored, longest: int, many: int) -> list[tuple[float, int, int]]:
    count = len(window.starts)
    reach = min(longest, count)
    # Row d holds the spans of d + 1 tokens, by where they begin.
    sums = np.full((reach, count), -np.inf, np.float32)
    for more in range(reach):
        sums[more, : count - more] = window.starts[: count - more] + window.ends[more:]
    flat = sums.ravel()
    if many == 1:
        places = np.array([flat.argmax()])
    else:
        few = min(many, flat.size)
        places = np.argpartition(-flat, few - 1)[:few]
    return [
        (float(flat[at]), int(at % count), int(at % count + at // count))
        for at in places.tolist()
        if np.isfinite(flat[at])
    ]


def _log_sum(parts: Sequence[Floats]) -> float:
    together = np.concatenate(parts).astype(np.float64)
    top = together.max()
    return float(top + np.log(np.exp(together - top).sum()))
