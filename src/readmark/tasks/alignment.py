"""Pairs of answers of the greatest credit in all, such that nothing stands for two things.

A set of pairs is consistent when no answer is in two of them, and no entity of either side is
paired with two of the other. The greatest set is found by branch and bound on what an entity
stands for; parts that share nothing are settled apart, and where entities come in one answer each,
or answers have one entity each, it is an assignment problem.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from readmark.statistics.assignment import best_assignment
from readmark.tasks.records import Solution
from readmark.tasks.value_tokens import is_value, plain, token
from readmark.text.script import simplified

LOOKS = 200_000
"""How many pairs a search looks at; then parts not settled yet get the best that was found."""
_EQUAL = 1e-12

EntityPair = tuple[str, str]
T = TypeVar("T", bound=Hashable)


class AnswerPair(NamedTuple):
    """An answer and a gold one, what each of its open entities would stand for, and the credit."""

    said: int
    wanted: int
    entities: tuple[EntityPair, ...]
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
    def __init__(self, looks: int) -> None:
        self._left = looks

    def best(self, pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
        """The best choice, part by part; what settled entities stand for is no question."""
        return [
            answer_pair
            for part in _parts(pairs, settled)
            for answer_pair in self._of_part(part, settled)
        ]

    def _of_part(self, pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
        if len(pairs) == 1:
            return list(pairs)
        if _one_answer_each(pairs, settled):
            return _assigned(pairs)
        if _one_entity_each(pairs, settled):
            return _by_entities(pairs, settled)
        best = _by_support(pairs, settled)
        self._left -= len(pairs)
        if self._left <= 0:
            return best
        most, chosen = total(best), _heaviest(pairs, settled)
        for option in (*_options(pairs, chosen), None):
            kept = [pair for pair in pairs if _allows(pair, chosen, option)]
            if _bound(kept) > most + _EQUAL:
                answer_pairs = self.best(kept, settled | {chosen})
                if total(answer_pairs) > most + _EQUAL:
                    best, most = answer_pairs, total(answer_pairs)
        return best


def _parts(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[list[AnswerPair]]:
    """The pairs in groups that share neither an answer nor an open entity."""
    above: dict[Hashable, Hashable] = {}

    def top(one: Hashable) -> Hashable:
        while (up := above.setdefault(one, one)) != one:
            above[one] = above[up]
            one = above[one]
        return one

    for pair in pairs:
        first = top((0, pair.said))
        above[top((1, pair.wanted))] = first
        for a, b in pair.entities:
            if a not in settled:
                above[top((2, a))] = top(first)
                above[top((3, b))] = top(first)
    found: defaultdict[Hashable, list[AnswerPair]] = defaultdict(list)
    for pair in pairs:
        found[top((0, pair.said))].append(pair)
    return list(found.values())


def _one_answer_each(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> bool:
    """Whether every open entity occurs in one answer only, so that answers are all that clash."""
    said: dict[str, int] = {}
    wanted: dict[str, int] = {}
    return all(
        said.setdefault(a, pair.said) == pair.said
        and wanted.setdefault(b, pair.wanted) == pair.wanted
        for pair in pairs
        for a, b in pair.entities
        if a not in settled
    )


def _one_entity_each(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> bool:
    """Whether every answer has one open entity, the same in all its pairs."""
    said: dict[int, str] = {}
    wanted: dict[int, str] = {}
    for answer_pair in pairs:
        opened = {pair for pair in answer_pair.entities if pair[0] not in settled}
        if len(opened) != 1:
            return False
        [(a, b)] = opened
        if (
            said.setdefault(answer_pair.said, a) != a
            or wanted.setdefault(answer_pair.wanted, b) != b
        ):
            return False
    return True


def _by_entities(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
    """The best choice where every answer has one open entity: these are assigned."""
    grouped: defaultdict[EntityPair, list[AnswerPair]] = defaultdict(list)
    for answer_pair in pairs:
        grouped[next(pair for pair in answer_pair.entities if pair[0] not in settled)].append(
            answer_pair
        )
    found = {entities: _assigned(several) for entities, several in grouped.items()}
    chosen = _chosen({entities: total(several) for entities, several in found.items()})
    return [answer_pair for entities in chosen for answer_pair in found[entities]]


def _by_support(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> list[AnswerPair]:
    """A good choice: entities are paired by the credit of the answers that they occur in."""
    support: defaultdict[EntityPair, float] = defaultdict(float)
    for answer_pair in pairs:
        # Kept in order: which of equal choices is taken must not change from run to run.
        for pair in dict.fromkeys(answer_pair.entities):
            if pair[0] not in settled:
                support[pair] += answer_pair.credit
    chosen = set(_chosen(support))
    return _assigned(
        [
            answer_pair
            for answer_pair in pairs
            if all(pair in chosen for pair in answer_pair.entities if pair[0] not in settled)
        ]
    )


def _chosen(weights: Mapping[tuple[T, T], float]) -> list[tuple[T, T]]:
    """The pairs of the greatest weight in all, of which no two share a side."""
    rows, columns = (list(dict.fromkeys(pair[at] for pair in weights)) for at in (0, 1))
    if len(rows) == len(columns) == len(weights):
        return list(weights)
    table = [[weights.get((a, b), 0.0) for b in columns] for a in rows]
    found = ((rows[row], columns[column]) for row, column in best_assignment(table))
    return [pair for pair in found if pair in weights]


def _assigned(pairs: Sequence[AnswerPair]) -> list[AnswerPair]:
    """The best choice where only answers clash."""
    best: dict[tuple[int, int], AnswerPair] = {}
    for answer_pair in pairs:
        known = best.get((answer_pair.said, answer_pair.wanted))
        if known is None or answer_pair.credit > known.credit:
            best[answer_pair.said, answer_pair.wanted] = answer_pair
    return [best[key] for key in _chosen({key: pair.credit for key, pair in best.items()})]


def _bound(pairs: Sequence[AnswerPair]) -> float:
    """No choice has more: each answer of a side with the best that it could have."""
    said: dict[int, float] = {}
    wanted: dict[int, float] = {}
    for pair in pairs:
        said[pair.said] = max(said.get(pair.said, 0.0), pair.credit)
        wanted[pair.wanted] = max(wanted.get(pair.wanted, 0.0), pair.credit)
    return min(sum(said.values()), sum(wanted.values()))


def _heaviest(pairs: Sequence[AnswerPair], settled: frozenset[str]) -> str:
    """The open entity that the most credit hangs on."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pair in pairs:
        for a, _ in pair.entities:
            if a not in settled:
                weights[a] += pair.credit
    return max(weights, key=lambda a: weights[a])


