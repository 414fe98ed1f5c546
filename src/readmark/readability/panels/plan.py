"""``readmark panel plan``: rounds for every judge, and what each judge gets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import UsageError
from readmark.formats.registry import open_test
from readmark.readability.panels.rounds import EXPERT, ROUND, PanelPlan, make_plan
from readmark.readability.panels.sheets import write_plan

MOST = 1000
"""Judges of a panel that are numbered rather than named."""


@click.command("plan")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Folder to write.")
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
@click.option("--round", "size", type=int, default=10, help="Passages per round")
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
        made = self.plan
        return {
            "output": self.output,
            "paper": made.paper,
            "seed": made.seed,
            "passages": len(made.passages),
            "rounds": [len(codes) for codes in made.rounds],
            "experts": [judge.name for judge in made.judges if judge.panel == EXPERT],
            "novices": [judge.name for judge in made.judges if judge.panel != EXPERT],
            "balance": made.balance,
            "doubts": self.doubts,
            "files": self.files,
            "plan": made,
        }

    def show(self, console: Console) -> None:
        """Judges and rounds, and what rounds have of every genre and topic."""
        made = self.plan
        experts = sum(judge.panel == EXPERT for judge in made.judges)
        sizes = Counter(len(codes) for codes in made.rounds)
        rounds = ", ".join(
            f"{counted(times, 'round')} of {size}"
            for size, times in sorted(sizes.items(), reverse=True)
        )
        console.print(
            f"{counted(len(made.passages), 'passage')} in {rounds}; {counted(experts, 'expert')}, "
            f"{counted(len(made.judges) - experts, 'novice')}, seed {made.seed}"
        )
        for name in ("genre", "topic"):
            label = {passage.code: getattr(passage, name) for passage in made.passages}
            table = plain_table(name, "passages", "fewest in a round", "most")
            for value, count in sorted(Counter(label.values()).items()):
                each = [sum(label[code] == value for code in codes) for codes in made.rounds]
                table.add_row(value, f"{count:,}", str(min(each)), str(max(each)))
            console.print(table)
        console.print(
            f"furthest from its share of a round, in passages: genre {made.balance.genre:.2f}, "
            f"topic {made.balance.topic:.2f} (always less than {made.balance.below})"
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
    """Plan the rounds and write them; a panel is a number of judges, or their names."""
    source = open_test(test, format=format, split=split)
    made = make_plan(
        source,
        experts=_judge_names(experts, "e"),
        novices=_judge_names(novices, "n"),
        size=size,
        even=even,
        seed=seed,
    )
    files = tuple(write_plan(source, made, folder))
    doubts = tuple(_doubts(made))
    notes = [*doubts]
    if len(made.rounds[-1]) * 2 < size and not even:
        notes.append("the last round is smaller and is ranked as well: see --even")
    written = counted(len(files), "file")
    notes.append(f"{folder}: {written} written; when filled in: readmark panel collect")
    return PlannedPanel(folder, made, files, doubts, tuple(notes))


def _judge_names(text: str, letter: str) -> list[str]:
    """``3`` as e1, e2, e3; else names with commas between them."""
    if re.fullmatch(r"\s*-?\d+\s*", text):
        count = int(text)
        if not 0 <= count <= MOST:
            raise UsageError(f"{count} judges, expected 0 to {MOST}")
        return [f"{letter}{number}" for number in range(1, count + 1)]
    return [name.strip() for name in text.split(",") if name.strip()]


def _doubts(made: PanelPlan) -> list[str]:
    experts = sum(judge.panel == EXPERT for judge in made.judges)
    novices = len(made.judges) - experts
    doubts = []
    if experts < 2:
        doubts.append(
            "one expert: the gold is one person's opinion" if experts else "no expert: no gold"
        )
    if novices < 2:
        few = "one novice is" if novices else "no novice is"
        doubts.append(f"{few} not enough to tell how people differ")
    return doubts
