"""Patterns are tried on all training documents, and those that add most are chosen.

What a candidate finds in documents that it was not made from, and what others like it find, says
how sure it is. Patterns are chosen greedily by the statements that they add.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.tasks.categories.definitions import ENTITY, ID, Category, Hole
from readmark.tasks.extraction.induction.candidates import (
    CandidateOrigin,
    PatternCandidate,
    is_event,
)
from readmark.tasks.extraction.induction.lessons import Lesson, plain_text, quoted
from readmark.tasks.extraction.induction.lexicon import (
    ALIKE,
    IT,
    STOP,
    STOPS,
    LearntLexicon,
    list_name,
    meant_at,
)
from readmark.tasks.extraction.matches import Match as EngineMatch
from readmark.tasks.extraction.matches import match_rows
from readmark.tasks.extraction.pattern_set import Expression, MarkPattern
from readmark.tasks.extraction.tokens import token_texts

LEAST = 0.4
"""The probability below which a pattern is not kept."""
AGAIN = 0.6
"""What a statement counts that a pattern finds already."""
MOST_PATTERNS = 4
"""How many patterns may find one statement."""
COST = 0.5
"""What a wrong find costs."""
LEAST_GAIN = 0.2
"""What a pattern has to add."""
TRUST = 2.0
"""How many finds the experience with patterns of the same family counts for."""
_EVENT = "event"

Key = tuple[Any, ...]
"""A statement of a document, with placeholders for objects that no words name."""


@dataclass(frozen=True)
class LearntPattern:
    """A pattern and what it found in the training documents."""

    find: str
    category: str
    values: tuple[tuple[str, Any], ...]
    probability: float
    right: int
    wrong: int
    example: str
    documents: int = 0
    """How many documents it is made from."""


def _toml(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else quoted(str(value))


def pattern_table(pattern: LearntPattern) -> list[str]:
    """A learnt pattern as lines of TOML, with its figures and an example."""
    example = " ".join(pattern.example.split())
    lines = [
        f"# {pattern.right} right, {pattern.wrong} wrong; "
        f"from {counted(pattern.documents, 'document')}: {example}",
        "[[pattern]]",
        f"find = {quoted(pattern.find)}",
    ]
    is_about = f"{{{IT}:" in pattern.find
    lines.append(f'about = "{IT}"' if is_about else f"mark = {quoted(pattern.category)}")
    if pattern.values:
        values = ", ".join(f"{name} = {_toml(value)}" for name, value in pattern.values)
        lines.append(f"values = {{ {values} }}")
    if not is_about:
        lines.append(f"probability = {pattern.probability:.2f}")
    return [*lines, ""]


@dataclass
class PatternTrial:
    """What a candidate finds, right and wrong, by document."""

    candidate: PatternCandidate
    origin: CandidateOrigin
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    covered: set[Key] = field(default_factory=set)
    probability: float = 0.0

    def held_out(self) -> tuple[int, int]:
        """Right and wrong in documents that at least one other document suggests it for."""
        right = sum(count for id, count in self.right.items() if self.origin.documents - {id})
        wrong = sum(count for id, count in self.wrong.items() if self.origin.documents - {id})
        return right, wrong

    def pattern(self) -> LearntPattern:
        """The candidate with its figures."""
        return LearntPattern(
            self.candidate.find,
            self.candidate.category,
            self.candidate.values,
            round(min(self.probability, 0.99), 2),
            sum(self.right.values()),
            sum(self.wrong.values()),
            self.origin.example,
            len(self.origin.documents),
        )


class PatternJudge:
    """Tries patterns on the training documents."""

    def __init__(
        self,
        lexicon: LearntLexicon,
        compile: Callable[[str], Expression],
        symmetric: frozenset[str],
    ) -> None:
        self.lexicon, self.compile, self.symmetric = lexicon, compile, symmetric
        self.index: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.everywhere: set[tuple[str, int]] = set()
        for id, reading in lexicon.readings.items():
            for sentence in reading.sentences:
                place = (id, sentence.number)
                self.everywhere.add(place)
                for item in sentence.items:
                    if not item.type:
                        self.index[item.text.lower()].add(place)
        for category, words in lexicon.triggers.items():
            known = f"<{list_name(category)}>"
            for word in words:
                self.index[known] |= self._with_all(token_texts(word))
        for name, alike in {**ALIKE, STOP: STOPS}.items():
            self.index[f"<{name}>"] = set().union(*(self.index[word] for word in alike))
        self.gold: dict[str, set[Key]] = defaultdict(set)
        self.events: dict[tuple[str, str], list[Lesson]] = defaultdict(list)
        for lesson in lexicon.lessons:
            roles = {role.name: role.value for role in lesson.roles}
            if is_event(lexicon.categories.categories[lesson.category]):
                events = self.events[lesson.document, lesson.category]
                events.append(lesson)
                keys = {(*each, len(events)) for each in _event_keys(lesson, roles)}
                self.gold[lesson.document] |= keys
                continue
            self.gold[lesson.document] |= set(self._keys(lesson.document, lesson.category, roles))
        self._spots = {
            (id, scope): lexicon.places(id, facts)
            for scope in lexicon.scopes
            if (facts := lexicon.scope_type(scope)) is not None
            for id in lexicon.texts
        }

    def _with_all(self, words: Iterable[str]) -> set[tuple[str, int]]:
        found = [self.index.get(word.lower(), set()) for word in words]
        return set.intersection(*found) if found else set(self.everywhere)

    def tried(self, candidates: Mapping[PatternCandidate, CandidateOrigin]) -> list[PatternTrial]:
        """Each candidate that finds something right, with how sure it is."""
        trials = []
        for candidate, origin in candidates.items():
            trial = PatternTrial(candidate, origin)
            try:
                expression = self.compile(candidate.find)
            except (DataError, re.error):
                continue
            pattern = MarkPattern("", (expression,), candidate.category)
            for id, number in sorted(self._with_all(candidate.literals)):
                self._try(trial, expression, pattern, id, number)
            if trial.right:
                trials.append(trial)
        by_family: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for trial in trials:
            for side, count in enumerate(trial.held_out()):
                by_family[trial.origin.family][side] += count
        for trial in trials:
            right, wrong = by_family[trial.origin.family]
            own_right, own_wrong = trial.held_out()
            right, wrong = right - own_right, wrong - own_wrong
            prior = (right + 1) / (right + wrong + 2)
            wrong_in_all = sum(trial.wrong.values())
            trial.probability = (own_right + TRUST * prior) / (own_right + wrong_in_all + TRUST)
        return trials

    def _try(
        self,
        trial: PatternTrial,
        expression: Expression,
        pattern: MarkPattern,
        id: str,
        number: int,
    ) -> None:
        lexicon, candidate = self.lexicon, trial.candidate
        reading = lexicon.readings[id]
        sentence = reading.sentences[number]
        if not expression.may_match(sentence.present):
            return
        at = 0
        while (match := expression.regex.search(sentence.rendering, at)) is not None:
            if match.end() == match.start():
                return
            at = match.end()
            slots, phrases = reading.slots(expression, match, sentence)
            first = sentence.items[sentence.item_at(match.start())]
            last = sentence.items[sentence.item_at(match.end()) - 1]
            found = EngineMatch(pattern, sentence, first.start, last.end, slots, phrases)
            for row in match_rows(found):
                self._count(trial, candidate, id, first.start, row)

    def _count(
        self,
        trial: PatternTrial,
        candidate: PatternCandidate,
        id: str,
        start: int,
        row: Mapping[str, Any],
    ) -> None:
        lexicon = self.lexicon
        roles: dict[str, str] = {}
        for slot, chunk in row.items():
            name = ENTITY if slot == IT else slot
            facts = lexicon.type_of(candidate.category, name)
            if facts is not None:
                roles[name] = lexicon.entity(id, chunk, facts)
            elif isinstance(chunk.value, tuple):
                roles[name] = chunk.value[0]
            else:
                roles[name] = str(chunk.value)
        for name, value in candidate.values:
            roles[name] = str(value).lower() if isinstance(value, bool) else str(value)
        for scope in candidate.implicit:
            meant = meant_at(self._spots.get((id, scope), ()), lexicon.scopes[scope], start)
            if meant is None or meant in roles.values():
                return
            roles[scope] = meant
        if is_event(lexicon.categories.categories[candidate.category]):
            same = [
                (number, lesson)
                for number, lesson in enumerate(self.events[id, candidate.category], 1)
                if all(lesson.value(name) == value for name, value in roles.items())
            ]
            (trial.right if same else trial.wrong)[id] += 1
            for number, lesson in same:
                trial.covered |= {(*each, number) for each in _event_keys(lesson, roles)}
            return
        keys = set(self._keys(id, candidate.category, roles))
        if not keys:
            return
        known = keys & self.gold[id]
        if len(known) == len(keys):
            trial.right[id] += 1
            trial.covered |= known
        else:
            trial.wrong[id] += 1

    def _keys(self, id: str, category: str, roles: Mapping[str, str]) -> Iterator[Key]:
        """The statements that a mark with these roles yields."""
        lexicon = self.lexicon
        spec = lexicon.categories.categories[category]
        for template in spec.templates:
            if template.flag is not None and roles.get(template.flag) != "true":
                continue
            parts: list[Any] = []
            for term in template.terms:
                part = self._part(spec, term, roles)
                if part is None:
                    break
                parts.append(part)
            else:
                subject, predicate, object = parts
                if predicate in self.symmetric:
                    yield id, predicate, *sorted((str(subject), str(object)))
                else:
                    yield id, subject, predicate, object

    def _part(self, category: Category, term: Any, roles: Mapping[str, str]) -> Any:
        if not isinstance(term, Hole):
            return plain_text(term)
        name = ENTITY if term.name == ID else term.name
        if name in roles:
            return roles[name]
        objects = self.lexicon.categories.objects
        if name in objects:
            values = [roles.get(hole) for hole in objects[name].holes]
            if any(value is None for value in values):
                return None
            return (name, *sorted(str(value) for value in values))
        attribute = category.attributes.get(name)
        if attribute is not None and attribute.default is not None:
            return str(attribute.default)
        return None


def _event_keys(lesson: Lesson, roles: Mapping[str, str]) -> Iterator[Key]:
    return ((lesson.document, lesson.category, _EVENT, name) for name in roles if name != ENTITY)


def chosen_of(trials: Sequence[PatternTrial]) -> list[PatternTrial]:
    """Patterns that add most, one after another, until none adds anything.

    A statement counts less for every pattern that finds it already: another text may have only what
    one of them needs.
    """
    pool = [trial for trial in trials if trial.probability >= LEAST]
    found: Counter[Key] = Counter()
    chosen: list[PatternTrial] = []

    def order(at: int) -> tuple[float, float, int, str]:
        trial = pool[at]
        new = sum(
            AGAIN ** found[key]
            for key in trial.covered
            if found[key] < (1 if key[2] == _EVENT else MOST_PATTERNS)
        )
        gain = new * trial.probability - COST * sum(trial.wrong.values())
        return -gain, -trial.probability, len(trial.candidate.find), trial.candidate.find

    heap = [(order(at), at) for at in range(len(pool))]
    heapify(heap)
    while heap:
        _, at = heappop(heap)
        now = order(at)
        if now[0] >= -LEAST_GAIN:
            continue
        if heap and now > heap[0][0]:
            heappush(heap, (now, at))
            continue
        chosen.append(pool[at])
        found.update(pool[at].covered)
    return chosen
