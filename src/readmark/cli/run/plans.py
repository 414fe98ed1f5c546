"""What a run would do: what is left to sit, and what that would cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.cli.run.markings import markings
from readmark.cli.run.pairings import Pairing, RunTest, paired_tests
from readmark.cli.run.runner import run_file, sit_settings
from readmark.core.configuration_sections import RunSettings, short_path
from readmark.core.display import Result, plain_table
from readmark.core.errors import ReadmarkError
from readmark.core.numbers import decimal
from readmark.sitting import SittingPlan, plan


@dataclass(frozen=True, slots=True)
class PlannedCandidate:
    """What is left to sit of a candidate on a test, or why it cannot be planned."""

    test: str
    candidate: str
    plan: SittingPlan | None = None
    failure: str | None = None


@dataclass(frozen=True, repr=False)
class RunPlan(Result):
    """What a run would sit, and what that would cost where it is known."""

    folder: Path
    candidates: Sequence[PlannedCandidate] = field(default_factory=tuple)

    @property
    def failures(self) -> list[str]:
        """What cannot be sat, one per line."""
        return [
            f"{planned.test}: {planned.candidate}: {planned.failure}"
            for planned in self.candidates
            if planned.failure is not None
        ]

    @property
    def costs(self) -> dict[str, tuple[float, float]]:
        """By currency, what the requests of all would cost: about, and at most."""
        costs: dict[str, tuple[float, float]] = {}
        for planned in self.candidates:
            estimate = planned.plan.estimate if planned.plan is not None else None
            if estimate is not None and estimate.cost is not None:
                about, most = costs.get(estimate.currency, (0.0, 0.0))
                costs[estimate.currency] = (
                    about + estimate.cost,
                    most + (estimate.most_cost or estimate.cost),
                )
        return costs

    def as_json(self) -> dict[str, Any]:
        """The document that ``run --plan --json`` prints."""
        return {
            "out": str(self.folder),
            "candidates": [
                {
                    "test": planned.test,
                    "candidate": planned.candidate,
                    "plan": None if planned.plan is None else planned.plan.as_json(),
                    "failure": planned.failure,
                }
                for planned in self.candidates
            ],
            "costs": {
                currency: {"about": about, "at_most": most}
                for currency, (about, most) in self.costs.items()
            },
        }

    def show(self, console: Console) -> None:
        """Print what is left of each sitting, then the sum of the costs."""
        asks = any(planned.plan and planned.plan.estimate for planned in self.candidates)
        more = ("requests", "cost") if asks else ()
        table = plain_table("test", "candidate", "left", "done", *more)
        table.columns[1].justify = "left"
        for planned in self.candidates:
            if planned.plan is None:
                continue
            estimate = planned.plan.estimate
            requests = cost = ""
            if estimate is not None:
                requests = f"{estimate.requests:,}"
                if estimate.cost is not None:
                    cost = f"{decimal(estimate.cost, 4)} {estimate.currency}"
            table.add_row(
                planned.test,
                planned.candidate,
                f"{planned.plan.left:,}",
                f"{planned.plan.answered:,}",
                *((requests, cost) if asks else ()),
            )
        if table.row_count:
            console.print(table)
        for currency, (about, most) in self.costs.items():
            console.print(f"cost about {decimal(about, 4)} {currency}, at most {decimal(most, 4)}")
        for line in self.failures:
            console.print(line, soft_wrap=True)
        console.print(f"to be written to {self.folder}; nothing was asked", soft_wrap=True)


def plan_run(file: str | Path | None = None) -> RunPlan:
    """What a run file would do; nothing is asked or written."""
    with run_file(file) as (settings, _):
        folder = Path(short_path(Path(settings.out)))
        tests = paired_tests(settings, folder)
        markings(settings, tests)
        planned = [_planned(test, pairing, settings) for test in tests for pairing in test.pairings]
        return RunPlan(folder, planned)


def _planned(test: RunTest, pairing: Pairing, settings: RunSettings) -> PlannedCandidate:
    try:
        options = sit_settings(settings, pairing.candidate)
        sitting_plan = plan(test.test, pairing.candidate, pairing.sitting, options)
    except ReadmarkError as error:
        return PlannedCandidate(test.name, pairing.candidate, failure=str(error))
    return PlannedCandidate(test.name, pairing.candidate, sitting_plan)
