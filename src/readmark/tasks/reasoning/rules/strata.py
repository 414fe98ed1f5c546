"""The order in which rules run, so that what a rule denies is settled before it runs.

A rule that denies a property it concludes is a default: what it denies is the property without
the conclusions of defaults, written ``p°``; every other rule concludes ``p°`` and reads ``p``,
which is ``p°`` and the defaults. So Inference Rule 1 of the document's Table 3 has one meaning.
What still denies itself through a cycle is rejected, and the cycle is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rules.components import components, shortest_path
from readmark.tasks.reasoning.rules.values import Rule, Theory, patterns_of
from readmark.tasks.reasoning.terms import Name, written


@dataclass(frozen=True, slots=True)
class Stratum:
    """Rules that run together; the recursive ones run until nothing new comes."""

    rules: tuple[Rule, ...]
    recursive: bool


@dataclass(frozen=True, slots=True)
class _Relation:
    """A property, or one class of ``type``, which orders rules better than the whole property.

    Settled means without the conclusions of defaults.
    """

    name: str
    settled: bool = False


_Node = _Relation | str


class Dependencies:
    """Which rules read, deny and conclude which properties."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = {rule.name: rule for rule in rules}
        self._by_class = not any(self._mixes(rule) for rule in rules)
        self._defaults = {name for rule in rules for name in self.defaults(rule)}
        self.arrows: dict[_Node, list[_Node]] = {}
        self.denials: list[tuple[_Relation, str]] = []
        for rule in rules:
            self._add(rule)
        for node in list(self.arrows):
            if isinstance(node, _Relation) and node.settled:
                self._arrow(node, _Relation(node.name))

    def strata(self) -> Iterator[Stratum]:
        """The rules in an order that settles everything before it is denied."""
        for nodes in components(self.arrows):
            members = set(nodes)
            rules = tuple(rule for name, rule in self._rules.items() if name in members)
            if rules:
                yield Stratum(rules, len(nodes) > 1)

    def cycle(self) -> list[_Node]:
        """A way from a rule back to itself through a property it denies; empty if none."""
        place = {
            node: index for index, nodes in enumerate(components(self.arrows)) for node in nodes
        }
        for relation, name in self.denials:
            if place[relation] == place[name]:
                return [*shortest_path(self.arrows, name, relation), name]
        return []

    def defaults(self, rule: Rule) -> set[str]:
        """The properties that the rule both denies and concludes."""
        denied = {
            self.relation(pattern) for group in rule.groups() for pattern in patterns_of(group)
        }
        return denied & {self.relation(pattern) for pattern in rule.head}

    def relation(self, pattern: Pattern) -> str:
        """What a pattern reads or concludes: its property, or a class."""
        if pattern.predicate == TYPE and self._by_class:
            return f"type {written(pattern.object)}" if isinstance(pattern.object, Name) else "type"
        return written(pattern.predicate)

    def _mixes(self, rule: Rule) -> bool:
        """Whether classes cannot be kept apart: one is concluded that only the data names."""
        concluded = [pattern for pattern in rule.head if pattern.predicate == TYPE]
        denied = [pattern for group in rule.groups() for pattern in patterns_of(group)]
        return any(not isinstance(pattern.object, Name) for pattern in concluded) or (
            bool(concluded)
            and any(
                pattern.predicate == TYPE and not isinstance(pattern.object, Name)
                for pattern in denied
            )
        )

    def _add(self, rule: Rule) -> None:
        own = self.defaults(rule)
        for pattern in rule.positive:
            self._arrow(_Relation(self.relation(pattern)), rule.name)
        for group in rule.groups():
            for pattern in patterns_of(group):
                name = self.relation(pattern)
                relation = _Relation(name, settled=name in own)
                self._arrow(relation, rule.name)
                self.denials.append((relation, rule.name))
        for pattern in rule.head:
            name = self.relation(pattern)
            settled = name in self._defaults and name not in own
            self._arrow(rule.name, _Relation(name, settled=settled))
            if name.startswith("type "):
                self._arrow(_Relation(name), _Relation("type"))

    def _arrow(self, source: _Node, target: _Node) -> None:
        targets = self.arrows.setdefault(source, [])
        self.arrows.setdefault(target, [])
        if target not in targets:
            targets.append(target)


def stratified(theory: Theory) -> Dependencies:
    """The order of the rules; a theory that denies itself through a cycle is a DataError."""
    dependencies = Dependencies(theory.rules)
    cycle = dependencies.cycle()
    if not cycle:
        return dependencies
    steps = []
    for before, after in pairwise(cycle):
        if isinstance(before, str) and isinstance(after, _Relation):
            steps.append(f"{before} concludes {after.name}")
        elif isinstance(before, _Relation) and isinstance(after, str):
            denies = (before, after) in dependencies.denials
            steps.append(f"{after} {'denies' if denies else 'needs'} {before.name}")
    first = cycle[-1]
    line = next((rule.line for rule in theory.rules if rule.name == first), 0)
    raise DataError(
        f"the rules cannot be stratified: {'; '.join(steps)}",
        file=theory.file,
        where=line or None,
    )
