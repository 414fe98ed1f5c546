"""``readmark panel plan``: rounds for every judge, and what each of them gets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import UsageError
from readmark.core.numbers import decimal
from readmark.formats.registry import open_test
from readmark.readability.panels.judge_sheets import write_plan
from readmark.readability.panels.rounds import EXPERT, ROUND, PanelPlan, make_plan

MOST = 1000
"""How many judges of a panel may be asked for by a number."""


@click.command("plan")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="FOLDER", help="Folder to write.", type=OUTPUT_FOLDER
)
@click.option(
    "--experts",
    default="3",
    metavar="N",
    help="Number of experts, or their names separated by commas",
)
@click.option(
    "--novices",
    default="5",
    metavar="N",
    help="Number of novices, or their names separated by commas",
)
@click.option("--round", "size", type=int, default=ROUND, help="Passages per round")
@click.option(
    "--even",
    is_flag=True,
    help="Make round sizes differ by at most one, instead of having a smaller last round.",
)
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
def plan_command(
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Plan the rounds of a readability panel on TEST and write the judges' material.

    Every judge rates every passage once. The rounds are the same for all judges and balanced by
    genre and topic; their order, and the order of passages in them, differs for each judge.
    FOLDER gets plan.json and, for every judge, a page to read and a sheet to fill in. Pass the
    completed sheets to panel collect.
    """
    result = plan(test, output, format=from_format, split=split, **settings)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


@dataclass(frozen=True, slots=True)
class PlannedPanel(Result):
    """A plan, and the files that it was written to."""

    output: str
    plan: PanelPlan
    files: tuple[str, ...]
    doubts: tuple[str, ...]
    """What a panel of these judges cannot show."""
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Judges, rounds and balance; the plan itself last."""
        plan = self.plan
        return {
            "output": self.output,
            "paper": plan.paper,
            "seed": plan.seed,
            "passages": len(plan.passages),
            "rounds": [len(codes) for codes in plan.rounds],
            "experts": [judge.name for judge in plan.judges if judge.panel == EXPERT],
            "novices": [judge.name for judge in plan.judges if judge.panel != EXPERT],
            "balance": plan.balance,
            "doubts": self.doubts,
            "files": self.files,
            "plan": plan,
        }

    def show(self, console: Console) -> None:
        """Judges and rounds, and how many passages of each genre and topic a round has."""
        plan = self.plan
        experts = sum(judge.panel == EXPERT for judge in plan.judges)
        sizes = Counter(len(codes) for codes in plan.rounds)
        rounds = ", ".join(
            f"{counted(times, 'round')} of {size}"
            for size, times in sorted(sizes.items(), reverse=True)
        )
        console.print(
            f"{counted(len(plan.passages), 'passage')} in {rounds}; {counted(experts, 'expert')}, "
            f"{counted(len(plan.judges) - experts, 'novice')}, seed {plan.seed}"
        )
        for name in ("genre", "topic"):
            labels = {passage.code: getattr(passage, name) for passage in plan.passages}
            table = plain_table(name, "passages", "fewest in a round", "most")
            for label, count in sorted(Counter(labels.values()).items()):
                in_rounds = [sum(labels[code] == label for code in codes) for codes in plan.rounds]
                table.add_row(label, f"{count:,}", str(min(in_rounds)), str(max(in_rounds)))
            console.print(table)
        console.print(
            "furthest from its share of a round, in passages: "
            f"genre {decimal(plan.balance.genre)}, "
            f"topic {decimal(plan.balance.topic)} (always less than {plan.balance.below})"
        )


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
    split: str | None = None,
) -> PlannedPanel:
    """Plan the rounds and write them; a panel is the number of its judges, or their names."""
    source = open_test(test, format=format, split=split)
    panel_plan = make_plan(
        source,
        experts=_judge_names(experts, "e"),
        novices=_judge_names(novices, "n"),
        size=size,
        even=even,
        seed=seed,
    )
    files = tuple(write_plan(source, panel_plan, folder))
    doubts = tuple(_doubts(panel_plan))
    notes = [*doubts]
    if len(panel_plan.rounds[-1]) * 2 < size and not even:
        notes.append("the last round is smaller and is ranked as well: see --even")
    written = counted(len(files), "file")
    notes.append(f"{folder}: {written} written; when filled in: readmark panel collect")
    return PlannedPanel(folder, panel_plan, files, doubts, tuple(notes))


def _judge_names(text: str, letter: str) -> list[str]:
    """``3`` as e1, e2, e3; else names with commas between them."""
    if re.fullmatch(r"\s*-?\d+\s*", text):
        count = int(text)
        if not 0 <= count <= MOST:
            raise UsageError(f"{count} judges, expected 0 to {MOST}")
        return [f"{letter}{number}" for number in range(1, count + 1)]
    return [name.strip() for name in text.split(",") if name.strip()]


def _doubts(plan: PanelPlan) -> list[str]:
    experts = sum(judge.panel == EXPERT for judge in plan.judges)
    novices = len(plan.judges) - experts
    doubts = []
    if experts == 0:
        doubts.append("no expert: no gold")
    elif experts == 1:
        doubts.append("one expert: the gold is one person's opinion")
    if novices < 2:
        count = "one novice" if novices else "no novice"
        doubts.append(f"{count} is not enough to tell how people differ")
    return doubts
