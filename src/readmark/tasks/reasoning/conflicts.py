"""Conflicts: the smallest sets of asserted statements that contradict a theory together.

A contradiction is met by statements that may be derived. Each is followed down, through every way
it comes about, to the sets of inputs it rests on; one such set for each of the statements makes a
conflict.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple, TypeVar

from readmark.core.errors import DataError
from readmark.tasks.reasoning.derivations import antecedent_keys
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.limits import OutOfTime
from readmark.tasks.reasoning.engine.lineage import Lineage, lineage
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.rules.builtins import ORDERED, SMALLEST
from readmark.tasks.reasoning.rules.components import components
from readmark.tasks.reasoning.rules.reach import reach
from readmark.tasks.reasoning.rules.values import Builtin, Rule, Theory, patterns_of
from readmark.tasks.reasoning.terms import Name

MOST_CONTRADICTIONS = 200_000  # their lineage is held in memory
MOST_SUPPORTS = 200
"""Sets of inputs that one statement, or one contradiction, is followed down to.

They multiply along a derivation: k ways at each of n steps make k to the n of them.
"""

NO_TIME = 0.01  # seconds; an inference with so little ends as out of time

Input = tuple[str, Statement]
"""A graph and a statement of it."""


class InputConflict(NamedTuple):
    """Inputs that cannot all be kept, and the rule that they break."""

    inputs: frozenset[Input]
    rule: Rule


class ConflictFinder:
    """Collects the conflicts that inferences over inputs show, until ``end`` (monotonic time)."""

    def __init__(self, theory: Theory, end: float) -> None:
        self._theory = theory
        self._end = end
        self._rules_broken: dict[frozenset[Input], Rule] = {}
        self.notes: dict[str, None] = {}
        """Why conflicts may be missing, each note once."""

    def __len__(self) -> int:
        return len(self._rules_broken)

    def add(self, worlds: Sequence[Sequence[Input]]) -> None:
        """Adds the conflicts among the inputs of each world.

        Worlds are graphs of one inference: its cost is mostly per rule, not per statement.
        """
        asserted = [
            Asserted(f"{number} {graph}", statement)
            for number, inputs in enumerate(worlds)
            for graph, statement in inputs
        ]
        # "At most 2 values" is broken by any 3 of them. That may be too many choices: half of the
        # time is kept for finding one of each, after which the next world may show another.
        every_choice = replace(self._theory, rules=tuple(map(_every_choice, self._theory.rules)))
        try:
            with infer(asserted, every_choice, seconds=seconds_left(self._end) / 2) as inference:
                self._collect(inference)
        except OutOfTime:
            self.notes["a rule has too many ways to be broken"] = None
            with infer(asserted, self._theory, seconds=seconds_left(self._end)) as inference:
                self._collect(inference)

    def _collect(self, inference: Inference) -> None:
        contradictions: list[tuple[Rule, tuple[StatementKey, ...]]] = []
        for program in inference.programs.values():
            if program.rule.contradicts is None or not program.held:
                continue
            limit = MOST_CONTRADICTIONS - len(contradictions)
            columns = ", ".join(["g", *program.columns.values()])
            rows = inference.store.run(f"SELECT {columns} FROM {program.table} LIMIT {limit + 1}")
            if len(rows) > limit:
                self.notes[f"more than {MOST_CONTRADICTIONS:,} contradictions"] = None
            for graph, *codes in rows[:limit]:
                keys = antecedent_keys(inference, program, graph, codes)
                if not keys:
                    raise self._unconditional(program.rule)
                contradictions.append((program.rule, keys))
        graphs = {key.graph for _, keys in contradictions for key in keys}
        ways = lineage(inference.store, inference.programs, graphs)
        if not ways.complete:
            raise DataError("rules hold too often for contexts")
        supports, is_cut = _supports(ways, [key for _, keys in contradictions for key in keys])
        inputs_of = _inputs_of_keys(inference, supports)
        for rule, keys in contradictions:
            choices = _smallest_unions([supports[key] for key in keys])
            if choices == [frozenset()]:  # Rules without conditions are enough.
                raise self._unconditional(rule)
            is_cut |= len(choices) > MOST_SUPPORTS
            for choice in choices[:MOST_SUPPORTS]:
                self._rules_broken.setdefault(frozenset(inputs_of[key] for key in choice), rule)
        if is_cut:
            self.notes["a contradiction has too many derivations"] = None

    def _unconditional(self, rule: Rule) -> DataError:
        message = f"{rule.name} contradicts {rule.contradicts}, whatever is stated"
        return DataError(message, file=self._theory.file, where=rule.line or None)

    def smallest(self) -> list[InputConflict]:
        """The conflicts that include no other."""
        sets = without_supersets(self._rules_broken)
        return [InputConflict(inputs, self._rules_broken[inputs]) for inputs in sets]

    def rests_on_denied_denials(self) -> bool:
        """Whether rules that are broken rest on a denial of what itself rests on a denial.

        Then an input outside a conflict may settle it by being dropped, and no conflict shows
        that. A default denies what is there without defaults.
        """
        plain = [rule for rule in self._theory.rules if rule.contradicts is None]
        broken = {rule.name: rule for rule in self._rules_broken.values()}.values()
        used = {rule.name: rule for top in broken for rule in reach(top, plain).rules}
        for rule in used.values():
            denied = tuple(pattern for group in rule.groups() for pattern in patterns_of(group))
            below = [lower for lower in plain if not (rule.assumes and lower.assumes)]
            if denied and reach(Rule("", denied), below).denies:
                return True
        return False

    def may_release_rules(self, inputs: Iterable[Input]) -> bool:
        """Whether without some of the inputs a rule may hold that they keep from holding."""
        changed = {statement.predicate.text for _, statement in inputs}
        size = -1
        while size < len(changed):  # Until no rule carries the change to another property.
            size = len(changed)
            for rule in self._theory.rules:
                denied = (pattern for group in rule.groups() for pattern in patterns_of(group))
                if any(pattern.property_name in changed for pattern in (*rule.positive, *denied)):
                    changed |= {pattern.property_name for pattern in rule.head}
        return any(
            pattern.property_name in changed
            for rule in self._theory.rules
            for group in rule.groups()
            for pattern in patterns_of(group)
        )


def seconds_left(end: float) -> float:
    """The seconds until a monotonic time, at the least ``NO_TIME``."""
    return max(end - time.monotonic(), NO_TIME)


def _every_choice(rule: Rule) -> Rule:
    """The rule with every choice of values where there are too many, not only the first."""
    if rule.contradicts is None:
        return rule
    builtins = tuple(
        Builtin(ORDERED, builtin.arguments) if builtin.name == SMALLEST else builtin
        for builtin in rule.builtins
    )
    return replace(rule, builtins=builtins)


_Supports = dict[StatementKey, list[frozenset[StatementKey]]]


def _supports(ways: Lineage, keys: Iterable[StatementKey]) -> tuple[_Supports, bool]:
    """The smallest sets of inputs that statements follow from; whether some were left out."""
    antecedents: dict[StatementKey, list[StatementKey]] = {}
    stack = list(dict.fromkeys(keys))
    while stack:
        key = stack.pop()
        if key not in antecedents:
            antecedents[key] = [each for way in ways.ways.get(key, ()) for each in way.antecedents]
            stack.extend(antecedents[key])
    supports: _Supports = {}
    is_cut = False
    for circle in reversed(components(antecedents)):  # Antecedents first.
        for key in circle:
            supports[key] = [frozenset([key])] if key in ways.inputs else []
        # Statements that derive one another are gone through until nothing new follows.
        changed = True
        while changed:
            changed = False
            for key in circle:
                sets = set(supports[key])
                for way in ways.ways.get(key, ()):
                    sets.update(_smallest_unions([supports[each] for each in way.antecedents]))
                smallest = _smallest(sets)
                is_cut |= len(smallest) > MOST_SUPPORTS
                smallest = smallest[:MOST_SUPPORTS]
                changed |= len(circle) > 1 and set(smallest) != set(supports[key])
                supports[key] = smallest
    return supports, is_cut


def _smallest_unions(
    alternatives: Sequence[Sequence[frozenset[StatementKey]]],
) -> list[frozenset[StatementKey]]:
    """The smallest unions of a set of each; one more than the limit, to show that it is passed."""
    unions: list[frozenset[StatementKey]] = [frozenset()]
    for sets in alternatives:
        unions = _smallest({a | b for a, b in product(unions, sets)})[: MOST_SUPPORTS + 1]
    return unions


def _smallest(sets: Iterable[frozenset[StatementKey]]) -> list[frozenset[StatementKey]]:
    """The sets that include no other, in an order that does not depend on that of a set."""
    return without_supersets(sorted(sets, key=lambda keys: (len(keys), sorted(keys))))


def _inputs_of_keys(inference: Inference, supports: _Supports) -> dict[StatementKey, Input]:
    """The inputs in supports as graphs and statements, less the number of the world."""
    keys = {key for sets in supports.values() for support in sets for key in support}
    store = inference.store
    graphs = store.graph_names(key.graph for key in keys)
    terms = store.terms(code for key in keys for code in (key.subject, key.object))
    inputs = {}
    for key in keys:
        subject = terms[key.subject]
        if isinstance(subject, Name):
            statement = Statement(subject, Name(key.predicate), terms[key.object])
            inputs[key] = (graphs[key.graph].partition(" ")[2], statement)
    return inputs


_Member = TypeVar("_Member", bound=Hashable)


def without_supersets(sets: Iterable[frozenset[_Member]]) -> list[frozenset[_Member]]:
    """The sets that include no other, each once, smaller ones first."""
    smallest: list[frozenset[_Member]] = []
    by_member: dict[_Member, list[frozenset[_Member]]] = {}
    for candidate in sorted(dict.fromkeys(sets), key=len):
        if not candidate:  # Every set includes the empty one.
            return [candidate]
        if not any(
            smaller <= candidate for member in candidate for smaller in by_member.get(member, ())
        ):
            smallest.append(candidate)
            for member in candidate:
                by_member.setdefault(member, []).append(candidate)
    return smallest
