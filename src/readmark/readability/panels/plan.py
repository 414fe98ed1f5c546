"""``readmark panel plan``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import click
from rich.table import Table

from readmark import console as options
from readmark.core.display import counted, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.formats.registry import open_test
from readmark.readability.panels import EXPERT
from readmark.readability.panels.rounds import ROUND, Plan, planned
from readmark.readability.panels.sheets import write_plan


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
@options.from_option
@options.json_option
def plan_command(
    test: str,
    output: str,
    experts: str,
    novices: str,
    size: int,
    even: bool,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Plan the rounds of a readability panel on TEST and write the judges' material.

    Every judge rates every passage once. The rounds are the same for all judges and balanced by
    genre and topic; their order, and the order of passages in them, differs for each judge.
    FOLDER gets plan.json and, for every judge, a page to read and a sheet to fill in. Pass the
    completed sheets to panel collect.
    """

    made, written = plan(
        test,
        output,
        experts=experts,
        novices=novices,
        size=size,
        even=even,
        seed=seed,
        format=from_format,
    )
    if as_json:
        options.print_json({"output": output, **plan_json(made, written)})
        return

    print_plan(made)
    options.notify(doubts(made))
    if len(made.rounds[-1]) * 2 < size and not even:
        options.notify(["the last round is smaller and is ranked as well: see --even"])
    options.notify(
        [f"{output}: {len(written)} files written; when filled in: readmark panel collect"]
    )


# A plan for a panel in a terminal.


def print_plan(made: Plan) -> None:
    """Judges and rounds, and what rounds have of every genre and topic."""
    console = make_console()
    experts = sum(one.panel == EXPERT for one in made.judges)
    sizes = Counter(len(one) for one in made.rounds)
    rounds = ", ".join(
        f"{counted(times, 'round')} of {size}"
        for size, times in sorted(sizes.items(), reverse=True)
    )
    console.print(
        f"{counted(len(made.passages), 'passage')} in {rounds}; {counted(experts, 'expert')}, "
        f"{counted(len(made.judges) - experts, 'novice')}, seed {made.seed}"
    )
    for name in ("genre", "topic"):
        label = {one.code: getattr(one, name) for one in made.passages}
        console.print(_spread(made, name, label))
    console.print(
        f"furthest from its share of a round, in passages: genre {made.balance.genre:.2f}, topic "
        f"{made.balance.topic:.2f} (always less than {made.balance.below})"
    )


def _spread(made: Plan, name: str, label: Mapping[str, str]) -> Table:
    """Of every label, how many passages there are, and the fewest and most in a round."""
    table = plain_table(name, "passages", "fewest in a round", "most")
    for value, count in sorted(Counter(label.values()).items()):
        each = [sum(label[code] == value for code in codes) for codes in made.rounds]
        table.add_row(value, f"{count:,}", str(min(each)), str(max(each)))
    return table


# A plan for a readability panel: rounds for every judge, and what they get.


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


def plan_json(made: Plan, written: list[str]) -> dict[str, Any]:
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
