"""Answers to a query set against the gold's, one to one, so that their likeness is greatest.

An entity of one side stands for one of the other at most, in all answers alike; a name that both
use is one entity. A value that is no entity is the same or it is not; numbers go by their value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from readmark.corpus.documents import Solution, is_value, plain, token
from readmark.measures.consistent_pairs import Pair, best_consistent
from readmark.measures.mention_classes import class_likeness, mention_class

BLANK = "_:"
"""What the name of an entity starts with that has no name of its own."""

Values = Mapping[str, str]
Names = tuple[str, ...]


class Pairing(NamedTuple):
    """Two answers, by their places, that stand for one another, and how alike they are."""

    said: int
    wanted: int
    credit: float


def align(
    said: Sequence[Solution], wanted: Sequence[Solution], *, credit: str = "partial"
) -> list[Pairing]:
    """The pairs of answers of the greatest credit in all; ``credit`` is that of mentions.

    An answer's credit is the product over the gold's variables. What is not paired is not listed.
    """
    if not said or not wanted:
        return []
    alike = _Alike(_entities(said), _entities(wanted), credit)
    gold = _Gold([_values(one) for one in wanted])
    pairs = [one for at, each in enumerate(said) for one in _pairs(at, _values(each), gold, alike)]
    found = (Pairing(one.said, one.wanted, one.credit) for one in best_consistent(pairs))
    return sorted(found)


def _values(one: Solution) -> dict[str, str]:
    return {name: plain(token(value)) for name, value in one.values.items()}


def _entities(solutions: Iterable[Solution]) -> dict[str, frozenset[str]]:
    """Every entity with all the words that any answer calls it by."""
    found: dict[str, set[str]] = {}
    for one in solutions:
        for value in map(token, one.values.values()):
            if not is_value(value):
                found.setdefault(value, set()).update(one.mentions.get(value, ()))
    return {name: mention_class(words) for name, words in found.items()}


class _Alike:
    """Which two entities may stand for one another, and how alike they are.

    Equal names are alike. Where one has no name and the gold tells no mentions of the other,
    nothing tells them apart.
    """

    def __init__(
        self, ours: Mapping[str, frozenset[str]], theirs: Mapping[str, frozenset[str]], credit: str
    ) -> None:
        self._ours, self._theirs, self._credit = ours, theirs, credit
        self._common = {name for name in ours if name in theirs and not name.startswith(BLANK)}
        self._unnamed: list[str] = []
        self._blank: list[str] = []
        self._called: defaultdict[str, list[str]] = defaultdict(list)
        for name, words in theirs.items():
            if name in self._common:
                continue
            for word in sorted(words):
                self._called[word].append(name)
            if not words:
                self._unnamed.append(name)
                self._blank += [name] if name.startswith(BLANK) else []
        self._near: dict[str, list[str]] = {}

    def settled(self, value: str) -> bool:
        """Whether a value of an answer is only like itself."""
        return value in self._common or is_value(value)

    def near(self, name: str) -> Sequence[str]:
        """The gold's entities that one of an answer may stand for."""
        if name not in self._near:
            called = (b for word in sorted(self._ours[name]) for b in self._called.get(word, ()))
            found = dict.fromkeys(called) if self._credit != "none" else {}
            open_to = self._unnamed if name.startswith(BLANK) else self._blank
            self._near[name] = [*found, *open_to]
        return self._near[name]

    def __call__(self, a: str, b: str) -> float:
        if self.settled(a) or b in self._common or b not in self._theirs:
            return float(a == b)
        others = self._theirs[b]
        if (a.startswith(BLANK) or b.startswith(BLANK)) and not others:
            return 1.0
        return class_likeness(self._ours[a], others, self._credit)


class _Gold:
    """The gold's answers, found by the values of some of their variables."""

    def __init__(self, answers: Sequence[Values]) -> None:
        self.answers = answers
        self.variables: dict[Names, list[int]] = {}
        for at, one in enumerate(answers):
            self.variables.setdefault(tuple(sorted(one)), []).append(at)
        self._found: dict[tuple[Names, Names], defaultdict[tuple[str, ...], list[int]]] = {}

    def where(self, variables: Names, known: Mapping[str, str]) -> Sequence[int]:
        """The answers with these variables that have the known values."""
        names = tuple(known)
        if (variables, names) not in self._found:
            index = self._found[variables, names] = defaultdict(list)
            for at in self.variables[variables]:
                index[tuple(self.answers[at][name] for name in names)].append(at)
        return self._found[variables, names].get(tuple(known.values()), ())


def _pairs(at: int, ours: Values, gold: _Gold, alike: _Alike) -> Iterator[Pair]:
    """An answer with every one of the gold's that it has credit for."""
    for variables in gold.variables:
        if not all(name in ours for name in variables):
            continue
        settled = {name: ours[name] for name in variables if alike.settled(ours[name])}
        opened = [name for name in variables if name not in settled]
        for wanted in _candidates(variables, settled, opened, ours, gold, alike):
            theirs = gold.answers[wanted]
            credit = 1.0
            for name in opened:
                credit *= alike(ours[name], theirs[name])
            entities = tuple(dict.fromkeys((ours[name], theirs[name]) for name in opened))
            if credit > 0 and _one_to_one(entities):
                yield Pair(at, wanted, entities, credit)


def _candidates(
    variables: Names,
    settled: dict[str, str],
    opened: Sequence[str],
    ours: Values,
    gold: _Gold,
    alike: _Alike,
) -> Sequence[int]:
    """The gold's answers with the settled values, narrowed by the rarest of the open ones."""
    found = gold.where(variables, settled)
    if not found or not opened:
        return found
    rarest = min(opened, key=lambda name: len(alike.near(ours[name])))
    near = alike.near(ours[rarest])
    if len(near) >= len(found):
        return found
    return [at for b in near for at in gold.where(variables, {**settled, rarest: b})]


def _one_to_one(pairs: Sequence[tuple[str, str]]) -> bool:
    return len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
