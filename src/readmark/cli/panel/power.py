"""``readmark panel power``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.panel.traits import panels, traits_options
from readmark.cli.ticker import Ticker


def _sizes(_: click.Context, parameter: click.Parameter, value: str) -> list[int]:
    try:
        found = [int(one) for one in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers") from None
    return found


@click.command("power")
@click.option(
    "--passages", default="100", show_default=True, metavar="N,...", callback=_sizes, help="Sizes."
)
@click.option("--experts", type=int, default=3, show_default=True, help="How many.")
@click.option(
    "--novices", default="8", show_default=True, metavar="N,...", callback=_sizes, help="Sizes."
)
@click.option(
    "--advantage",
    type=float,
    help="The rater's true score difference, in stars nearer the gold than the mean novice; 0.1 "
    "unless given.",
)
@click.option(
    "--rater",
    type=click.Choice(["advantage", "drawn", "novice"]),
    default="advantage",
    show_default=True,
    help="Who is tested: one with the advantage, a fresh draw a passage, or one more novice.",
)
@click.option("--round", "rounded", is_flag=True, help="Round ratings to stars for the target.")
@click.option(
    "--target", type=float, default=0.8, show_default=True, help="The power that --find looks for."
)
@click.option("--find", is_flag=True, help="Also find how many passages reach --target.")
@click.option(
    "--panels",
    "many",
    type=int,
    default=400,
    show_default=True,
    help="Panels to simulate for each size, up to 100,000.",
)
@click.option(
    "--draws",
    type=int,
    default=999,
    show_default=True,
    help="Draws of each panel's null, up to 1,000,000.",
)
@traits_options
@options.seed_option
@options.json_option
def power_command(
    passages: list[int],
    experts: int,
    novices: list[int],
    advantage: float | None,
    rater: str,
    rounded: bool,
    target: float,
    find: bool,
    many: int,
    draws: int,
    seed: int,
    as_json: bool,
    **traits: float,
) -> None:
    """How often a rater is shown to be better than novices, by simulation with made-up panels.

    ``--rater drawn`` shows how often the test errs, ``--rater novice`` how often one more novice
    passes it, who has a bias of one's own.
    """
    from readmark.marking.panel.power import power

    ticker = Ticker()
    expert, novice = panels(traits)
    found = power(
        passages=passages,
        experts=experts,
        novices=novices,
        expert_traits=expert,
        novice_traits=novice,
        rater=rater,
        advantage=advantage,
        rounded=rounded,
        target=target if find else None,
        panels=many,
        draws=draws,
        seed=seed,
        watch=lambda done, total: ticker.say(lambda: f"{done}/{total} panels"),
    )
    ticker.end()
    if as_json:
        options.print_json(found.as_json())
    else:
        from readmark.reporting.panel_power import print_power

        print_power(found)
