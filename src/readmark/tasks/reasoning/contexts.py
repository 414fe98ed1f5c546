"""The most probable consistent groups of statements that contradict one another.

"To determine the most likely grouping of extracted formal statements into consistent contexts"
("The DARPA Machine Reading Program", section 3). A context keeps as much as it can: nothing that
it drops could be kept as well. Its probability is the product of p for what it keeps and 1 - p for
what it drops, over all contexts of the same conflict.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.text import Text

from readmark.core.display import Result, counted
from readmark.core.errors import DataError
from readmark.core.numbers import significant
from readmark.tasks.reasoning.contradictions import Groups, reach
from readmark.tasks.reasoning.derivations import antecedent_keys, rule_title
from readmark.tasks.reasoning.engine.inference import Inference, infer, with_constraints
from readmark.tasks.reasoning.engine.limits import OutOfTime
from readmark.tasks.reasoning.engine.lineage import (
    Lineage,
    bits,
    chance_json,
    chance_text,
    lineage,
)
from readmark.tasks.reasoning.engine.store import StatementKey
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.strata import components
from readmark.tasks.reasoning.rules.values import (
    ORDERED,
    SMALLEST,
    Builtin,
    Rule,
    Theory,
    patterns_of,
)
from readmark.tasks.reasoning.terms import Name

if TYPE_CHECKING:
    from rich.console import Console

SECONDS = 30.0
GROUPS = 10
"""So many contexts of a conflict are listed."""
WIDTH = 4_000
"""Partial contexts that are followed at once; where all fit, the result is exact."""
MOST_CONFLICTS = 200_000
MOST_SUPPORTS = 200
"""Sets of inputs that one statement, or one contradiction, is followed down to."""
ROUNDS = 20
"""How often contexts are tried, and what still contradicts is learnt from."""
TRIED = 500_000
"""Statements of contexts that are tried at once."""

Input = tuple[str, Statement]
"""A graph and a statement of it."""


@dataclass(frozen=True, slots=True)
class DroppedStatement:
    """A statement that a context leaves out, and the kept statements that it contradicts."""

    graph: str
    statement: Statement
    probability: float
    rule: Rule
    against: tuple[Statement, ...]

    @property
    def reason(self) -> str:
        """In words: what it contradicts, and by which rule."""
        title = rule_title(self.rule)
        if not self.against:
            return f"contradicts the theory by {title}"
        return f"contradicts {' '.join(map(write_triple, self.against))} by {title}"

    def as_json(self) -> dict[str, Any]:
        """The statement with its reason."""
        return {
            "graph": self.graph,
            "statement": write_triple(self.statement),
            "probability": self.probability,
            "rule": self.rule.name,
            "against": [write_triple(statement) for statement in self.against],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class ContextGroup:
    """A context of one conflict: which of its statements are kept, and how likely that is."""

    conflict: int
    """Contexts of the same number exclude one another; those of others are independent."""
    graph: str
    probability: float
    bound: float | None
    """The greatest that the probability can be, where not all contexts were looked at."""
    kept: tuple[Statement, ...]
    dropped: tuple[DroppedStatement, ...]
    undecided: bool
    """Whether another context is as likely as the first."""

    def as_json(self) -> dict[str, Any]:
        """The context with its probability."""
        return {
            "conflict": self.conflict,
            "graph": self.graph,
            **chance_json(self.probability, self.bound),
            "kept": [write_triple(statement) for statement in self.kept],
            "dropped": [dropped.as_json() for dropped in self.dropped],
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class BestContext:
    """The likeliest context of every conflict, with all that is in no conflict."""

    kept: tuple[Asserted, ...]
    """As they were given, in their order."""
    dropped: tuple[DroppedStatement, ...]


@dataclass(frozen=True, repr=False)
class Contexts(Result):
    """Which statements can be right together; without conflicts there is nothing to list."""

    best: BestContext
    groups: tuple[ContextGroup, ...] = ()
    """The likeliest contexts of each conflict, by conflict and probability."""
    documents: Mapping[Statement, tuple[str, ...]] = field(default_factory=dict)
    """Across documents, those that state each statement."""
    exact: bool = True
    """Whether every context was looked at, so that the probabilities are exact."""
    bound: float = 0.0
    """The greatest share of a conflict's probability that was not looked at."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """Why it is not exact."""

    @property
    def conflicts(self) -> int:
        """How many conflicts have nothing to do with one another."""
        return len({group.conflict for group in self.groups})

    @property
    def undecided(self) -> bool:
        """Whether a conflict has several contexts that are equally likely."""
        return any(group.undecided for group in self.groups)

    def leading(self) -> Iterator[ContextGroup]:
        """The likeliest context of each conflict."""
        seen: set[int] = set()
        for group in self.groups:
            if group.conflict not in seen:
                seen.add(group.conflict)
                yield group

    def as_json(self) -> dict[str, Any]:
        """What is kept and dropped, and the contexts of each conflict."""
        return {
            "conflicts": self.conflicts,
            "exact": self.exact,
            "bound": self.bound,
            "undecided": self.undecided,
            "dropped": [dropped.as_json() for dropped in self.best.dropped],
            "groups": [group.as_json() for group in self.groups],
            **({"documents": self._stated()} if self.documents else {}),
            "notes": list(self.notes),
        }

    def _stated(self) -> dict[str, list[str]]:
        """The documents of what is in a conflict."""
        found = {
            statement
            for group in self.groups
            for statement in (*group.kept, *(dropped.statement for dropped in group.dropped))
        }
        return {
            write_triple(statement): list(documents)
            for statement, documents in self.documents.items()
            if statement in found
        }

    def _where(self, statement: Statement) -> str:
        documents = self.documents.get(statement, ())
        return f" in {', '.join(documents)}" if documents else ""

    def show(self, console: Console) -> None:
        """A line a context, the likeliest of each conflict first."""
        for line in self.lines():
            console.print(Text(line), soft_wrap=True)

    def lines(self, most: int | None = None) -> Iterator[str]:
        """The same as text; of more conflicts than ``most`` the first."""
        if not self.groups:
            return
        how = "" if self.exact else f", not exact: {'; '.join(self.notes)}"
        yield f"{counted(self.conflicts, 'conflict')}, contexts by probability{how}"
        for group in self.groups:
            if most is not None and group.conflict > most:
                yield f"and {counted(self.conflicts - most, 'more conflict')}: --show N or --json"
                return
            chance = chance_text(group.probability, group.bound)
            open_ = ", undecided" if group.undecided else ""
            yield f"{group.graph}: conflict {group.conflict}, probability {chance}{open_}"
            for statement in group.kept:
                yield f"  keep {write_triple(statement)}{self._where(statement)}"
            for dropped in group.dropped:
                where = self._where(dropped.statement)
                yield f"  drop {write_triple(dropped.statement)}{where}: {dropped.reason}"


