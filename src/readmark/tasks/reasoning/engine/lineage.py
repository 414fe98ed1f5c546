"""Every way in which statements come about, and how likely that makes them.

A probability is the share of possible worlds in which a statement holds: each uncertain input, and
each use of a rule that has a probability, is there or not, independently of the others. Ways that
share nothing are combined as independent; what they share is counted once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from readmark.core.numbers import significant
from readmark.tasks.reasoning.engine.programs import LEAST, Program
from readmark.tasks.reasoning.engine.store import StatementKey, Store, ground
from readmark.tasks.reasoning.rules.components import components
from readmark.tasks.reasoning.terms import Variable

MOST_WAYS = 500_000
"""Of graphs in which rules hold more often than this, only bounds are known."""
EXACT = 16
"""So many uncertain inputs and rule uses that ways share are counted exactly; of more, bounds."""
LARGEST = 400
"""Statements that shared ways may run through; of more, bounds."""
WORK = 30_000_000
"""Steps that one inference spends on shared ways; beyond them, bounds."""
MASKS = 1 << 31
"""Bits that may note which statement rests on which input."""


class Way(NamedTuple):
    """A rule that concluded a statement from others."""

    rule: str
    number: int
    """Of the rule's instantiations; the conclusions of one have the same."""
    antecedents: tuple[StatementKey, ...]


class Lineage(NamedTuple):
    """The inputs of some graphs with their probabilities, and the ways to everything derived."""

    inputs: dict[StatementKey, float]
    ways: dict[StatementKey, list[Way]]
    likeliest: dict[StatementKey, float]
    """Of uncertain statements, the probability of the likeliest derivation."""
    complete: bool = True
    """False where there are too many ways; then none are here."""


def lineage(
    store: Store,
    programs: Mapping[str, Program],
    graphs: Iterable[int],
    *,
    uncertain: bool = False,
) -> Lineage:
    """What the statements of graphs rest on.

    With ``uncertain``, only what is uncertain, and antecedents that are certain are left out.
    """
    store.run(
        "CREATE OR REPLACE TEMP TABLE chosen AS SELECT unnest(?::INTEGER[]) AS id",
        [sorted(set(graphs))],
    )
    within = "IN (SELECT id FROM chosen)"
    chance = "chance" if store.weighed else "1.0::DOUBLE"
    found = Lineage({}, {}, {})
    if uncertain and not store.weighed:
        return found
    where = " AND t.chance < 1" if uncertain else " AND t.round = 0"
    for predicate, table in store.tables.items():
        rows = store.run(
            f"SELECT g, s, o, round, {chance} FROM {table} AS t WHERE g {within}{where}"
        )
        for g, s, o, round_, worth in rows:
            key = StatementKey(g, predicate, s, o)
            found.likeliest[key] = worth
            if round_ == 0:
                found.inputs[key] = worth
    total = 0
    for program in (program for program in programs.values() if program.held):
        for head, conclusion in zip(program.rule.head, program.conclusions, strict=False):
            join, conditions = "", [f"i.g {within}"]
            if uncertain:
                join = (
                    f" JOIN {conclusion.table} AS c ON c.g = i.g AND c.s = {conclusion.subject} "
                    f"AND c.o = {conclusion.object} AND c.chance < 1"
                )
            if conclusion.names_only:
                conditions.append(conclusion.names_only)
            columns = ["i.rowid", "i.g", conclusion.subject, conclusion.object]
            columns += [f"i.{column}" for column in program.columns.values()]
            rows = store.run(
                f"SELECT {', '.join(columns)} FROM {program.table} AS i{join} "
                f"WHERE {' AND '.join(conditions)} LIMIT {MOST_WAYS + 1 - total}"
            )
            total += len(rows)
            if total > MOST_WAYS:
                return found._replace(ways={}, complete=False)
            places = _places(store, program)
            for number, g, s, o, *codes in rows:
                antecedents = (
                    StatementKey(
                        g,
                        predicate,
                        codes[subject] if free else subject,
                        codes[object_] if open_ else object_,
                    )
                    for predicate, free, subject, open_, object_ in places
                )
                kept = tuple(
                    dict.fromkeys(
                        key for key in antecedents if not uncertain or key in found.likeliest
                    )
                )
                way = Way(program.rule.name, number, kept)
                found.ways.setdefault(StatementKey(g, head.property_name, s, o), []).append(way)
    return found


