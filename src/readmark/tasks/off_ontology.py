"""Statements in words that an ontology does not have: nothing follows from them, and nothing can
contradict them, so that a misspelt property would look consistent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from readmark.core.counts import counted
from readmark.tasks.knowledge_base import KnowledgeBase
from readmark.tasks.reasoning.graphs import Statement, write_triple
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rules.values import Theory, patterns_of
from readmark.tasks.reasoning.terms import Name
from readmark.tasks.vocabulary import Vocabulary

CODES = frozenset({"unknown_class", "unknown_property", "builtin"})
"""What is found here; a value outside its property's range is a contradiction."""


@dataclass(frozen=True, slots=True)
class OffOntology:
    """A property or class that the ontology does not have, and the first statement with it."""

    code: str
    message: str
    graph: str
    statement: Statement
    count: int = 1
    """How many statements have it."""

    def as_json(self) -> dict[str, Any]:
        """Code, words and place."""
        return {
            "code": self.code,
            "message": self.message,
            "graph": self.graph,
            "statement": write_triple(self.statement),
            "count": self.count,
        }

    def __str__(self) -> str:
        more = f", and {counted(self.count - 1, 'more statement')}" if self.count > 1 else ""
        return f"{self.graph}: {self.code}: {write_triple(self.statement)}{more}: {self.message}"


def off_ontology(base: KnowledgeBase) -> Iterator[OffOntology]:
    """A finding a property or class that neither the ontology nor any rule has."""
    if base.ontology is None:
        return
    vocabulary, store = Vocabulary(base.ontology), base.inference.store
    used = _used_by(base.theory)
    for predicate, table in sorted(store.tables.items()):
        is_type = Name(predicate) == TYPE
        # One of each class, and one of any other property, stands for all that have it.
        group = "GROUP BY o" if is_type else ""
        rows = store.run(
            f"SELECT count(*), min({{g: g, s: s, o: o}}) FROM {table} WHERE round = 0 {group}"
        )
        firsts = [(count, tuple(first.values())) for count, first in rows if count]
        graphs = store.graph_names(first[0] for _, first in firsts)
        terms = store.terms(code for _, first in firsts for code in first[1:])
        for count, (graph, subject, object_) in firsts:
            name = terms[subject]
            if not isinstance(name, Name):
                continue
            statement = Statement(name, Name(predicate), terms[object_])
            if (statement.object if is_type else statement.predicate) in used:
                continue
            for code, message in vocabulary.findings(statement, asserted=True):
                if code in CODES:
                    yield OffOntology(code, message, graphs[graph], statement, count)


def each_once(findings: Iterable[OffOntology]) -> list[OffOntology]:
    """Findings of several batches, each property and class once."""
    found: dict[tuple[str, str], OffOntology] = {}
    for one in findings:
        before = found.get((one.code, one.message))
        found[one.code, one.message] = (
            one if before is None else replace(before, count=before.count + one.count)
        )
    return list(found.values())


def _used_by(theory: Theory) -> frozenset[Any]:
    """The properties and classes that rules name."""
    found: set[Any] = set()
    for rule in theory.rules:
        groups = [patterns_of(group) for group in rule.negative]
        for pattern in (*rule.positive, *rule.head, *(one for group in groups for one in group)):
            found.add(pattern.object if pattern.predicate == TYPE else pattern.predicate)
    return frozenset(found)
