"""Whose a finding is, by what the document says of the members that it names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from readmark.tasks.extraction.chunks import TextChunk
from readmark.tasks.extraction.matches import MatchedDocument

STRONG, FRESH = 6, 2
"""How much a stated membership, and a scope that was set in the same sentence, count against a
scope from before."""


@dataclass(eq=False)
class Finding:
    """A mark to be: values by name, entities by name, and where its words are."""

    category: str
    start: int
    end: int
    values: dict[str, Any]
    entities: dict[str, tuple[str, str]]
    """Relation -> type and id."""
    mentions: dict[str, TextChunk]
    inherited: dict[str, Any] = field(default_factory=dict)
    probability: float | None = None
    pattern: str = ""
    decided: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def owners(self) -> dict[str, tuple[str, str]]:
        """Its entities, those that it inherits included."""
        inherited = {
            name: value for name, value in self.inherited.items() if isinstance(value, tuple)
        }
        return {**inherited, **self.entities}


class Ownership:
    """What members of a document belong to, as far as it is known, and so whose findings are."""

    def __init__(self, document: MatchedDocument) -> None:
        self.patterns, self.pairs = document.patterns, document.pairs
        self.memory: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.evidence: Counter[tuple[str, str]] = Counter()
        """How much more than a scope from before says what a member belongs to."""

    def other(self, entity: tuple[str, str]) -> tuple[str, str] | None:
        """The other entity of the pair that a document is about."""
        type, id = entity
        others = [other for other in self.pairs.get(type, ()) if other != id]
        return (type, others[0]) if len(others) == 1 else None

    def vote(self, finding: Finding, fresh: Set[str]) -> dict[str, tuple[str, str]]:
        """Members that a finding names belong to its owner, as far as a scope can say.

        Gives the owners that the text states.
        """
        decided: dict[str, tuple[str, str]] = {}
        members: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for name, entity in finding.entities.items():
            member = self.patterns.types[entity[0]].member
            if member and name != member:
                members[member].append(entity)
        for member, entities in members.items():
            stated, scope = finding.entities.get(member), finding.inherited.get(member)
            votes: Counter[str] = Counter()
            for entity in entities:
                votes.update(self.memory.get(entity, Counter()))
            before = Counter(votes)  # what the document said before outweighs as much from a scope
            weight = 1
            if stated or member in fresh:
                weight = STRONG if stated else FRESH
            owner = stated or scope
            if owner is not None:
                votes[owner[1]] += weight
            if votes:
                best = max(votes, key=lambda id: (votes[id], before[id]))
                for entity in entities:
                    self.memory[entity][best] += weight
                    self.evidence[entity] += weight if weight >= FRESH else 0
                if votes[best] >= STRONG:
                    owners = [type.name for type in self.patterns.types.values() if type.pair]
                    decided[member] = (owners[0] if owners else member, best)
        return decided

    def settle(self, finding: Finding) -> None:
        """The owner of a finding is that of its members, by all that the document says."""
        types = self.patterns.types.values()
        for member, owner_type in {
            (type.member, owner.name)
            for type in types
            if type.member
            for owner in types
            if owner.pair
        }:
            if member in finding.entities:
                continue
            votes: Counter[str] = Counter()
            for entity in finding.entities.values():
                if self.patterns.types[entity[0]].member == member:
                    votes.update(self.memory.get(entity, Counter()))
            ranked = votes.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                finding.inherited[member] = (owner_type, ranked[0][0])
