"""``readmark task queries``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("queries")
@click.argument("domain", metavar="DOMAIN|ONTOLOGY")
@click.argument("attested", nargs=-1, metavar="[TASK|FILE]...")
@click.option("-o", "--output", metavar="FILE", help="JSON Lines, as a task has them.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most so many attested values a property, drawn by how often they are attested.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the draws.")
@options.json_option
def queries_command(
    domain: str,
    attested: tuple[str, ...],
    output: str | None,
    most: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Make a query for every property of an ontology, each with the question that people read.

    TASKs and FILEs of statements add queries for what has a value that they attest, as stated or
    as inferred by the domain's rules.
    """
    from msgspec import to_builtins

    from readmark.workflows.task_queries import made_queries, write_queries

    rows = made_queries(domain, attested=attested, most=most, seed=seed)
    if output is not None:
        write_queries(rows, output, inputs=[domain, *attested])
    if as_json:
        options.print_json({"queries": [to_builtins(one) for one in rows], "seed": seed})
    elif output is None:
        for one in rows:
            click.echo(f"{one.id}\t{one.text}\t{one.graph}")
    else:
        options.say([f"{output}: {len(rows)} queries"])
