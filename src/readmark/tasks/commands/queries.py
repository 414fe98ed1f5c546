"""``readmark task queries``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from readmark import console as options
from readmark.core.errors import UsageError
from readmark.core.files import line, read_bytes, require_distinct_files, writing
from readmark.tasks.ground import ground
from readmark.tasks.manifest import QueryRow
from readmark.tasks.packer import domain_folder
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.queries import MadeQuery, make_attested, make_queries


@click.command("queries")
@click.argument("domain", metavar="DOMAIN|ONTOLOGY")
@click.argument("attested", nargs=-1, metavar="[TASK|FILE]...")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="JSON Lines file to write the queries to  [default: print them]",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Maximum number of attested values per property, sampled by frequency  [default: all]",
)
@click.option("--seed", type=int, default=1, help="Random seed for the samples")
@options.json_option
def queries_command(
    domain: str,
    attested: tuple[str, ...],
    output: str | None,
    most: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Make a query for every property of an ontology, each with a question in plain words.

    TASKs and FILEs of statements add queries for the values that they attest, stated or
    inferred by the domain's rules.
    """
    from msgspec import to_builtins

    rows = made_queries(domain, attested=attested, most=most, seed=seed)
    if output is not None:
        write_queries(rows, output, inputs=[domain, *attested])
    if as_json:
        options.print_json({"queries": [to_builtins(one) for one in rows], "seed": seed})
    elif output is None:
        for one in rows:
            click.echo(f"{one.id}\t{one.text}\t{one.graph}")
    else:
        options.notify([f"{output}: {len(rows)} queries"])


# A domain's queries, made from its ontology and from what statements attest.


def made_queries(
    ontology: str,
    *,
    attested: Sequence[str] = (),
    most: int | None = None,
    seed: int = 1,
) -> list[QueryRow]:
    """A query a property; with statements, also one for every value that they attest, or some."""
    file = _file(ontology)
    known = read_ontology(read_bytes(file), file=str(file))
    found = make_queries(known)
    if attested:
        found += _attested(known, attested, file, most=most, seed=seed)
    return [_row(one) for one in found]


def write_queries(rows: Iterable[QueryRow], output: str, *, inputs: Sequence[str]) -> None:
    """One a line."""
    require_distinct_files([output], inputs)
    with writing(output) as stream:
        for row in rows:
            stream.write(line(row))


def _attested(
    known: Ontology, inputs: Sequence[str], file: Path, *, most: int | None, seed: int
) -> list[MadeQuery]:
    folder = file.parent if list(file.parent.glob("*.dsrs")) else None
    domain = str(folder) if folder is not None else None
    with ground(inputs, ontology=str(file), domain=domain) as found:
        statements = [one.statement for one in found.inference.statements()]
    return make_attested(known, statements, most=most, seed=seed)


def _file(name: str) -> Path:
    """An ontology's file, or that of a domain."""
    if Path(name).is_file():
        return Path(name)
    found = sorted(domain_folder(name).glob("ontology.*"))
    if not found:
        raise UsageError(f"{name} has no ontology")
    return found[0]


def _row(one: MadeQuery) -> QueryRow:
    return QueryRow(
        id=one.id,
        graph=one.graph,
        text=one.text,
        property=one.property,
        fields={"variables": list(one.variables)} | ({"also": list(one.also)} if one.also else {}),
    )
