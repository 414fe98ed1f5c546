"""The ladder: a team learns of a hidden mark only where it improves by more than the noise.

This is the parameter-free Ladder of Blum and Hardt ("The Ladder: a reliable leaderboard for machine
learning competitions", 2015), for each team: a submission's hidden marks are released if the order
metric is better than that of the team's best released submission by more than one paired standard
error, and then rounded like every hidden mark. Every other submission learns one bit, that it did
not improve. A standard error of very few differing units says little, and a change of one answer
would show that answer's mark; so a release also needs a least number of units that differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from readmark.statistics.randomisation import DETECTABLE

Release = Literal["released", "not_better", "queued"]
Pair = tuple[str, str]
"""The ids of two submissions: the team's best so far, and the new one."""


@dataclass(frozen=True)
class Attempt:
    """A submission as the ladder sees it."""

    id: str
    team: str
    is_marked: bool
    has_mark: bool = True
    """Whether it has a mark of the order metric on the hidden split."""


@dataclass(frozen=True)
class Gain:
    """What a submission gains over another, and how sure that is."""

    gain: float | None
    """The difference of the order metric, positive where the new submission is better."""
    noise: float | None
    """One paired standard error."""
    differing: int
    """Units on which the two have different marks."""

    @classmethod
    def of(cls, comparison: Mapping[str, object]) -> Gain:
        """What an entry of ``compare --json`` says."""
        difference, detectable = comparison["difference"], comparison["detectable"]
        assert difference is None or isinstance(difference, int | float)
        assert detectable is None or isinstance(detectable, int | float)
        differing = comparison["discordant"]
        assert isinstance(differing, int)
        sign = -1.0 if comparison["lower_is_better"] else 1.0
        return cls(
            None if difference is None else sign * difference,
            None if detectable is None else detectable / DETECTABLE,
            differing,
        )

    def is_improvement(self, fewest: int) -> bool:
        """Whether it is more than the noise, and rests on enough units."""
        if self.gain is None or self.noise is None or self.differing < fewest:
            return False
        return self.gain > self.noise


@dataclass(frozen=True)
class Climb:
    """What is released, and which pairs have to be compared before more can be decided."""

    releases: Mapping[str, Release]
    missing: Sequence[Pair]


def climb(attempts: Sequence[Attempt], gains: Mapping[Pair, Gain], *, fewest: int) -> Climb:
    """Decide the attempts in their order, each team for itself.

    An attempt that is not marked yet, or not compared, holds back the later ones of its team:
    otherwise what is shown would depend on which worker was faster.
    """
    releases: dict[str, Release] = {}
    best: dict[str, str] = {}
    stopped: set[str] = set()
    missing: list[Pair] = []
    for attempt in attempts:
        if attempt.team in stopped or not attempt.is_marked:
            stopped.add(attempt.team)
            releases[attempt.id] = "queued"
            continue
        if not attempt.has_mark:
            releases[attempt.id] = "not_better"
            continue
        if attempt.team in best:
            pair = (best[attempt.team], attempt.id)
            if pair not in gains:
                missing.append(pair)
                stopped.add(attempt.team)
                releases[attempt.id] = "queued"
                continue
            if not gains[pair].is_improvement(fewest):
                releases[attempt.id] = "not_better"
                continue
        best[attempt.team] = attempt.id
        releases[attempt.id] = "released"
    return Climb(releases, missing)