def contexts(
    asserted: Iterable[Asserted],
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    seconds: float = SECONDS,
    most: int = GROUPS,
    contradicted: Collection[str] | None = None,
) -> Contexts:
    """The most probable consistent groups of statements, within each graph.

    ``contradicted`` names the graphs that contradict the theory, where that is known.

    Statements of probability 1 are certain: they are kept before others, and where they contradict
    each other, every greatest consistent set counts the same. Rules count as certain. A statement
    that is asserted several times has the greatest of its probabilities.
    """
    end = time.monotonic() + seconds
    listed = list(asserted)
    chances: dict[Input, float] = {}
    for one in listed:
        key = (one.graph, one.statement)
        chances[key] = max(chances.get(key, 0.0), one.probability)
    whole = _certain(with_constraints(theory, ontology))
    broken = _contradicting(chances, whole, end) if contradicted is None else contradicted
    if not broken:
        return Contexts(BestContext(tuple(listed), ()))
    finder = _Conflicts(chances, whole, end)
    finder.add([[key for key in chances if key[0] in broken]])
    return _Solving(listed, chances, finder, end, most).solved()


def _certain(theory: Theory) -> Theory:
    return replace(theory, rules=tuple(replace(rule, probability=1.0) for rule in theory.rules))


def _contradicting(chances: Mapping[Input, float], theory: Theory, end: float) -> set[str]:
    """The graphs that contradict the theory."""
    asserted = [Asserted(graph, statement) for graph, statement in chances]
    with infer(asserted, theory, provenance=False, seconds=_left(end)) as inference:
        return inference.contradicted()


