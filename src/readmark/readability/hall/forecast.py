"""The power that panels like one of the hall have, as ``panel power`` says it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from readmark.core.errors import UsageError
from readmark.readability.hall.results import PanelResults
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.power import ADVANTAGE, PanelPower, power
from readmark.readability.panels.rounds import EXPERT, NOVICE
from readmark.readability.panels.simulation import Design, Simulation
from readmark.readability.panels.synthetic_judges import EXPERTS, observed_traits

SIMULATED_PANELS = 200
"""Panels that are simulated, with 999 draws each: about a second for 50 passages."""


@dataclass(frozen=True)
class PanelForecast:
    """The power of panels like this one, and the command that computes the same."""

    power: PanelPower
    command: str

    def as_json(self) -> dict[str, Any]:
        """The document of ``panel power --json``, and the command."""
        return {"command": self.command, **self.power.as_json()}


def forecast_power(results: PanelResults) -> PanelForecast:
    """How often a rater 0.1 stars closer than the mean novice passes with judges like these.

    As many passages, experts and novices as have ratings now. Biases, noise and missing ratings
    are those observed; passages and a single expert vary as in ``panel power``, nobody drifts.
    """
    table = _ratings(results.collected)
    experts, novices = (table[panel] for panel in (EXPERT, NOVICE))
    rated = np.isfinite(experts).any(axis=1) & np.isfinite(novices).any(axis=1)
    if rated.sum() < 2 or novices.shape[1] < 2:
        raise UsageError(
            "the power takes two passages that experts and novices have rated, and two novices"
        )
    expert = observed_traits(experts[rated]) if experts.shape[1] > 1 else EXPERTS
    novice = observed_traits(novices[rated])
    design = Design(
        passages=int(rated.sum()),
        experts=int(experts.shape[1]),
        novices=int(novices.shape[1]),
        expert_traits=replace(
            expert, bias=_short(expert.bias), noise=_short(expert.noise), missing=0.0
        ),
        novice_traits=replace(
            novice,
            bias=_short(novice.bias),
            noise=_short(novice.noise),
            missing=_short(novice.missing),
        ),
    )
    by = Simulation(rater="advantage", advantage=ADVANTAGE, panels=SIMULATED_PANELS)
    return PanelForecast(power([design], by), _command(design))


def _short(value: float) -> float:
    return round(value, 2)


def _command(design: Design) -> str:
    expert, novice = design.expert_traits, design.novice_traits
    return (
        f"readmark panel power --passages {design.passages} --experts {design.experts} "
        f"--novices {design.novices} --panels {SIMULATED_PANELS} "
        f"--expert-traits bias={expert.bias:g},noise={expert.noise:g} "
        f"--novice-traits bias={novice.bias:g},noise={novice.noise:g},missing={novice.missing:g}"
    )


def _ratings(done: Collected) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """The ratings of each panel: a row for each passage, a column for each judge."""
    ids = [record.id for record in done.test.records()]
    ratings: dict[str, dict[str, dict[str, float]]] = {EXPERT: {}, NOVICE: {}}
    for record in done.test.records():
        for rating in record.key.ratings if record.key is not None else ():
            ratings[EXPERT].setdefault(rating.annotator, {})[record.id] = rating.rating
    for sitting in done.novices:
        ratings[NOVICE][sitting.candidate] = {
            id: float(row.answer)
            for id in sitting
            for row in sitting.of(id)
            if isinstance(row.answer, int | float)
        }
    return {
        panel: np.array(
            [[own.get(id, np.nan) for own in judges.values()] for id in ids], dtype=np.float64
        ).reshape(len(ids), len(judges))
        for panel, judges in ratings.items()
    }
