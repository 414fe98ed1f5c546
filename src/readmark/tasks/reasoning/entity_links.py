"""Names that are one entity, and why: the links between them, each with its derivation."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.tasks.reasoning.derivations import Derivation, explain, leaves
from readmark.tasks.reasoning.disjoint_sets import DisjointSets
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.terms import Literal, Name


@dataclass(frozen=True)
class EntityLink:
    """Two names of one entity, and the sameAs statements between them with their derivations."""

    name: Name
    entity: Name
    """The name that stands for the entity."""
    steps: tuple[Derivation, ...]

    def as_json(self) -> dict[str, Any]:
        """Both names, and the rules that link them."""
        rules = [step.rule.name if step.rule is not None else None for step in self.steps]
        return {
            "name": self.name.text,
            "entity": self.entity.text,
            "rules": rules,
            "probability": min(step.probability for step in self.steps),
        }


class EntityLinks:
    """A forest of names and the links between them; each tree has one name that stands for all."""

    def __init__(self, stated: Iterable[Asserted]) -> None:
        self._groups = DisjointSets()
        self._first_places: dict[Name | Literal, int] = {}
        """Where each name was stated first."""
        for each in stated:
            for term in (each.statement.subject, each.statement.object):
                self._first_places.setdefault(term, len(self._first_places))
        self._neighbours: dict[Name, list[tuple[Name, Derivation]]] = {}
        self._entities: dict[Name, Name] = {}
        self._steps: dict[Name, tuple[Derivation, ...]] = {}
        """Of each name but an entity's own, the links on the way to it."""

    def add(self, inference: Inference, graph: str, pairs: Sequence[Statement]) -> None:
        """Links the names of sameAs statements of a graph, where they were not linked yet."""
        new = []
        for pair in pairs:
            first, second = pair.subject, pair.object
            if self._groups.root(first) != self._groups.root(second):
                self._groups.join([first, second])
                new.append(pair)
        for tree in explain(inference, [(graph, pair) for pair in new]):
            first, second = tree.statement.subject, tree.statement.object
            if isinstance(second, Name):
                self._neighbours.setdefault(first, []).append((second, tree))
                self._neighbours.setdefault(second, []).append((first, tree))
        groups: dict[Any, list[Name]] = {}
        for name in self._neighbours:
            groups.setdefault(self._groups.root(name), []).append(name)
        for names in groups.values():
            entity = min(names, key=self._order)
            self._entities.update((name, entity) for name in names)
            self._find_steps(entity)

    def _order(self, name: Name) -> tuple[int, str]:
        """The name that was stated first stands for an entity."""
        return self._first_places.get(name, len(self._first_places)), name.text

    def _find_steps(self, entity: Name) -> None:
        """Finds the steps from each name of an entity to the one that stands for it."""
        self._steps.pop(entity, None)
        waiting: deque[tuple[Name, tuple[Derivation, ...]]] = deque([(entity, ())])
        seen = {entity}
        while waiting:
            name, steps = waiting.popleft()
            for neighbour, tree in self._neighbours[name]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    self._steps[neighbour] = (tree, *steps)
                    waiting.append((neighbour, self._steps[neighbour]))

    def linked(self, statement: Statement) -> Statement:
        """The statement with the names that stand for entities."""
        subject = self._entities.get(statement.subject, statement.subject)
        object_ = statement.object
        if isinstance(object_, Name):
            object_ = self._entities.get(object_, object_)
        return Statement(subject, statement.predicate, object_)

    def chance(self, statement: Statement) -> float:
        """How likely the links of a statement's names are, as if they were independent."""
        steps = {
            step.statement: step.probability
            for term in (statement.subject, statement.object)
            if isinstance(term, Name)
            for step in self._steps.get(term, ())
        }
        return math.prod(steps.values())

    def basis_of_uncertain(self) -> set[Statement]:
        """The inputs that the uncertain links rest on."""
        uncertain = (
            step for steps in self._steps.values() for step in steps if step.probability < 1
        )
        return {self.linked(leaf.statement) for leaf in leaves(uncertain, linked=True)}

    def steps(self) -> dict[Name, tuple[Derivation, ...]]:
        """The links of every name that another stands for."""
        return dict(self._steps)

    def by_name(self) -> dict[Name, EntityLink]:
        """The same with both names, sorted."""
        return {
            name: EntityLink(name, self._entities[name], self._steps[name])
            for name in sorted(self._steps)
        }
