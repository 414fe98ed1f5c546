"""Whose a finding is: what the document says of its members, and what its totals add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from readmark.tasks.extraction.chunks import TextChunk
from readmark.tasks.extraction.matches import MatchedDocument
from readmark.tasks.extraction.notation import Ledger

STRONG, FRESH = 6, 2
"""How much a stated membership, and a scope that was set in the same sentence, count against a
scope from before."""
AGREES = 3
"""The agreement of findings with totals that they add up to as they mostly do."""
MOST_DOUBTFUL = 8
"""So many members are tried with the other owner."""


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
        inherited = {name: one for name, one in self.inherited.items() if isinstance(one, tuple)}
        return {**inherited, **self.entities}


class Ownership:
    """What members of a document belong to, as far as it is known, and so whose findings are."""

    def __init__(self, document: MatchedDocument) -> None:
        self.document, self.patterns, self.pairs = document, document.patterns, document.pairs
        self.memory: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.evidence: Counter[tuple[str, str]] = Counter()
        """How much more than a scope from before says what a member belongs to."""

    def other(self, entity: tuple[str, str]) -> tuple[str, str] | None:
        """The other entity of the pair that a document is about."""
        type, id = entity
        others = [one for one in self.pairs.get(type, ()) if one != id]
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
            known = Counter(votes)  # What the document said before outweighs as much from a scope.
            weight = STRONG if stated else FRESH if member in fresh else 1
            owner = stated or scope
            if owner is not None:
                votes[owner[1]] += weight
            if votes:
                best = max(votes, key=lambda id: (votes[id], known[id]))
                for entity in entities:
                    self.memory[entity][best] += weight
                    self.evidence[entity] += weight if weight >= FRESH else 0
                if votes[best] >= STRONG:
                    owners = [type.name for type in self.patterns.types.values() if type.pair]
                    decided[member] = (owners[0] if owners else member, best)
        return decided

    def settle(self, finding: Finding) -> None:
        """The owner of a finding is that of its members, by all that the document says."""
        for member, type in {
            (type.member, owner.name)
            for type in self.patterns.types.values()
            if type.member
            for owner in self.patterns.types.values()
            if owner.pair
        }:
            if member in finding.entities:
                continue
            votes: Counter[str] = Counter()
            for of, id in finding.entities.values():
                if self.patterns.types[of].member == member:
                    votes.update(self.memory.get((of, id), Counter()))
            ranked = votes.most_common(2)
            if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
                finding.inherited[member] = (type, ranked[0][0])

    def balance(self, category: str, findings: Sequence[Finding]) -> None:
        """Give findings to the other owner where only that agrees with the totals in the text.

        Only owners that nothing states are changed, all findings of a member together, and as few
        as possible.
        """
        ledger = self.patterns.ledgers[category]
        checks = [
            (
                *sorted(match.slots[slot][0].value for slot in match.pattern.check),
                match.start,
                match.sentence,
            )
            for match in self.document.matches
            if match.pattern.check
        ]
        own = [one for one in findings if one.category == category and ledger.by in one.owners]
        if not checks or not own:
            return
        type = own[0].owners[ledger.by][0]
        pair = self.pairs.get(type, ())
        if len(pair) != 2:
            return
        groups: dict[Any, list[Finding]] = defaultdict(list)
        counts = Counter(entity for finding in own for entity in finding.entities.values())
        for number, finding in enumerate(own):
            if ledger.by in finding.entities:
                continue
            key, sure = self._group(finding, ledger.by, counts)
            if not sure:
                groups[key or number].append(finding)

        def sides(flipped: Set[int]) -> list[tuple[Finding, bool]]:
            return [
                (one, (pair[0] == one.owners[ledger.by][1]) != (id(one) in flipped)) for one in own
            ]

        def agreeing(flipped: Set[int]) -> int:
            totals = sides(flipped)
            return sum(_agreement(check, totals, ledger)[0] for check in checks)

        best, base = frozenset[int](), agreeing(frozenset())
        most = base + 1
        keys = list(groups)[:MOST_DOUBTFUL]
        for size in (1, 2, 3):
            if max(base, most if best else 0) == AGREES * len(checks):
                break
            for chosen in combinations(keys, size):
                flipped = frozenset(id(one) for key in chosen for one in groups[key])
                if (count := agreeing(flipped)) > most:
                    best, most = flipped, count
        for check in checks:  # What is not worth what it mostly is, is so for all totals after it.
            for finding, points in _agreement(check, sides(best), ledger)[1]:
                names = [name for name, worth in ledger.exact.items() if worth == points]
                if ledger.told and names:
                    finding.values.setdefault(ledger.told, names[0])
        for finding in own:
            if id(finding) in best:
                other = self.other(finding.owners[ledger.by])
                if other is not None:
                    finding.inherited[ledger.by] = other

    def _group(self, finding: Finding, by: str, counts: Mapping[Any, int]) -> tuple[Any, bool]:
        """The member that a finding goes with, and whether the text states whose it is."""
        key, sure = None, False
        for name, entity in finding.entities.items():
            if self.patterns.types[entity[0]].member == by and name != by:
                key = max(key or entity, entity, key=counts.__getitem__)
                sure = sure or self.evidence[entity] > FRESH
        return key, sure


Odd = tuple[tuple[Finding, int], ...]
"""Findings that are not worth what they mostly are, with what they are worth."""


def _agreement(
    check: tuple[Any, ...], findings: Sequence[tuple[Finding, bool]], ledger: Ledger
) -> tuple[int, Odd]:
    """How well findings up to a place, or to the end of its sentence, add up to two totals.

    Each finding that is not worth what it mostly is takes one off.
    """
    low, high, place, sentence = check
    end = sentence.items[-1].end if sentence.items else place
    best: tuple[int, Odd] = (0, ())
    for limit in (place, end):
        sums: list[dict[int, Odd]] = [{0: ()}, {0: ()}]
        for finding, first in findings:
            if finding.start < limit:
                kind, told = finding.values.get(ledger.kind), finding.values.get(ledger.told)
                worth = ledger.worth.get(str(kind), (0,))
                if str(told) in ledger.exact:
                    worth = (ledger.exact[str(told)],)
                side = 0 if first else 1
                more: dict[int, Odd] = {}
                for total, odd in sums[side].items():
                    for points in worth:
                        way = odd if points == worth[0] else (*odd, (finding, points))
                        if len(way) < len(more.get(total + points, (way,) * AGREES)):
                            more[total + points] = way
                sums[side] = more
        for one, other in ((low, high), (high, low)):
            if one in sums[0] and other in sums[1]:
                odd = sums[0][one] + sums[1][other]
                if AGREES - len(odd) > best[0]:
                    best = AGREES - len(odd), odd
    return best
