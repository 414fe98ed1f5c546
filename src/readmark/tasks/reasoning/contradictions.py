"""What contradicts a theory: the rule, how it was met, and a minimal set of inputs that do it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from readmark.tasks.reasoning.derivations import (
    STEP,
    Derivation,
    Search,
    antecedent_keys,
    bindings_of,
    computed_of,
    condition_lines,
    denied_of,
    rule_title,
    tree_lines,
)
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.lineage import chance_text
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import StatementKey
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Statement, write_triple
from readmark.tasks.reasoning.rules.values import (
    CONTRADICTS,
    Builtin,
    Condition,
    Rule,
    patterns_of,
    variables_of,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable

# Which inputs of a graph can bear on one another: those that share terms which rules join on.


Place = tuple[str, str]
"""A property, and whether its subject or its object is meant."""
_SIDES = ("subject", "object")


def joined_places(rules: Sequence[Rule], properties: Iterable[str]) -> frozenset[Place] | None:
    """The places whose terms make neighbours; None where a rule may reach across any of them.

    ``properties`` are those that the rules' conditions have; what else they conclude is no matter.
    """
    places: set[Place] = set()
    bodies = [_body(rule) for rule in rules]
    for rule, body in zip(rules, bodies, strict=True):
        if not rule.positive or not _hangs_together(body):
            return None
        shared = _shared(body)
        places |= {place for place, term in _terms(body) if term in shared}
    for body in bodies:
        for pattern in body:
            found = dict(_terms([pattern]))
            if not any(place in places for place, term in found.items() if _free(term)):
                first = next((place for place, term in found.items() if _free(term)), None)
                if first is None:
                    return None
                places.add(first)
    return _with_conclusions(rules, bodies, frozenset(properties), places)


def neighbours(
    statements: Iterable[Statement], places: frozenset[Place]
) -> Mapping[Statement, list[Statement]]:
    """Each statement's neighbourhood, itself included; neighbours have the same list."""
    groups = Groups()
    every = list(statements)
    for statement in every:
        shared = (side for side in _SIDES if (statement.predicate.text, side) in places)
        groups.join([statement, *(getattr(statement, side) for side in shared)])
    found: dict[Hashable, list[Statement]] = {}
    for statement in every:
        found.setdefault(groups.root(statement), []).append(statement)
    return {statement: found[groups.root(statement)] for statement in every}


def _with_conclusions(
    rules: Sequence[Rule],
    bodies: Sequence[Sequence[Pattern]],
    properties: frozenset[str],
    places: set[Place],
) -> frozenset[Place] | None:
    """The places with those that their terms come from through conclusions."""
    size = -1
    while size < len(places):
        size = len(places)
        for rule, body in zip(rules, bodies, strict=True):
            if rule.contradicts is not None:
                continue
            heads = [pattern for pattern in rule.head if pattern.property_name in properties]
            for place, term in _terms(heads):
                if place in places:
                    sources = {at for at, other in _terms(body) if other == term}
                    if not _free(term) or not sources:  # A new term: a constant, or computed.
                        return None
                    places |= sources
    return frozenset(places)


def _body(rule: Rule) -> list[Pattern]:
    """The patterns of a rule; a denied group's own variables get names of their own."""
    outer = set(variables_of([*rule.positive, *rule.builtins]))

    def own(term: Term, number: int) -> Term:
        if isinstance(term, Variable) and term not in outer:
            return Variable(f"{term.text} {number}")
        return term

    denied = [
        pattern.with_terms(partial(own, number=number))
        for number, group in enumerate(rule.groups())
        for pattern in patterns_of(group)
    ]
    return [*rule.positive, *denied]


def _hangs_together(body: Sequence[Pattern]) -> bool:
    groups = Groups()
    for number, pattern in enumerate(body):
        groups.join([number, *(term for _, term in _terms([pattern]) if _free(term))])
    return len({groups.root(number) for number in range(len(body))}) == 1


