"""Which inputs a contradiction cannot do without: trials that leave them out one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.neighbourhoods import joined_places, neighbours
from readmark.tasks.reasoning.rules.reach import Reach, reach
from readmark.tasks.reasoning.rules.values import Rule
from readmark.tasks.reasoning.terms import Literal, Name

BATCH = 500_000  # statements of trials that are inferred over at once, in memory


class Breach(NamedTuple):
    """A rule that a graph breaks with some values, and the inputs of its derivation."""

    graph: str
    rule: Rule
    bindings: Mapping[str, Name | Literal]
    inputs: tuple[Statement, ...]


class _Trial(NamedTuple):
    """Whether a breach is still there with some of its inputs only."""

    breach: int
    inputs: tuple[Statement, ...]
    with_others: bool
    """Whether the other inputs of the graph are there too."""


def minimal_inputs(inference: Inference, breaches: Sequence[Breach]) -> list[tuple[Statement, ...]]:
    """For each breach, the inputs without those that it does not need.

    Every trial of a turn is a graph of one inference, so the turns are as many as the inputs of
    the largest set. Inputs are left out from the last on.
    """
    trials = _Trials(inference, breaches)
    ways = trials.usable_ways()
    minimal = [breach.inputs for breach in breaches]
    for turn in range(max((len(inputs) for inputs in minimal), default=0)):
        turn_trials: list[_Trial] = []
        for number, breach in enumerate(breaches):
            index = len(breach.inputs) - 1 - turn
            if index >= 0 and len(minimal[number]) > 1:
                fewer = tuple(each for each in minimal[number] if each != breach.inputs[index])
                turn_trials.extend(_Trial(number, fewer, way) for way in ways[number])
        results = list(zip(turn_trials, trials.run(turn_trials), strict=True))
        needed = {trial.breach for trial, is_broken in results if not is_broken}
        for trial, _ in results:
            if trial.breach not in needed:
                minimal[trial.breach] = trial.inputs
    return minimal


_Instance = tuple[str, frozenset[tuple[str, Name | Literal]]]
"""A rule and the values of its variables."""


class _Trials:
    """Inferences over some of the inputs, for several breaches at once."""

    def __init__(self, inference: Inference, breaches: Sequence[Breach]) -> None:
        self._breaches = breaches
        self._instances = [_instance(breach.rule.name, breach.bindings) for breach in breaches]
        plain = [rule for rule in inference.theory.rules if rule.contradicts is None]
        broken = {breach.rule.name: breach.rule for breach in breaches}
        reached = {name: reach(rule, plain) for name, rule in broken.items()}
        used = {rule.name for rests_on in reached.values() for rule in rests_on.rules}
        # Chances do not matter here, and without them nothing is weighed.
        certain = [
            replace(rule, probability=1.0)
            for rule in (*plain, *broken.values())
            if rule.name in used
        ]
        self._theory = replace(inference.theory, rules=tuple(certain))
        # Where rules deny nothing, more inputs can only break more: the others need no trial.
        self._denying = {name: rests_on for name, rests_on in reached.items() if rests_on.denies}
        self._others = _other_inputs(inference, breaches, self._denying)

    def usable_ways(self) -> list[tuple[bool, ...]]:
        """Of each breach, whether its inputs can be tried alone (False) and with others (True).

        Alone they may break nothing, where another input blocks a rule; and the others may break
        the rule alike without them. Where both is so, nothing is tried.
        """
        numbers = range(len(self._breaches))
        denying = [n for n in numbers if self._breaches[n].rule.name in self._denying]
        alone = self.run([_Trial(n, self._breaches[n].inputs, False) for n in numbers])
        others = self.run([_Trial(n, (), True) for n in denying])
        usable = {n for n, is_broken in zip(denying, others, strict=True) if not is_broken}
        return [(False,) * alone[n] + (True,) * (n in usable) for n in numbers]

    def run(self, trials: Sequence[_Trial]) -> list[bool]:
        """Of each trial, whether the same rule is broken with the same values."""
        results: list[bool] = []
        batch: list[tuple[int, frozenset[Statement]]] = []
        graphs: set[frozenset[Statement]] = set()
        size = 0
        for trial in trials:
            inputs = frozenset(trial.inputs)
            if trial.with_others:
                inputs |= self._others[trial.breach]
            batch.append((trial.breach, inputs))
            if inputs not in graphs:
                graphs.add(inputs)
                size += len(inputs)
            if size >= BATCH:
                results += self._infer(batch)
                batch, graphs, size = [], set(), 0
        return results + self._infer(batch)

    def _infer(self, trials: Sequence[tuple[int, frozenset[Statement]]]) -> list[bool]:
        """Trials over the same inputs are one graph."""
        graphs: dict[frozenset[Statement], str] = {}
        for _, inputs in trials:
            graphs.setdefault(inputs, str(len(graphs)))
        asserted = [
            Asserted(graph, statement) for inputs, graph in graphs.items() for statement in inputs
        ]
        if not asserted:
            return [False] * len(trials)
        names = sorted({self._breaches[number].rule.name for number, _ in trials})
        breaches = [(graphs[inputs], self._instances[number]) for number, inputs in trials]
        possible = set(breaches)
        with infer(asserted, self._theory, provenance=False) as inference:
            broken = {
                breach
                for name in names
                for instantiation in inference.instantiations(name)
                if (breach := (instantiation.graph, _instance(name, instantiation.bindings)))
                in possible
            }
        return [breach in broken for breach in breaches]


def _instance(rule: str, bindings: Mapping[str, Name | Literal]) -> _Instance:
    return rule, frozenset(bindings.items())


def _other_inputs(
    inference: Inference, breaches: Sequence[Breach], denying: Mapping[str, Reach]
) -> dict[int, frozenset[Statement]]:
    """Of each breach of a denying rule, the other inputs that may keep a rule from holding."""
    graphs = {breach.graph for breach in breaches if breach.rule.name in denying}
    properties = {name for rests_on in denying.values() for name in rests_on.properties}
    inputs = _inputs(inference, graphs, properties)
    places = {
        name: joined_places(rests_on.rules, rests_on.properties)
        for name, rests_on in denying.items()
    }
    near: dict[tuple[str, str], Mapping[Statement, list[Statement]]] = {}
    others: dict[int, frozenset[Statement]] = {}
    for number, breach in enumerate(breaches):
        name = breach.rule.name
        if name not in denying:
            continue
        bearing = [
            statement
            for statement in inputs.get(breach.graph, ())
            if statement.predicate.text in denying[name].properties
        ]
        joined = places[name]
        if joined is not None and breach.inputs:
            if (breach.graph, name) not in near:
                near[breach.graph, name] = neighbours(bearing, joined)
            bearing = near[breach.graph, name][breach.inputs[0]]
        others[number] = frozenset(bearing).difference(breach.inputs)
    return others


def _inputs(
    inference: Inference, graphs: Iterable[str], properties: Iterable[str]
) -> dict[str, list[Statement]]:
    """The input statements of graphs with these properties."""
    store = inference.store
    names = store.graph_names(store.graph_codes(graphs))
    inputs: dict[str, list[Statement]] = {}
    if not names:
        return inputs
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
                inputs.setdefault(names[graph], []).append(statement)
    return inputs
