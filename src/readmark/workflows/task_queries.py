"""A domain's queries, made from its ontology and from what statements attest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.corpus.files import read_bytes, writing
from readmark.corpus.formats.lines import line
from readmark.corpus.outputs import require_apart
from readmark.corpus.task_package import QueryRow
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.owl import read_ontology
from readmark.reasoning.query_making import MadeQuery, make_attested, make_queries
from readmark.workflows.task_inference import ground
from readmark.workflows.task_pack import domain_folder


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
    require_apart([output], inputs)
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
