"""``readmark task queries``: queries made from an ontology, with questions for people."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("queries")
@click.argument("domain", metavar="DOMAIN|ONTOLOGY", type=WORDS)
@click.argument("attested", nargs=-1, metavar="[TASK|FILE]...")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="JSON Lines file to write the queries to  [default: print them]",
    type=OUTPUT_FILE,
)
@options.list_option(
    "--sorts",
    metavar="SORT,...",
    default="property,class,joint",
    help="Queries to make: property, class, joint (two properties together)",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    help="Language of the questions",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Maximum number of attested values per property, sampled by frequency  [default: all]",
)
@click.option("--seed", type=int, default=1, help="Random seed for the samples")
@options.split_option
@options.json_option
def queries_command(
    domain: str,
    attested: tuple[str, ...],
    output: str | None,
    sorts: str,
    language: str,
    most: int | None,
    seed: int,
    split: str | None,
    as_json: bool,
) -> None:
    """Make queries for the properties and classes of an ontology, each with a question.

    Questions are those of the ontology (rm:question), else made from its labels. TASKs and FILEs
    of statements add queries for the values that they attest, stated or inferred by the domain's
    rules.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.query_making import SORTS, write_queries

    chosen = tuple(filter(None, sorts.split(",")))
    for sort in chosen:
        if sort not in SORTS:
            raise UsageError(f"--sorts {sort}: expected one of {', '.join(SORTS)}")
    if split is not None and not attested:
        raise UsageError("--split goes with a TASK")
    result = write_queries(
        domain,
        attested,
        output=output,
        sorts=chosen,
        language=language,
        most=most,
        seed=seed,
        split=split,
    )
    print_with_notes(result, as_json)
