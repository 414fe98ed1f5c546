"""``readmark panel mark``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("mark")
@click.argument("test")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "--novice",
    "novices",
    multiple=True,
    required=True,
    metavar="SITTING",
    help="A novice's ratings; once for each novice.",
)
@options.by_option
@click.option(
    "--draws",
    type=int,
    default=10_000,
    show_default=True,
    help="How often novices stand in for the machine, up to 1,000,000.",
)
@options.seed_option
@click.option("--round", "rounded", is_flag=True, help="Round ratings to stars for the target.")
@click.option("-o", "--output", metavar="FOLDER", help="Keep the marksheets, for a report.")
@options.errors_option
@options.from_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    test: str,
    sittings: tuple[str, ...],
    novices: tuple[str, ...],
    by: str | None,
    draws: int,
    seed: int,
    rounded: bool,
    output: str | None,
    errors_as_wrong: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Is a rater as good as a novice? Mark each SITTING against experts, beside novices.

    The document's three metrics with the chance that ratings drawn from the novices do as well;
    beside it the rater against each novice as a whole judge, and each novice as if a machine.
    ``--by split`` tells cross-validated and blind passages apart.
    """
    from readmark.marking.settings import Settings
    from readmark.workflows import api
    from readmark.workflows.notes import error_words
    from readmark.workflows.panel_mark import panel_mark

    found = panel_mark(
        api.load(test, format=from_format),
        sittings,
        novices,
        by=options.fields(by),
        settings=Settings(seed=seed, trials=draws),
        round=rounded,
        folder=output,
    )
    options.say(found.notes)
    if as_json:
        options.print_json(found.as_json())
    else:
        from readmark.reporting.panel_mark import print_panel

        print_panel(found)
    if output:
        options.say([f"marksheets written to {output}; readmark report {output}/*.marks.jsonl"])
    for name, ids in found.failed.items():
        options.say([f"{name}: {error_words(ids, counted=errors_as_wrong)}"])
    if found.failed and not errors_as_wrong:
        ctx.exit(1)
