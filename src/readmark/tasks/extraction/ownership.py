"""Whose a finding is: what the document says of its members, and what its totals add up to."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from readmark.tasks.extraction.chunks import ChunkedSentence, TextChunk
from readmark.tasks.extraction.matches import MatchedDocument
from readmark.tasks.extraction.pattern_set import Ledger

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


class LedgerTotals(NamedTuple):
    """Two totals in the text, and who has the higher one where it says so."""

    low: int
    high: int
    start: int
    end: int
    sentence: ChunkedSentence
    leader: str | None
    is_final: bool = False
    """Whether they are those at the end, wherever they stand."""

    @property
    def limits(self) -> tuple[int, ...]:
        """How far findings may count: to the totals, or to the end of their sentence."""
        if self.is_final:
            return (sys.maxsize,)
        end = self.sentence.items[-1].end if self.sentence.items else self.start
        return tuple(dict.fromkeys((self.start, end)))

    def ways(self, pair: Sequence[str]) -> list[tuple[int, int]]:
        """The totals of the first and the second of a pair, as far as the text says."""
        own = [(self.low, self.high)] if self.leader == pair[1] else [(self.high, self.low)]
        if self.leader is None and self.low != self.high:
            own.append((self.low, self.high))
        return own


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

    def balance(
        self, category: str, findings: list[Finding], checks: Sequence[LedgerTotals]
    ) -> None:
        """Give findings to the other owner where only that agrees with the totals in the text.

        Only owners that nothing states are changed, all findings of a member together, and as few
        as possible.
        """
        ledger = self.patterns.ledgers[category]
        own = [one for one in findings if one.category == category and ledger.by in one.owners]
        if not checks or not own:
            return
        type = own[0].owners[ledger.by][0]
        pair = self.pairs.get(type, ())
        if len(pair) != 2:
            return
        ahead = self._ahead(ledger, findings, pair)
        checks = [
            check._replace(leader=ahead) if check.is_final and check.leader is None else check
            for check in checks
        ]
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
            return sum(_agreement(check, totals, ledger, pair)[0] for check in checks)

        best, base = frozenset[int](), agreeing(frozenset())
        most = base + 1
        keys = list(groups)[:MOST_DOUBTFUL]
        for size in (1, 2, 3):
            if max(base, most if best else 0) == AGREES * len(checks):
                break
            for chosen in combinations(keys, size):
                flipped = frozenset(id(one) for key in chosen for one in groups[key])
                # Where the sentence itself names who acts, totals have to agree better.
                doubts = sum(self.evidence[key] >= FRESH for key in chosen)
                if (count := agreeing(flipped) - doubts) > most:
                    best, most = flipped, count
        for check in checks:  # What is not worth what it mostly is, is so for all totals after it.
            for finding, points in _agreement(check, sides(best), ledger, pair)[1]:
                names = [name for name, worth in ledger.exact.items() if worth == points]
                if ledger.told and names:
                    finding.values.setdefault(ledger.told, names[0])
        for finding in own:
            if id(finding) in best:
                other = self.other(finding.owners[ledger.by])
                if other is not None:
                    finding.inherited[ledger.by] = other
        if ledger.total:
            self._drop_others(sides(frozenset()), ledger, findings)
            findings += self._stated_totals(checks, sides(frozenset()), ledger, findings, ahead)
        if ledger.whole and not self._adds_up(checks, sides(frozenset()), ledger, findings):
            findings[:] = [one for one in findings if one.category != ledger.whole]

    def _ahead(
        self, ledger: Ledger, findings: Sequence[Finding], pair: Sequence[str]
    ) -> str | None:
        """Who of a pair has the higher total at the end, where findings say so and agree."""
        said: set[str] = set()
        for finding in findings:
            for name, (_, id) in finding.owners.items():
                if id in pair and f"{finding.category}.{name}" in (ledger.ahead, ledger.behind):
                    is_ahead = f"{finding.category}.{name}" == ledger.ahead
                    said.add(id if is_ahead else pair[1 - pair.index(id)])
        return said.pop() if len(said) == 1 else None

    def _drop_others(
        self, own: Sequence[tuple[Finding, bool]], ledger: Ledger, findings: list[Finding]
    ) -> None:
        """Drop final totals that are lower than the findings, where no owner's agrees.

        They are those of something else: "since a 10-3 win in 2004".
        """
        stated = [one for one in findings if one.category == ledger.total]
        low, usual = Counter[Any](), Counter[Any]()
        for finding, _ in own:
            worth = ledger.points(finding.values)
            low[finding.owners[ledger.by]] += min(worth)
            usual[finding.owners[ledger.by]] += worth[0]
        pairs = [(one.entities.get(ledger.by), one.values.get(ledger.amount)) for one in stated]
        agrees = any(low[owner] <= amount <= usual[owner] for owner, amount in pairs if amount)
        if not agrees and sum(amount or 0 for _, amount in pairs) < low.total():
            findings[:] = [one for one in findings if one not in stated]

    def _stated_totals(
        self,
        checks: Sequence[LedgerTotals],
        own: Sequence[tuple[Finding, bool]],
        ledger: Ledger,
        findings: Sequence[Finding],
        ahead: str | None,
    ) -> list[Finding]:
        """Totals by the last ones that the text states, where findings do not add up to them.

        Lower ones than the findings add up to are from before: "came back from a 14-0 deficit".
        Ones that put another ahead than the text says are read wrongly.
        """
        type = own[0][0].owners[ledger.by][0]
        pair = self.pairs[type]
        for check in _latest(checks):
            if _agreement(check, own, ledger, pair)[0]:
                return []
            ways = []
            for limit in check.limits:
                sums, later = [0, 0], [0, 0]
                for finding, first in own:
                    worth = ledger.points(finding.values)[0]
                    (sums if finding.start < limit else later)[0 if first else 1] += worth
                for stated in check.ways(pair):
                    totals = [a + b for a, b in zip(stated, later, strict=True)]
                    if ahead is not None and totals[pair.index(ahead)] <= min(totals):
                        continue
                    if 0 < sum(sums) <= sum(stated):
                        apart = sum(abs(a - b) for a, b in zip(sums, stated, strict=True))
                        ways.append((apart, totals))
            ways.sort(key=lambda way: way[0])
            if not ways or any(way[0] == ways[0][0] and way[1] != ways[0][1] for way in ways):
                continue
            known = {
                one.entities.get(ledger.by) for one in findings if one.category == ledger.total
            }
            return [
                Finding(
                    *(ledger.total, check.start, check.end, {ledger.amount: points}),
                    *({ledger.by: (type, id)}, {}),
                    probability=ledger.probability,
                )
                for id, points in zip(pair, ways[0][1], strict=True)
                if (type, id) not in known
            ]
        return []

    def _adds_up(
        self,
        checks: Sequence[LedgerTotals],
        own: Sequence[tuple[Finding, bool]],
        ledger: Ledger,
        findings: Sequence[Finding],
    ) -> bool:
        """Whether the findings can be worth the totals at the end that the text states."""
        type = own[0][0].owners[ledger.by][0]
        pair = self.pairs[type]
        sums = [{0}, {0}]
        for finding, first in own:
            side = 0 if first else 1
            sums[side] = {a + b for a in sums[side] for b in ledger.points(finding.values)}
        stated = [
            (one.entities.get(ledger.by), one.values.get(ledger.amount))
            for one in findings
            if one.category == ledger.total
        ]
        return all(
            amount in sums[pair.index(owner[1])]
            for owner, amount in stated
            if owner is not None and owner[1] in pair
        ) and all(
            any(low in sums[0] and high in sums[1] for low, high in check.ways(pair))
            for check in checks
            if check.is_final
        )

    def _group(self, finding: Finding, by: str, counts: Mapping[Any, int]) -> tuple[Any, bool]:
        """The member that a finding goes with, and whether the text states whose it is."""
        key, sure = None, False
        for name, entity in finding.entities.items():
            if self.patterns.types[entity[0]].member == by and name != by:
                key = max(key or entity, entity, key=counts.__getitem__)
                sure = sure or self.evidence[entity] > FRESH
        return key, sure


def _latest(checks: Sequence[LedgerTotals]) -> list[LedgerTotals]:
    """Totals from the last to the first; those at the end come first, wherever they stand."""
    last_first = checks[::-1]
    return sorted(last_first, key=lambda check: not check.is_final)


Odd = tuple[tuple[Finding, int], ...]
"""Findings that are not worth what they mostly are, with what they are worth."""


def _agreement(
    check: LedgerTotals,
    findings: Sequence[tuple[Finding, bool]],
    ledger: Ledger,
    pair: Sequence[str],
) -> tuple[int, Odd]:
    """How well findings up to a place, or to the end of its sentence, add up to two totals.

    Each finding that is not worth what it mostly is takes one off, and so does the rest of the
    sentence.
    """
    best: tuple[int, Odd] = (0, ())
    for limit in check.limits:
        sums: list[dict[int, Odd]] = [{0: ()}, {0: ()}]
        for finding, first in findings:
            if finding.start < limit:
                worth = ledger.points(finding.values)
                side = 0 if first else 1
                more: dict[int, Odd] = {}
                for total, odd in sums[side].items():
                    for points in worth:
                        way = odd if points == worth[0] else (*odd, (finding, points))
                        if len(way) < len(more.get(total + points, (way,) * AGREES)):
                            more[total + points] = way
                sums[side] = more
        for one, other in check.ways(pair):
            if one in sums[0] and other in sums[1]:
                odd = sums[0][one] + sums[1][other]
                agreement = AGREES - len(odd) - (limit != check.limits[0])
                if agreement > best[0]:
                    best = agreement, odd
    return best
