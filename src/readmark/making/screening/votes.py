"""How far the rules and people agree, and people with each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from readmark.formats.passage_decisions import Decision, Verdict
from readmark.making.screening.report import VoteAgreement

RULES, PEOPLE = "rules", "people"


class Votes:
    """The votes on every passage that somebody decided: the rules', each person's, the majority."""

    def __init__(self, people: Sequence[str]) -> None:
        self._columns: dict[str, list[Verdict | None]] = {person: [] for person in people}
        self._rules: list[Verdict | None] = []
        self._majority: list[Verdict | None] = []

    def add(self, rules: Verdict, majority: Verdict | None, people: Sequence[Decision]) -> None:
        """Take a passage's votes; a tie counts for nobody."""
        votes = {decision.person: decision.decision for decision in people}
        for person, column in self._columns.items():
            column.append(votes.get(person))
        self._rules.append(rules)
        self._majority.append(majority)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many each person would keep and discard."""
        return {
            person: {"keep": column.count("keep"), "discard": column.count("discard")}
            for person, column in self._columns.items()
        }

    def agreement(self) -> list[VoteAgreement]:
        """Rules against the majority, against each person where there are several, then pairs."""
        if not self._rules:
            return []
        sides = [(RULES, PEOPLE, self._rules, self._majority)]
        if len(self._columns) > 1:
            sides += [(RULES, name, self._rules, votes) for name, votes in self._columns.items()]
        for (a, votes_a), (b, votes_b) in combinations(self._columns.items(), 2):
            sides.append((a, b, votes_a, votes_b))
        return [_agreement(*side) for side in sides]


def _agreement(
    a: str, b: str, votes_a: Sequence[Verdict | None], votes_b: Sequence[Verdict | None]
) -> VoteAgreement:
    from readmark.statistics.agreement.cohen import cohen_kappa
    from readmark.statistics.agreement.percent import percent_agreement

    kappa = cohen_kappa(votes_a, votes_b)
    same = percent_agreement(votes_a, votes_b)
    percent = None if same.value is None else 100 * same.value
    return VoteAgreement(a, b, same.n, percent, kappa.value, kappa.reason)