def _shared(body: Sequence[Pattern]) -> set[Term]:
    """The variables of several patterns, or of both places of one."""
    free = [term for _, term in _terms(body) if _free(term)]
    return {term for term in free if free.count(term) > 1}


def _terms(patterns: Iterable[Pattern]) -> Iterator[tuple[Place, Term]]:
    for pattern in patterns:
        for side in _SIDES:
            yield (pattern.property_name, side), getattr(pattern, side)


def _free(term: Term) -> bool:
    return isinstance(term, Variable)


class Groups:
    """Things that are joined, directly or through others."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def root(self, one: Hashable) -> Hashable:
        """The thing that stands for all it is joined with."""
        above = self._above.setdefault(one, one)
        while above != self._above[above]:
            self._above[above] = self._above[self._above[above]]
            above = self._above[above]
        self._above[one] = above
        return above

    def join(self, things: Sequence[Hashable]) -> None:
        """These belong together."""
        first = self.root(things[0])
        for other in things[1:]:
            self._above[self.root(other)] = first


# Which input statements a contradiction cannot do without: trials that leave them out one by one.


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A rule that a graph breaks, with the derivations that meet its conditions."""

    graph: str
    rule: Rule
    bindings: Mapping[str, Name | Literal]
    antecedents: tuple[Derivation, ...]
    computed: tuple[Builtin, ...]
    denied: tuple[tuple[Condition, ...], ...]
    inputs: tuple[Statement, ...]
    """Input statements that contradict the theory by this rule, none of which can be left out."""

    def derivation(self) -> Derivation:
        """How the graph comes to contradict the theory, as the derivation of that statement."""
        theory = Name(self.rule.contradicts or "")
        return Derivation(
            self.graph,
            Statement(Name(self.graph), CONTRADICTS, theory),
            rule=self.rule,
            bindings=self.bindings,
            antecedents=self.antecedents,
            computed=self.computed,
            denied=self.denied,
            ways=1,
        )

    probability: float
    bound: float | None = None
    """The most that the probability can be, where only bounds are known."""


BATCH = 500_000
"""So many statements of trials are inferred over at once."""


_Trial = tuple[int, tuple[Statement, ...], bool]
"""Of which contradiction, the inputs of its derivation that stay, and whether others are there."""
_Key = tuple[str, frozenset[tuple[str, Name | Literal]]]
"""A rule and the values of its variables."""


