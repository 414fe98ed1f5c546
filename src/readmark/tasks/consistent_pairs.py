"""Pairs of answers of the greatest credit in all, such that nothing stands for two things.

A set of pairs is consistent when no answer is in two of them, and no entity of either side is
paired with two of the other. The greatest set is found by branch and bound on what an entity
stands for; parts that share nothing are settled apart, and where entities come in one answer each,
or answers have one entity each, it is an assignment problem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from readmark.statistics.assignment import best_assignment

LOOKS = 200_000
"""How many pairs a search looks at; then parts not settled yet get the best choice so far."""
_EQUAL = 1e-12  # sums of the same credits in another order differ by less than this

EntityPair = tuple[str, str]
T = TypeVar("T", bound=Hashable)


class AnswerPair(NamedTuple):
    """An answer and one of the gold, by their places, and what pairing them would mean."""

    answer: int
    gold: int
    entities: tuple[EntityPair, ...]
    """What each entity of the answer that is still open would stand for in the gold."""
    credit: float


def best_consistent(pairs: Sequence[AnswerPair], *, looks: int = LOOKS) -> list[AnswerPair]:
    """A consistent choice of the greatest credit; the same on every run.

    It is the greatest unless the search takes more than ``looks``: then it is no worse than that of
    entities paired by the credit of the answers they occur in.
    """
    return _Search(looks).best(pairs, frozenset())


def total(pairs: Iterable[AnswerPair]) -> float:
    """The credit of pairs together."""
    return sum(pair.credit for pair in pairs)


class _Search:
    """Branch and bound with a limit on all the looks of one search."""

    def __init__(self, looks: int) -> None:
        self._looks_left = looks

    def best(self, pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
        """The best choice, part by part; what settled entities stand for is no question."""
        return [pair for part in _parts(pairs, settled) for pair in self._of_part(part, settled)]

    def _of_part(self, pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
        if len(pairs) == 1:
            return list(pairs)
        if _one_answer_each(pairs, settled):
            return _assigned(pairs)
        if _one_entity_each(pairs, settled):
            return _by_entities(pairs, settled)
        best = _by_support(pairs, settled)
        self._looks_left -= len(pairs)
        if self._looks_left <= 0:
            return best
        greatest = total(best)
        entity = _heaviest(pairs, settled)
        for stands_for in (*_options(pairs, entity), None):
            allowed = [pair for pair in pairs if _allows(pair, entity, stands_for)]
            if _bound(allowed) > greatest + _EQUAL:
                choice = self.best(allowed, settled | {entity})
                if total(choice) > greatest + _EQUAL:
                    best, greatest = choice, total(choice)
        return best


def _parts(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[list[AnswerPair]]:
    """The pairs in groups that share neither an answer nor an open entity."""
    parents: dict[Hashable, Hashable] = {}  # a union-find forest over answers and entities

    def root(node: Hashable) -> Hashable:
        while (parent := parents.setdefault(node, node)) != node:
            parents[node] = parents[parent]
            node = parents[node]
        return node

    for pair in pairs:
        answer = root(("answer", pair.answer))
        parents[root(("gold", pair.gold))] = answer
        for a, b in pair.entities:
            if a not in settled:
                parents[root(("answer's entity", a))] = root(answer)
                parents[root(("gold's entity", b))] = root(answer)
    parts: defaultdict[Hashable, list[AnswerPair]] = defaultdict(list)
    for pair in pairs:
        parts[root(("answer", pair.answer))].append(pair)
    return list(parts.values())


def _one_answer_each(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> bool:
    """Whether every open entity occurs in one answer only, so that answers are all that clash."""
    answer_of: dict[str, int] = {}
    gold_of: dict[str, int] = {}
    return all(
        answer_of.setdefault(a, pair.answer) == pair.answer
        and gold_of.setdefault(b, pair.gold) == pair.gold
        for pair in pairs
        for a, b in pair.entities
        if a not in settled
    )


def _one_entity_each(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> bool:
    """Whether every answer has one open entity, the same in all its pairs."""
    entity_of_answer: dict[int, str] = {}
    entity_of_gold: dict[int, str] = {}
    for pair in pairs:
        open_entities = {entities for entities in pair.entities if entities[0] not in settled}
        if len(open_entities) != 1:
            return False
        [(a, b)] = open_entities
        if (
            entity_of_answer.setdefault(pair.answer, a) != a
            or entity_of_gold.setdefault(pair.gold, b) != b
        ):
            return False
    return True


def _by_entities(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
    """The best choice where every answer has one open entity: entities are assigned."""
    by_entities: defaultdict[EntityPair, list[AnswerPair]] = defaultdict(list)
    for pair in pairs:
        open_pair = next(entities for entities in pair.entities if entities[0] not in settled)
        by_entities[open_pair].append(pair)
    best = {entities: _assigned(members) for entities, members in by_entities.items()}
    chosen = _chosen({entities: total(members) for entities, members in best.items()})
    return [pair for entities in chosen for pair in best[entities]]


def _by_support(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
    """A good choice: entities are paired by the credit of the answers that they occur in."""
    support: defaultdict[EntityPair, float] = defaultdict(float)
    for pair in pairs:
        # In order: which of equal choices is taken must not change from run to run.
        for entities in dict.fromkeys(pair.entities):
            if entities[0] not in settled:
                support[entities] += pair.credit
    chosen = set(_chosen(support))
    return _assigned(
        [
            pair
            for pair in pairs
            if all(entities in chosen for entities in pair.entities if entities[0] not in settled)
        ]
    )


def _chosen(weights: Mapping[tuple[T, T], float]) -> list[tuple[T, T]]:
    """The pairs of the greatest weight in all, of which no two share a side."""
    rows = list(dict.fromkeys(a for a, _ in weights))
    columns = list(dict.fromkeys(b for _, b in weights))
    if len(rows) == len(columns) == len(weights):
        return list(weights)
    table = [[weights.get((a, b), 0.0) for b in columns] for a in rows]
    assigned = ((rows[row], columns[column]) for row, column in best_assignment(table))
    return [pair for pair in assigned if pair in weights]


def _assigned(pairs: Sequence[AnswerPair]) -> list[AnswerPair]:
    """The best choice where only answers clash."""
    best: dict[tuple[int, int], AnswerPair] = {}
    for pair in pairs:
        places = pair.answer, pair.gold
        if places not in best or pair.credit > best[places].credit:
            best[places] = pair
    return [best[places] for places in _chosen({key: pair.credit for key, pair in best.items()})]


def _bound(pairs: Sequence[AnswerPair]) -> float:
    """No choice has more: each answer of a side with the best that it could have."""
    answers: dict[int, float] = {}
    gold: dict[int, float] = {}
    for pair in pairs:
        answers[pair.answer] = max(answers.get(pair.answer, 0.0), pair.credit)
        gold[pair.gold] = max(gold.get(pair.gold, 0.0), pair.credit)
    return min(sum(answers.values()), sum(gold.values()))


def _heaviest(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> str:
    """The open entity that the most credit depends on."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pair in pairs:
        for a, _ in pair.entities:
            if a not in settled:
                weights[a] += pair.credit
    return max(weights, key=lambda a: weights[a])


def _options(pairs: Sequence[AnswerPair], entity: str) -> list[str]:
    """What an entity could stand for, that with the most credit first."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pair in pairs:
        for a, b in pair.entities:
            if a == entity:
                weights[b] += pair.credit
    return sorted(weights, key=lambda b: -weights[b])


def _allows(pair: AnswerPair, entity: str, stands_for: str | None) -> bool:
    """Whether a pair is still possible when an entity stands for another one, or for none."""
    if stands_for is None:
        return all(a != entity for a, _ in pair.entities)
    return all((a == entity) == (b == stands_for) for a, b in pair.entities)
