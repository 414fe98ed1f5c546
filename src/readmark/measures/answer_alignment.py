"""Answers to a query set against the gold's, one to one, so that their likeness is greatest.

Entities are aligned first: an entity of one side stands for one of the other at most, in all
answers alike. A value that is no entity is the same or it is not.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from readmark.corpus.documents import Solution, token
from readmark.measures.assignment import best_assignment
from readmark.measures.mention_classes import class_likeness, mention_class

BLANK = "_:"
"""What the name of an entity starts with that has no name of its own."""

Likeness = dict[tuple[str, str], float]


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
    ours, theirs = [_values(one) for one in said], [_values(one) for one in wanted]
    if not (_told(said) and _told(wanted)) and not (_blank(ours) or _blank(theirs)):
        return _same(ours, theirs)
    alike = _likeness(_entities(said), _entities(wanted), credit)
    aligned = _aligned(ours, theirs, alike)
    table = [[_credit(a, b, aligned) for b in theirs] for a in ours]
    pairs = (Pairing(row, column, table[row][column]) for row, column in best_assignment(table))
    return [one for one in pairs if one.credit > 0]


def _same(ours: Sequence[Mapping[str, str]], theirs: Sequence[Mapping[str, str]]) -> list[Pairing]:
    """Pairs of equal answers, where there is nothing but names and values to go by."""
    free: defaultdict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for at, one in enumerate(theirs):
        free[tuple(sorted(one.items()))].append(at)
    names = dict.fromkeys(tuple(sorted(one)) for one in theirs)
    found, taken = [], set[int]()
    for at, one in enumerate(ours):
        for several in names:
            if not all(name in one for name in several):
                continue
            left = [
                w
                for w in free.get(tuple((name, one[name]) for name in several), ())
                if w not in taken
            ]
            if left:
                taken.add(left[0])
                found.append(Pairing(at, left[0], 1.0))
                break
    return found


def _values(one: Solution) -> dict[str, str]:
    return {name: _plain(token(value)) for name, value in one.values.items()}


def _plain(text: str) -> str:
    """A value's token; numbers of one value have one token."""
    if text[:1] in "+-.0123456789":
        try:
            number = float(text)
        except (ValueError, OverflowError):
            return text
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else text
    return text


def _is_entity(text: str) -> bool:
    if text.startswith('"') or text in ("true", "false"):
        return False
    for reads in (float, datetime.datetime.fromisoformat):
        try:
            reads(text)
        except (ValueError, OverflowError):
            continue
        return False
    return True


def _told(solutions: Iterable[Solution]) -> bool:
    return any(one.mentions for one in solutions)


def _blank(answers: Iterable[Mapping[str, str]]) -> bool:
    return any(value.startswith(BLANK) for one in answers for value in one.values())


def _entities(solutions: Iterable[Solution]) -> dict[str, frozenset[str]]:
    """Every entity with all the words that any answer calls it by."""
    found: dict[str, set[str]] = {}
    for one in solutions:
        for value in map(token, one.values.values()):
            if _is_entity(value):
                found.setdefault(value, set()).update(one.mentions.get(value, ()))
    return {name: mention_class(words) for name, words in found.items()}


def _likeness(
    ours: Mapping[str, frozenset[str]], theirs: Mapping[str, frozenset[str]], credit: str
) -> Likeness:
    """Every two entities that may stand for one another.

    Equal names are alike. Where one has no name and the gold tells no mentions of the other,
    nothing tells them apart.
    """
    found: Likeness = {}
    for a, words in ours.items():
        for b, others in theirs.items():
            nameless = a.startswith(BLANK) or b.startswith(BLANK)
            if (a == b and not nameless) or (nameless and not others):
                found[a, b] = 1.0
            elif value := class_likeness(words, others, credit):
                found[a, b] = value
    return found


def _aligned(
    ours: Sequence[Mapping[str, str]], theirs: Sequence[Mapping[str, str]], alike: Likeness
) -> Likeness:
    """One to one: the pairs of entities that the answers they stand in support most."""
    support: defaultdict[tuple[str, str], float] = defaultdict(float)
    for a in ours:
        for b in theirs:
            if credit := _credit(a, b, alike):
                # Kept in order: which of equal choices is taken must not change from run to run.
                for pair in dict.fromkeys((a[name], value) for name, value in b.items()):
                    if pair in alike:
                        support[pair] += credit
    rows, columns = (list(dict.fromkeys(pair[at] for pair in support)) for at in (0, 1))
    # A name that both use outweighs any support.
    most = sum(support.values()) + 1
    table = [
        [
            support.get((a, b), 0.0) + (most if a == b and not a.startswith(BLANK) else 0)
            for b in columns
        ]
        for a in rows
    ]
    chosen = ((rows[row], columns[column]) for row, column in best_assignment(table))
    return {pair: alike[pair] for pair in chosen if pair in support}


def _credit(ours: Mapping[str, str], theirs: Mapping[str, str], alike: Likeness) -> float:
    found = 1.0
    for name, value in theirs.items():
        own = ours.get(name)
        if own is None:
            return 0.0
        if own == value and not _is_entity(value):
            continue
        found *= alike.get((own, value), 0.0)
        if not found:
            return 0.0
    return found
