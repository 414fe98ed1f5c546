"""What findings add up to, held to the totals in the text: points of the two sides of a game."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import combinations
from typing import Any, NamedTuple

from readmark.tasks.extraction.chunks import ChunkedSentence
from readmark.tasks.extraction.ownership import FRESH, Finding, Ownership
from readmark.tasks.extraction.pattern_set import Ledger

_AGREES = 3
"""The agreement of findings with totals that they add up to as they mostly do."""
_MOST_DOUBTFUL = 8
"""So many members are tried with the other owner: each multiplies the trials."""
_MOST_CHANGED = 3
"""So many members are given to the other owner at once."""

OddFindings = tuple[tuple[Finding, int], ...]
"""Findings that are not worth what they mostly are, with what they are worth."""
Sides = Sequence[tuple[Finding, bool]]
"""Findings, and whether each is the first's of the pair."""


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
        ways = [(self.low, self.high)] if self.leader == pair[1] else [(self.high, self.low)]
        if self.leader is None and self.low != self.high:
            ways.append((self.low, self.high))
        return ways


def balance(
    ownership: Ownership, category: str, findings: list[Finding], totals: Sequence[LedgerTotals]
) -> None:
    """Give findings to the other owner where only that agrees with the totals in the text.

    Only owners that nothing states are changed, all findings of a member together, and as few as
    possible. Findings with final totals are added or dropped, where the ledger has a category.
    """
    ledger = ownership.patterns.ledgers[category]
    entries = [
        finding
        for finding in findings
        if finding.category == category and ledger.by in finding.owners
    ]
    if not totals or not entries:
        return
    pair = ownership.pairs.get(entries[0].owners[ledger.by][0], ())
    if len(pair) == 2:
        _Balance(ownership, ledger, findings, entries, pair, totals).settle()


