"""``readmark panel plan``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("plan")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="The folder to write.")
@click.option(
    "--experts",
    default="3",
    show_default=True,
    metavar="N",
    help="How many experts, or their names with commas between.",
)
@click.option(
    "--novices", default="5", show_default=True, metavar="N", help="How many novices, or names."
)
@click.option(
    "--round", "size", type=int, default=10, show_default=True, help="Passages in a round."
)
@click.option(
    "--even", is_flag=True, help="Rounds whose sizes differ by one, not a smaller last round."
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
    """Plan the rounds of a readability panel on TEST and write what the judges get.

    Every judge rates every passage once. Rounds are the same for all and balanced for genre and
    topic; their order, and that of passages within them, is each judge's own. FOLDER gets
    plan.json and for every judge a page to read and a sheet to fill in, which go back to panel
    collect.
    """
    from readmark.workflows import panel_plan

    made, written = panel_plan.plan(
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
        options.print_json({"output": output, **panel_plan.as_json(made, written)})
        return
    from readmark.reporting.panel_plan import print_plan

    print_plan(made)
    options.say(panel_plan.doubts(made))
    if len(made.rounds[-1]) * 2 < size and not even:
        options.say(["the last round is small, and it is put in order as well: see --even"])
    options.say([f"{output}: {len(written)} files written; when filled in: readmark panel collect"])
