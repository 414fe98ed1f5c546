"""A plan for a panel in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rich.table import Table

from readmark.reporting.terminal import counted, make_console, plain_table
from readmark.setting.panels import EXPERT
from readmark.setting.panels.planning import Plan


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
