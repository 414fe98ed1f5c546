"""Which input statements a contradiction cannot do without: trials that leave them out one by one.

A trial must break the same rule with the same values. Where no rule behind it denies anything, the
inputs of its derivation are tried alone. Otherwise what they leave out may unblock a rule, so they
are tried together with the graph's other inputs too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.reasoning.engine.inference import Inference, infer
from readmark.reasoning.graphs import Asserted, Statement
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
        rules = inference.theory.rules
        plain = [rule for rule in rules if rule.contradicts is None]
        wanted = {one.rule.name: one.rule for one in broken}
        certain = [replace(rule, probability=1.0) for rule in (*plain, *wanted.values())]
        self._theory = replace(inference.theory, rules=tuple(certain))
        reach = {name: _reach(rule, plain) for name, rule in wanted.items()}
        self._deep = {name for name, (_, denies) in reach.items() if denies}
        deep = [one for one in broken if one.rule.name in self._deep]
        properties = {each for one in deep for each in reach[one.rule.name][0]}
        self._inputs = _inputs(inference, {one.graph for one in deep}, properties)

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
        waiting: list[_Trial] = []
        size = 0
        for trial in trials:
            waiting.append(trial)
            size += len(self._kept(trial))
            if size >= BATCH:
                found += self._run(waiting)
                waiting, size = [], 0
        return found + self._run(waiting)

    def _run(self, trials: Sequence[_Trial]) -> list[bool]:
        found = [False] * len(trials)
        asserted = [
            Asserted(str(at), one) for at, trial in enumerate(trials) for one in self._kept(trial)
        ]
        if not asserted:
            return found
        with infer(asserted, self._theory, provenance=False) as inference:
            for name in sorted({self._broken[number].rule.name for number, *_ in trials}):
                for one in inference.instantiations(name):
                    wanted = self._broken[trials[int(one.graph)][0]]
                    if wanted.rule.name == name and wanted.bindings == one.bindings:
                        found[int(one.graph)] = True
        return found

    def _kept(self, trial: _Trial) -> list[Statement]:
        number, kept, others = trial
        if not others:
            return list(kept)
        one = self._broken[number]
        own = set(one.inputs)
        return [*(each for each in self._inputs.get(one.graph, ()) if each not in own), *kept]


def _reach(rule: Rule, plain: Iterable[Rule]) -> tuple[set[str], bool]:
    """The properties that a rule rests on, and whether a rule behind it denies anything."""
    concluding: dict[str, list[Rule]] = {}
    for one in plain:
        for head in one.head:
            concluding.setdefault(_property(head.predicate), []).append(one)
    properties: set[str] = set()
    stack, seen, denies = [rule], {rule.name}, False
    while stack:
        one = stack.pop()
        denies = denies or (one is not rule and bool(one.groups()))
        groups = [list(one.positive), *(patterns_of(group) for group in one.groups())]
        for name in {_property(each.predicate) for group in groups for each in group} - properties:
            properties.add(name)
            for following in concluding.get(name, ()):
                if following.name not in seen:
                    seen.add(following.name)
                    stack.append(following)
    return properties, denies


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