def _left(end: float) -> float:
    return max(end - time.monotonic(), 0.01)


class _Conflict(NamedTuple):
    """Inputs that cannot all be kept, and the rule that they break."""

    inputs: frozenset[Input]
    rule: Rule


# Which inputs cannot be kept together: contradictions followed down to what was asserted.


class _Conflicts:
    """The least sets of inputs that contradict the theory, found through provenance."""

    def __init__(self, chances: Mapping[Input, float], theory: Theory, end: float) -> None:
        self._chances = chances
        self._plain = theory
        self._theory = replace(theory, rules=tuple(map(_every_choice, theory.rules)))
        self._end = end
        self.found: dict[frozenset[Input], Rule] = {}
        self.notes: dict[str, None] = {}

    def add(self, worlds: Sequence[Sequence[Input]]) -> None:
        """Looks for conflicts among inputs; several sets of them are tried at once."""
        asserted = [
            Asserted(f"{number} {graph}", statement)
            for number, inputs in enumerate(worlds)
            for graph, statement in inputs
        ]
        try:
            # Half the time for every choice among too many values; else for the first of them.
            with infer(asserted, self._theory, seconds=_left(self._end) / 2) as inference:
                self._collect(inference)
        except OutOfTime:
            self.notes["a rule has too many ways to be broken"] = None
            with infer(asserted, self._plain, seconds=_left(self._end)) as inference:
                self._collect(inference)

    def _collect(self, inference: Inference) -> None:
        broken: list[tuple[Rule, tuple[StatementKey, ...]]] = []
        for program in inference.programs.values():
            if program.rule.contradicts is None or not program.held:
                continue
            limit = MOST_CONFLICTS - len(broken)
            columns = ", ".join(["g", *program.columns.values()])
            rows = inference.store.run(f"SELECT {columns} FROM {program.table} LIMIT {limit + 1}")
            if len(rows) > limit:
                self.notes[f"more than {MOST_CONFLICTS:,} contradictions"] = None
            for graph, *codes in rows[:limit]:
                keys = antecedent_keys(inference, program, graph, codes)
                broken.append((program.rule, keys or (StatementKey(graph, "", 0, 0),)))
        graphs = {key.graph for _, keys in broken for key in keys}
        found = lineage(inference.store, inference.programs, graphs)
        if not found.complete:
            raise DataError("rules hold too often for contexts")
        supports, cut = _supports(found, [key for _, keys in broken for key in keys])
        if cut:
            self.notes["a contradiction has too many derivations"] = None
        known = self._named(inference, supports)
        for rule, keys in broken:
            if keys[0].predicate == "":
                message = f"{rule.name} contradicts {rule.contradicts}, whatever is stated"
                raise DataError(message, file=self._plain.file, where=rule.line or None)
            choices = _combined([supports[key] for key in keys])
            if len(choices) > MOST_SUPPORTS:
                self.notes["a contradiction has too many derivations"] = None
            for choice in choices[:MOST_SUPPORTS]:
                inputs = frozenset(known[key] for key in choice)
                self.found.setdefault(inputs, rule)

    def _named(
        self,
        inference: Inference,
        supports: Mapping[StatementKey, Sequence[frozenset[StatementKey]]],
    ) -> dict[StatementKey, Input]:
        keys = {key for several in supports.values() for one in several for key in one}
        store = inference.store
        graphs = store.graph_names(key.graph for key in keys)
        terms = store.terms(code for key in keys for code in (key.subject, key.object))
        named = {}
        for key in keys:
            subject = terms[key.subject]
            if isinstance(subject, Name):
                statement = Statement(subject, Name(key.predicate), terms[key.object])
                named[key] = (graphs[key.graph].partition(" ")[2], statement)
        return named

    def least(self) -> list[_Conflict]:
        """The conflicts that include no other."""
        return [_Conflict(inputs, self.found[inputs]) for inputs in _antichain(self.found)]

    def denies_denials(self) -> bool:
        """Whether rules that are broken rest on a denial of what itself rests on a denial.

        Then an input outside a conflict may settle it by being dropped, and no conflict shows
        that. A default denies what is there without defaults.
        """
        plain = [rule for rule in self._plain.rules if rule.contradicts is None]
        broken = {rule.name: rule for rule in self.found.values()}.values()
        used = {rule.name: rule for one in broken for rule in reach(one, plain).rules}
        for rule in used.values():
            denied = tuple(pattern for group in rule.groups() for pattern in patterns_of(group))
            below = [other for other in plain if not (rule.assumes and other.assumes)]
            if denied and reach(Rule("", denied), below).denies:
                return True
        return False

    def denied(self, inputs: Iterable[Input]) -> bool:
        """Whether dropping inputs may let a rule hold that they keep from holding."""
        changed = {statement.predicate.text for _, statement in inputs}
        size = -1
        while size < len(changed):
            size = len(changed)
            for rule in self._plain.rules:
                conditions = [*rule.positive, *(p for g in rule.groups() for p in patterns_of(g))]
                if any(pattern.property_name in changed for pattern in conditions):
                    changed |= {pattern.property_name for pattern in rule.head}
        return any(
            pattern.property_name in changed
            for rule in self._plain.rules
            for group in rule.groups()
            for pattern in patterns_of(group)
        )


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