def _places(store: Store, program: Program) -> list[tuple[str, bool, int, bool, int]]:
    """Of each condition: its property, and where subject and object come from: column or code."""
    columns = {variable: at for at, variable in enumerate(program.variables)}
    found = []
    for pattern in program.rule.positive:
        subject, object_ = (
            (True, columns[term])
            if isinstance(term, Variable)
            else (False, store.code(ground(term)))
            for term in (pattern.subject, pattern.object)
        )
        found.append((pattern.property_name, *subject, *object_))
    return found


class Chance(NamedTuple):
    """A probability, or bounds between which it lies."""

    low: float
    high: float

    @property
    def bound(self) -> float | None:
        """The upper bound, where the probability itself is not known."""
        return None if self.high - self.low <= 1e-12 * self.high else self.high


CERTAIN = Chance(1.0, 1.0)


def chance_text(low: float, bound: float | None) -> str:
    """``0.58``, or ``0.4 to 0.7`` where only bounds are known."""
    written = significant(low)
    return written if bound is None else f"{written} to {significant(bound)}"


def chance_json(low: float, bound: float | None) -> dict[str, object]:
    """The probability; where only bounds are known, the lower one and both."""
    found: dict[str, object] = {"probability": low}
    return found if bound is None else {**found, "bounds": [low, bound]}