def _options(pairs: Sequence[AnswerPair], entity: str) -> list[str]:
    """What an entity could stand for, what the most credit hangs on first."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pair in pairs:
        for a, b in pair.entities:
            if a == entity:
                weights[b] += pair.credit
    return sorted(weights, key=lambda b: -weights[b])


def _allows(pair: AnswerPair, entity: str, stands_for: str | None) -> bool:
    if stands_for is None:
        return all(a != entity for a, _ in pair.entities)
    return all((a == entity) == (b == stands_for) for a, b in pair.entities)


# How alike two entities are by the words they are called by: their equivalence classes.


CREDITS = ("partial", "any", "none")
"""Dice's coefficient of the two classes; 1 when they share a mention; only names count."""


_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
PRONOUNS = frozenset(
    [
        "it",
        "its",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "they",
        "them",
        "their",
        "this",
        "that",
        "these",
        "those",
        "who",
        "which",
    ]
) | frozenset(["它", "他", "她", "它们", "他们", "她们", "这", "那", "该", "此", "其"])


def mention_class(mentions: Iterable[str]) -> frozenset[str]:
    """The distinct mentions, whatever their case, spacing, width, script and English article."""
    return frozenset(one for one in map(_folded, mentions) if one)


def _folded(mention: str) -> str:
    same = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", mention).casefold())
    words = " ".join(same.split()) if same.isascii() else " ".join(simplified(same).split())
    return without_article(words)


def without_article(mention: str) -> str:
    """Words without the article before them."""
    return _ARTICLE.sub("", mention, count=1) if _ARTICLE.match(mention) else mention


def is_name(mention: str) -> bool:
    """Whether a mention names its entity: it has a capital letter, a figure, or no letter case.

    "the repair" and "It" only describe or point at something.
    """
    words = without_article(mention.strip())
    if words.casefold() in PRONOUNS:
        return False
    letters = [letter for letter in words if letter.isalpha()]
    is_cased = any(letter.lower() != letter.upper() for letter in letters)
    return not is_cased or words != words.lower() or any(letter.isdigit() for letter in words)


