"""A batch of documents that were reasoned over: what stays of them, and what follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from readmark.core.errors import DataError
from readmark.tasks.extraction.materials import Materials
from readmark.tasks.reasoning.context_results import ContextGroup
from readmark.tasks.reasoning.contexts import contexts
from readmark.tasks.reasoning.contradictions import Contradiction, contradictions
from readmark.tasks.reasoning.derivations import Derivation, explain
from readmark.tasks.reasoning.engine.inference import Derived, Inference, infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rules.values import Theory

BATCH = 1024
"""Documents that are reasoned over together: starting the reasoner takes longer than a document."""
_MOST_EXPLAINED = 10 * BATCH
"""So many contradictions of a batch are explained; all are resolved."""


@dataclass(frozen=True)
class ReasonedBatch:
    """What stays of a batch of documents, and what follows.

    Documents that contradicted have an inference of their own, over what stays of them.
    """

    consistent: list[Asserted]
    """What stays."""
    inference: Inference
    contradictions: Sequence[Contradiction] = ()
    groups: Sequence[ContextGroup] = ()
    repaired: Inference | None = None
    repaired_ids: frozenset[str] = frozenset()
    """The documents that contradicted."""

    def __enter__(self) -> ReasonedBatch:
        return self

    def __exit__(self, *_: object) -> None:
        self.inference.close()
        if self.repaired is not None:
            self.repaired.close()

    def parts(self, documents: Iterable[str]) -> Iterator[tuple[Inference, list[str]]]:
        """The documents by the inference that they are in."""
        ids = list(documents)
        yield self.inference, [id for id in ids if id not in self.repaired_ids]
        if self.repaired is not None:
            yield self.repaired, [id for id in ids if id in self.repaired_ids]

    def statements(self) -> Iterator[Derived]:
        """Every statement, asserted and derived."""
        for derived in self.inference.statements():
            if derived.graph not in self.repaired_ids:
                yield derived
        if self.repaired is not None:
            yield from self.repaired.statements()


def without_reasoning(asserted: Sequence[Asserted]) -> ReasonedBatch:
    """The statements as they were read, so that queries can be put to them."""
    return ReasonedBatch(list(asserted), infer(asserted, Theory("None"), seconds=SECONDS))


def reasoned(asserted: Sequence[Asserted], materials: Materials) -> ReasonedBatch:
    """The statements that stay, what follows from them, and what contradicted.

    Of documents that contradict the theory the most probable consistent statements stay.
    """
    inference = _inferred(asserted, materials)
    with inference.store.closed_on_error():
        conflicts = contradictions(inference, most=_MOST_EXPLAINED, minimal=False)
        if not conflicts:
            return ReasonedBatch(list(asserted), inference)
        graphs = inference.contradicted()
        doubtful = [statement for statement in asserted if statement.graph in graphs]
        try:
            resolved = contexts(
                doubtful,
                materials.theory,
                materials.ontology,
                seconds=SECONDS,
                contradicted=graphs,
            )
        except DataError:  # out of time: the contradictions are listed, and nothing is dropped
            return ReasonedBatch(list(asserted), inference, conflicts)
        consistent = [statement for statement in asserted if statement.graph not in graphs]
        consistent += resolved.best.kept
        repaired = _inferred(resolved.best.kept, materials, consistent=True)
    return ReasonedBatch(
        consistent, inference, conflicts, resolved.groups, repaired, frozenset(graphs)
    )


def _inferred(
    asserted: Sequence[Asserted], materials: Materials, *, consistent: bool = False
) -> Inference:
    """What follows, with every statement taken as it was read.

    How surely it was read only decides what is dropped: with chances the rules take three times as
    long.
    """
    certain = [
        statement if statement.probability == 1 else replace(statement, probability=1.0)
        for statement in asserted
    ]
    return infer(
        certain, materials.theory, materials.ontology, seconds=SECONDS, consistent=consistent
    )


def explained(
    batch: ReasonedBatch, statements: Mapping[str, Sequence[Derived]], materials: Materials
) -> Mapping[str, dict[Statement, Derivation]]:
    """Why statements of documents hold that were not read there, by document.

    Types and what only helps to reason are left out: nobody sees them.
    """
    by_document: dict[str, dict[Statement, Derivation]] = defaultdict(dict)
    unshown = {TYPE}
    if materials.ontology is not None:
        unshown |= {prop.name for prop in materials.ontology.with_role("auxiliary")}
    read = {(asserted.graph, asserted.statement) for asserted in batch.consistent}
    for inference, documents in batch.parts(statements):
        unread = [
            (id, derived.statement)
            for id in documents
            for derived in statements[id]
            if derived.statement.predicate not in unshown and (id, derived.statement) not in read
        ]
        for derivation in explain(inference, unread, every_way=True) if unread else ():
            by_document[derivation.graph][derivation.statement] = derivation
    return by_document


class _InGraph(Protocol):
    @property
    def graph(self) -> str: ...


_Item = TypeVar("_Item", bound=_InGraph)


def by_graph(items: Iterable[_Item]) -> dict[str, list[_Item]]:
    """Statements, contradictions or contexts by the document that they are of."""
    groups: dict[str, list[_Item]] = defaultdict(list)
    for item in items:
        groups[item.graph].append(item)
    return groups
