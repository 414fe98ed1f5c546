"""Queries for a task, made from an ontology and from what statements attest, as rows of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.files import read_bytes
from readmark.core.json_lines import json_line
from readmark.core.writing import writing
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.knowledge_base import Reasoning, knowledge_base
from readmark.tasks.manifest import QueryRow
from readmark.tasks.ontology_queries import (
    OntologyQuery,
    attested_queries,
    class_queries,
    joint_queries,
    property_queries,
)
from readmark.tasks.question_wording import in_language
from readmark.tasks.reasoning.owl import read_ontology

if TYPE_CHECKING:
    from rich.console import Console

SORTS = ("property", "class", "joint")
"""Queries for one property, for the entities of a class, and for two properties together."""


@dataclass(frozen=True, repr=False)
class WrittenQueries(Result):
    """The queries of an ontology, and the file that they were written to, if any."""

    queries: tuple[QueryRow, ...]
    seed: int
    output: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written."""
        if self.output is None:
            return ()
        return (f"{self.output}: {counted(len(self.queries), 'query')}",)

    def as_json(self) -> dict[str, Any]:
        """The queries as rows of a task."""
        return {"queries": to_builtins(self.queries), "seed": self.seed}

    def show(self, console: Console) -> None:
        """A query a line, with tabs between id, question and graph; none where a file has them."""
        for query in self.queries if self.output is None else ():
            print(f"{query.id}\t{query.text}\t{query.graph}", file=console.file)


def write_queries(
    ontology: str,
    attested: Sequence[str] = (),
    *,
    output: str | None = None,
    sorts: Sequence[str] = SORTS,
    language: str = "en",
    most: int | None = None,
    seed: int = 1,
    split: str | None = None,
) -> WrittenQueries:
    """Queries for the properties of an ontology or a domain, its classes, and joined properties.

    With tasks or files of statements, also one for every value that they attest, or for ``most``
    of a property's, drawn by ``seed``. Questions are in English or Chinese. ``split`` selects
    documents of the tasks.
    """
    file = _ontology_file(ontology)
    worded = in_language(read_ontology(read_bytes(file), file=str(file)), language)
    makers = {"property": property_queries, "class": class_queries, "joint": joint_queries}
    queries = [query for sort in sorts for query in makers[sort](worded)]
    if attested:
        domain = str(file.parent) if list(file.parent.glob("*.dsrs")) else None
        reasoning = Reasoning(ontology=str(file), domain=domain, split=split)
        with knowledge_base(attested, reasoning) as base:
            statements = [each.statement for each in base.inference.statements()]
        queries += attested_queries(worded, statements, most=most, seed=seed)
    rows = tuple(map(_row, queries))
    if output is not None:
        require_distinct_files([output], [ontology, *attested])
        with writing(output) as stream:
            for row in rows:
                stream.write(json_line(row))
    return WrittenQueries(rows, seed, output)


def _ontology_file(name: str) -> Path:
    """An ontology's file, or that of a domain."""
    if Path(name).is_file():
        return Path(name)
    files = sorted(domain_folder(name).glob("ontology.*"))
    if not files:
        raise UsageError(f"{name} has no ontology")
    return files[0]


def _row(query: OntologyQuery) -> QueryRow:
    also = {"also": list(query.also)} if query.also else {}
    return QueryRow(
        id=query.id,
        graph=query.graph,
        text=query.text,
        property=query.property,
        fields={"variables": list(query.variables)} | also,
    )
