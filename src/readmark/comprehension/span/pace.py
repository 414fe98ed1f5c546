"""How far a training is, by steps or by the clock, and how fast it learns there."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """A rate that rises, then falls to nothing at the last step or when time is up."""

    def __init__(
        self,
        steps: int,
        *,
        warmup: float,
        minutes: float = 0.0,
        spent: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._steps = steps
        self._rise = max(1, int(steps * warmup))
        self._seconds = minutes * 60
        self._clock = clock
        self._started = clock() - spent

    def share(self, step: int) -> float:
        """The share of the rate that this step learns with."""
        progress = max(float(step), self._share_of_time() * self._steps)
        rising = min(progress + 1, self._rise) / self._rise
        falling = 1 - max(0.0, progress - self._rise) / max(1, self._steps - self._rise)
        return rising * max(0.0, falling)

    def is_up(self) -> bool:
        """Whether the time is up, where there is a limit."""
        return self._share_of_time() >= 1

    def _share_of_time(self) -> float:
        return (self._clock() - self._started) / self._seconds if self._seconds else 0.0