def _supports(found: Lineage, wanted: Iterable[StatementKey]) -> tuple[_Supports, bool]:
    """The least sets of inputs that each statement follows from; whether some were left out."""
    arrows: dict[StatementKey, list[StatementKey]] = {}
    stack = list(dict.fromkeys(wanted))
    while stack:
        key = stack.pop()
        if key not in arrows:
            arrows[key] = [one for way in found.ways.get(key, ()) for one in way.antecedents]
            stack.extend(arrows[key])
    supports: _Supports = {}
    cut = False
    for circle in reversed(components(arrows)):
        for key in circle:
            supports[key] = [frozenset([key])] if key in found.inputs else []
        changed = True
        while changed:
            changed = False
            for key in circle:
                sets = set(supports[key])
                for way in found.ways.get(key, ()):
                    sets.update(_combined([supports[one] for one in way.antecedents]))
                least = _least(sets)
                cut |= len(least) > MOST_SUPPORTS
                least = least[:MOST_SUPPORTS]
                changed |= len(circle) > 1 and set(least) != set(supports[key])
                supports[key] = least
    return supports, cut


def _combined(
    parts: Sequence[Sequence[frozenset[StatementKey]]],
) -> list[frozenset[StatementKey]]:
    """The least unions of one set of each part, one more than the limit at most."""
    unions: list[frozenset[StatementKey]] = [frozenset()]
    for part in parts:
        both = {one | other for one, other in product(unions, part)}
        unions = _least(both)[: MOST_SUPPORTS + 1]
    return unions


def _least(sets: Iterable[frozenset[StatementKey]]) -> list[frozenset[StatementKey]]:
    found: list[frozenset[StatementKey]] = []
    for one in sorted(sets, key=lambda one: (len(one), sorted(one))):
        if not any(other <= one for other in found):
            found.append(one)
    return found


