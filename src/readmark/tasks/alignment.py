"""Answers to a query paired with the gold's, one to one, for the greatest similarity in all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from readmark.tasks.consistent_pairs import AnswerPair, best_consistent
from readmark.tasks.mention_classes import class_similarity, is_name, mention_class
from readmark.tasks.records import Solution
from readmark.tasks.value_tokens import is_value, plain, token

BLANK = "_:"
"""What the name of an entity starts with that has no name of its own."""

Values = Mapping[str, str]
EntityNames = tuple[str, ...]


class MatchedAnswers(NamedTuple):
    """An answer and the one of the gold that it stands for, by their places, and its credit."""

    answer: int
    gold: int
    credit: float


def align(
    answers: Sequence[Solution], gold: Sequence[Solution], *, credit: str = "partial"
) -> list[MatchedAnswers]:
    """The pairs of answers of the greatest credit in all; ``credit`` is the rule for mentions.

    An answer's credit is the product over the gold's variables. What is not paired is not listed.
    """
    if not answers or not gold:
        return []
    likeness = _Likeness(_entities(answers), _entities(gold), _described(gold), credit)
    index = _GoldIndex([_values(solution) for solution in gold])
    pairs = [
        pair
        for place, solution in enumerate(answers)
        for pair in _pairs(place, _values(solution), index, likeness)
    ]
    return sorted(
        MatchedAnswers(pair.answer, pair.gold, pair.credit) for pair in best_consistent(pairs)
    )


def _values(solution: Solution) -> dict[str, str]:
    return {name: plain(token(value)) for name, value in solution.values.items()}


def _entities(solutions: Iterable[Solution]) -> dict[str, frozenset[str]]:
    """Every entity with all the words that any answer calls it by."""
    mentions: dict[str, set[str]] = {}
    for solution in solutions:
        for value in map(token, solution.values.values()):
            if not is_value(value):
                mentions.setdefault(value, set()).update(solution.mentions.get(value, ()))
    return {entity: mention_class(words) for entity, words in mentions.items()}


def _described(solutions: Iterable[Solution]) -> frozenset[str]:
    """The entities that have mentions, none of which is a name: "the repair", "It"."""
    is_described: dict[str, bool] = {}
    for solution in solutions:
        for entity, words in solution.mentions.items():
            if words:
                unnamed = not any(map(is_name, words))
                is_described[entity] = is_described.get(entity, True) and unnamed
    return frozenset(entity for entity, described in is_described.items() if described)


class _Likeness:
    """Which two entities may stand for one another, and how alike they are.

    Equal names are alike. Where one has no name, and the gold has no name of the other in its
    document, their other values tell which is which.
    """

    def __init__(
        self,
        ours: Mapping[str, frozenset[str]],
        theirs: Mapping[str, frozenset[str]],
        described: frozenset[str],
        credit: str,
    ) -> None:
        self._ours, self._theirs, self._credit = ours, theirs, credit
        self._common = {name for name in ours if name in theirs and not name.startswith(BLANK)}
        # The gold's entities that the document does not name, and of these the blank ones without
        # any mention, which nothing but their values can tell apart.
        self._unnamed: list[str] = []
        self._blank: list[str] = []
        self._called: defaultdict[str, list[str]] = defaultdict(list)
        for name, words in theirs.items():
            if name in self._common:
                continue
            for word in sorted(words):
                self._called[word].append(name)
            if not words or name in described:
                self._unnamed.append(name)
            if not words and name.startswith(BLANK):
                self._blank.append(name)
        self._nameless = frozenset(self._unnamed)
        self._near: dict[str, list[str]] = {}

    def is_settled(self, value: str) -> bool:
        """Whether a value of an answer is only like itself."""
        return value in self._common or is_value(value)

    def near(self, name: str) -> Sequence[str]:
        """The gold's entities that one of an answer may stand for."""
        if name not in self._near:
            called = (b for word in sorted(self._ours[name]) for b in self._called.get(word, ()))
            sharing = dict.fromkeys(called) if self._credit != "none" else {}
            nameless = self._unnamed if name.startswith(BLANK) else self._blank
            self._near[name] = list(dict.fromkeys((*sharing, *nameless)))
        return self._near[name]

    def __call__(self, ours: str, theirs: str) -> float:
        if self.is_settled(ours) or theirs in self._common or theirs not in self._theirs:
            return float(ours == theirs)
        words = self._theirs[theirs]
        if ours.startswith(BLANK) and theirs in self._nameless:
            return 1.0
        if theirs.startswith(BLANK) and not words:
            return 1.0
        return class_similarity(self._ours[ours], words, self._credit)


class _GoldIndex:
    """The gold's answers, found by the values of some of their variables."""

    def __init__(self, answers: Sequence[Values]) -> None:
        self.answers = answers
        self.by_variables: dict[EntityNames, list[int]] = {}
        for place, answer in enumerate(answers):
            self.by_variables.setdefault(tuple(sorted(answer)), []).append(place)
        self._by_values: dict[
            tuple[EntityNames, EntityNames], defaultdict[tuple[str, ...], list[int]]
        ] = {}

    def where(self, variables: EntityNames, values: Mapping[str, str]) -> Sequence[int]:
        """The answers with these variables that have these values of some of them."""
        names = tuple(values)
        if (variables, names) not in self._by_values:
            places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
            for place in self.by_variables[variables]:
                places[tuple(self.answers[place][name] for name in names)].append(place)
            self._by_values[variables, names] = places
        return self._by_values[variables, names].get(tuple(values.values()), ())


def _pairs(
    place: int, ours: Values, index: _GoldIndex, likeness: _Likeness
) -> Iterator[AnswerPair]:
    """An answer with every one of the gold's that it has credit for."""
    for variables in index.by_variables:
        if not all(name in ours for name in variables):
            continue
        settled = {name: ours[name] for name in variables if likeness.is_settled(ours[name])}
        open_names = [name for name in variables if name not in settled]
        for gold in _candidates(variables, settled, open_names, ours, index, likeness):
            theirs = index.answers[gold]
            credit = 1.0
            for name in open_names:
                credit *= likeness(ours[name], theirs[name])
            entities = tuple(dict.fromkeys((ours[name], theirs[name]) for name in open_names))
            if credit > 0 and _is_one_to_one(entities):
                yield AnswerPair(place, gold, entities, credit)


def _candidates(
    variables: EntityNames,
    settled: dict[str, str],
    open_names: Sequence[str],
    ours: Values,
    index: _GoldIndex,
    likeness: _Likeness,
) -> Sequence[int]:
    """The gold's answers with the settled values, narrowed by the rarest of the open ones."""
    places = index.where(variables, settled)
    if not places or not open_names:
        return places
    rarest = min(open_names, key=lambda name: len(likeness.near(ours[name])))
    near = likeness.near(ours[rarest])
    if len(near) >= len(places):
        return places
    return [
        place for entity in near for place in index.where(variables, {**settled, rarest: entity})
    ]


def _is_one_to_one(pairs: Sequence[tuple[str, str]]) -> bool:
    return len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
