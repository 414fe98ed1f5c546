"""Why a statement holds: the derivation down to the text, found for many statements at once.

Rule-based provenance of "The DARPA Machine Reading Program", section 3.1: the rule, its bound
antecedents, and the negated conditions that held. A tree never repeats a statement above itself:
antecedents come from earlier rounds than what they derive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from readmark.corpus.errors import DataError
from readmark.reasoning.engine.inference import Inference
from readmark.reasoning.engine.loading import support_of
from readmark.reasoning.engine.probabilities import antecedents as antecedent_joins
from readmark.reasoning.engine.programs import Program
from readmark.reasoning.graphs import Pattern, Statement, Support, write_triple
from readmark.reasoning.queries import bound, instantiate
from readmark.reasoning.rules.values import Builtin, Condition, Rule
from readmark.reasoning.terms import Literal, Name, Variable

ROUNDING = 1e-12
"""How far a product of probabilities may lie below the greatest and still be it."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A statement of a graph, and either the text it was read from or the rule that gave it."""

    graph: str
    statement: Statement
    probability: float = 1.0
    support: Support = field(default_factory=Support)
    annotators: tuple[str, ...] = ()
    rule: Rule | None = None
    bindings: Mapping[str, Name | Literal] = field(default_factory=dict)
    antecedents: tuple[Derivation, ...] = ()
    computed: tuple[Builtin, ...] = ()
    denied: tuple[tuple[Condition, ...], ...] = ()
    """The negated groups, instantiated: nothing fulfilled them."""
    ways: int = 0
    """How many instantiations of rules conclude the statement."""


class Key(NamedTuple):
    """A statement in codes."""

    graph: int
    predicate: str
    subject: int
    object: int


class _Step(NamedTuple):
    program: Program
    codes: tuple[int, ...]
    antecedents: tuple[Key, ...]


def explain(inference: Inference, wanted: Sequence[tuple[str, Statement]]) -> list[Derivation]:
    """The derivations of statements of graphs, in the order asked; each must hold."""
    store = inference.store
    graphs = {name: code for code, name in _graphs(inference, (one for one, _ in wanted)).items()}
    keys = []
    for graph, statement in wanted:
        if graph not in graphs:
            raise DataError(f"there is no graph {graph}")
        subject, object_ = store.code(statement.subject), store.code(statement.object)
        keys.append(Key(graphs[graph], statement.predicate.text, subject, object_))
    search = Search(inference)
    search.add(keys)
    for key, (graph, statement) in zip(keys, wanted, strict=True):
        if key not in search.rounds:
            raise DataError(f"{write_triple(statement)} does not hold in {graph}")
    trees = search.trees()
    return [trees[key] for key in keys]