def minimal_inputs(
    inference: Inference, broken: Sequence[Contradiction]
) -> list[tuple[Statement, ...]]:
    """For each, the inputs less those without which the same rule is broken alike.

    Every trial of a turn is a graph of one inference, so the turns are as many as the inputs of
    the largest set.
    """
    trials = _Trials(inference, broken)
    current = [contradiction.inputs for contradiction in broken]
    ways = trials.ways()
    for turn in range(max((len(statements) for statements in current), default=0)):
        asked: list[_Trial] = []
        for number, statements in enumerate(current):
            at = len(broken[number].inputs) - 1 - turn
            if at >= 0 and len(statements) > 1:
                target = broken[number].inputs[at]
                fewer = tuple(statement for statement in statements if statement != target)
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

    def __init__(self, inference: Inference, broken: Sequence[Contradiction]) -> None:
        self._broken = broken
        self._keys = [
            _key(contradiction.rule.name, contradiction.bindings) for contradiction in broken
        ]
        plain = [rule for rule in inference.theory.rules if rule.contradicts is None]
        wanted = {contradiction.rule.name: contradiction.rule for contradiction in broken}
        reached = {name: reach(rule, plain) for name, rule in wanted.items()}
        used = {rule.name for found in reached.values() for rule in found.rules}
        certain = [
            replace(rule, probability=1.0)
            for rule in (*plain, *wanted.values())
            if rule.name in used
        ]
        self._theory = replace(inference.theory, rules=tuple(certain))
        self._deep = {name for name, found in reached.items() if found.denies}
        deep = [contradiction for contradiction in broken if contradiction.rule.name in self._deep]
        properties = {
            each for contradiction in deep for each in reached[contradiction.rule.name].properties
        }
        inputs = _inputs(inference, {contradiction.graph for contradiction in deep}, properties)
        self._others = _others(broken, {name: reached[name] for name in self._deep}, inputs)

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
            statements = self._kept(trial)
            waiting.append((trial[0], statements))
            if statements not in different:
                different.add(statements)
                size += len(statements)
            if size >= BATCH:
                found += self._run(waiting)
                waiting, different, size = [], set(), 0
        return found + self._run(waiting)

    def _run(self, trials: Sequence[tuple[int, frozenset[Statement]]]) -> list[bool]:
        """Trials over the same inputs are one graph."""
        graphs: dict[frozenset[Statement], str] = {}
        for _, statements in trials:
            graphs.setdefault(statements, str(len(graphs)))
        asserted = [
            Asserted(graph, statement)
            for statements, graph in graphs.items()
            for statement in statements
        ]
        if not asserted:
            return [False] * len(trials)
        names = sorted({self._broken[number].rule.name for number, _ in trials})
        asked = {(graphs[statements], self._keys[number]) for number, statements in trials}
        with infer(asserted, self._theory, provenance=False) as inference:
            found = {
                tried
                for name in names
                for instantiation in inference.instantiations(name)
                if (tried := (instantiation.graph, _key(name, instantiation.bindings))) in asked
            }
        return [(graphs[statements], self._keys[number]) in found for number, statements in trials]

    def _kept(self, trial: _Trial) -> frozenset[Statement]:
        number, statements, others = trial
        return self._others[number].union(statements) if others else frozenset(statements)


def _key(rule: str, bindings: Mapping[str, Name | Literal]) -> _Key:
    return rule, frozenset(bindings.items())


def _others(
    broken: Sequence[Contradiction],
    reach: Mapping[str, _Reach],
    inputs: Mapping[str, list[Statement]],
) -> dict[int, frozenset[Statement]]:
    """Of each contradiction, the inputs besides its own that may keep a rule from holding."""
    places = {name: joined_places(one.rules, one.properties) for name, one in reach.items()}
    near: dict[tuple[str, str], Mapping[Statement, list[Statement]]] = {}
    found: dict[int, frozenset[Statement]] = {}
    for number, contradiction in enumerate(broken):
        name = contradiction.rule.name
        if name not in reach:
            continue
        every = [
            each
            for each in inputs.get(contradiction.graph, ())
            if each.predicate.text in reach[name].properties
        ]
        joined = places[name]
        if joined is not None and contradiction.inputs:
            if (contradiction.graph, name) not in near:
                near[contradiction.graph, name] = neighbours(every, joined)
            every = near[contradiction.graph, name][contradiction.inputs[0]]
        found[number] = frozenset(every).difference(contradiction.inputs)
    return found


class _Reach(NamedTuple):
    """The properties and rules that a rule rests on, itself included; whether one denies anything.

    What the rule itself denies does not count: the values of a trial are the same.
    """

    properties: frozenset[str]
    rules: tuple[Rule, ...]
    denies: bool


def reach(rule: Rule, plain: Iterable[Rule]) -> _Reach:
    """What a rule rests on, through the rules that conclude it."""
    concluding: dict[str, list[Rule]] = {}
    for one in plain:
        for head in one.head:
            concluding.setdefault(head.property_name, []).append(one)
    properties: set[str] = set()
    stack, seen, denies = [rule], {rule.name: rule}, False
    while stack:
        one = stack.pop()
        denies = denies or (one is not rule and bool(one.groups()))
        groups = [list(one.positive), *(patterns_of(group) for group in one.groups())]
        for name in {each.property_name for group in groups for each in group} - properties:
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


MOST = 1_000
"""So many contradictions are explained unless more are asked for."""


