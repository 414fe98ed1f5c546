"""Extractors: candidates that read documents into statements and answer queries from them.

A new extractor derives from ``Extractor`` and has ``read``. The rest is here: what it may see of a
task, the reasoner over what it read, the answers with excerpts and derivations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.error_rows import failure
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.tasks.extraction.batches import (
    BATCH,
    ReasonedBatch,
    by_graph,
    explained,
    reasoned,
    without_reasoning,
)
from readmark.tasks.extraction.materials import Files, Materials
from readmark.tasks.manifest import QueryRow
from readmark.tasks.query_answers import answers_to, mentions_of
from readmark.tasks.reasoning.context_results import ContextGroup
from readmark.tasks.reasoning.contradictions import Contradiction
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.records import Document, Query


@dataclass(frozen=True)
class Reading:
    """What was read in a document, and what followed."""

    document: Document
    asserted: tuple[Asserted, ...]
    """What the extractor read, without what was dropped."""
    statements: tuple[Derived, ...]
    """All of it, with what follows."""
    contradictions: tuple[Contradiction, ...] = ()
    """What contradicted, before anything was dropped."""
    contexts: tuple[ContextGroup, ...] = ()
    """Which of the contradicting statements can be right together, the likeliest first."""
    derivations: Mapping[Statement, Derivation] = field(default_factory=dict)
    """Why what was not read follows: of everything but types and what only helps to reason."""


@dataclass
class Extractor:
    """Reads each document once; queries are answered from what was read and what follows.

    Derived classes have `read`, and `ready` and `decides` where they need them.
    """

    reason: bool = parameter(
        True, help="infer what follows from what was read, and drop what contradicts"
    )
    materials: Materials | None = field(default=None, init=False, repr=False)

    kinds = ("task",)

    def read(self, document: Document) -> list[Asserted]:
        """The statements in a document, with their excerpts. All that an extractor has to do."""
        raise NotImplementedError

    def ready(self) -> None:
        """Called once with ``materials`` in place, before the first document."""

    def decides(self) -> Mapping[str, Any]:
        """What else decides the answers, for the signature."""
        return {}

    @property
    def known(self) -> Materials:
        """The materials; a task without them is refused in one line."""
        if self.materials is None or not self.materials.package.manifest.files:
            raise UsageError(
                "an extractor reads a task's folder or zip with its ontology; this test has none"
            )
        return self.materials

    def begin(self, run: Run) -> None:
        """The files of the task are what an extractor may see."""
        self.show(run.materials)

    def show(self, materials: Files) -> None:
        """The files of the task that it may see."""
        self.materials = Materials(materials)

    def prepare(self, kind: Kind, language: str) -> None:
        """Compile what is needed, once."""
        self.ready()

    def signature(self) -> Mapping[str, Any]:
        """The files of the task and the parameters."""
        files = {file.path: file.sha256[:16] for file in self.known.package.manifest.files}
        return {"reason": self.reason, "files": files, **self.decides()}

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        """A row for each query; documents are read one by one and reasoned over in batches."""
        documents = _by_document(units)
        while batch := list(islice(documents, BATCH)):
            asserted, failures = self.read_all([document for document, _ in batch])
            for document, document_units in batch:
                if document.id in failures:
                    for unit in document_units:
                        yield failure(unit.id, failures[document.id])
            readable = [
                unit
                for document, document_units in batch
                if document.id not in failures
                for unit in document_units
            ]
            yield from self._answers(readable, asserted)

    def extract(
        self, documents: Iterable[Document], failed: dict[str, str] | None = None
    ) -> Iterator[Reading]:
        """What is in documents, without queries; ``failed`` takes why some cannot be read."""
        remaining = iter(documents)
        while batch := list(islice(remaining, BATCH)):
            asserted, failures = self.read_all(batch)
            for id, error in failures.items():
                if failed is None or not isinstance(error, DataError):
                    raise error
                failed[id] = error.message
            with self._reasoned(asserted) as reasoned_batch:
                statements = by_graph(reasoned_batch.statements())
                derivations: Mapping[str, dict[Statement, Derivation]] = defaultdict(dict)
                if self.reason:
                    derivations = explained(reasoned_batch, statements, self.known)
            consistent = by_graph(reasoned_batch.consistent)
            contradictions = by_graph(reasoned_batch.contradictions)
            groups = by_graph(reasoned_batch.groups)
            for document in batch:
                id = document.id
                if id not in failures:
                    yield Reading(
                        document,
                        tuple(consistent[id]),
                        tuple(statements[id]),
                        tuple(contradictions[id]),
                        tuple(_numbered(groups[id])),
                        derivations[id],
                    )

    def read_all(
        self, documents: Sequence[Document]
    ) -> tuple[list[Asserted], dict[str, Exception]]:
        """The statements in documents, and why some of them cannot be read."""
        asserted: list[Asserted] = []
        failures: dict[str, Exception] = {}
        for document in documents:
            try:
                asserted += self.read(document)
            except Exception as error:  # one document's failure is the row of its queries
                failures[document.id] = error
        return asserted, failures

    def _reasoned(self, asserted: Sequence[Asserted]) -> ReasonedBatch:
        return reasoned(asserted, self.known) if self.reason else without_reasoning(asserted)

    def _answers(self, units: Sequence[Unit], asserted: Sequence[Asserted]) -> Iterator[Row]:
        """The answers of a batch, query by query, each put to all its documents at once."""
        by_query: dict[tuple[str, str], list[Unit]] = defaultdict(list)
        for unit in units:
            query: Query = unit.item
            by_query[query.query or query.id, query.graph].append(unit)
        with self._reasoned(asserted) as batch:
            mentions = mentions_of(batch.consistent)
            for (id, graph), query_units in by_query.items():
                row = QueryRow(id=id, graph=graph, fields=query_units[0].item.fields)
                answers: dict[str, list[Any]] = defaultdict(list)
                try:
                    conditions = parse_query(graph)
                    for inference, documents in batch.parts(unit.group for unit in query_units):
                        for answer in answers_to(inference, row, conditions, documents, mentions):
                            answers[answer.document].append(msgspec.to_builtins(answer.solution()))
                except Exception as error:  # a query's failure is the row of its units
                    yield from (failure(unit.id, error) for unit in query_units)
                    continue
                yield from (Row(id=unit.id, answer=answers[unit.group]) for unit in query_units)


def _by_document(units: Iterable[Unit]) -> Iterator[tuple[Document, list[Unit]]]:
    """The units of each document; those of a document follow each other."""
    of_document: list[Unit] = []
    for unit in units:
        if of_document and unit.group != of_document[0].group:
            yield of_document[0].record, of_document
            of_document = []
        of_document.append(unit)
    if of_document:
        yield of_document[0].record, of_document


def _numbered(groups: Iterable[ContextGroup]) -> Iterator[ContextGroup]:
    """The contexts of a document with its conflicts counted from 1, whatever is read with it."""
    numbers: dict[int, int] = {}
    for group in groups:
        number = numbers.setdefault(group.conflict, len(numbers) + 1)
        yield replace(group, conflict=number)
