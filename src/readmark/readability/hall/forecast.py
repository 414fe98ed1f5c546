"""The power of panels like one of the hall, as ``panel power`` estimates it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.readability.hall.results import PanelResults
from readmark.readability.panels.collect import Collected
from readmark.readability.panels.power import ADVANTAGE, PanelPower, power
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
    experts, novices = _ratings(results.collected)
    rated = np.isfinite(experts).any(axis=1) & np.isfinite(novices).any(axis=1)
    if rated.sum() < 2 or novices.shape[1] < 2:
        raise UsageError(
            "the power takes two passages that experts and novices have rated, and two novices"
        )
    expert = observed_traits(experts[rated]) if experts.shape[1] > 1 else EXPERTS
    novice = observed_traits(novices[rated])
    # Rounded, so that the printed command computes the same figures.
    design = Design(
        passages=int(rated.sum()),
        experts=int(experts.shape[1]),
        novices=int(novices.shape[1]),
        expert_traits=replace(
            expert, bias=round(expert.bias, 2), noise=round(expert.noise, 2), missing=0.0
        ),
        novice_traits=replace(
            novice,
            bias=round(novice.bias, 2),
            noise=round(novice.noise, 2),
            missing=round(novice.missing, 2),
        ),
    )
    simulation = Simulation(rater="advantage", advantage=ADVANTAGE, panels=SIMULATED_PANELS)
    return PanelForecast(power([design], simulation), _command(design))


def _command(design: Design) -> str:
    expert, novice = design.expert_traits, design.novice_traits
    return (
        f"readmark panel power --passages {design.passages} --experts {design.experts} "
        f"--novices {design.novices} --panels {SIMULATED_PANELS} "
        f"--expert-traits bias={expert.bias:g},noise={expert.noise:g} "
        f"--novice-traits bias={novice.bias:g},noise={novice.noise:g},missing={novice.missing:g}"
    )


def _ratings(collected: Collected) -> tuple[Floats, Floats]:
    """The ratings of experts and of novices: a row for each passage, a column for each judge."""
    records = list(collected.test.records())
    experts: dict[str, dict[str, float]] = {}
    for record in records:
        for rating in record.key.ratings if record.key is not None else ():
            experts.setdefault(rating.annotator, {})[record.id] = rating.rating
    novices = {
        sitting.candidate: {
            id: float(row.answer)
            for id in sitting
            for row in sitting.of(id)
            if isinstance(row.answer, int | float)
        }
        for sitting in collected.novices
    }
    ids = [record.id for record in records]
    return _columns(experts.values(), ids), _columns(novices.values(), ids)


def _columns(judges: Collection[Mapping[str, float]], ids: Sequence[str]) -> Floats:
    rows = [[ratings.get(id, np.nan) for ratings in judges] for id in ids]
    return np.array(rows, dtype=np.float64).reshape(len(ids), len(judges))
