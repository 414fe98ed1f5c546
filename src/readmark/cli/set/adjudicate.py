"""``readmark set adjudicate``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from readmark.cli import options
from readmark.corpus.errors import DataError

SHOWN = 20


@click.command("adjudicate")
@click.argument("a")
@click.argument("b")
@click.option(
    "--decisions",
    required=True,
    metavar="ADJUDICATION",
    help="The decided disagreements, as set crosscheck wrote them.",
)
@click.option("-o", "--output", required=True, metavar="GOLD", help="The gold test to write.")
@click.option(
    "--undecided",
    type=click.Choice(["a", "b", "drop"]),
    help="What to take where nothing was decided: A's version, B's, or neither.",
)
@options.from_option
@click.option("--from-b", metavar="FORMAT", help="B's format, where it is not A's.")
@click.option("--to", "to_format", metavar="FORMAT", help="The format to write; by GOLD's suffix.")
@options.json_option
def adjudicate_command(
    a: str,
    b: str,
    decisions: str,
    output: str,
    undecided: str | None,
    from_format: str | None,
    from_b: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Make one gold annotation of two annotators' files A and B.

    GOLD holds what both agree on and, where they differ, what was decided; whatever else there is
    is A's, or B's where A has none. Nothing is written while disagreements are undecided
    (--undecided says what to take) or decisions contradict each other: both are named. Who decided
    what stands in the header's field adjudication.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.corpus.outputs import require_apart
    from readmark.reporting.crosscheck import print_gold, print_undecided
    from readmark.setting.adjudication import read_adjudication
    from readmark.setting.crosscheck.adjudicating import adjudicate

    require_apart([output], [a, b, decisions])
    header, said = read_adjudication(decisions)
    first = open_test(a, format=from_format)
    second = open_test(b, format=from_b or from_format)
    format = to_format or format_for(Path(output), first)
    gold = adjudicate(
        first,
        second,
        header,
        said,
        file=decisions,
        otherwise=undecided,  # type: ignore[arg-type]
    )
    refused = bool(gold.undecided or gold.conflicts)
    lost = [] if refused else save_test(gold.test, output, format=format)
    if as_json:
        document: dict[str, Any] = {
            "output": None if refused else output,
            "format": format,
            "a": header.a,
            "b": header.b,
            "passages": gold.passages,
            "decisions": gold.decisions,
            "by": gold.people,
            "undecided": gold.undecided,
            "conflicts": gold.conflicts,
            "lost": lost,
            "notes": gold.notes,
        }
        options.print_json(document)
    elif gold.undecided:
        print_undecided(gold.undecided, show=SHOWN)
    elif not refused:
        print_gold(gold, output)
    left_out = [] if refused else list(_left_out(a, from_format, output, format))
    options.say([*gold.notes, *(f"{format}: {line}" for line in lost), *left_out])
    if gold.undecided:
        raise DataError(
            f"{_undecided(len(gold.undecided))}, or say what to take "
            "with --undecided a|b|drop (words and sentences are never dropped)",
            file=decisions,
        )
    if gold.conflicts:
        options.say(f"{decisions}: {_told(one)}" for one in gold.conflicts[1:SHOWN])
        raise DataError(_told(gold.conflicts[0]), file=decisions)


def _undecided(count: int) -> str:
    if count == 1:
        return "1 disagreement is undecided; decide it"
    return f"{count:,} disagreements are undecided; decide them"


def _left_out(source: str, chosen: str | None, output: str, format: str) -> Iterator[str]:
    """A BRCC file has room for the side of A's that was not read: say that it is not there."""
    from readmark.corpus.formats import sides_of

    others = [one for one in sides_of(source) if one is not None and one != chosen]
    if chosen is not None and chosen != "brcc" and format.startswith("brcc") and others:
        yield (
            f"{output}: the other side of {source} ({others[0]}) is not in it; "
            "convert --with puts two sides into one file"
        )


def _told(fault: Any) -> str:
    by = " and ".join(fault.decisions) or "what both agree on"
    return f"{fault.part}: {fault.message}: see {by}"
