"""Which input statements a contradiction cannot do without: trials that leave them out one by one.

A trial must break the same rule with the same values. Where no rule behind it denies anything, the
inputs of its derivation are tried alone. Otherwise what they leave out may unblock a rule, so they
are tried together with the graph's other inputs too: those of their neighbourhood, where no rule
reaches beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from readmark.reasoning.engine.inference import Inference, infer
from readmark.reasoning.graphs import Asserted, Statement
from readmark.reasoning.neighbourhoods import joined_places, neighbours
from readmark.reasoning.rules.values import Rule, patterns_of
from readmark.reasoning.terms import Literal, Name

BATCH = 500_000
"""So many statements of trials are inferred over at once."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that a graph breaks with these values, and the inputs of one derivation of it."""

    graph: str
    rule: Rule
    bindings: Mapping[str, Name | Literal]
    inputs: tuple[Statement, ...]


_Trial = tuple[int, tuple[Statement, ...], bool]
"""Of which contradiction, the inputs of its derivation that stay, and whether others are there."""
_Key = tuple[str, frozenset[tuple[str, Name | Literal]]]
"""A rule and the values of its variables."""


def minimal_inputs(inference: Inference, broken: Sequence[Broken]) -> list[tuple[Statement, ...]]:
    """For each, the inputs less those without which the same rule is broken alike.

    Every trial of a turn is a graph of one inference, so the turns are as many as the inputs of
    the largest set.
    """
    trials = _Trials(inference, broken)
    current = [one.inputs for one in broken]
    ways = trials.ways()
    for turn in range(max((len(one) for one in current), default=0)):
        asked: list[_Trial] = []
        for number, kept in enumerate(current):
            at = len(broken[number].inputs) - 1 - turn
            if at >= 0 and len(kept) > 1:
                target = broken[number].inputs[at]
                fewer = tuple(one for one in kept if one != target)
                asked.extend((number, fewer, others) for others in ways[number])
        fewest: dict[int, tuple[Statement, ...]] = {}
        needed: set[int] = set()
        for (number, fewer, _), still in zip(asked, trials.broken(asked), strict=True):
            fewest[number] = fewer
            if not still:
                needed.add(number)
        for number in fewest.keys() - needed:
            current[number] = fewest[number]
    return current


class _Trials:
    """Inferences over some of the inputs, for several contradictions at once."""

    def __init__(self, inference: Inference, broken: Sequence[Broken]) -> None:
        self._broken = broken
        self._keys = [_key(one.rule.name, one.bindings) for one in broken]
        plain = [rule for rule in inference.theory.rules if rule.contradicts is None]
        wanted = {one.rule.name: one.rule for one in broken}
        reach = {name: _reach(rule, plain) for name, rule in wanted.items()}
        used = {one.name for found in reach.values() for one in found.rules}
        certain = [
            replace(rule, probability=1.0)
            for rule in (*plain, *wanted.values())
            if rule.name in used
        ]
        self._theory = replace(inference.theory, rules=tuple(certain))
        self._deep = {name for name, found in reach.items() if found.denies}
        deep = [one for one in broken if one.rule.name in self._deep]
        properties = {each for one in deep for each in reach[one.rule.name].properties}
        inputs = _inputs(inference, {one.graph for one in deep}, properties)
        self._others = _others(broken, {name: reach[name] for name in self._deep}, inputs)

    def ways(self) -> list[tuple[bool, ...]]:
        """Of each contradiction, whether its inputs can be tried alone and with the others.

        Alone they may break nothing, where another input blocks a rule; and the others may break
        the rule alike without them. Where both is so, nothing is tried.
        """
        numbers = range(len(self._broken))
        deep = [number for number in numbers if self._broken[number].rule.name in self._deep]
        alone = self.broken([(number, self._broken[number].inputs, False) for number in numbers])
        others = self.broken([(number, (), True) for number in deep])
        usable = {number for number, still in zip(deep, others, strict=True) if not still}
        return [(False,) * alone[number] + (True,) * (number in usable) for number in numbers]

    def broken(self, trials: Sequence[_Trial]) -> list[bool]:
        """Of each trial, whether the same rule is broken with the same values."""
        found: list[bool] = []
        waiting: list[tuple[int, frozenset[Statement]]] = []
        different: set[frozenset[Statement]] = set()
        size = 0
        for trial in trials:
            kept = self._kept(trial)
            waiting.append((trial[0], kept))
            if kept not in different:
                different.add(kept)
                size += len(kept)
            if size >= BATCH:
                found += self._run(waiting)
                waiting, different, size = [], set(), 0
        return found + self._run(waiting)

    def _run(self, trials: Sequence[tuple[int, frozenset[Statement]]]) -> list[bool]:
        """Trials over the same inputs are one graph."""
        graphs: dict[frozenset[Statement], str] = {}
        for _, kept in trials:
            graphs.setdefault(kept, str(len(graphs)))
        asserted = [Asserted(graph, one) for kept, graph in graphs.items() for one in kept]
        if not asserted:
            return [False] * len(trials)
        names = sorted({self._broken[number].rule.name for number, _ in trials})
        asked = {(graphs[kept], self._keys[number]) for number, kept in trials}
        with infer(asserted, self._theory, provenance=False) as inference:
            found = {
                told
                for name in names
                for one in inference.instantiations(name)
                if (told := (one.graph, _key(name, one.bindings))) in asked
            }
        return [(graphs[kept], self._keys[number]) in found for number, kept in trials]

    def _kept(self, trial: _Trial) -> frozenset[Statement]:
        number, kept, others = trial
        return self._others[number].union(kept) if others else frozenset(kept)


