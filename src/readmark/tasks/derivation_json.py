"""Derivations and contradictions as JSON: every statement once, referred to by its number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from readmark.tasks.reasoning.contradictions import Contradiction
from readmark.tasks.reasoning.derivation_text import contradiction_text
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.engine.chance import chance_json
from readmark.tasks.reasoning.graphs import Statement, write_triple
from readmark.tasks.reasoning.rules.values import write_condition
from readmark.tasks.reasoning.terms import bindings_json, value_json


class DerivationNodes:
    """Collects derivations; those that rest on the same statements share their nodes."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, Statement], int] = {}

    def add(self, trees: Iterable[Derivation]) -> list[int]:
        """The numbers of derivations; what is new is added, with everything it rests on."""
        roots = list(trees)
        new: list[Derivation] = []
        stack = roots[::-1]
        while stack:
            derivation = stack.pop()
            key = (derivation.graph, derivation.statement)
            if key not in self._numbers:
                self._numbers[key] = len(self._numbers)
                new.append(derivation)
                in_other_ways = (each for way in derivation.others for each in way.antecedents)
                below = (*derivation.antecedents, *derivation.links, *in_other_ways)
                stack.extend(reversed(below))
        self.nodes.extend(self._node(derivation) for derivation in new)
        return [self._number(root) for root in roots]

    def _number(self, derivation: Derivation) -> int:
        return self._numbers[derivation.graph, derivation.statement]

    def _node(self, derivation: Derivation) -> dict[str, Any]:
        node: dict[str, Any] = {
            "id": self._number(derivation),
            "graph": derivation.graph,
            **triple_json(derivation.statement),
            **chance_json(derivation.probability, derivation.bound),
        }
        if derivation.stated is not None:
            node["stated"] = derivation.stated
        if derivation.others:
            node["alone"] = derivation.alone
            node["others"] = [self._way(way) for way in derivation.others]
        if derivation.rule is not None:
            # The probability of the statement comes last, since that of this way has its name too.
            chance = chance_json(derivation.probability, derivation.bound)
            return {**node, **self._way(derivation), **chance, "ways": derivation.ways}
        if derivation.documents:
            node["documents"] = list(derivation.documents)
        if derivation.links:
            node["links"] = [self._number(link) for link in derivation.links]
        if derivation.annotators:
            node["annotators"] = list(derivation.annotators)
        node["excerpts"] = [
            {
                "part": part,
                "document": excerpt.document,
                "start": excerpt.start,
                "end": excerpt.end,
                "quote": excerpt.quote,
            }
            for part, excerpt in derivation.support.excerpts()
        ]
        return node

    def _way(self, derivation: Derivation) -> dict[str, Any]:
        """A rule with what met its conditions, and how likely the statement is by it."""
        assert derivation.rule is not None
        return {
            "rule": derivation.rule.name,
            "comment": derivation.rule.comment,
            "default": derivation.rule.assumes,
            "probability": derivation.probability,
            "bindings": bindings_json(derivation.bindings),
            "antecedents": [self._number(each) for each in derivation.antecedents],
            "held": [write_condition(builtin) for builtin in derivation.computed],
            "denied": [[write_condition(each) for each in group] for group in derivation.denied],
        }


def contradiction_json(contradiction: Contradiction, nodes: DerivationNodes) -> dict[str, Any]:
    """A contradiction with the inputs to repair and how it comes about."""
    return {
        "graph": contradiction.graph,
        "theory": contradiction.rule.contradicts,
        "rule": contradiction.rule.name,
        "comment": contradiction.rule.comment,
        "bindings": bindings_json(contradiction.bindings),
        "inputs": [write_triple(statement) for statement in contradiction.inputs],
        **chance_json(contradiction.probability, contradiction.bound),
        "antecedents": nodes.add(contradiction.antecedents),
        "text": contradiction_text(contradiction),
    }


def triple_json(statement: Statement) -> dict[str, Any]:
    """A statement as it is written, and its three parts."""
    return {
        "statement": write_triple(statement),
        "subject": statement.subject.text,
        "predicate": statement.predicate.text,
        "object": value_json(statement.object),
    }