class Search:
    """Derivations level by level: one query a rule and level, however many statements."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._store = inference.store
        self.rounds: dict[Key, int] = {}
        self._chances: dict[Key, float] = {}
        self._steps: dict[Key, _Step] = {}
        self._ways: dict[Key, int] = {}

    def add(self, keys: Iterable[Key]) -> None:
        """Finds a derivation of each statement that holds, and of all it rests on."""
        frontier = [key for key in dict.fromkeys(keys) if key not in self.rounds]
        while frontier:
            by_property: dict[str, list[Key]] = {}
            for key in frontier:
                by_property.setdefault(key.predicate, []).append(key)
            following: dict[Key, None] = {}
            for predicate, group in by_property.items():
                self._look_up(predicate, group)
                derived = [key for key in group if self.rounds.get(key, 0) > 0]
                if derived:
                    self._derive(predicate, derived)
                for key in derived:
                    following.update(dict.fromkeys(self._steps[key].antecedents))
            frontier = [key for key in following if key not in self.rounds]

    def trees(self) -> dict[Key, Derivation]:
        """The derivation of every statement found, antecedents first."""
        codes = {code for key in self.rounds for code in (key.subject, key.object)}
        codes.update(code for step in self._steps.values() for code in step.codes)
        terms = self._store.terms(codes)
        graphs = self._store.graph_names(key.graph for key in self.rounds)
        trees: dict[Key, Derivation] = {}
        for key in sorted(self.rounds, key=self.rounds.__getitem__):
            subject = terms[key.subject]
            if not isinstance(subject, Name):
                continue
            statement = Statement(subject, Name(key.predicate), terms[key.object])
            chance = self._chances[key]
            step = self._steps.get(key)
            if step is None:
                found = self._inference.supports.get((graphs[key.graph], statement), ())
                names = tuple(dict.fromkeys(one.annotator for one in found if one.annotator))
                trees[key] = Derivation(
                    graphs[key.graph], statement, chance, support_of(found), names
                )
                continue
            bindings = bindings_of(step.program, step.codes, terms)
            trees[key] = Derivation(
                graphs[key.graph],
                statement,
                chance,
                rule=step.program.rule,
                bindings=bindings,
                antecedents=tuple(trees[one] for one in step.antecedents),
                computed=computed_of(step.program.rule, bindings),
                denied=denied_of(step.program.rule, bindings),
                ways=self._ways[key],
            )
        return trees

    def _look_up(self, predicate: str, keys: Sequence[Key]) -> None:
        table = self._store.tables.get(predicate)
        if table is None:
            return
        self._want(keys)
        chance = "t.chance" if self._store.weighed else "1.0::DOUBLE"
        rows = self._store.run(
            f"SELECT w.nth, t.round, {chance} FROM wanted w JOIN {table} t "
            "ON t.g = w.g AND t.s = w.s AND t.o = w.o"
        )
        for nth, round_, probability in rows:
            self.rounds[keys[nth]] = round_
            self._chances[keys[nth]] = probability

    def _derive(self, predicate: str, keys: Sequence[Key]) -> None:
        self._want(keys)
        for program in self._inference.programs.values():
            for head in program.rule.head if program.rule.contradicts is None else ():
                if head.predicate == Name(predicate):
                    self._derive_by(program, head, keys)
        for key in keys:
            if key not in self._steps:
                raise DataError("no derivation was kept: infer with provenance")

    def _derive_by(self, program: Program, head: Pattern, keys: Sequence[Key]) -> None:
        store = self._store
        row = ", ".join([f"i.{one}" for one in program.columns.values()] or ["0"])
        subject, object_ = program.side(store, head.subject), program.side(store, head.object)
        joins, first = "", "i.round = w.round"
        if store.weighed:  # The likeliest, among those whose antecedents came before.
            joins, product = antecedent_joins(store, program)
            earlier = [f"b{at}.round < w.round" for at in range(len(program.rule.positive))]
            first = " AND ".join([*earlier, f"{product} >= w.chance * {1 - ROUNDING}"])
        rows = store.run(
            f"SELECT w.nth, count(*), min(ROW({row})) FILTER (WHERE {first}) FROM wanted w "
            f"JOIN {program.table} i ON i.g = w.g AND {subject} = w.s AND {object_} = w.o {joins} "
            "GROUP BY w.nth"
        )
        for nth, ways, found in rows:
            key = keys[nth]
            self._ways[key] = self._ways.get(key, 0) + ways
            if found is not None and key not in self._steps:
                values = found.values() if isinstance(found, dict) else found
                codes = tuple(values)[: len(program.variables)]
                self._steps[key] = _Step(program, codes, self._antecedents(program, key, codes))

    def _antecedents(self, program: Program, key: Key, codes: tuple[int, ...]) -> tuple[Key, ...]:
        return antecedent_keys(self._inference, program, key.graph, codes)

    def _want(self, keys: Sequence[Key]) -> None:
        columns = [
            list(range(len(keys))),
            [key.graph for key in keys],
            [key.subject for key in keys],
            [key.object for key in keys],
            [self.rounds.get(key, 0) for key in keys],
            [self._chances.get(key, 1.0) for key in keys],
        ]
        self._store.run(
            "CREATE OR REPLACE TEMP TABLE wanted AS SELECT unnest(?::INTEGER[]) AS nth, "
            "unnest(?::INTEGER[]) AS g, unnest(?::BIGINT[]) AS s, unnest(?::BIGINT[]) AS o, "
            "unnest(?::INTEGER[]) AS round, unnest(?::DOUBLE[]) AS chance",
            columns,
        )


def antecedent_keys(
    inference: Inference, program: Program, graph: int, codes: Sequence[int]
) -> tuple[Key, ...]:
    """The statements that a rule's instantiation matched."""
    values = dict(zip(program.variables, codes, strict=True))
    store = inference.store

    def code(term: Name | Literal | Variable) -> int:
        return values[term] if isinstance(term, Variable) else store.code(term)

    return tuple(
        Key(graph, one.predicate.text, code(one.subject), code(one.object))
        for one in program.rule.positive
        if isinstance(one.predicate, Name)
    )


def bindings_of(
    program: Program, codes: Sequence[int], terms: Mapping[int, Name | Literal]
) -> dict[str, Name | Literal]:
    """The values of a rule's variables by their names."""
    pairs = zip(program.variables, codes, strict=True)
    return {variable.text: terms[code] for variable, code in pairs}


def denied_of(
    rule: Rule, bindings: Mapping[str, Name | Literal]
) -> tuple[tuple[Condition, ...], ...]:
    """The rule's negated groups with the values that are known."""
    return tuple(
        tuple(
            instantiate(one, bindings) if isinstance(one, Pattern) else _computed(one, bindings)
            for one in group
        )
        for group in rule.groups()
    )


def computed_of(rule: Rule, bindings: Mapping[str, Name | Literal]) -> tuple[Builtin, ...]:
    """The rule's built-ins with their values."""
    return tuple(_computed(one, bindings) for one in rule.builtins if one.name[0] != "#")


def _computed(one: Builtin, bindings: Mapping[str, Name | Literal]) -> Builtin:
    return Builtin(one.name, tuple(bound(term, bindings) for term in one.arguments))


def _graphs(inference: Inference, names: Iterable[str]) -> Mapping[int, str]:
    return inference.store.graph_names(inference.store.graph_codes(names))
