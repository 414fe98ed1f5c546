"""``readmark task decompose``: the compositions that a score can have."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import WORDS
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("decompose")
@click.argument("domain", metavar="DOMAIN", type=WORDS)
@click.argument("scores", nargs=-1, metavar="[SCORE]...", type=WORDS)
@click.option(
    "--statements",
    multiple=True,
    metavar="TASK|FILE",
    help="Decompose the totals in these statements instead of SCOREs (repeatable).",
)
@click.option(
    "--side", "sides", multiple=True, metavar="NAME", help="Side that no SCORE names (repeatable)."
)
@click.option(
    "--known",
    multiple=True,
    metavar="FACT",
    help="Known fact about the counts, such as 'field_goal >= 2' or 'Jets.safety == 1' "
    "(repeatable).",
)
@click.option("--running", is_flag=True, help="Treat the last SCORE as that of an unfinished game.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    help="Maximum number of combinations to show",
)
@options.split_option
@options.json_option
def decompose_command(
    domain: str,
    scores: tuple[str, ...],
    statements: tuple[str, ...],
    sides: tuple[str, ...],
    known: tuple[str, ...],
    running: bool,
    most: int,
    split: str | None,
    as_json: bool,
) -> None:
    """List the possible compositions of scores, most likely first, by the quantities of a DOMAIN.

    DOMAIN is a bundled domain (nfl_scoring), a folder or a file. A SCORE is 'Falcons 3, Jets
    0', or '6 to 3' if the sides are unknown; add 'by kick' to name the event that led to this
    score. Several SCOREs are in chronological order. The probabilities of all combinations sum
    to 1.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.decompositions.totals import decompose, decompose_stated

    if bool(scores) == bool(statements):
        raise UsageError("give SCOREs or --statements")
    if split is not None and not statements:
        raise UsageError("--split goes with --statements")
    if not statements:
        final = not running
        result = decompose(domain, scores, sides=sides, known=known, final=final, most=most)
        options.print_result(result, as_json=as_json)
        return
    if sides or known or running:
        raise UsageError("--side, --known and --running go with SCOREs")
    print_with_notes(decompose_stated(domain, statements, most=most, split=split), as_json)