def contradictions(
    inference: Inference, *, most: int = MOST, minimal: bool = True
) -> list[Contradiction]:
    """The contradictions of every graph, by rule, graph and values.

    Without ``minimal`` their inputs are all that they were derived from, which takes no trials.
    """
    store = inference.store
    search = Search(inference)
    found: list[tuple[Rule, int, tuple[int, ...], tuple[StatementKey, ...]]] = []
    for program in inference.programs.values():
        if program.rule.contradicts is None or not program.held or len(found) >= most:
            continue
        rows = store.run(f"{_ordered(program)} LIMIT {most - len(found)}")
        for graph, *codes in rows:
            keys = antecedent_keys(inference, program, graph, codes)
            found.append((program.rule, graph, tuple(codes), keys))
    search.add(key for *_, keys in found for key in keys)
    trees = search.trees()
    names = store.graph_names(graph for _, graph, _, _ in found)
    terms = store.terms(code for _, _, codes, _ in found for code in codes)
    built = []
    for rule, graph, values, keys in found:
        [chance] = inference.chances.joint([keys], rule.probability)
        bindings = bindings_of(inference.programs[rule.name], values, terms)
        antecedents = tuple(trees[key] for key in keys)
        built.append(
            Contradiction(
                names[graph],
                rule,
                bindings,
                antecedents,
                computed_of(rule, bindings),
                denied_of(rule, bindings),
                tuple(dict.fromkeys(leaf.statement for leaf in leaves(antecedents))),
                chance.low,
                chance.bound,
            )
        )
    if not minimal:
        return built
    needed = minimal_inputs(inference, built)
    return [
        replace(contradiction, inputs=inputs)
        for contradiction, inputs in zip(built, needed, strict=True)
    ]


def leaves(derivations: Iterable[Derivation], *, linked: bool = False) -> list[Derivation]:
    """The input statements that derivations rest on, each once, in reading order.

    With ``linked``, those that links between names rest on are among them.
    """
    found: dict[tuple[str, Statement], Derivation] = {}
    stack = list(derivations)[::-1]
    seen: set[tuple[str, Statement]] = set()
    while stack:
        derivation = stack.pop()
        key = (derivation.graph, derivation.statement)
        if key in seen:
            continue
        seen.add(key)
        if derivation.rule is None:
            found[key] = derivation
        stack.extend(reversed(derivation.antecedents))
        stack.extend(reversed(derivation.links if linked else ()))
    return list(found.values())


def _ordered(program: Program) -> str:
    """The ways in which a rule held, by the names of graphs and terms; numbers by their value."""
    columns = ["i.g", *(f"i.{column}" for column in program.columns.values())]
    joins, order = ["JOIN graphs AS n ON n.id = i.g"], ["natural_key(n.text)", "n.text"]
    for column in program.columns.values():
        joins.append(f"LEFT JOIN names AS n_{column} ON n_{column}.id = i.{column}")
        joins.append(f"LEFT JOIN literals AS l_{column} ON l_{column}.id = i.{column}")
        text = f"COALESCE(n_{column}.text, l_{column}.text)"
        order += [f"natural_key({text}) NULLS FIRST", f"{text} NULLS FIRST", f"i.{column}"]
    return (
        f"SELECT {', '.join(columns)} FROM {program.table} AS i {' '.join(joins)} "
        f"ORDER BY {', '.join(order)}"
    )


def contradiction_text(contradiction: Contradiction) -> str:
    """A contradiction: the rule, what met it, and the inputs that cannot all be right."""
    rule = contradiction.rule
    lines = [f"{contradiction.graph}: contradicts {rule.contradicts} by {rule_title(rule)}"]
    if contradiction.probability != 1:
        lines[0] += f", probability {chance_text(contradiction.probability, contradiction.bound)}"
    lines.extend(tree_lines(contradiction.antecedents, 1))
    lines.extend(condition_lines(contradiction.computed, contradiction.denied, 1))
    lines.append(f"{STEP}repair one of:")
    lines.extend(f"{STEP * 2}{write_triple(statement)}" for statement in contradiction.inputs)
    return "\n".join(lines)
