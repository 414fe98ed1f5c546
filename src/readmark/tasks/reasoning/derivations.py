"""Why a statement holds: the derivation down to the text, found for many statements at once.

Rule-based provenance of "The DARPA Machine Reading Program", section 3.1: the rule, its bound
antecedents, and the negated conditions that held. A tree never repeats a statement above itself:
antecedents come from earlier rounds than what they derive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from readmark.core.confinement import Late
from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.chance import Chance
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.likeliest import antecedent_joins
from readmark.tasks.reasoning.engine.limits import Deadline
from readmark.tasks.reasoning.engine.loading import support_of
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Pattern,
    Statement,
    Support,
    write_triple,
)
from readmark.tasks.reasoning.rules.builtins import ORDERED, is_internal
from readmark.tasks.reasoning.rules.values import Builtin, Condition, Rule, binding, builtins_of
from readmark.tasks.reasoning.terms import Literal, Name, Variable

ROUNDING = 1e-12
"""How far a product of probabilities may lie below the greatest and still be it."""
DEEP = 12
"""From this level on, the rest is fetched at once: a query for each level is slow in chains."""
MOST_FETCHED = 500_000
"""Derived statements that are fetched at once; if graphs have more, level follows level."""
MOST_WAYS = 20
"""Other ways that are named of a statement."""
CHECKED = 10_000
"""Statements between two looks at the time."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A statement of a graph, and either the text it was read from or the rule that gave it."""

    graph: str
    statement: Statement
    probability: float = 1.0
    """How likely the statement is by all ways together."""
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
    bound: float | None = None
    """The most that the probability can be, where only bounds are known."""
    documents: tuple[str, ...] = ()
    """Of an asserted statement of a corpus, the documents that state it."""
    links: tuple[Derivation, ...] = ()
    """Why its names are those of the entities that it was stated of."""
    stated: float | None = None
    """Of an asserted statement that rules conclude too, the probability it was asserted with."""
    others: tuple[Derivation, ...] = ()
    """Of an uncertain statement, the other ways to it, each with its own probability."""
    alone: float | None = None
    """Where there are others, the probability by this way alone."""


class RuleUse(NamedTuple):
    """An instantiation of a rule that concludes a statement: a way to it."""

    graph: int
    program: Program
    codes: tuple[int, ...]
    """The values of the rule's variables."""


def explain(
    inference: Inference,
    statements: Sequence[tuple[str, Statement]],
    *,
    seconds: float | None = None,
    every_way: bool = False,
) -> list[Derivation]:
    """The derivations of statements of graphs, in their order; each must hold.

    With ``every_way``, those of an uncertain statement have the other ways to it.
    """
    store = inference.store
    names = store.graph_names(store.graph_codes(graph for graph, _ in statements))
    graphs = {name: code for code, name in names.items()}
    store.look_up(
        term for _, statement in statements for term in (statement.subject, statement.object)
    )
    keys = []
    for graph, statement in statements:
        if graph not in graphs:
            raise DataError(f"there is no graph {graph}")
        subject, object_ = store.code(statement.subject), store.code(statement.object)
        keys.append(StatementKey(graphs[graph], statement.predicate.text, subject, object_))
    search = Search(inference)
    search.add(keys, seconds=seconds)
    for key, (graph, statement) in zip(keys, statements, strict=True):
        if key not in search.rounds:
            raise DataError(f"{write_triple(statement)} does not hold in {graph}")
    if every_way:
        return _trees_with_other_ways(search, keys, seconds)
    trees = search.trees()
    return [trees[key] for key in keys]


def _trees_with_other_ways(
    search: Search, keys: Sequence[StatementKey], seconds: float | None
) -> list[Derivation]:
    other_ways = search.other_ways(dict.fromkeys(keys))
    every_use = (use for uses in other_ways.values() for use in uses)
    search.add((key for use in every_use for key in search.antecedents(use)), seconds=seconds)
    trees = search.trees()
    explained = []
    for key in keys:
        tree = trees[key]
        ways = [search.tree_by(key, use, trees) for use in other_ways.get(key, ())]
        # A way that rests on the statement itself adds nothing to it.
        ways = [way for way in ways if not _rests_on(way, tree.statement)]
        if ways:
            alone = None if tree.rule is None else search.chance_by(search.use(key))
            ways.sort(key=lambda way: (-way.probability, way.rule.name if way.rule else ""))
            tree = replace(tree, others=tuple(ways), alone=alone)
        explained.append(tree)
    return explained


def _rests_on(way: Derivation, statement: Statement) -> bool:
    stack, seen = list(way.antecedents), set[int]()
    while stack:
        derivation = stack.pop()
        if derivation.statement == statement:
            return True
        if id(derivation) not in seen:
            seen.add(id(derivation))
            stack.extend(derivation.antecedents)
    return False


