"""One rater, or one novice in place of a machine, compared with the novices of a panel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from readmark.marking import Mark
from readmark.readability.metrics.undefined import ALIKE
from readmark.readability.panels.novices import (
    METRICS,
    NoviceVerdict,
    Null,
    WholeJudges,
    against_judges,
    left_out,
    verdicts,
)
from readmark.readability.panels.panel_ratings import PEARSON, PanelRatings


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater on some passages: marks, the verdict of the null, and whole judges, by metric."""

    candidate: str
    passages: int
    marks: Mapping[str, Mark]
    verdicts: Mapping[str, NoviceVerdict]
    judges: Mapping[str, WholeJudges]
    why: Mapping[str, str] = field(default_factory=dict)
    """Why a metric has no p, where it has none."""
    single: int = 0
    """How many of the passages a single novice rated."""

    @property
    def better(self) -> list[str]:
        """The metrics by which the rater is better than ratings drawn from the novices."""
        return [name for name, verdict in self.verdicts.items() if verdict.better]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A novice in place of the machine, compared with the other novices."""

    novice: str
    passages: int
    verdicts: Mapping[str, NoviceVerdict]

    @property
    def passes(self) -> list[str]:
        """The metrics by which the novice is better than ratings drawn from the others."""
        return [name for name, verdict in self.verdicts.items() if verdict.better]


def rater_line(
    candidate: str, gathered: PanelRatings, null: Null, marks: Mapping[str, Mark]
) -> RaterLine:
    """A rater compared with the novices; ``null`` may be shared with other raters."""
    novice_verdicts = verdicts(gathered.panel, gathered.machine, null(gathered.panel))
    judges = against_judges(gathered.panel, gathered.machine)
    by_metric = dict(zip(METRICS, novice_verdicts, strict=True))
    return RaterLine(
        candidate=candidate,
        passages=gathered.panel.passages,
        marks=marks,
        verdicts=by_metric,
        judges=dict(zip(METRICS, judges, strict=True)),
        why=_why(gathered, by_metric[PEARSON].observed),
        single=int(gathered.panel.single.sum()),
    )


def _why(gathered: PanelRatings, correlation: float) -> dict[str, str]:
    """Why metrics have no p: nothing is drawn, or there is no correlation."""
    reasons: dict[str, str] = {}
    if gathered.panel.single.all():
        reasons = dict.fromkeys(METRICS, "no p: every passage has one novice, so nothing is drawn")
    if not math.isfinite(correlation):
        reasons[PEARSON] = f"undefined: {_why_uncorrelated(gathered)}"
    return reasons


def _why_uncorrelated(gathered: PanelRatings) -> str:
    if not gathered.answered:
        return f"{int(np.count_nonzero(~np.isfinite(gathered.ratings)))} unanswered"
    if len(gathered.ids) < 2:
        return "one passage"
    if np.ptp(gathered.ratings) == 0:
        return "the ratings are all the same"
    if np.ptp(gathered.panel.gold) == 0:
        return "the gold ratings are all the same"
    return ALIKE


def leave_each_out(gathered: PanelRatings, *, seed: int, draws: int) -> list[LeftOut]:
    """Every novice who shares a passage with another, in place of the machine."""
    lines = []
    by_novice = left_out(gathered.panel, seed=seed, draws=draws)
    for index, (name, of_novice) in enumerate(zip(gathered.novices, by_novice, strict=True)):
        if of_novice is not None:
            _, shared = gathered.panel.without(index)
            by_metric = dict(zip(METRICS, of_novice, strict=True))
            lines.append(LeftOut(name, int(shared.sum()), by_metric))
    return lines