class _Balance:
    """The entries of one ledger, of two owners."""

    def __init__(
        self,
        ownership: Ownership,
        ledger: Ledger,
        findings: list[Finding],
        entries: Sequence[Finding],
        pair: Sequence[str],
        totals: Sequence[LedgerTotals],
    ) -> None:
        self._ownership, self._ledger, self._findings = ownership, ledger, findings
        self._entries, self._pair = entries, pair
        self._ahead = self._leader_at_the_end()
        self._totals = [
            each._replace(leader=self._ahead) if each.is_final and each.leader is None else each
            for each in totals
        ]

    def settle(self) -> None:
        changed = self._best_change()
        # What is not worth what it mostly is, is so for all totals after it.
        for totals in self._totals:
            for finding, points in self._agreement(totals, self._sides(changed))[1]:
                names = [name for name, worth in self._ledger.exact.items() if worth == points]
                if self._ledger.told and names:
                    finding.values.setdefault(self._ledger.told, names[0])
        for finding in self._entries:
            if id(finding) in changed:
                other = self._ownership.other(finding.owners[self._ledger.by])
                if other is not None:
                    finding.inherited[self._ledger.by] = other
        if self._ledger.total:
            self._drop_totals_of_others()
            self._findings += self._stated_totals()
        if self._ledger.whole and not self._adds_up():
            self._findings[:] = [
                finding for finding in self._findings if finding.category != self._ledger.whole
            ]

    def _leader_at_the_end(self) -> str | None:
        """Who of the pair has the higher total at the end, where findings say so and agree."""
        leaders: set[str] = set()
        for finding in self._findings:
            for name, (_, id) in finding.owners.items():
                relation = f"{finding.category}.{name}"
                if id in self._pair and relation in (self._ledger.ahead, self._ledger.behind):
                    is_ahead = relation == self._ledger.ahead
                    leaders.add(id if is_ahead else self._pair[1 - self._pair.index(id)])
        return leaders.pop() if len(leaders) == 1 else None

    def _sides(self, changed: Set[int] = frozenset()) -> Sides:
        """The entries by side, where those that ``changed`` are the other's."""
        return [
            (
                finding,
                (self._pair[0] == finding.owners[self._ledger.by][1]) != (id(finding) in changed),
            )
            for finding in self._entries
        ]

    def _best_change(self) -> frozenset[int]:
        """The findings, by `id`, that agree better with the totals as the other owner's."""
        groups: dict[Any, list[Finding]] = defaultdict(list)
        counts = Counter(
            entity for finding in self._entries for entity in finding.entities.values()
        )
        for number, finding in enumerate(self._entries):
            if self._ledger.by not in finding.entities:
                member, is_sure = self._member(finding, counts)
                if not is_sure:
                    groups[member or number].append(finding)

        def agreement(changed: Set[int]) -> int:
            sides = self._sides(changed)
            return sum(self._agreement(totals, sides)[0] for totals in self._totals)

        unchanged = agreement(frozenset())
        best, most = frozenset[int](), unchanged + 1
        members = list(groups)[:_MOST_DOUBTFUL]
        for size in range(1, _MOST_CHANGED + 1):
            if max(unchanged, most if best else 0) == _AGREES * len(self._totals):
                break
            for chosen in combinations(members, size):
                changed = frozenset(id(finding) for key in chosen for finding in groups[key])
                # Where the sentence itself names who acts, totals have to agree better.
                doubts = sum(self._ownership.evidence[key] >= FRESH for key in chosen)
                if (count := agreement(changed) - doubts) > most:
                    best, most = changed, count
        return best

    def _member(self, finding: Finding, counts: Mapping[Any, int]) -> tuple[Any, bool]:
        """The member that a finding goes with, and whether the text states whose it is."""
        member, is_sure = None, False
        for name, entity in finding.entities.items():
            type = self._ownership.patterns.types[entity[0]]
            if type.member == self._ledger.by and name != self._ledger.by:
                member = max(member or entity, entity, key=counts.__getitem__)
                is_sure = is_sure or self._ownership.evidence[entity] > FRESH
        return member, is_sure

    def _drop_totals_of_others(self) -> None:
        """Drop final totals that are lower than the findings, where no owner's agrees.

        They are those of something else: "since a 10-3 win in 2004".
        """
        stated = self._stated()
        low, usual = Counter[Any](), Counter[Any]()
        for finding in self._entries:
            worth = self._ledger.points(finding.values)
            low[finding.owners[self._ledger.by]] += min(worth)
            usual[finding.owners[self._ledger.by]] += worth[0]
        amounts = [
            (finding.entities.get(self._ledger.by), finding.values.get(self._ledger.amount))
            for finding in stated
        ]
        agrees = any(low[owner] <= amount <= usual[owner] for owner, amount in amounts if amount)
        if not agrees and sum(amount or 0 for _, amount in amounts) < low.total():
            self._findings[:] = [finding for finding in self._findings if finding not in stated]

    def _stated(self) -> list[Finding]:
        """The findings that state a final total."""
        return [finding for finding in self._findings if finding.category == self._ledger.total]

    def _stated_totals(self) -> list[Finding]:
        """Totals by the last ones that the text states, where findings do not add up to them."""
        sides = self._sides()
        # From the last to the first; those at the end come first, wherever they stand.
        last_first = self._totals[::-1]
        for totals in sorted(last_first, key=lambda totals: not totals.is_final):
            if self._agreement(totals, sides)[0]:
                return []
            ways = sorted(self._ways_to_the_end(totals, sides), key=lambda way: way[0])
            if not ways or any(way[0] == ways[0][0] and way[1] != ways[0][1] for way in ways):
                continue
            type = self._entries[0].owners[self._ledger.by][0]
            known = {finding.entities.get(self._ledger.by) for finding in self._stated()}
            return [
                Finding(
                    self._ledger.total,
                    totals.start,
                    totals.end,
                    {self._ledger.amount: points},
                    {self._ledger.by: (type, id)},
                    {},
                    probability=self._ledger.probability,
                )
                for id, points in zip(self._pair, ways[0][1], strict=True)
                if (type, id) not in known
            ]
        return []

    def _ways_to_the_end(
        self, totals: LedgerTotals, sides: Sides
    ) -> list[tuple[int, Sequence[int]]]:
        """Totals at the end by those at a place, each with how far the findings are from those.

        Lower ones than the findings add up to are from before: "came back from a 14-0 deficit".
        Ones that put another ahead than the text says are read wrongly.
        """
        ways: list[tuple[int, Sequence[int]]] = []
        for limit in totals.limits:
            sums, later = [0, 0], [0, 0]
            for finding, is_first in sides:
                worth = self._ledger.points(finding.values)[0]
                (sums if finding.start < limit else later)[0 if is_first else 1] += worth
            for stated in totals.ways(self._pair):
                at_end = [a + b for a, b in zip(stated, later, strict=True)]
                ahead = self._ahead
                if ahead is not None and at_end[self._pair.index(ahead)] <= min(at_end):
                    continue
                if 0 < sum(sums) <= sum(stated):
                    distance = sum(abs(a - b) for a, b in zip(sums, stated, strict=True))
                    ways.append((distance, at_end))
        return ways

    def _adds_up(self) -> bool:
        """Whether the findings can be worth the totals at the end that the text states."""
        sums = [{0}, {0}]
        for finding, is_first in self._sides():
            side = 0 if is_first else 1
            worth = self._ledger.points(finding.values)
            sums[side] = {total + points for total in sums[side] for points in worth}
        for finding in self._stated():
            owner = finding.entities.get(self._ledger.by)
            if owner is not None and owner[1] in self._pair:
                amount = finding.values.get(self._ledger.amount)
                if amount not in sums[self._pair.index(owner[1])]:
                    return False
        return all(
            any(first in sums[0] and second in sums[1] for first, second in each.ways(self._pair))
            for each in self._totals
            if each.is_final
        )

    def _agreement(self, totals: LedgerTotals, sides: Sides) -> tuple[int, OddFindings]:
        """How well findings up to a place, or to the end of its sentence, add up to two totals.

        Each finding that is not worth what it mostly is takes one off, and so does the rest of the
        sentence.
        """
        best: tuple[int, OddFindings] = (0, ())
        for limit in totals.limits:
            # By side: every sum, with the fewest odd findings that make it.
            sums: list[dict[int, OddFindings]] = [{0: ()}, {0: ()}]
            for finding, is_first in sides:
                if finding.start < limit:
                    side = 0 if is_first else 1
                    sums[side] = _with_finding(sums[side], finding, self._ledger)
            for first, second in totals.ways(self._pair):
                if first in sums[0] and second in sums[1]:
                    odd = sums[0][first] + sums[1][second]
                    agreement = _AGREES - len(odd) - (limit != totals.limits[0])
                    if agreement > best[0]:
                        best = agreement, odd
        return best


def _with_finding(
    sums: Mapping[int, OddFindings], finding: Finding, ledger: Ledger
) -> dict[int, OddFindings]:
    """The sums with what a finding may be worth; those with too many odd findings are left out."""
    worth = ledger.points(finding.values)
    new: dict[int, OddFindings] = {}
    for total, odd in sums.items():
        for points in worth:
            way = odd if points == worth[0] else (*odd, (finding, points))
            fewest = len(new[total + points]) if total + points in new else _AGREES
            if len(way) < fewest:
                new[total + points] = way
    return new