class Search:
    """Derivations level by level: one query a rule and level, however many statements.

    Below some levels, a derivation of every statement of the graphs is fetched at once, unless
    they are too many.
    """

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._store = inference.store
        self.rounds: dict[StatementKey, int] = {}
        """The round in which each statement was concluded; 0 for inputs."""
        self._chances: dict[StatementKey, float] = {}
        self._uses: dict[StatementKey, RuleUse] = {}
        """Of derived statements, the way that is in the tree."""
        self._way_counts: dict[StatementKey, int] = {}
        self._antecedents: dict[StatementKey, tuple[StatementKey, ...]] = {}

    def add(self, keys: Iterable[StatementKey], *, seconds: float | None = None) -> None:
        """Finds a derivation of each statement that holds, and of all it rests on."""
        deadline = None if seconds is None else Deadline(self._store, seconds)
        try:
            with deadline.enforced() if deadline is not None else nullcontext():
                self._add(keys, deadline)
        except Late:
            message = f"explaining took more than {seconds:g} s and was stopped"
            raise DataError(message) from None

    def _add(self, keys: Iterable[StatementKey], deadline: Deadline | None) -> None:
        frontier = [key for key in dict.fromkeys(keys) if key not in self.rounds]
        level = 0
        while frontier:
            if deadline is not None:
                deadline.check()
            level += 1
            if level == DEEP and self._add_all_below(frontier, deadline):
                return
            following: dict[StatementKey, None] = {}
            for predicate, group in _by_predicate(frontier).items():
                self._look_up(predicate, group)
                derived = [key for key in group if self.rounds.get(key, 0) > 0]
                if derived:
                    self._find_uses(predicate, derived)
                for key in derived:
                    following.update(dict.fromkeys(self._antecedents_of(key)))
            frontier = [key for key in following if key not in self.rounds]

    def _add_all_below(self, frontier: Sequence[StatementKey], deadline: Deadline | None) -> bool:
        """The same for all levels below at once; False where there is too much to fetch."""
        store = self._store
        graphs = ", ".join(map(str, sorted({key.graph for key in frontier})))
        where = f"WHERE round > 0 AND g IN ({graphs})"
        counts = (
            store.run(f"SELECT count(*) FROM {table} {where}")[0][0]
            for table in store.tables.values()
        )
        if sum(counts) > MOST_FETCHED:
            return False
        chance_column = "chance" if store.weighed else "1.0::DOUBLE"
        derived: dict[StatementKey, tuple[int, float]] = {}
        for predicate, table in store.tables.items():
            for graph, subject, object_, round_, chance in store.run(
                f"SELECT g, s, o, round, {chance_column} FROM {table} {where}"
            ):
                derived[StatementKey(graph, predicate, subject, object_)] = round_, chance
        # The queries for uses read rounds and chances of every derived statement; afterwards only
        # those that the frontier rests on are kept.
        rounds, chances = self.rounds, self._chances
        self.rounds = {**rounds, **{key: round_ for key, (round_, _) in derived.items()}}
        self._chances = {**chances, **{key: chance for key, (_, chance) in derived.items()}}
        for predicate, group in _by_predicate(derived).items():
            self._find_uses(predicate, [key for key in group if key not in self._uses])
        self.rounds, self._chances = rounds, chances
        asserted: dict[StatementKey, None] = {}
        stack = list(frontier)
        while stack:
            key = stack.pop()
            if key in rounds:
                continue
            if key not in derived:
                asserted[key] = None
                continue
            rounds[key], chances[key] = derived[key]
            stack.extend(self._antecedents_of(key))
            if deadline is not None and len(rounds) % CHECKED == 0:
                deadline.check()
        for predicate, group in _by_predicate(asserted).items():
            self._look_up(predicate, group)
        return True

    def trees(self) -> dict[StatementKey, Derivation]:
        """The derivation of every statement found, antecedents first."""
        codes = {code for key in self.rounds for code in (key.subject, key.object)}
        for key in self.rounds:
            if key in self._uses:
                codes.update(self._uses[key].codes)
        terms = self._store.terms(codes)
        graphs = self._store.graph_names(key.graph for key in self.rounds)
        trees: dict[StatementKey, Derivation] = {}
        ordered = sorted(self.rounds, key=self.rounds.__getitem__)
        chances = self._inference.chances.of(ordered)
        for key, chance in zip(ordered, chances, strict=True):
            subject = terms[key.subject]
            if not isinstance(subject, Name):
                continue
            statement = Statement(subject, Name(key.predicate), terms[key.object])
            use = self._uses.get(key)
            if use is None:
                trees[key] = self._asserted(key, graphs[key.graph], statement, chance)
                continue
            bindings = bindings_of(use.program, use.codes, terms)
            trees[key] = Derivation(
                graphs[key.graph],
                statement,
                chance.low,
                rule=use.program.rule,
                bindings=bindings,
                antecedents=tuple(trees[antecedent] for antecedent in self._antecedents_of(key)),
                computed=computed_of(use.program.rule, bindings),
                denied=denied_of(use.program.rule, bindings),
                ways=self._way_counts[key],
                bound=chance.bound,
            )
        return trees

    def _asserted(
        self, key: StatementKey, graph: str, statement: Statement, chance: Chance
    ) -> Derivation:
        """An input, with the text it was read from and, in a corpus, the links of its names."""
        supports = self._inference.supports.get((graph, statement), ())
        is_of_corpus = any(support.graph != graph for support in supports)
        stated = self._chances[key]
        return Derivation(
            graph,
            statement,
            chance.low,
            support_of(supports),
            annotators=tuple(
                dict.fromkeys(support.annotator for support in supports if support.annotator)
            ),
            bound=chance.bound,
            documents=tuple(dict.fromkeys(support.graph for support in supports))
            if is_of_corpus
            else (),
            links=self._links(supports),
            stated=stated if stated < chance.low - ROUNDING else None,
        )

    def use(self, key: StatementKey) -> RuleUse:
        """The way to a statement that is in its tree."""
        return self._uses[key]

    def other_ways(self, keys: Iterable[StatementKey]) -> dict[StatementKey, list[RuleUse]]:
        """The ways to uncertain statements besides those in their trees, up to a number."""
        other_ways: dict[StatementKey, list[RuleUse]] = {}
        chances = self._inference.chances.of(list(keys))
        unsure = [key for key, chance in zip(keys, chances, strict=True) if chance.low != 1]
        store = self._store
        for predicate, group in _by_predicate(unsure).items():
            self._set_wanted(group)
            for program, head in self._concluding(predicate):
                subject, object_ = (
                    program.side(store, head.subject),
                    program.side(store, head.object),
                )
                row = ", ".join(f"i.{column}" for column in program.columns.values()) or "0"
                rows = store.run(
                    f"SELECT DISTINCT w.nth, {row} FROM wanted w JOIN {program.table} i "
                    f"ON i.g = w.g AND {subject} = w.s AND {object_} = w.o "
                    f"ORDER BY ALL LIMIT {MOST_WAYS * len(group)}"
                )
                for nth, *codes in rows:
                    key = group[nth]
                    use = RuleUse(key.graph, program, tuple(codes)[: len(program.variables)])
                    if self._uses.get(key) != use:
                        other_ways.setdefault(key, []).append(use)
        return {key: uses[:MOST_WAYS] for key, uses in other_ways.items()}

    def antecedents(self, use: RuleUse) -> tuple[StatementKey, ...]:
        """The statements that a way rests on."""
        return antecedent_keys(self._inference, use.program, use.graph, use.codes)

    def chance_by(self, use: RuleUse) -> float:
        """How likely a statement is by one way alone."""
        probability = use.program.rule.probability
        [chance] = self._inference.chances.joint([self.antecedents(use)], probability)
        return chance.low

    def tree_by(
        self, key: StatementKey, use: RuleUse, trees: Mapping[StatementKey, Derivation]
    ) -> Derivation:
        """The derivation of a statement by another way than that in its tree."""
        rule = use.program.rule
        bindings = bindings_of(use.program, use.codes, self._store.terms(use.codes))
        return Derivation(
            trees[key].graph,
            trees[key].statement,
            self.chance_by(use),
            rule=rule,
            bindings=bindings,
            antecedents=tuple(trees[antecedent] for antecedent in self.antecedents(use)),
            computed=computed_of(rule, bindings),
            denied=denied_of(rule, bindings),
        )

    def _links(self, supports: Iterable[Asserted]) -> tuple[Derivation, ...]:
        """The links of names that a statement of a corpus was stated with."""
        if not self._inference.links:
            return ()
        names = (
            term
            for support in supports
            for term in (support.statement.subject, support.statement.object)
            if isinstance(term, Name)
        )
        links = (link for name in names for link in self._inference.links.get(name, ()))
        return tuple({link.statement: link for link in links}.values())

    def _look_up(self, predicate: str, keys: Sequence[StatementKey]) -> None:
        """Notes round and chance of those statements that hold."""
        table = self._store.tables.get(predicate)
        if table is None:
            return
        self._set_wanted(keys)
        chance_column = "t.chance" if self._store.weighed else "1.0::DOUBLE"
        rows = self._store.run(
            f"SELECT w.nth, t.round, {chance_column} FROM wanted w JOIN {table} t "
            "ON t.g = w.g AND t.s = w.s AND t.o = w.o"
        )
        for nth, round_, chance in rows:
            self.rounds[keys[nth]] = round_
            self._chances[keys[nth]] = chance

    def _find_uses(self, predicate: str, keys: Sequence[StatementKey]) -> None:
        """Notes a rule use for each derived statement, and how many there are."""
        self._set_wanted(keys)
        for program, head in self._concluding(predicate):
            self._find_uses_of(program, head, keys)
        if not all(key in self._uses for key in keys):
            raise DataError("no derivation was kept: infer with provenance")

    def _concluding(self, predicate: str) -> Iterator[tuple[Program, Pattern]]:
        """The rules that held and conclude a property, with the conclusion."""
        for program in self._inference.programs.values():
            if program.held and program.rule.contradicts is None:
                for head in program.rule.head:
                    if head.predicate == Name(predicate):
                        yield program, head

    def _find_uses_of(self, program: Program, head: Pattern, keys: Sequence[StatementKey]) -> None:
        store = self._store
        row = ", ".join([f"i.{column}" for column in program.columns.values()] or ["0"])
        subject, object_ = program.side(store, head.subject), program.side(store, head.object)
        joins, condition = "", "i.round = w.round"
        if store.weighed:  # The likeliest, among those whose antecedents came before.
            joins, product = antecedent_joins(store, program)
            earlier = [f"b{index}.round < w.round" for index in range(len(program.rule.positive))]
            condition = " AND ".join([*earlier, f"{product} >= w.chance * {1 - ROUNDING}"])
        rows = store.run(
            f"SELECT w.nth, count(*), min(ROW({row})) FILTER (WHERE {condition}) FROM wanted w "
            f"JOIN {program.table} i ON i.g = w.g AND {subject} = w.s AND {object_} = w.o {joins} "
            "GROUP BY w.nth"
        )
        for nth, count, first in rows:
            key = keys[nth]
            self._way_counts[key] = self._way_counts.get(key, 0) + count
            if first is not None and key not in self._uses:
                values = first.values() if isinstance(first, dict) else first
                codes = tuple(values)[: len(program.variables)]
                self._uses[key] = RuleUse(key.graph, program, codes)

    def _antecedents_of(self, key: StatementKey) -> tuple[StatementKey, ...]:
        if key not in self._antecedents:
            self._antecedents[key] = self.antecedents(self._uses[key])
        return self._antecedents[key]

    def _set_wanted(self, keys: Sequence[StatementKey]) -> None:
        """Fills the table ``wanted``, which queries join with: a row a statement, in order."""
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


