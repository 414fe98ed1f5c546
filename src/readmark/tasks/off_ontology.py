"""Statements with properties or classes that an ontology does not have.

Nothing follows from them, and nothing can contradict them, so a misspelt property would look
consistent.
"""

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

_CODES = frozenset({"unknown_class", "unknown_property", "builtin"})
"""Without ``range``: the engine reports a value outside its property's range as a contradiction."""


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
    """A finding for each property or class that neither the ontology nor any rule has."""
    if base.ontology is None:
        return
    vocabulary, store = Vocabulary(base.ontology), base.inference.store
    names_in_rules = _names_in_rules(base.theory)
    for predicate, table in sorted(store.tables.items()):
        is_type = Name(predicate) == TYPE
        # One statement of each class, and one of each other property, stands for all of them.
        group = "GROUP BY o" if is_type else ""
        rows = store.run(
            f"SELECT count(*), min({{g: g, s: s, o: o}}) FROM {table} WHERE round = 0 {group}"
        )
        firsts = [(count, tuple(first.values())) for count, first in rows if count]
        graphs = store.graph_names(first[0] for _, first in firsts)
        terms = store.terms(code for _, first in firsts for code in first[1:])
        for count, (graph, subject, object_) in firsts:
            subject_name = terms[subject]
            if not isinstance(subject_name, Name):
                continue
            statement = Statement(subject_name, Name(predicate), terms[object_])
            if (statement.object if is_type else statement.predicate) in names_in_rules:
                continue
            for code, message in vocabulary.findings(statement, asserted=True):
                if code in _CODES:
                    yield OffOntology(code, message, graphs[graph], statement, count)


def each_once(findings: Iterable[OffOntology]) -> list[OffOntology]:
    """Findings of several batches, each property and class once."""
    unique: dict[tuple[str, str], OffOntology] = {}
    for finding in findings:
        key = finding.code, finding.message
        first = unique.get(key)
        unique[key] = (
            finding if first is None else replace(first, count=first.count + finding.count)
        )
    return list(unique.values())


def _names_in_rules(theory: Theory) -> frozenset[Any]:
    """The properties and classes that rules name."""
    names: set[Any] = set()
    for rule in theory.rules:
        denied = (pattern for group in rule.negative for pattern in patterns_of(group))
        for pattern in (*rule.positive, *rule.head, *denied):
            names.add(pattern.object if pattern.predicate == TYPE else pattern.predicate)
    return frozenset(names)
