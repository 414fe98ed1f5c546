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
            "Vet, standardise and sample the passages to rate, by genre.",
        ),
        "plan": Entry(
            "readmark.readability.panels.plan:plan_command",
            "Plan balanced rounds for every judge and write their sheets.",
        ),
        "collect": Entry(
            "readmark.readability.panels.collect:collect_command",
            "Check completed sheets; make the key from experts, sittings from novices.",
        ),
        "mark": Entry(
            "readmark.readability.panels.mark:mark_command",
            "Test whether a rater is as good as a novice, by three metrics.",
        ),
        "synthesise": Entry(
            "readmark.readability.panels.synthesise:synthesise_command",
            "Generate a synthetic panel, to try out the statistics.",
        ),
        "power": Entry(
            "readmark.readability.panels.power:power_command",
            "Estimate how many passages and judges a test of a rater needs.",
        ),
    },
)


@click.group("panel", cls=CommandGroup, registry=VERBS)
def panel_command() -> None:
    """Run panels of experts and novices who rate passages for readability; mark machines."""
