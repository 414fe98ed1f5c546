"""``readmark panel``: readability panels. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import Verbs

VERBS = {
    "pool": "Candidates a genre, vetted, standardised and drawn; the passages to be rated.",
    "plan": "Rounds for every judge, balanced for genre and topic; sheets to fill in.",
    "collect": "Check filled sheets: experts become the key, novices sittings.",
    "mark": "Is a rater as good as a novice? Three metrics against what novices would get.",
    "synthesise": "A panel of made-up judges, to try the statistics on.",
    "power": "How many passages and judges show a given advantage.",
}
"""Every verb with its one line; ``readmark.cli.panel.NAME`` has it as ``NAME_command``."""


@click.group("panel", cls=Verbs, verbs=VERBS, package=__name__)
def panel_command() -> None:
    """Let experts and novices rate how easily passages read; mark machines beside them."""