class Chances:
    """How likely the statements of an inference are, graph by graph as they are asked for."""

    def __init__(
        self,
        store: Store,
        programs: Mapping[str, Program],
        highs: Mapping[StatementKey, float] | None = None,
    ) -> None:
        """``highs`` are upper bounds of inputs that may depend on one another."""
        self._store, self._programs, self._highs = store, programs, highs or {}
        self._graphs: dict[int, _Worlds] = {}
        self._work = [WORK]

    def of(self, keys: Sequence[StatementKey]) -> list[Chance]:
        """The probability of each statement."""
        return self.joint([[key] for key in keys])

    def joint(self, groups: Sequence[Sequence[StatementKey]], factor: float = 1.0) -> list[Chance]:
        """The probability that all statements of a group hold, and a rule of such probability."""
        if not self._store.weighed:
            return [CERTAIN] * len(groups)
        self._fetch({key.graph for keys in groups for key in keys})
        found = []
        for keys in groups:
            chance = self._graphs[keys[0].graph].joint(keys) if keys else CERTAIN
            found.append(Chance(*(max(bound * factor, LEAST) for bound in chance)))
        return found

    def _fetch(self, graphs: set[int]) -> None:
        new = graphs - self._graphs.keys()
        if not new:
            return
        found = lineage(self._store, self._programs, new, uncertain=True)
        if not found.complete and len(new) > 1:
            halves = sorted(new)
            self._fetch(set(halves[: len(new) // 2]))
            self._fetch(set(halves[len(new) // 2 :]))
            return
        rules = {name: program.rule.probability for name, program in self._programs.items()}
        split = {graph: Lineage({}, {}, {}, found.complete) for graph in new}
        for key, worth in found.inputs.items():
            split[key.graph].inputs[key] = worth
        for key, ways in found.ways.items():
            split[key.graph].ways[key] = ways
        for key, worth in found.likeliest.items():
            split[key.graph].likeliest[key] = worth
        for graph in new:
            self._graphs[graph] = _Worlds(split[graph], rules, self._highs, self._work)


_Term = tuple[int, tuple[int, ...]]
"""A way: a mask of events and the statements that it rests on."""


class _Worlds:
    """The uncertain statements of one graph, by number, over independent events."""

    def __init__(
        self,
        found: Lineage,
        rules: Mapping[str, float],
        highs: Mapping[StatementKey, float],
        work: list[int],
    ) -> None:
        self._work = work
        self._number = {key: at for at, key in enumerate(found.likeliest)}
        self._likeliest = list(found.likeliest.values())
        self._events: list[float] = []
        uses: dict[tuple[str, int], int] = {}
        self._ways: list[list[_Term]] = [[] for _ in self._number]
        self._dependent = 0
        """Events that may depend on one another, as bits."""
        self._highs: dict[int, float] = {}
        for key, worth in found.inputs.items():
            if key in highs:
                self._dependent |= 1 << len(self._events)
                self._highs[len(self._events)] = highs[key]
            self._ways[self._number[key]].append((1 << len(self._events), ()))
            self._events.append(worth)
        for key, ways in found.ways.items():
            for way in ways:
                events = 0
                if rules[way.rule] < 1:
                    use = uses.setdefault((way.rule, way.number), len(self._events))
                    if use == len(self._events):
                        self._events.append(rules[way.rule])
                        if self._dependent:  # What inputs depend on may have used the rule.
                            self._dependent |= 1 << use
                    events = 1 << use
                rests_on = tuple(self._number[one] for one in way.antecedents)
                self._ways[self._number[key]].append((events, rests_on))
        self._ways = [list(dict.fromkeys(ways)) for ways in self._ways]
        self._together = 1 << len(self._events)
        """A bit that all which rest on a dependent event have in common."""
        self._support = [0] * len(self._ways)
        self._known: list[Chance | None] = [None] * len(self._ways)
        if found.complete and len(self._ways) * len(self._events) <= MASKS:
            self._evaluate()

    def joint(self, keys: Sequence[StatementKey]) -> Chance:
        """The probability that all of these hold."""
        numbers = [self._number[key] for key in dict.fromkeys(keys) if key in self._number]
        if any(self._known[number] is None for number in numbers):
            low = math.prod(self._likeliest[number] for number in numbers)
            return Chance(max(low, LEAST), 1.0)
        if len(numbers) == 1:
            return self._known[numbers[0]] or CERTAIN
        return self._all((0, tuple(numbers)))

    def _evaluate(self) -> None:
        """Every statement, after those that it rests on."""
        arrows = {
            number: [below for _, rests_on in ways for below in rests_on]
            for number, ways in enumerate(self._ways)
        }
        for circle in reversed(components(arrows)):
            support = 0
            for number in circle:
                for way in self._ways[number]:
                    support |= self._mask(way)
            for number in circle:
                self._support[number] = support
            if len(circle) == 1 and circle[0] not in arrows[circle[0]]:
                [number] = circle
                found = self._any(self._ways[number])
                self._known[number] = self._at_least(number, found)
            else:
                self._circle(circle)

    def _at_least(self, number: int, chance: Chance) -> Chance:
        """Not below the likeliest derivation, where only bounds are known."""
        if chance.bound is None:
            return chance
        return Chance(max(chance.low, min(self._likeliest[number], chance.high)), chance.high)

    def _circle(self, circle: Sequence[int]) -> None:
        """Statements that rest on one another."""
        exact = {number: self._counted(self._ways[number]) for number in circle}
        if any(chance is None for chance in exact.values()):
            highs = dict.fromkeys(circle, 0.0)  # As many rounds as a derivation can have steps.
            for _ in circle:
                self._work[0] -= sum(len(self._ways[number]) for number in circle)
                if self._work[0] < 0:
                    highs = dict.fromkeys(circle, 1.0)
                    break
                highs = {
                    number: either(
                        min(
                            [
                                *(self._event(at).high for at in bits(events)),
                                *(highs[b] if b in highs else self._high(b) for b in rests_on),
                            ],
                            default=1.0,
                        )
                        for events, rests_on in self._ways[number]
                    )
                    for number in circle
                }
        for number in circle:
            found = exact[number]
            if found is None:
                found = Chance(self._likeliest[number], max(highs[number], self._likeliest[number]))
            self._known[number] = found

    def _high(self, number: int) -> float:
        known = self._known[number]
        return 1.0 if known is None else known.high

    def _any(self, ways: Sequence[_Term]) -> Chance:
        """The probability that one way holds: ways that share nothing are independent."""
        if any(not events and not rests_on for events, rests_on in ways):
            return CERTAIN
        if len(ways) == 1:
            return self._all(ways[0])
        parts = [self._of_shared(group) for group in self._apart(ways)]
        if len(parts) == 1:
            return parts[0]
        return Chance(either(part.low for part in parts), either(part.high for part in parts))

    def _of_shared(self, ways: Sequence[_Term]) -> Chance:
        """Ways that share events, directly or through others."""
        if len(ways) == 1:
            return self._all(ways[0])
        counted = self._counted(ways)
        if counted is not None:
            return counted
        each = [self._all(way) for way in ways]
        low, taken, apart = 0.0, 0, list[float]()
        for chance, way in sorted(zip(each, ways, strict=True), key=lambda one: -one[0].low):
            low = max(low, chance.low)
            if not taken & (mask := self._mask(way)):
                taken |= mask
                apart.append(chance.low)
        high = either(chance.high for chance in each)  # Shared events only bring ways together.
        return Chance(max(low, either(apart)), high)

    def _all(self, way: _Term) -> Chance:
        """The probability that everything a way rests on holds."""
        events, rests_on = way
        parts: list[_Term] = [(1 << at, ()) for at in bits(events)]
        parts += [(0, (below,)) for below in rests_on]
        if len(parts) == 1:
            return self._single(parts[0])
        low = high = 1.0
        taken, shared = 0, False
        for part in parts:
            mask = self._mask(part)
            shared |= bool(taken & mask)
            taken |= mask
            chance = self._single(part)
            low, high = low * chance.low, high * chance.high
        if shared:
            counted = self._counted([way])
            if counted is not None:
                return counted
            high = math.prod(
                min(self._single(part).high for part in group) for group in self._apart(parts)
            )
        return Chance(max(low, LEAST), max(high, LEAST))

    def _single(self, part: _Term) -> Chance:
        events, rests_on = part
        if rests_on:
            return self._known[rests_on[0]] or Chance(self._likeliest[rests_on[0]], 1.0)
        return self._event(events.bit_length() - 1)

    def _event(self, at: int) -> Chance:
        return Chance(self._events[at], self._highs.get(at, self._events[at]))

    def _mask(self, way: _Term) -> int:
        mask, rests_on = way
        if mask & self._dependent:
            mask |= self._together
        for below in rests_on:
            mask |= self._support[below]
        return mask

    def _apart(self, ways: Sequence[_Term]) -> list[list[_Term]]:
        """The ways in groups that share no event."""
        groups: list[tuple[int, list[_Term]]] = []
        for way in ways:
            mask, together, others = self._mask(way), [way], []
            for group in groups:
                if group[0] & mask:
                    mask |= group[0]
                    together = group[1] + together
                else:
                    others.append(group)
            groups = [*others, (mask, together)]
        return [together for _, together in groups]

    # Ways that share events: the truth of every statement in every world, a bit a world.

    def _counted(self, ways: Sequence[_Term]) -> Chance | None:
        """The share of worlds in which a way holds; None where there are too many."""
        support = 0
        for way in ways:
            support |= self._mask(way)
        if self._work[0] < 0 or (support & self._dependent).bit_count() > 1:
            return None
        reached = self._reached(ways)
        if reached is None:
            return None
        variables: dict[tuple[str, int], Chance] = {}
        inner: list[int] = []
        stack, seen = [ways], set[int]()
        while stack:
            for events, rests_on in stack.pop():
                for at in bits(events):
                    variables["event", at] = self._event(at)
                for below in rests_on:
                    if below in seen:
                        continue
                    seen.add(below)
                    known = self._known[below]
                    if known is not None and self._is_closed(below, ways, reached):
                        variables["statement", below] = known
                    else:
                        inner.append(below)
                        stack.append(self._ways[below])
            if len(variables) > EXACT:
                return None
        tables = {name: _column(at, len(variables)) for at, name in enumerate(variables)}
        truth = {number: tables.get(("statement", number), 0) for number in seen}
        self._work[0] -= (len(inner) << max(len(variables) - 6, 0)) + len(reached)
        everything = (1 << (1 << len(variables))) - 1

        def hold(terms: Sequence[_Term]) -> int:
            either = 0
            for events, rests_on in terms:
                both = everything
                for at in bits(events):
                    both &= tables["event", at]
                for below in rests_on:
                    both &= truth[below]
                either |= both
            return either

        changed = True
        while changed:
            changed = False
            for number in reversed(inner):
                now = hold(self._ways[number])
                changed |= now != truth[number]
                truth[number] = now
        worlds = hold(ways)
        low = _share(worlds, [chance.low for chance in variables.values()])
        if all(chance.low == chance.high for chance in variables.values()):
            return Chance(low, low)
        return Chance(low, _share(worlds, [chance.high for chance in variables.values()]))

    def _reached(self, ways: Sequence[_Term]) -> dict[int, set[int]] | None:
        """The statements below ways, each with those that rest on it directly; -1 is the ways."""
        reached: dict[int, set[int]] = {}
        stack: list[tuple[int, Sequence[_Term]]] = [(-1, ways)]
        while stack:
            above, terms = stack.pop()
            for _, rests_on in terms:
                for below in rests_on:
                    if below not in reached:
                        if len(reached) >= LARGEST:
                            return None
                        reached[below] = set()
                        stack.append((below, self._ways[below]))
                    reached[below].add(above)
        self._work[0] -= len(reached)
        return reached

    def _is_closed(self, top: int, ways: Sequence[_Term], reached: dict[int, set[int]]) -> bool:
        """Whether nothing else uses what a statement rests on, so that it counts as one event."""
        below, stack = {top}, [top]
        while stack:
            for _, rests_on in self._ways[stack.pop()]:
                for one in rests_on:
                    if one not in below:
                        below.add(one)
                        stack.append(one)
        self._work[0] -= len(reached)
        if any(not reached[one] <= below for one in below if one != top):
            return False
        inside = outside = 0
        for one in (*reached, -1):
            for events, _ in ways if one == -1 else self._ways[one]:
                if one in below:
                    inside |= events
                else:
                    outside |= events
        return not inside & outside


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def either(chances: Iterable[float]) -> float:
    """The probability that one of several independent events happens."""
    total = 0.0
    for chance in chances:
        if chance >= 1:
            return 1.0
        total += math.log1p(-chance)
    return -math.expm1(total)


@cache
def _column(at: int, count: int) -> int:
    """The worlds, as bits, in which the variable of that place is true."""
    block = ((1 << (1 << at)) - 1) << (1 << at)
    width = 2 << at
    while width < 1 << count:
        block |= block << width
        width *= 2
    return block


def _share(worlds: int, chances: Sequence[float]) -> float:
    """The probability of a set of worlds."""
    weights = np.ones(1)
    for chance in chances:
        weights = np.concatenate([weights * (1 - chance), weights * chance])
    data = np.frombuffer(worlds.to_bytes(max(len(weights) // 8, 1), "little"), dtype=np.uint8)
    holds = np.unpackbits(data, bitorder="little")[: len(weights)].astype(bool)
    return float(min(weights[holds].sum(), 1.0))
