"""How likely statements are, all ways to them taken together.

A probability is the share of possible worlds in which a statement holds: each uncertain input, and
each use of a rule that has a probability, is there or not, independently of the others. Ways that
share nothing are combined as independent; what they share is counted once.

To count exactly takes exponential time in general, so it is done where little is shared; elsewhere
there are bounds. How much was done is counted in steps, so that results do not depend on the clock.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from readmark.tasks.reasoning.engine.chance import CERTAIN, Chance, either
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.likeliest import LEAST
from readmark.tasks.reasoning.engine.lineage import Lineage, lineage
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.rules.components import components

EXACT = 16
"""So many uncertain inputs and rule uses that ways share are counted exactly; of more, bounds."""
LARGEST = 400
"""Statements that shared ways may run through; of more, bounds."""
WORK = 30_000_000
"""Steps that one inference spends on shared ways; beyond them, bounds."""
MASKS = 1 << 31
"""Bits that may note which statement rests on which input."""


class Chances:
    """How likely the statements of an inference are, graph by graph as they are asked for."""

    def __init__(
        self,
        store: Store,
        programs: Mapping[str, Program],
        highs: Mapping[StatementKey, float] | None = None,
    ) -> None:
        """``highs`` are upper bounds of inputs that may depend on one another."""
        self._store = store
        self._programs = programs
        self._highs = highs or {}
        self._graphs: dict[int, _Worlds] = {}
        self._budget = _Budget(WORK)

    def of(self, keys: Sequence[StatementKey]) -> list[Chance]:
        """The probability of each statement."""
        return self.joint([[key] for key in keys])

    def joint(self, groups: Sequence[Sequence[StatementKey]], factor: float = 1.0) -> list[Chance]:
        """The probability that all statements of each group hold, times that of a rule."""
        if not self._store.weighed:
            return [CERTAIN] * len(groups)
        self._fetch({key.graph for keys in groups for key in keys})
        chances = []
        for keys in groups:
            chance = self._graphs[keys[0].graph].joint(keys) if keys else CERTAIN
            chances.append(Chance(*(max(bound * factor, LEAST) for bound in chance)))
        return chances

    def _fetch(self, graphs: set[int]) -> None:
        missing = graphs - self._graphs.keys()
        if not missing:
            return
        whole = lineage(self._store, self._programs, missing, uncertain=True)
        if not whole.complete and len(missing) > 1:  # Fewer graphs at a time may be few enough.
            ordered = sorted(missing)
            self._fetch(set(ordered[: len(ordered) // 2]))
            self._fetch(set(ordered[len(ordered) // 2 :]))
            return
        rules = {name: program.rule.probability for name, program in self._programs.items()}
        lineages = {graph: Lineage({}, {}, {}, whole.complete) for graph in missing}
        for key, chance in whole.inputs.items():
            lineages[key.graph].inputs[key] = chance
        for key, ways in whole.ways.items():
            lineages[key.graph].ways[key] = ways
        for key, chance in whole.likeliest.items():
            lineages[key.graph].likeliest[key] = chance
        for graph in missing:
            self._graphs[graph] = _Worlds(lineages[graph], rules, self._highs, self._budget)


@dataclass
class _Budget:
    """Steps that are left for shared ways, in all graphs of an inference together."""

    steps: int


_Way = tuple[int, tuple[int, ...]]
"""A way, or a part of one: a mask of events, and the numbers of statements that it rests on."""


class _Worlds:
    """The uncertain statements of one graph, by number, over independent events."""

    def __init__(
        self,
        graph: Lineage,
        rules: Mapping[str, float],
        highs: Mapping[StatementKey, float],
        budget: _Budget,
    ) -> None:
        self._budget = budget
        self._number = {key: number for number, key in enumerate(graph.likeliest)}
        self._likeliest = list(graph.likeliest.values())
        self._events: list[float] = []
        uses: dict[tuple[str, int], int] = {}
        self._ways: list[list[_Way]] = [[] for _ in self._number]
        self._dependent = 0
        """Events that may depend on one another, as bits."""
        self._highs: dict[int, float] = {}
        for key, chance in graph.inputs.items():
            if key in highs:
                self._dependent |= 1 << len(self._events)
                self._highs[len(self._events)] = highs[key]
            self._ways[self._number[key]].append((1 << len(self._events), ()))
            self._events.append(chance)
        for key, ways in graph.ways.items():
            for way in ways:
                events = 0
                if rules[way.rule] < 1:
                    use = uses.setdefault((way.rule, way.number), len(self._events))
                    if use == len(self._events):
                        self._events.append(rules[way.rule])
                        if self._dependent:  # What inputs depend on may have used the rule.
                            self._dependent |= 1 << use
                    events = 1 << use
                antecedents = tuple(self._number[antecedent] for antecedent in way.antecedents)
                self._ways[self._number[key]].append((events, antecedents))
        self._ways = [list(dict.fromkeys(ways)) for ways in self._ways]
        self._common = 1 << len(self._events)
        """A bit in the mask of everything that rests on a dependent event."""
        self._support = [0] * len(self._ways)
        """The mask of all events that each statement rests on."""
        self._chances: list[Chance | None] = [None] * len(self._ways)
        if graph.complete and len(self._ways) * len(self._events) <= MASKS:
            self._evaluate()

    def joint(self, keys: Sequence[StatementKey]) -> Chance:
        """The probability that all of these hold."""
        numbers = [self._number[key] for key in dict.fromkeys(keys) if key in self._number]
        if any(self._chances[number] is None for number in numbers):
            low = math.prod(self._likeliest[number] for number in numbers)
            return Chance(max(low, LEAST), 1.0)
        if len(numbers) == 1:
            return self._chances[numbers[0]] or CERTAIN
        return self._all((0, tuple(numbers)))

    def _evaluate(self) -> None:
        """Finds the probability of every statement, after those that it rests on."""
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
                self._chances[number] = self._at_least(number, self._any(self._ways[number]))
            else:
                self._evaluate_circle(circle)

    def _at_least(self, number: int, chance: Chance) -> Chance:
        """Not below the likeliest derivation, where only bounds are known."""
        if chance.bound is None:
            return chance
        return Chance(max(chance.low, min(self._likeliest[number], chance.high)), chance.high)

    def _evaluate_circle(self, circle: Sequence[int]) -> None:
        """Finds the probabilities of statements that rest on one another."""
        counted = {number: self._count_worlds(self._ways[number]) for number in circle}
        highs: dict[int, float] = {}
        if any(chance is None for chance in counted.values()):
            highs = self._highs_of_circle(circle)
        for number in circle:
            chance = counted[number]
            if chance is None:
                likeliest = self._likeliest[number]
                chance = Chance(likeliest, max(highs[number], likeliest))
            self._chances[number] = chance

    def _highs_of_circle(self, circle: Sequence[int]) -> dict[int, float]:
        """Upper bounds, found in as many rounds as a derivation in the circle can have steps."""
        highs = dict.fromkeys(circle, 0.0)

        def high_of_way(way: _Way) -> float:
            """A way is no likelier than the least likely thing that it rests on."""
            events, rests_on = way
            parts = [self._event(event).high for event in bits(events)]
            parts += [highs[below] if below in highs else self._high(below) for below in rests_on]
            return min(parts, default=1.0)

        for _ in circle:
            self._budget.steps -= sum(len(self._ways[number]) for number in circle)
            if self._budget.steps < 0:
                return dict.fromkeys(circle, 1.0)
            highs = {number: either(map(high_of_way, self._ways[number])) for number in circle}
        return highs

    def _high(self, number: int) -> float:
        chance = self._chances[number]
        return 1.0 if chance is None else chance.high

    def _any(self, ways: Sequence[_Way]) -> Chance:
        """The probability that one way holds: ways that share nothing are independent."""
        if any(not events and not rests_on for events, rests_on in ways):
            return CERTAIN
        if len(ways) == 1:
            return self._all(ways[0])
        parts = [self._any_shared(group) for group in self._groups_sharing_events(ways)]
        if len(parts) == 1:
            return parts[0]
        return Chance(either(part.low for part in parts), either(part.high for part in parts))

    def _any_shared(self, ways: Sequence[_Way]) -> Chance:
        """The probability that one way holds, of ways that share events."""
        if len(ways) == 1:
            return self._all(ways[0])
        counted = self._count_worlds(ways)
        if counted is not None:
            return counted
        chances = [self._all(way) for way in ways]
        # At least the likeliest way, or ways that share nothing, the likelier ones first; at most
        # all ways as if independent, since sharing events only brings ways together.
        low, taken, independent = 0.0, 0, list[float]()
        for chance, way in sorted(zip(chances, ways, strict=True), key=lambda pair: -pair[0].low):
            low = max(low, chance.low)
            mask = self._mask(way)
            if not taken & mask:
                taken |= mask
                independent.append(chance.low)
        high = either(chance.high for chance in chances)
        return Chance(max(low, either(independent)), high)

    def _all(self, way: _Way) -> Chance:
        """The probability that everything a way rests on holds."""
        events, rests_on = way
        parts: list[_Way] = [(1 << event, ()) for event in bits(events)]
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
            counted = self._count_worlds([way])
            if counted is not None:
                return counted
            groups = self._groups_sharing_events(parts)
            high = math.prod(min(self._single(part).high for part in group) for group in groups)
        return Chance(max(low, LEAST), max(high, LEAST))

    def _single(self, part: _Way) -> Chance:
        events, rests_on = part
        if rests_on:
            return self._chances[rests_on[0]] or Chance(self._likeliest[rests_on[0]], 1.0)
        return self._event(events.bit_length() - 1)

    def _event(self, event: int) -> Chance:
        return Chance(self._events[event], self._highs.get(event, self._events[event]))

    def _mask(self, way: _Way) -> int:
        """All events that a way rests on, directly or through statements."""
        mask, rests_on = way
        if mask & self._dependent:
            mask |= self._common
        for below in rests_on:
            mask |= self._support[below]
        return mask

    def _groups_sharing_events(self, ways: Sequence[_Way]) -> list[list[_Way]]:
        """The ways in groups that share events, directly or through others of the group."""
        groups: list[tuple[int, list[_Way]]] = []
        for way in ways:
            mask, members, others = self._mask(way), [way], []
            for group_mask, group in groups:
                if group_mask & mask:
                    mask |= group_mask
                    members = group + members
                else:
                    others.append((group_mask, group))
            groups = [*others, (mask, members)]
        return [group for _, group in groups]

    def _count_worlds(self, ways: Sequence[_Way]) -> Chance | None:
        """The share of worlds in which a way holds; None where there are too many.

        The truth of a statement is a number with a bit for each world.
        """
        support = 0
        for way in ways:
            support |= self._mask(way)
        if self._budget.steps < 0 or (support & self._dependent).bit_count() > 1:
            return None
        reached = self._reached(ways)
        if reached is None:
            return None
        variables, inner = self._variables(ways, reached)
        if len(variables) > EXACT:
            return None
        tables = {name: _column(index, len(variables)) for index, name in enumerate(variables)}
        truth = {number: tables.get(("statement", number), 0) for number in reached}
        self._budget.steps -= (len(inner) << max(len(variables) - 6, 0)) + len(reached)
        everything = (1 << (1 << len(variables))) - 1

        def hold(terms: Sequence[_Way]) -> int:
            in_any_way = 0
            for events, rests_on in terms:
                in_this_way = everything
                for event in bits(events):
                    in_this_way &= tables["event", event]
                for below in rests_on:
                    in_this_way &= truth[below]
                in_any_way |= in_this_way
            return in_any_way

        changed = True
        while changed:  # More than once only where statements rest on one another.
            changed = False
            for number in reversed(inner):
                new_truth = hold(self._ways[number])
                changed |= new_truth != truth[number]
                truth[number] = new_truth
        worlds = hold(ways)
        low = _share(worlds, [chance.low for chance in variables.values()])
        if all(chance.low == chance.high for chance in variables.values()):
            return Chance(low, low)
        return Chance(low, _share(worlds, [chance.high for chance in variables.values()]))

    def _variables(
        self, ways: Sequence[_Way], reached: dict[int, set[int]]
    ) -> tuple[dict[tuple[str, int], Chance], list[int]]:
        """What is true or not in each world, and the statements that follow from it.

        Events are, and statements below which nothing is shared. It ends early once there are more
        than can be counted.
        """
        variables: dict[tuple[str, int], Chance] = {}
        inner: list[int] = []
        stack, seen = [ways], set[int]()
        while stack and len(variables) <= EXACT:
            for events, rests_on in stack.pop():
                for event in bits(events):
                    variables["event", event] = self._event(event)
                for below in rests_on:
                    if below in seen:
                        continue
                    seen.add(below)
                    chance = self._chances[below]
                    if chance is not None and self._is_closed(below, ways, reached):
                        variables["statement", below] = chance
                    else:
                        inner.append(below)
                        stack.append(self._ways[below])
        return variables, inner

    def _reached(self, ways: Sequence[_Way]) -> dict[int, set[int]] | None:
        """The statements below ways, each with those that rest on it directly; -1 is the ways."""
        reached: dict[int, set[int]] = {}
        stack: list[tuple[int, Sequence[_Way]]] = [(-1, ways)]
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
        self._budget.steps -= len(reached)
        return reached

    def _is_closed(self, top: int, ways: Sequence[_Way], reached: dict[int, set[int]]) -> bool:
        """Whether nothing else uses what a statement rests on, so that it counts as one event."""
        below, stack = {top}, [top]
        while stack:
            for _, rests_on in self._ways[stack.pop()]:
                for number in rests_on:
                    if number not in below:
                        below.add(number)
                        stack.append(number)
        self._budget.steps -= len(reached)
        if any(not reached[number] <= below for number in below if number != top):
            return False
        inside = outside = 0
        for number in (*reached, -1):
            for events, _ in ways if number == -1 else self._ways[number]:
                if number in below:
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


@cache
def _column(index: int, count: int) -> int:
    """The worlds, as bits, in which a variable of ``count`` is true."""
    block = ((1 << (1 << index)) - 1) << (1 << index)
    width = 2 << index
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