# Contexts of one conflict: statement by statement, partial contexts that go on alike are one.


class _Partial(NamedTuple):
    """A partial context: its weight, and what was decided last and before."""

    weight: float
    kept: bool
    before: _Partial | None


class _Listed(NamedTuple):
    """The likeliest contexts of a conflict with their weights, and the weights of all in sum."""

    contexts: list[tuple[float, list[bool]]]
    total: float
    missed: float
    """The most that what was not looked at can weigh."""
    number: int


_State = tuple[int, int, int]
"""Conflicts with nothing dropped; those that wait for one drop to be needed; drops that wait."""


class _Entry:
    """Partial contexts that go on alike."""

    __slots__ = ("best", "count", "total")

    def __init__(self) -> None:
        self.total = -math.inf
        self.best: list[_Partial] = []
        self.count = 0


def list_contexts(
    chances: Sequence[float],
    conflicts: Sequence[frozenset[int]],
    *,
    most: int = GROUPS,
    width: int = WIDTH,
    end: float = math.inf,
) -> _Listed:
    """The greatest sets of numbers that include no conflict, the likeliest first.

    Numbers of probability 1 are certain: one is dropped only for others that are certain. Weights
    are logarithms. ``width`` limits the partial contexts that are followed at once.
    """
    order = _order(len(chances), conflicts)
    place = {number: at for at, number in enumerate(order)}
    of = [0] * len(order)  # The conflicts of each number, as bits; so are all sets here.
    members = [0] * len(conflicts)
    last = [0] * len(order)
    hard = 0
    for index, conflict in enumerate(conflicts):
        places = [place[number] for number in conflict]
        for at in places:
            of[at] |= 1 << index
            members[index] |= 1 << at
        last[max(places)] |= 1 << index
        if all(chances[number] == 1 for number in conflict):
            hard |= 1 << index
    near = [0] * len(order)
    for at in range(len(order)):
        for index in bits(of[at]):
            near[at] |= members[index]
    states: dict[_State, _Entry] = {((1 << len(conflicts)) - 1, 0, 0): _Entry()}
    start = next(iter(states.values()))
    start.total, start.best, start.count = 0.0, [_Partial(0.0, True, None)], 1
    missed = -math.inf
    begin = time.monotonic()
    for at, number in enumerate(order):
        chance = chances[number]
        sure = chance == 1
        weights = {True: 0.0, False: 0.0} if sure else _weights(chance)
        following: dict[_State, _Entry] = {}
        for (free, waiting, drops), entry in states.items():
            for kept in (True, False):
                after = _after(
                    kept,
                    at,
                    free,
                    waiting,
                    drops,
                    of,
                    members,
                    last[at],
                    hard if sure else -1,
                    near[at],
                )
                if after is None:
                    continue
                known = following.get(after)
                if known is None:
                    known = following[after] = _Entry()
                known.total = _sum(known.total, entry.total + weights[kept])
                known.count += entry.count
                known.best += [
                    _Partial(partial.weight + weights[kept], kept, partial)
                    for partial in entry.best
                ]
        for entry in following.values():
            if len(entry.best) > most:
                entry.best = nlargest(most, entry.best, key=lambda partial: partial.weight)
        allowed = _width(width, begin, end)
        if len(following) > allowed:
            ranked = sorted(following.items(), key=lambda item: -item[1].best[0].weight)
            # What follows weighs 1 in sum; of certain numbers both choices weigh 1.
            more = sum(chances[later] == 1 for later in order[at + 1 :]) * math.log(2)
            for _, entry in ranked[allowed:]:
                missed = _sum(missed, entry.total + more)
            following = dict(ranked[:allowed])
        states = following
    entries = list(states.values())
    count = sum(entry.count for entry in entries)
    best = nlargest(most, (one for entry in entries for one in entry.best), key=lambda p: p.weight)
    total = -math.inf
    for entry in entries:
        total = _sum(total, entry.total)
    listed = sorted(
        ((partial.weight, _decided(partial, order)) for partial in best), key=_preference
    )
    if missed > -math.inf:  # What is left may have led nowhere.
        greedy = _greedy(chances, conflicts)
        if not listed or greedy[0] > listed[0][0] + 1e-9:
            listed = [greedy, *listed][:most]
            total = _sum(total, greedy[0])
            count += 1
    return _Listed(listed, total, missed, count)


