"""``readmark panel``: readability panels. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.panel_commands",
    {
        "pool": Entry(
            "readmark.readability.panels.pool:pool_command",
            "Candidates a genre, vetted, standardised and drawn; the passages to be rated.",
        ),
        "plan": Entry(
            "readmark.readability.panels.plan:plan_command",
            "Rounds for every judge, balanced for genre and topic; sheets to fill in.",
        ),
        "collect": Entry(
            "readmark.readability.panels.collect:collect_command",
            "Check filled sheets: experts become the key, novices sittings.",
        ),
        "mark": Entry(
            "readmark.readability.panels.mark:mark_command",
            "Is a rater as good as a novice? Three metrics against what novices would get.",
        ),
        "synthesise": Entry(
            "readmark.readability.panels.synthesise:synthesise_command",
            "A panel of made-up judges, to try the statistics on.",
        ),
        "power": Entry(
            "readmark.readability.panels.power:power_command",
            "How many passages and judges show a given advantage.",
        ),
    },
)


@click.group("panel", cls=CommandGroup, registry=VERBS)
def panel_command() -> None:
    """Let experts and novices rate how easily passages read; mark machines beside them."""
