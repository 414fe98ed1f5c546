"""``readmark panel synthesise``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.panel.traits import panels, traits_options


@click.command("synthesise")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="A new folder to write.")
@click.option("--experts", type=int, default=3, show_default=True, help="How many.")
@click.option("--novices", type=int, default=8, show_default=True, help="How many.")
@click.option(
    "--quality",
    metavar="FIELD",
    help="Where a passage's true quality stands; by default the field quality, else its ratings.",
)
@traits_options
@options.seed_option
@options.from_option
@options.json_option
def synthesise_command(
    test: str,
    output: str,
    experts: int,
    novices: int,
    quality: str | None,
    seed: int,
    from_format: str | None,
    as_json: bool,
    **traits: float,
) -> None:
    """Make up a panel for a readability TEST, to try the statistics on; labelled as made up.

    FOLDER gets the test with the experts' ratings as its key, and a sitting for each novice.
    """
    from readmark.workflows import api
    from readmark.workflows.panel_synthesise import synthesise

    expert, novice = panels(traits)
    made = synthesise(
        api.load(test, format=from_format),
        output,
        experts=experts,
        novices=novices,
        quality=quality,
        expert_traits=expert,
        novice_traits=novice,
        seed=seed,
    )
    if as_json:
        options.print_json(made.as_json())
    else:
        from readmark.reporting.panel_power import print_synthesised

        print_synthesised(made)
