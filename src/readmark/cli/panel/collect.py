"""``readmark panel collect``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("collect")
@click.argument("test")
@click.argument("plan")
@click.argument("ratings", nargs=-1, required=True, metavar="RATINGS...")
@click.option("-o", "--output", metavar="RATED", help="TEST with the experts' ratings as its key.")
@click.option("--novices", metavar="FOLDER", help="A folder to write, a sitting a novice.")
@click.option("--report", metavar="FILE", help="Every finding, JSON Lines.")
@click.option(
    "--remaining", metavar="FOLDER", help="Sheets of the rounds that judges have not finished."
)
@click.option("--real", is_flag=True, help="Stars may be any number from 1 to 5.")
@click.option(
    "--fastest",
    type=float,
    metavar="N",
    help="Words a minute that nobody reads; 600 in English, 1200 characters in Chinese if absent.",
)
@options.seed_option
@options.draws_option
@options.confidence_option
@options.from_option
@options.json_option
def collect_command(
    test: str,
    plan: str,
    ratings: tuple[str, ...],
    output: str | None,
    novices: str | None,
    report: str | None,
    remaining: str | None,
    real: bool,
    fastest: float | None,
    seed: int,
    draws: int,
    confidence: float,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Collect the RATINGS of a panel: sheets that judges filled in, CSV, TSV or JSON Lines.

    PLAN is plan.json or its folder. What is missing or odd is told and nothing is dropped in
    silence: ranks that contradict stars, straight lines and haste are kept. Several files of a
    judge add up. Agreement is printed within each panel and between them.
    """
    from readmark.corpus.errors import UsageError
    from readmark.measures.agreement import Resampling
    from readmark.workflows import panel_collect

    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level lies between 0 and 1, not at {confidence:g}")
    done, late = panel_collect.collect(
        test,
        plan,
        ratings,
        output=output,
        novices=novices,
        report=report,
        remaining=remaining,
        real=real,
        fastest=fastest,
        resampling=Resampling(seed=seed, draws=draws, level=confidence),
        format=from_format,
    )
    if as_json:
        written = {"output": output, "novices_folder": novices, "report": report}
        options.print_json({**written, "unfinished": late, **panel_collect.as_json(done)})
        return
    from readmark.reporting.panel_collect import print_collected

    print_collected(done)
    if output is not None:
        options.say([f"{output}: {len(done.findings)} findings; the experts' ratings are its key"])
    if remaining is not None:
        options.say([f"{remaining}: what is left for {', '.join(late) or 'nobody'}"])