def _greedy(
    chances: Sequence[float], conflicts: Sequence[frozenset[int]]
) -> tuple[float, list[bool]]:
    """A context: what is likelier is kept first."""
    of: list[list[int]] = [[] for _ in chances]
    for index, conflict in enumerate(conflicts):
        for number in conflict:
            of[number].append(index)
    left = [len(conflict) for conflict in conflicts]
    kept = [False] * len(chances)
    weight = 0.0
    for number in sorted(range(len(chances)), key=lambda number: -chances[number]):
        kept[number] = all(left[index] > 1 for index in of[number])
        for index in of[number] if kept[number] else ():
            left[index] -= 1
        if chances[number] < 1:
            weight += _weights(chances[number])[kept[number]]
    return weight, kept


def _weights(chance: float) -> dict[bool, float]:
    return {True: math.log(chance), False: math.log1p(-chance)}


def _width(width: int, begin: float, end: float) -> int:
    """Fewer partial contexts are followed as the time runs out; one at last."""
    now = time.monotonic()
    if now >= end:
        return 1
    return width if now - begin < (end - begin) / 2 else max(width // 20, 1)


def _after(
    kept: bool,
    at: int,
    free: int,
    waiting: int,
    drops: int,
    of: Sequence[int],
    members: Sequence[int],
    last: int,
    proper: int,
    near: int,
) -> _State | None:
    """The state after one more decision; None where it is no context."""
    own = of[at]
    if kept:
        if free & last:
            return None
    else:
        dead = waiting & own
        fresh = free & own & proper
        waiting = (waiting & ~dead) | fresh
        free &= ~own
        drops |= 1 << at
    needed = waiting & last
    if needed:  # All else of these conflicts is kept: their one drop was needed.
        met = 0
        for index in bits(needed):
            met |= members[index] & drops
        for one in bits(met):
            waiting &= ~of[one]
        drops &= ~met
    for one in bits(drops & (near | 1 << at)):
        if not waiting & of[one]:
            return None
    return free & ~last, waiting, drops


def _decided(partial: _Partial, order: Sequence[int]) -> list[bool]:
    kept = [True] * len(order)
    current: _Partial | None = partial
    for number in reversed(order):
        if current is None:
            break
        kept[number] = current.kept
        current = current.before
    return kept


def _preference(context: tuple[float, list[bool]]) -> tuple[float, int, list[int]]:
    """The likeliest first; of equals, that which keeps the most, and what was said first."""
    weight, kept = context
    dropped = [-at for at, keep in enumerate(kept) if not keep]
    return round(-weight, 9), len(dropped), dropped


def _order(count: int, conflicts: Sequence[frozenset[int]]) -> list[int]:
    """An order in which few conflicts are open at a time: next is what opens the fewest."""
    of: list[list[int]] = [[] for _ in range(count)]
    for index, conflict in enumerate(conflicts):
        for number in conflict:
            of[number].append(index)
    left = {index: len(conflict) for index, conflict in enumerate(conflicts)}
    opened: set[int] = set()
    done: set[int] = set()
    order: list[int] = []
    waiting: dict[int, None] = {}

    def cost(number: int) -> tuple[int, int]:
        opens = sum(1 for index in of[number] if index not in opened)
        closes = sum(1 for index in of[number] if left[index] == 1)
        return opens - closes, number

    ends = sorted(range(count), key=lambda number: (len(of[number]), number))
    for start in ends:
        if start in done:
            continue
        waiting[start] = None
        while waiting:
            number = min(waiting, key=cost)
            del waiting[number]
            done.add(number)
            order.append(number)
            for index in of[number]:
                left[index] -= 1
                if index not in opened:
                    opened.add(index)
                    waiting.update((one, None) for one in conflicts[index] if one not in done)
    return order


def _sum(one: float, other: float) -> float:
    """The logarithm of a sum."""
    high, low = (one, other) if one >= other else (other, one)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


# All conflicts of all graphs, and whether what is kept contradicts the theory no longer.


class _Part(NamedTuple):
    """Inputs that conflicts join, and what contexts they have."""

    inputs: list[Input]
    conflicts: Mapping[Input, list[_Conflict]]
    """The conflicts that each input is in."""
    found: _Listed


class _Solving:
    def __init__(
        self,
        listed: Sequence[Asserted],
        chances: Mapping[Input, float],
        finder: _Conflicts,
        end: float,
        most: int,
    ) -> None:
        self._listed, self._chances, self._finder = listed, chances, finder
        self._end, self._most = end, most
        self._place = {key: at for at, key in enumerate(chances)}

    def solved(self) -> Contexts:
        notes = self._finder.notes
        learnt = False
        parts = self._parts()
        for turn in range(ROUNDS):
            depends = self._finder.denied(one for part in parts for one in part.inputs)
            if not depends and not notes:
                break
            if turn == ROUNDS - 1 or _left(self._end) <= 0.01:
                notes["not tried against the rules again: out of time"] = None
                break
            if not self._learn(parts, depends):
                if depends and any(part.found.number > len(part.found.contexts) for part in parts):
                    notes["rules deny what contexts drop, and not every context was tried"] = None
                break
            learnt = True
            parts = self._parts()
        if self._finder.denies_denials():
            notes["rules deny what rests on denials: some contexts may be missing"] = None
        if learnt:
            notes["rules deny what contexts drop: some contexts may be missing"] = None
        return self._contexts(parts)

    def _parts(self) -> list[_Part]:
        """The conflicts in groups that share no input, each with its contexts."""
        least = self._finder.least()
        contested = {
            one
            for conflict in least
            if all(self._chances[one] == 1 for one in conflict.inputs)
            for one in conflict.inputs
        }
        reduced: list[tuple[frozenset[Input], _Conflict]] = []
        for conflict in least:
            inputs = frozenset(
                one for one in conflict.inputs if self._chances[one] < 1 or one in contested
            )
            reduced.append((inputs, conflict))
        single = set(_antichain(inputs for inputs, _ in reduced))
        reduced = [(inputs, conflict) for inputs, conflict in reduced if inputs in single]
        groups = Groups()
        for inputs, _ in reduced:
            groups.join(list(inputs))
        split: dict[Any, list[tuple[frozenset[Input], _Conflict]]] = {}
        for inputs, conflict in reduced:
            split.setdefault(groups.root(next(iter(inputs))), []).append((inputs, conflict))
        parts: list[_Part] = []
        weight = sum(len(some) for some in split.values())
        for some in sorted(split.values(), key=len):
            numbers = {one for inputs, _ in some for one in inputs}
            ordered = sorted(numbers, key=self._place.__getitem__)
            number = {one: at for at, one in enumerate(ordered)}
            left = _left(self._end)
            share = time.monotonic() + 0.8 * left * len(some) / max(weight, 1)
            weight -= len(some)
            found = list_contexts(
                [self._chances[one] for one in ordered],
                list({frozenset(number[one] for one in inputs): None for inputs, _ in some}),
                most=self._most,
                end=share,
            )
            of: dict[Input, list[_Conflict]] = {}
            for inputs, conflict in some:
                for one in inputs:
                    of.setdefault(one, []).append(conflict)
            parts.append(_Part(ordered, of, found))
        return sorted(parts, key=lambda part: self._place[part.inputs[0]])

    def _learn(self, parts: Sequence[_Part], every: bool) -> int:
        """Tries contexts: the best, and where rules deny, all that are listed; new conflicts."""
        best = {one for part in parts for one in _dropped(part, 0)}
        worlds = [best]
        size = len(self._chances)
        for part in parts if every else ():
            for at in range(1, len(part.found.contexts)):
                if size + len(self._chances) > TRIED:
                    self._finder.notes["not every context was tried"] = None
                    break
                size += len(self._chances)
                worlds.append((best - set(part.inputs)) | _dropped(part, at))
        graphs = {one[0] for part in parts for one in part.inputs}
        before = len(self._finder.found)
        self._finder.add(
            [
                [key for key in self._chances if key[0] in graphs and key not in dropped]
                for dropped in worlds
            ]
        )
        return len(self._finder.found) - before

    def _contexts(self, parts: Sequence[_Part]) -> Contexts:
        groups: list[ContextGroup] = []
        bound, drops = 0.0, list[DroppedStatement]()
        for number, part in enumerate(parts, 1):
            found = part.found
            all_in = _sum(found.total, found.missed)
            share = 0.0 if found.missed == -math.inf else math.exp(found.missed - all_in)
            bound = max(bound, share)
            first = found.contexts[0][0]
            equal = sum(1 for weight, _ in found.contexts if weight > first - 1e-9) > 1
            for at, (weight, kept) in enumerate(found.contexts):
                gone = _dropped(part, at)
                dropped = tuple(self._reason(one, part, gone) for one in part.inputs if one in gone)
                groups.append(
                    ContextGroup(
                        number,
                        part.inputs[0][0],
                        math.exp(weight - all_in),
                        math.exp(weight - found.total) if share else None,
                        tuple(one[1] for one, keep in zip(part.inputs, kept, strict=True) if keep),
                        dropped,
                        equal and weight > first - 1e-9,
                    )
                )
                if at == 0:
                    drops += dropped
        if bound:
            self._finder.notes[
                f"up to {significant(bound)} of the probability was not looked at"
            ] = None
        out = {(one.graph, one.statement) for one in drops}
        kept_inputs = tuple(one for one in self._listed if (one.graph, one.statement) not in out)
        notes = tuple(self._finder.notes)
        best = BestContext(kept_inputs, tuple(drops))
        return Contexts(best, tuple(groups), {}, not notes, bound, notes)

    def _reason(self, one: Input, part: _Part, gone: set[Input]) -> DroppedStatement:
        """A conflict of which everything else is kept."""
        ranked = (conflict for conflict in part.conflicts[one] if len(conflict.inputs & gone) == 1)
        conflict = min(ranked, key=lambda conflict: self._rank(one, conflict))
        against = sorted(conflict.inputs - {one}, key=self._place.__getitem__)
        statements = tuple(statement for _, statement in against)
        return DroppedStatement(*one, self._chances[one], conflict.rule, statements)

    def _rank(self, one: Input, conflict: _Conflict) -> tuple[bool, int, list[int]]:
        others = conflict.inputs - {one}
        unsure = self._chances[one] == 1 and any(self._chances[other] < 1 for other in others)
        return unsure, len(others), sorted(self._place[other] for other in others)


def _dropped(part: _Part, at: int) -> set[Input]:
    kept = part.found.contexts[at][1]
    return {one for one, keep in zip(part.inputs, kept, strict=True) if not keep}


_Member = TypeVar("_Member", bound=Hashable)


def _antichain(sets: Iterable[frozenset[_Member]]) -> list[frozenset[_Member]]:
    """The sets that include no other, each once."""
    kept: list[frozenset[_Member]] = []
    of: dict[_Member, list[frozenset[_Member]]] = {}
    for one in sorted(dict.fromkeys(sets), key=len):
        if not any(other <= one for member in one for other in of.get(member, ())):
            kept.append(one)
            for member in one:
                of.setdefault(member, []).append(one)
    return kept
