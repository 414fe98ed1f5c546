"""``readmark task decompose``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import click
from rich.table import Table
from rich.text import Text

from readmark import console as options
from readmark.core.display import counted, make_console, plain_table
from readmark.tasks.decompositions.posterior import Explanation, told
from readmark.tasks.decompositions.scheme import Scheme


@click.command("decompose")
@click.argument("domain", metavar="DOMAIN")
@click.argument("scores", nargs=-1, metavar="[SCORE]...")
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
    """List the possible compositions of scores, most likely first, by the quantities of a DOMAIN.

    DOMAIN is a bundled domain (nfl_scoring), a folder or a file. A SCORE is 'Falcons 3, Jets
    0', or '6 to 3' if the sides are unknown; add 'by kick' to name the event that led to this
    score. Several SCOREs are in chronological order. The probabilities of all combinations sum
    to 1.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.totals import decompose, decomposed_json

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
        print_decomposed(found.scheme, found.explanation, found.lasts, most=most)


def _stated(domain: str, inputs: tuple[str, ...], most: int, as_json: bool) -> None:
    from readmark.tasks.totals import decompose_stated, stated_json

    scheme, totals = decompose_stated(domain, inputs)
    if as_json:
        options.print_json(stated_json(scheme, totals, most=most))
    else:
        if not totals:
            options.notify([f"nothing states or implies {scheme.total}: there is no total"])
            return
        told = [(one.document, one.taken.subject.text, *one.taken[1:]) for one in totals]
        print_stated(scheme, told, most=most)


# Decompositions in a terminal.


def print_decomposed(
    scheme: Scheme,
    explanation: Explanation,
    lasts: Mapping[int, Mapping[str, Fraction]],
    *,
    most: int,
) -> None:
    """The hypotheses where there are several, what made scores, and the likeliest combinations."""
    console = make_console()
    if not explanation.possible:
        console.print("impossible: nothing explains it")
        return
    for at, events in lasts.items():
        words = ", ".join(
            f"{scheme.quantities[name].one or name} {chance_of(one)}"
            for name, one in events.items()
        )
        console.print(Text(f"score {at + 1} was made by: {words}"))
    if len(explanation.hypotheses) > 1:
        table = _table("probability", "scores", "ahead at last")
        for one in explanation.hypotheses:
            scores = "; ".join(
                ", ".join(f"{side} {total}" for side, total in each.items()) for each in one.scores
            )
            table.add_row(chance_of(one.probability), scores, one.leader() or "none")
        console.print(table)
    console.print(counted(len(explanation.combinations), "combination"))
    table = _table("probability", *explanation.sides)
    for each in explanation.combinations[:most]:
        sides = (told(scheme, each.counts[side]) for side in explanation.sides)
        table.add_row(chance_of(each.probability), *sides)
    console.print(table)


def print_stated(
    scheme: Scheme, totals: Sequence[tuple[str, str, int, Explanation]], *, most: int
) -> None:
    """For each total (document, whose it is, the total, what explains it) the likeliest."""
    console = make_console()
    table = _table("document", "of", "total", "probability", "made up of")
    for document, subject, total, explanation in totals:
        head = (document, subject, str(total))
        if not explanation.possible:
            table.add_row(*head, "0", "impossible")
        for one in explanation.combinations[:most]:
            counts = next(iter(one.counts.values()))
            table.add_row(*head, chance_of(one.probability), told(scheme, counts))
            head = ("", "", "")
    console.print(table)


def chance_of(one: Fraction) -> str:
    """A probability; only what is certain is shown as 1."""
    if one == 1:
        return "1"
    told_ = f"{float(one):.4f}"
    if told_ == "1.0000":
        return "> 0.9999"
    return f"{float(one):.1e}" if told_ == "0.0000" else told_


def _table(*headings: str) -> Table:
    """One whose columns hold words."""
    table = plain_table(*headings)
    for column in table.columns:
        column.justify = "left"
    return table