def _by_predicate(keys: Iterable[StatementKey]) -> dict[str, list[StatementKey]]:
    groups: dict[str, list[StatementKey]] = {}
    for key in keys:
        groups.setdefault(key.predicate, []).append(key)
    return groups


def leaves(derivations: Iterable[Derivation], *, linked: bool = False) -> list[Derivation]:
    """The input statements that derivations rest on, each once, in reading order.

    With ``linked``, those that links between names rest on are among them.
    """
    inputs: list[Derivation] = []
    seen: set[tuple[str, Statement]] = set()
    stack = list(derivations)[::-1]
    while stack:
        derivation = stack.pop()
        key = (derivation.graph, derivation.statement)
        if key in seen:
            continue
        seen.add(key)
        if derivation.rule is None:
            inputs.append(derivation)
        stack.extend(reversed(derivation.antecedents))
        stack.extend(reversed(derivation.links if linked else ()))
    return inputs


def antecedent_keys(
    inference: Inference, program: Program, graph: int, codes: Sequence[int]
) -> tuple[StatementKey, ...]:
    """The statements that a rule's instantiation matched."""
    values = dict(zip(program.variables, codes, strict=True))
    store = inference.store

    def code(term: Name | Literal | Variable) -> int:
        return values[term] if isinstance(term, Variable) else store.code(term)

    return tuple(
        StatementKey(graph, pattern.predicate.text, code(pattern.subject), code(pattern.object))
        for pattern in program.rule.positive
        if isinstance(pattern.predicate, Name)
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
    """The rule's negated groups with the values that are known; none that only keep an order."""
    change = binding(bindings)
    return tuple(
        tuple(condition.with_terms(change) for condition in group)
        for group in rule.groups()
        if not any(builtin.name == ORDERED for builtin in builtins_of(group))
    )


def computed_of(rule: Rule, bindings: Mapping[str, Name | Literal]) -> tuple[Builtin, ...]:
    """The rule's built-ins with their values."""
    change = binding(bindings)
    return tuple(
        builtin.with_terms(change) for builtin in rule.builtins if not is_internal(builtin.name)
    )
