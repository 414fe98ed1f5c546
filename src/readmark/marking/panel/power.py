"""Power, error and inflation of the test against novices, over sizes of panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.measures.novice_null import METRICS
from readmark.measures.panel_power import SIZES, Design, Passed, Rate, needed, passing
from readmark.measures.synthetic_panel import EXPERTS, NOVICES, Traits

ADVANTAGE = 0.1


@dataclass(frozen=True, slots=True)
class Power:
    """Everything that ``panel power`` shows."""

    rater: str
    advantage: float | None
    rounded: bool
    panels: int
    draws: int
    seed: int
    expert_traits: Traits
    novice_traits: Traits
    sizes: Sequence[Passed]
    target: float | None
    found: Sequence[tuple[int, str, Passed | None]]
    """The fewest passages for the target: by novices and metric."""

    def as_json(self) -> dict[str, Any]:
        """One document."""
        return {
            "rater": self.rater,
            "advantage": self.advantage,
            "round": self.rounded,
            "panels": self.panels,
            "draws": self.draws,
            "seed": self.seed,
            "traits": {
                "experts": asdict(self.expert_traits),
                "novices": asdict(self.novice_traits),
            },
            "sizes": [_passed_json(one) for one in self.sizes],
            "target": self.target,
            "needed": [
                {
                    "novices": novices,
                    "metric": metric,
                    "passages": None if one is None else one.design.passages,
                    "power": None if one is None else _rate_json(one.drawn[metric]),
                    "tried": list(SIZES),
                }
                for novices, metric, one in self.found
            ],
        }


def power(
    *,
    passages: Sequence[int] = (100,),
    experts: int = 3,
    novices: Sequence[int] = (8,),
    expert_traits: Traits = EXPERTS,
    novice_traits: Traits = NOVICES,
    rater: str = "advantage",
    advantage: float | None = None,
    rounded: bool = False,
    target: float | None = None,
    panels: int = 400,
    draws: int = 999,
    seed: int = 1,
    watch: Callable[[int, int], None] | None = None,
) -> Power:
    """How often the rater passes for each size; and, with a target, the passages that it takes.

    The advantage is a tenth of a star unless another is asked for.
    """
    if advantage is not None and rater != "advantage":
        raise UsageError(f"--advantage is for --rater advantage, a rater {rater!r} has none to set")
    advantage = ADVANTAGE if advantage is None else advantage
    if target is not None and rater != "advantage":
        raise UsageError("--find is for a rater with an advantage")
    if target is not None and not 0 < target < 1:
        raise UsageError(f"a power lies between 0 and 1, not at {target:g}")
    designs = [
        Design(k, experts, many, expert_traits, novice_traits) for many in novices for k in passages
    ]
    total, before = len(designs) * panels, 0
    sizes = []
    for design in designs:

        def tell(done: int, _: int, before: int = before) -> None:
            if watch is not None:
                watch(before + done, total)

        one = passing(
            design,
            rater=rater,
            advantage=advantage,
            panels=panels,
            draws=draws,
            seed=seed,
            rounded=rounded,
            watch=tell,
        )
        sizes.append(one)
        before += panels
    found: list[tuple[int, str, Passed | None]] = []
    for many in novices if target is not None else ():
        kept: dict[int, Passed] = {}
        for metric in METRICS:
            best = needed(
                Design(2, experts, many, expert_traits, novice_traits),
                metric,
                advantage=advantage,
                power=target or 0.0,
                panels=panels,
                draws=draws,
                seed=seed,
                rounded=rounded,
                kept=kept,
            )
            found.append((many, metric, best))
    return Power(
        rater,
        advantage if rater == "advantage" else None,
        rounded,
        panels,
        draws,
        seed,
        expert_traits,
        novice_traits,
        sizes,
        target,
        found,
    )


def _passed_json(one: Passed) -> dict[str, Any]:
    return {
        "passages": one.design.passages,
        "experts": one.design.experts,
        "novices": one.design.novices,
        "passed": {name: _rate_json(rate) for name, rate in one.drawn.items()},
        "whole_judges": {name: _rate_json(rate) for name, rate in one.judges.items()},
        "mean": one.mean,
    }


def _rate_json(rate: Rate) -> dict[str, float]:
    low, high = rate.interval
    return {"share": rate.share, "low": low, "high": high}
