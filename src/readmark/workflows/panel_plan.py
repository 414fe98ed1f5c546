"""A plan for a readability panel: rounds for every judge, and what they get."""

from __future__ import annotations

import re
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.formats import open_test
from readmark.setting.panels import EXPERT
from readmark.setting.panels.planning import ROUND, Plan, planned
from readmark.setting.panels.sheets import write_plan

MOST = 1000
"""Judges of a panel that are numbered rather than named."""


def plan(
    test: str,
    folder: str,
    *,
    experts: str,
    novices: str,
    size: int = ROUND,
    even: bool = False,
    seed: int = 1,
    format: str | None = None,
) -> tuple[Plan, list[str]]:
    """Plan and write; the plan and the files. A panel is a number of judges, or their names."""
    source = open_test(test, format=format)
    made = planned(
        source,
        experts=names(experts, "e"),
        novices=names(novices, "n"),
        size=size,
        even=even,
        seed=seed,
    )
    return made, write_plan(source, made, folder)


def names(told: str, letter: str) -> list[str]:
    """``3`` as e1, e2, e3; else names with commas between them."""
    if re.fullmatch(r"\s*-?\d+\s*", told):
        count = int(told)
        if not 0 <= count <= MOST:
            raise UsageError(f"{count} judges, expected 0 to {MOST}")
        return [f"{letter}{at}" for at in range(1, count + 1)]
    return [one.strip() for one in told.split(",") if one.strip()]


def doubts(made: Plan) -> list[str]:
    """What a panel of these judges cannot show."""
    experts = sum(one.panel == EXPERT for one in made.judges)
    novices = len(made.judges) - experts
    found = []
    if experts < 2:
        found.append(
            "one expert: the gold is one person's opinion" if experts else "no expert: no gold"
        )
    if novices < 2:
        few = "one novice is" if novices else "no novice is"
        found.append(f"{few} not enough to tell how people differ")
    return found


def as_json(made: Plan, written: list[str]) -> dict[str, Any]:
    """What ``readmark panel plan --json`` prints."""
    return {
        "paper": made.paper,
        "seed": made.seed,
        "passages": len(made.passages),
        "rounds": [len(one) for one in made.rounds],
        "experts": [one.name for one in made.judges if one.panel == EXPERT],
        "novices": [one.name for one in made.judges if one.panel != EXPERT],
        "balance": made.balance,
        "doubts": doubts(made),
        "files": written,
        "plan": made,
    }