def class_similarity(a: frozenset[str], b: frozenset[str], credit: str) -> float:
    """0 to 1; classes without mentions are like none."""
    shared = len(a & b)
    if not shared or credit == "none":
        return 0.0
    return 1.0 if credit == "any" else 2 * shared / (len(a) + len(b))


# Answers to a query paired with the gold's, one to one, for the greatest similarity in all.


BLANK = "_:"
"""What the name of an entity starts with that has no name of its own."""

Values = Mapping[str, str]
EntityNames = tuple[str, ...]


class MatchedAnswers(NamedTuple):
    """Two answers, by their places, that stand for one another, and how alike they are."""

    said: int
    wanted: int
    credit: float


def align(
    said: Sequence[Solution], wanted: Sequence[Solution], *, credit: str = "partial"
) -> list[MatchedAnswers]:
    """The pairs of answers of the greatest credit in all; ``credit`` is that of mentions.

    An answer's credit is the product over the gold's variables. What is not paired is not listed.
    """
    if not said or not wanted:
        return []
    alike = _Alike(_entities(said), _entities(wanted), _described(wanted), credit)
    gold = _Gold([_values(solution) for solution in wanted])
    pairs = [
        pair
        for index, each in enumerate(said)
        for pair in _pairs(index, _values(each), gold, alike)
    ]
    found = (
        MatchedAnswers(answer_pair.said, answer_pair.wanted, answer_pair.credit)
        for answer_pair in best_consistent(pairs)
    )
    return sorted(found)


def _values(one: Solution) -> dict[str, str]:
    return {name: plain(token(value)) for name, value in one.values.items()}


def _entities(solutions: Iterable[Solution]) -> dict[str, frozenset[str]]:
    """Every entity with all the words that any answer calls it by."""
    found: dict[str, set[str]] = {}
    for solution in solutions:
        for value in map(token, solution.values.values()):
            if not is_value(value):
                found.setdefault(value, set()).update(solution.mentions.get(value, ()))
    return {name: mention_class(words) for name, words in found.items()}


def _described(solutions: Iterable[Solution]) -> frozenset[str]:
    """The entities that have mentions, none of which is a name: "the repair", "It"."""
    found: dict[str, bool] = {}
    for solution in solutions:
        for name, words in solution.mentions.items():
            if words:
                found[name] = found.get(name, True) and not any(map(is_name, words))
    return frozenset(name for name, is_described in found.items() if is_described)


class _Alike:
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
            if not words:
                self._blank += [name] if name.startswith(BLANK) else []
        self._nameless = frozenset(self._unnamed)
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
            self._near[name] = list(dict.fromkeys((*found, *open_to)))
        return self._near[name]

    def __call__(self, a: str, b: str) -> float:
        if self.settled(a) or b in self._common or b not in self._theirs:
            return float(a == b)
        others = self._theirs[b]
        if a.startswith(BLANK) and b in self._nameless:
            return 1.0
        if b.startswith(BLANK) and not others:
            return 1.0
        return class_similarity(self._ours[a], others, self._credit)


class _Gold:
    """The gold's answers, found by the values of some of their variables."""

    def __init__(self, answers: Sequence[Values]) -> None:
        self.answers = answers
        self.variables: dict[EntityNames, list[int]] = {}
        for index, answer in enumerate(answers):
            self.variables.setdefault(tuple(sorted(answer)), []).append(index)
        self._found: dict[
            tuple[EntityNames, EntityNames], defaultdict[tuple[str, ...], list[int]]
        ] = {}

    def where(self, variables: EntityNames, known: Mapping[str, str]) -> Sequence[int]:
        """The answers with these variables that have the known values."""
        names = tuple(known)
        if (variables, names) not in self._found:
            index = self._found[variables, names] = defaultdict(list)
            for variable in self.variables[variables]:
                index[tuple(self.answers[variable][name] for name in names)].append(variable)
        return self._found[variables, names].get(tuple(known.values()), ())


def _pairs(at: int, ours: Values, gold: _Gold, alike: _Alike) -> Iterator[AnswerPair]:
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
                yield AnswerPair(at, wanted, entities, credit)


def _candidates(
    variables: EntityNames,
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
