"""``readmark task decompose``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("decompose")
@click.argument("domain", metavar="DOMAIN")
@click.argument("scores", nargs=-1, metavar="[SCORE]...")
@click.option(
    "--statements",
    multiple=True,
    metavar="TASK|FILE",
    help="Take the totals in statements apart instead; may repeat.",
)
@click.option(
    "--side", "sides", multiple=True, metavar="NAME", help="A side that no SCORE names; may repeat."
)
@click.option(
    "--known",
    multiple=True,
    metavar="FACT",
    help="What is known of the counts: 'field_goal >= 2', 'Jets.safety == 1'; may repeat.",
)
@click.option("--running", is_flag=True, help="The last SCORE is not that of a finished game.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many combinations are shown.",
)
@options.json_option
def decompose_command(
    domain: str,
    scores: tuple[str, ...],
    statements: tuple[str, ...],
    sides: tuple[str, ...],
    known: tuple[str, ...],
    running: bool,
    most: int,
    as_json: bool,
) -> None:
    """List what can have made up scores, the likeliest first, by the quantities of a DOMAIN.

    DOMAIN is one that ships (nfl_scoring), a folder, or a file. A SCORE is 'Falcons 3, Jets 0',
    or '6 to 3' where it is open whose is which; 'by kick' after it names what made it this score.
    Several are scores in their order. The probabilities of all combinations sum to 1.
    """
    from readmark.corpus.errors import UsageError
    from readmark.workflows.task_decompose import decompose, decomposed_json

    if bool(scores) == bool(statements):
        raise UsageError("give SCOREs or --statements")
    if statements:
        if sides or known or running:
            raise UsageError("--side, --known and --running go with SCOREs")
        _stated(domain, statements, most, as_json)
        return
    found = decompose(domain, scores, sides=sides, known=known, final=not running)
    if as_json:
        options.print_json(decomposed_json(found, most=most))
    else:
        from readmark.reporting.task_decompose import print_decomposed

        print_decomposed(found.scheme, found.explanation, found.lasts, most=most)


def _stated(domain: str, inputs: tuple[str, ...], most: int, as_json: bool) -> None:
    from readmark.workflows.task_decompose import decompose_stated, stated_json

    scheme, totals = decompose_stated(domain, inputs)
    if as_json:
        options.print_json(stated_json(scheme, totals, most=most))
    else:
        from readmark.reporting.task_decompose import print_stated

        if not totals:
            options.say([f"nothing states or implies {scheme.total}: there is no total"])
            return
        told = [(one.document, one.taken.subject.text, *one.taken[1:]) for one in totals]
        print_stated(scheme, told, most=most)
