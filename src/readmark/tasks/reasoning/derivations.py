"""Why a statement holds: the derivation down to the text, found for many statements at once.

Rule-based provenance of "The DARPA Machine Reading Program", section 3.1: the rule, its bound
antecedents, and the negated conditions that held. A tree never repeats a statement above itself:
antecedents come from earlier rounds than what they derive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from readmark.core.confinement import Late
from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.numbers import significant
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.limits import Deadline
from readmark.tasks.reasoning.engine.lineage import chance_text
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.programs import antecedents as antecedent_joins
from readmark.tasks.reasoning.engine.store import StatementKey, support_of
from readmark.tasks.reasoning.graphs import (
    PARTS,
    Asserted,
    Pattern,
    Statement,
    Support,
    write_triple,
)
from readmark.tasks.reasoning.rules.values import (
    ORDERED,
    Builtin,
    Condition,
    Rule,
    binding,
    builtins_of,
    is_internal,
    write_condition,
    write_denied,
)
from readmark.tasks.reasoning.terms import Literal, Name, Variable

ROUNDING = 1e-12
"""How far a product of probabilities may lie below the greatest and still be it."""
DEEP = 12
"""From this level on, all that is left is fetched at once."""
MOST_FETCHED = 500_000
"""Unless the graphs have more derived statements than these."""
MOST_WAYS = 20
"""Of a statement with more ways to it, so many are named."""
CHECKED = 10_000
"""After so many statements the time is looked at."""


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


class _Step(NamedTuple):
    program: Program
    codes: tuple[int, ...]


class RuleUse(NamedTuple):
    """An instantiation of a rule that concludes a statement."""

    graph: int
    program: Program
    codes: tuple[int, ...]


def explain(
    inference: Inference,
    wanted: Sequence[tuple[str, Statement]],
    *,
    seconds: float | None = None,
    every_way: bool = False,
) -> list[Derivation]:
    """The derivations of statements of graphs, in the order asked; each must hold.

    With ``every_way``, those of an uncertain statement have the other ways to it.
    """
    store = inference.store
    codes = store.graph_codes(graph for graph, _ in wanted)
    graphs = {name: code for code, name in store.graph_names(codes).items()}
    keys = []
    store.look_up(term for _, statement in wanted for term in (statement.subject, statement.object))
    for graph, statement in wanted:
        if graph not in graphs:
            raise DataError(f"there is no graph {graph}")
        subject, object_ = store.code(statement.subject), store.code(statement.object)
        keys.append(StatementKey(graphs[graph], statement.predicate.text, subject, object_))
    search = Search(inference)
    search.add(keys, seconds=seconds)
    for key, (graph, statement) in zip(keys, wanted, strict=True):
        if key not in search.rounds:
            raise DataError(f"{write_triple(statement)} does not hold in {graph}")
    return [*_trees_of(search, keys, seconds, every_way=every_way)]


def _trees_of(
    search: Search, keys: Sequence[StatementKey], seconds: float | None, *, every_way: bool
) -> Iterator[Derivation]:
    if not every_way:
        trees = search.trees()
        yield from (trees[key] for key in keys)
        return
    others = search.other_ways(dict.fromkeys(keys))
    rests_on = (key for ways in others.values() for way in ways for key in search.antecedents(way))
    search.add(rests_on, seconds=seconds)
    trees = search.trees()
    for key in keys:
        tree = trees[key]
        ways = [search.tree_by(key, way, trees) for way in others.get(key, ())]
        # A way through the statement itself is none of its own.
        apart = [way for way in ways if not _rests_on(way, tree.statement)]
        if apart:
            alone = None if tree.rule is None else search.chance_by(key, search.step(key))
            apart.sort(key=lambda way: (-way.probability, way.rule.name if way.rule else ""))
            tree = replace(tree, others=tuple(apart), alone=alone)
        yield tree


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
        self._chances: dict[StatementKey, float] = {}
        self._steps: dict[StatementKey, _Step] = {}
        self._ways: dict[StatementKey, int] = {}
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
        levels = 0
        while frontier:
            if deadline is not None:
                deadline.check()
            levels += 1
            if levels == DEEP and self._walk(frontier, deadline):
                return
            following: dict[StatementKey, None] = {}
            for predicate, group in _by_property(frontier).items():
                self._look_up(predicate, group)
                derived = [key for key in group if self.rounds.get(key, 0) > 0]
                if derived:
                    self._derive(predicate, derived)
                for key in derived:
                    following.update(dict.fromkeys(self._antecedents_of(key)))
            frontier = [key for key in following if key not in self.rounds]

    def _walk(self, frontier: Sequence[StatementKey], deadline: Deadline | None) -> bool:
        """The same for all levels below at once; False where there is too much to fetch."""
        store = self._store
        listed = ", ".join(map(str, sorted({key.graph for key in frontier})))
        where = f"WHERE round > 0 AND g IN ({listed})"
        counts = (
            store.run(f"SELECT count(*) FROM {table} {where}")[0][0]
            for table in store.tables.values()
        )
        if sum(counts) > MOST_FETCHED:
            return False
        rounds, chances = self.rounds, self._chances
        self.rounds, self._chances = dict(rounds), dict(chances)
        chance = "chance" if store.weighed else "1.0::DOUBLE"
        derived: dict[StatementKey, tuple[int, float]] = {}
        for predicate, table in store.tables.items():
            for g, s, o, round_, worth in store.run(
                f"SELECT g, s, o, round, {chance} FROM {table} {where}"
            ):
                derived[StatementKey(g, predicate, s, o)] = round_, worth
        self.rounds.update((key, round_) for key, (round_, _) in derived.items())
        self._chances.update((key, worth) for key, (_, worth) in derived.items())
        for predicate, group in _by_property(derived).items():
            self._derive(predicate, [key for key in group if key not in self._steps])
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
        for predicate, group in _by_property(asserted).items():
            self._look_up(predicate, group)
        return True

    def trees(self) -> dict[StatementKey, Derivation]:
        """The derivation of every statement found, antecedents first."""
        codes = {code for key in self.rounds for code in (key.subject, key.object)}
        reached = (self._steps[key] for key in self.rounds if key in self._steps)
        codes.update(code for step in reached for code in step.codes)
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
            step = self._steps.get(key)
            if step is None:
                asserteds = self._inference.supports.get((graphs[key.graph], statement), ())
                names = tuple(
                    dict.fromkeys(
                        asserted.annotator for asserted in asserteds if asserted.annotator
                    )
                )
                own = self._chances[key]
                across = any(one.graph != graphs[key.graph] for one in asserteds)
                trees[key] = Derivation(
                    graphs[key.graph],
                    statement,
                    chance.low,
                    support_of(asserteds),
                    names,
                    bound=chance.bound,
                    documents=tuple(dict.fromkeys(one.graph for one in asserteds))
                    if across
                    else (),
                    links=self._links(asserteds),
                    stated=own if own < chance.low - ROUNDING else None,
                )
                continue
            bindings = bindings_of(step.program, step.codes, terms)
            trees[key] = Derivation(
                graphs[key.graph],
                statement,
                chance.low,
                rule=step.program.rule,
                bindings=bindings,
                antecedents=tuple(
                    trees[statement_key] for statement_key in self._antecedents_of(key)
                ),
                computed=computed_of(step.program.rule, bindings),
                denied=denied_of(step.program.rule, bindings),
                ways=self._ways[key],
                bound=chance.bound,
            )
        return trees

    def step(self, key: StatementKey) -> RuleUse:
        """The way to a statement that is in its tree."""
        step = self._steps[key]
        return RuleUse(key.graph, step.program, step.codes)

    def other_ways(self, keys: Iterable[StatementKey]) -> dict[StatementKey, list[RuleUse]]:
        """The ways to uncertain statements besides those in their trees, up to a number."""
        found: dict[StatementKey, list[RuleUse]] = {}
        certain = self._inference.chances.of(list(keys))
        unsure = [key for key, chance in zip(keys, certain, strict=True) if chance.low != 1]
        for predicate, group in _by_property(unsure).items():
            self._want(group)
            for program in self._inference.programs.values():
                for head in program.rule.head if program.rule.contradicts is None else ():
                    if not program.held or head.predicate != Name(predicate):
                        continue
                    store = self._store
                    subject = program.side(store, head.subject)
                    object_ = program.side(store, head.object)
                    row = ", ".join(f"i.{column}" for column in program.columns.values()) or "0"
                    rows = store.run(
                        f"SELECT DISTINCT w.nth, {row} FROM wanted w JOIN {program.table} i "
                        f"ON i.g = w.g AND {subject} = w.s AND {object_} = w.o "
                        f"ORDER BY ALL LIMIT {MOST_WAYS * len(group)}"
                    )
                    for nth, *codes in rows:
                        way = RuleUse(
                            group[nth].graph, program, tuple(codes)[: len(program.variables)]
                        )
                        known = self._steps.get(group[nth])
                        if known is None or (known.program, known.codes) != way[1:]:
                            found.setdefault(group[nth], []).append(way)
        return {key: ways[:MOST_WAYS] for key, ways in found.items()}

    def antecedents(self, way: RuleUse) -> tuple[StatementKey, ...]:
        """The statements that a way rests on."""
        return antecedent_keys(self._inference, way.program, way.graph, way.codes)

    def chance_by(self, key: StatementKey, way: RuleUse) -> float:
        """How likely a statement is by one way alone."""
        [chance] = self._inference.chances.joint(
            [self.antecedents(way)], way.program.rule.probability
        )
        return chance.low

    def tree_by(
        self, key: StatementKey, way: RuleUse, trees: Mapping[StatementKey, Derivation]
    ) -> Derivation:
        """The derivation of a statement by another way than that in its tree."""
        rule, terms = way.program.rule, self._store.terms(way.codes)
        bindings = bindings_of(way.program, way.codes, terms)
        return Derivation(
            trees[key].graph,
            trees[key].statement,
            self.chance_by(key, way),
            rule=rule,
            bindings=bindings,
            antecedents=tuple(trees[each] for each in self.antecedents(way)),
            computed=computed_of(rule, bindings),
            denied=denied_of(rule, bindings),
        )

    def _links(self, asserteds: Iterable[Asserted]) -> tuple[Derivation, ...]:
        """The links of names that a statement of a corpus was stated with."""
        if not self._inference.links:
            return ()
        names = (
            term
            for asserted in asserteds
            for term in (asserted.statement.subject, asserted.statement.object)
            if isinstance(term, Name)
        )
        steps = (step for name in names for step in self._inference.links.get(name, ()))
        return tuple({step.statement: step for step in steps}.values())

    def _look_up(self, predicate: str, keys: Sequence[StatementKey]) -> None:
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

    def _derive(self, predicate: str, keys: Sequence[StatementKey]) -> None:
        self._want(keys)
        for program in self._inference.programs.values():
            for head in program.rule.head if program.rule.contradicts is None else ():
                if program.held and head.predicate == Name(predicate):
                    self._derive_by(program, head, keys)
        for key in keys:
            if key not in self._steps:
                raise DataError("no derivation was kept: infer with provenance")

    def _derive_by(self, program: Program, head: Pattern, keys: Sequence[StatementKey]) -> None:
        store = self._store
        row = ", ".join([f"i.{column}" for column in program.columns.values()] or ["0"])
        subject, object_ = program.side(store, head.subject), program.side(store, head.object)
        joins, first = "", "i.round = w.round"
        if store.weighed:  # The likeliest, among those whose antecedents came before.
            joins, product = antecedent_joins(store, program)
            earlier = [f"b{index}.round < w.round" for index in range(len(program.rule.positive))]
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
                self._steps[key] = _Step(program, tuple(values)[: len(program.variables)])

    def _antecedents_of(self, key: StatementKey) -> tuple[StatementKey, ...]:
        statement_keys = self._antecedents.get(key)
        if statement_keys is None:
            program, codes = self._steps[key]
            statement_keys = antecedent_keys(self._inference, program, key.graph, codes)
            self._antecedents[key] = statement_keys
        return statement_keys

    def _want(self, keys: Sequence[StatementKey]) -> None:
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


def _by_property(keys: Iterable[StatementKey]) -> dict[str, list[StatementKey]]:
    found: dict[str, list[StatementKey]] = {}
    for key in keys:
        found.setdefault(key.predicate, []).append(key)
    return found


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


# Derivations and contradictions as indented text, down to the excerpts.


STEP = "  "
MOST_LINES = 200
"""Of a longer derivation, an answer keeps the first so many lines."""


def derivation_text(derivation: Derivation) -> str:
    """The tree of a statement: what a statement rests on is below it, indented.

    A statement that was already explained above is only named again.
    """
    return "\n".join(tree_lines([derivation], 0))


def derivations_text(derivations: Sequence[Derivation], *, most: int = MOST_LINES) -> str:
    """Several trees, one under the other; of more lines than ``most`` the first."""
    lines = list(islice(tree_lines(derivations, 0), most + 1))
    if len(lines) > most:
        lines[most:] = ["…"]
    return "\n".join(lines)


def tree_lines(roots: Sequence[Derivation], depth: int) -> Iterator[str]:
    seen: set[int] = set()
    stack: list[tuple[Derivation | list[str], int]] = [(root, depth) for root in reversed(roots)]
    while stack:
        derivation, level = stack.pop()
        if isinstance(derivation, list):
            yield from derivation
            continue
        indent = STEP * level
        line = f"{indent}{write_triple(derivation.statement)}"
        if derivation.probability != 1:
            line += f"  probability {chance_text(derivation.probability, derivation.bound)}"
        if derivation.rule is None:
            by = f" by {', '.join(derivation.annotators)}" if derivation.annotators else ""
            own = (
                ""
                if derivation.stated is None
                else f" with probability {significant(derivation.stated)}"
            )
            where = f" in {', '.join(derivation.documents)}" if derivation.documents else ""
            yield f"{line}  asserted{own}{where}{by}"
            for part, excerpt in derivation.support.excerpts():
                place = f"{excerpt.document}:{excerpt.start}-{excerpt.end}"
                yield f"{STEP * (level + 1)}{part} “{excerpt.quote}” {place}"
            stack.extend(_ways(derivation, level + 1))
            stack.extend((link, level + 1) for link in reversed(derivation.links))
            continue
        again = id(derivation) in seen
        seen.add(id(derivation))
        way = f"by {rule_title(derivation.rule)}" + (", as above" if again else "")
        if derivation.others and derivation.alone is not None and not again:
            several = f"in {counted(len(derivation.others) + 1, 'way')}:"
            way = f"{several} with probability {significant(derivation.alone)} {way}"
        yield f"{line}  {way}"
        if not again:
            stack.extend(_ways(derivation, level + 1))
            stack.append(
                (list(condition_lines(derivation.computed, derivation.denied, level + 1)), level)
            )
            stack.extend((each, level + 1) for each in reversed(derivation.antecedents))


def _ways(derivation: Derivation, level: int) -> list[tuple[Derivation | list[str], int]]:
    """The other ways to a statement, the last first, as a stack takes them."""
    found: list[tuple[Derivation | list[str], int]] = []
    for way in derivation.others:
        assert way.rule is not None
        chance = f"or with probability {significant(way.probability)}"
        found.append(([f"{STEP * level}{chance} by {rule_title(way.rule)}"], level))
        found.extend((each, level + 1) for each in way.antecedents)
        found.append((list(condition_lines(way.computed, way.denied, level + 1)), level))
    return found[::-1]


def rule_title(rule: Rule) -> str:
    assumed = " (a default)" if rule.assumes else ""
    return f"{rule.name}{assumed}" + (f": {rule.comment}" if rule.comment else "")


def condition_lines(
    computed: Iterable[Builtin], denied: Iterable[Sequence[Condition]], level: int
) -> Iterator[str]:
    for builtin in computed:
        yield f"{STEP * level}{write_condition(builtin)}  holds"
    for group in denied:
        yield f"{STEP * level}no {write_denied(group)}"


# The same text read again: answers keep it, also those of systems that write their own.


_QUOTED = re.compile(
    r"(statement|subject|predicate|object) “(.*)” (.+):(\d{1,9})-(\d{1,9})", re.DOTALL
)
_BROKEN = 20
"""Lines that a quotation may have."""
DEEPEST = 40
"""Levels of a tree; what is deeper is shown at this one."""


@dataclass(frozen=True, slots=True)
class DerivationLine:
    """A line of a derivation, and what is below it: what it rests on."""

    text: str
    level: int = 0
    excerpt: Excerpt | None = None
    """What the line quotes, where it is text provenance."""
    below: list[DerivationLine] = field(default_factory=list)


def read_derivation(text: str, *, most: int = MOST_LINES) -> list[DerivationLine]:
    """The trees of a derivation's text: each line with those that are indented below it."""
    roots: list[DerivationLine] = []
    above: list[tuple[int, DerivationLine]] = []
    lines = text.splitlines()
    index = 0
    while index < len(lines) and index < most:
        bare = lines[index].lstrip(" ")
        level = min((len(lines[index]) - len(bare)) // len(STEP), DEEPEST)
        index += 1
        if not bare:
            continue
        match = None
        if bare.startswith(tuple(f"{part} “" for part in PARTS)):
            for end in range(index, min(index + _BROKEN, len(lines) + 1)):
                whole = "\n".join([bare, *lines[index:end]])
                if match := _QUOTED.fullmatch(whole):
                    bare, index = whole, end
                    break
        excerpt = (
            None if match is None else Excerpt(match[3], int(match[4]), int(match[5]), match[2])
        )
        while above and above[-1][0] >= level:
            above.pop()
        line = DerivationLine(bare, len(above), excerpt)
        (above[-1][1].below if above else roots).append(line)
        above.append((level, line))
    return roots
