"""How far the rules and people agree, and people with each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from readmark.setting.screening import Verdict
from readmark.setting.screening.decisions import Decision
from readmark.setting.screening.report import Pairwise

RULES, PEOPLE = "rules", "people"


class Votes:
    """The votes on every passage that somebody decided: the rules', each person's, the majority."""

    def __init__(self, people: Sequence[str]) -> None:
        self._columns: dict[str, list[Verdict | None]] = {person: [] for person in people}
        self._rules: list[Verdict | None] = []
        self._majority: list[Verdict | None] = []

    def add(self, rules: Verdict, majority: Verdict | None, people: Sequence[Decision]) -> None:
        """Take a passage's votes; a tie counts for nobody."""
        said = {one.person: one.decision for one in people}
        for person, column in self._columns.items():
            column.append(said.get(person))
        self._rules.append(rules)
        self._majority.append(majority)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many each person would keep and discard."""
        return {
            person: {"keep": column.count("keep"), "discard": column.count("discard")}
            for person, column in self._columns.items()
        }

    def agreement(self) -> list[Pairwise]:
        """Rules against the majority, against each person where there are several, then pairs."""
        if not self._rules:
            return []
        sides = [(RULES, PEOPLE, self._rules, self._majority)]
        if len(self._columns) > 1:
            sides += [(RULES, name, self._rules, own) for name, own in self._columns.items()]
        for (a, one), (b, other) in combinations(self._columns.items(), 2):
            sides.append((a, b, one, other))
        return [_pairwise(*side) for side in sides]


def _pairwise(
    a: str, b: str, one: Sequence[Verdict | None], other: Sequence[Verdict | None]
) -> Pairwise:
    from readmark.measures.agreement.cohen import cohen_kappa
    from readmark.measures.agreement.percent import percent_agreement

    kappa = cohen_kappa(one, other)
    same = percent_agreement(one, other)
    percent = None if same.value is None else 100 * same.value
    return Pairwise(a, b, same.n, percent, kappa.value, kappa.reason)