def _key(rule: str, bindings: Mapping[str, Name | Literal]) -> _Key:
    return rule, frozenset(bindings.items())


def _others(
    broken: Sequence[Broken], reach: Mapping[str, _Reach], inputs: Mapping[str, list[Statement]]
) -> dict[int, frozenset[Statement]]:
    """Of each contradiction, the inputs beside its own that may keep a rule from holding."""
    places = {name: joined_places(one.rules, one.properties) for name, one in reach.items()}
    near: dict[tuple[str, str], Mapping[Statement, list[Statement]]] = {}
    found: dict[int, frozenset[Statement]] = {}
    for number, one in enumerate(broken):
        name = one.rule.name
        if name not in reach:
            continue
        every = [
            each
            for each in inputs.get(one.graph, ())
            if each.predicate.text in reach[name].properties
        ]
        joined = places[name]
        if joined is not None and one.inputs:
            if (one.graph, name) not in near:
                near[one.graph, name] = neighbours(every, joined)
            every = near[one.graph, name][one.inputs[0]]
        found[number] = frozenset(every).difference(one.inputs)
    return found


class _Reach(NamedTuple):
    """The properties and rules that a rule rests on, itself included; whether one denies anything.

    What the rule itself denies does not count: the values of a trial are the same.
    """

    properties: frozenset[str]
    rules: tuple[Rule, ...]
    denies: bool


def _reach(rule: Rule, plain: Iterable[Rule]) -> _Reach:
    concluding: dict[str, list[Rule]] = {}
    for one in plain:
        for head in one.head:
            concluding.setdefault(_property(head.predicate), []).append(one)
    properties: set[str] = set()
    stack, seen, denies = [rule], {rule.name: rule}, False
    while stack:
        one = stack.pop()
        denies = denies or (one is not rule and bool(one.groups()))
        groups = [list(one.positive), *(patterns_of(group) for group in one.groups())]
        for name in {_property(each.predicate) for group in groups for each in group} - properties:
            properties.add(name)
            for following in concluding.get(name, ()):
                if following.name not in seen:
                    seen[following.name] = following
                    stack.append(following)
    return _Reach(frozenset(properties), tuple(seen.values()), denies)


def _inputs(
    inference: Inference, graphs: Iterable[str], properties: Iterable[str]
) -> dict[str, list[Statement]]:
    """The input statements of graphs with these properties."""
    store = inference.store
    names = store.graph_names(store.graph_codes(graphs))
    found: dict[str, list[Statement]] = {}
    if not names:
        return found
    listed = ", ".join(map(str, names))
    for name in sorted(set(properties) & store.tables.keys()):
        rows = store.run(
            f"SELECT g, s, o FROM {store.tables[name]} WHERE round = 0 AND g IN ({listed})"
        )
        terms = store.terms(code for _, *codes in rows for code in codes)
        for graph, subject, object_ in rows:
            first = terms[subject]
            if isinstance(first, Name):
                statement = Statement(first, Name(name), terms[object_])
                found.setdefault(names[graph], []).append(statement)
    return found


def _property(predicate: object) -> str:
    return predicate.text if isinstance(predicate, Name) else ""
