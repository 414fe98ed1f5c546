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
        self._work = [WORK]  # one number for all graphs

    def of(self, keys: Sequence[StatementKey]) -> list[Chance]:
        """The probability of each statement."""
        return self.joint([[key] for key in keys])

    def joint(self, groups: Sequence[Sequence[StatementKey]], factor: float = 1.0) -> list[Chance]:
        """The probability that all statements of a group hold, and a rule of such probability."""
        if not self._store.weighed:
            return [CERTAIN] * len(groups)
        self._fetch({key.graph for keys in groups for key in keys})
        chances = []
        for keys in groups:
            chance = self._graphs[keys[0].graph].joint(keys) if keys else CERTAIN
            chances.append(Chance(*(max(bound * factor, LEAST) for bound in chance)))
        return chances

    def _fetch(self, graphs: set[int]) -> None:
        new = graphs - self._graphs.keys()
        if not new:
            return
        rests_on = lineage(self._store, self._programs, new, uncertain=True)
        if not rests_on.complete and len(new) > 1:  # Fewer graphs at a time may be few enough.
            halves = sorted(new)
            self._fetch(set(halves[: len(new) // 2]))
            self._fetch(set(halves[len(new) // 2 :]))
            return
        rules = {name: program.rule.probability for name, program in self._programs.items()}
        split = {graph: Lineage({}, {}, {}, rests_on.complete) for graph in new}
        for key, chance in rests_on.inputs.items():
            split[key.graph].inputs[key] = chance
        for key, ways in rests_on.ways.items():
            split[key.graph].ways[key] = ways
        for key, chance in rests_on.likeliest.items():
            split[key.graph].likeliest[key] = chance
        for graph in new:
            self._graphs[graph] = _Worlds(split[graph], rules, self._highs, self._work)


_Term = tuple[int, tuple[int, ...]]
"""A way, or a part of one: a mask of events, and the numbers of statements that it rests on."""


class _Worlds:
    """The uncertain statements of one graph, by number, over independent events."""

    def __init__(
        self,
        rests_on: Lineage,
        rules: Mapping[str, float],
        highs: Mapping[StatementKey, float],
        work: list[int],
    ) -> None:
        self._work = work
        self._number = {key: number for number, key in enumerate(rests_on.likeliest)}
        self._likeliest = list(rests_on.likeliest.values())
        self._events: list[float] = []
        uses: dict[tuple[str, int], int] = {}
        self._ways: list[list[_Term]] = [[] for _ in self._number]
        self._dependent = 0
        """Events that may depend on one another, as bits."""
        self._highs: dict[int, float] = {}
        for key, chance in rests_on.inputs.items():
            if key in highs:
                self._dependent |= 1 << len(self._events)
                self._highs[len(self._events)] = highs[key]
            self._ways[self._number[key]].append((1 << len(self._events), ()))
            self._events.append(chance)
        for key, ways in rests_on.ways.items():
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
        self._together = 1 << len(self._events)
        """A bit that all which rest on a dependent event have in common."""
        self._support = [0] * len(self._ways)
        self._known: list[Chance | None] = [None] * len(self._ways)
        if rests_on.complete and len(self._ways) * len(self._events) <= MASKS:
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
                self._known[number] = self._at_least(number, self._any(self._ways[number]))
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
            # From below, in as many rounds as a derivation in the circle can have steps. A way is
            # no likelier than the least likely thing that it rests on.
            highs = dict.fromkeys(circle, 0.0)
            for _ in circle:
                self._work[0] -= sum(len(self._ways[number]) for number in circle)
                if self._work[0] < 0:
                    highs = dict.fromkeys(circle, 1.0)
                    break
                highs = {
                    number: either(
                        min(
                            [
                                *(self._event(event).high for event in bits(events)),
                                *(
                                    highs[below] if below in highs else self._high(below)
                                    for below in rests_on
                                ),
                            ],
                            default=1.0,
                        )
                        for events, rests_on in self._ways[number]
                    )
                    for number in circle
                }
        for number in circle:
            chance = exact[number]
            if chance is None:
                likeliest = self._likeliest[number]
                chance = Chance(likeliest, max(highs[number], likeliest))
            self._known[number] = chance

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

    def _all(self, way: _Term) -> Chance:
        """The probability that everything a way rests on holds."""
        events, rests_on = way
        parts: list[_Term] = [(1 << event, ()) for event in bits(events)]
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

    def _event(self, event: int) -> Chance:
        return Chance(self._events[event], self._highs.get(event, self._events[event]))

    def _mask(self, way: _Term) -> int:
        """All events that a way rests on, directly or through statements."""
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

    def _counted(self, ways: Sequence[_Term]) -> Chance | None:
        """The share of worlds in which a way holds; None where there are too many.

        The truth of a statement is a number with a bit for each world.
        """
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
                for event in bits(events):
                    variables["event", event] = self._event(event)
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
        tables = {name: _column(index, len(variables)) for index, name in enumerate(variables)}
        truth = {number: tables.get(("statement", number), 0) for number in seen}
        self._work[0] -= (len(inner) << max(len(variables) - 6, 0)) + len(reached)
        everything = (1 << (1 << len(variables))) - 1

        def hold(terms: Sequence[_Term]) -> int:
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
                for number in rests_on:
                    if number not in below:
                        below.add(number)
                        stack.append(number)
        self._work[0] -= len(reached)
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
