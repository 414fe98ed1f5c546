"""Who gets what: each item to as many people as it needs, loads even, in an order of their own.

Plans know names and nothing of a database; `handing_out` stores them.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]
"""An item and a person."""


@dataclass(frozen=True)
class AssignmentPlan:
    """Pairs to add, in the order in which each person gets them, and pairs to take back."""

    added: tuple[Pair, ...]
    removed: tuple[Pair, ...] = ()
    missing: Mapping[str, int] | None = None
    """How many people each item still lacks, where there are too few."""


def plan_assignments(
    items: Sequence[str],
    people: Sequence[str],
    *,
    overlap: int = 1,
    overlaps: Mapping[str, int] | None = None,
    seed: int = 1,
    active: Collection[Pair] = (),
    barred: Collection[Pair] = (),
    movable: Collection[Pair] = (),
) -> AssignmentPlan:
    """Give each item to ``overlap`` people, those with the least to do first.

    ``overlaps`` has items that go to another number of people. ``active`` pairs are there already
    and count. ``barred`` ones must not come (again): withdrawn before, or the person knows the key.
    ``movable`` ones are active and nobody has begun them: they go to others until no two loads
    differ by more than one. Draws depend on the seed and the names alone, so every machine makes
    the same plan.
    """
    load = dict.fromkeys(people, 0)
    holders: dict[str, set[str]] = {item: set() for item in items}
    for item, person in active:
        if item in holders:
            holders[item].add(person)
            if person in load:
                load[person] += 1
    excluded = {*active, *barred}
    items_with_exclusions = {item for item, _ in excluded}
    draw = random.Random(seed)
    queue = _Queue(load, draw)
    added: dict[Pair, None] = {}
    missing: dict[str, int] = {}
    order = sorted(items)
    draw.shuffle(order)
    for item in order:
        needed = (overlaps or {}).get(item, overlap) - len(holders[item])
        if needed <= 0:
            continue
        excluded_people = frozenset[str]()
        if item in items_with_exclusions:
            excluded_people = frozenset(person for person in load if (item, person) in excluded)
        takers = queue.take(needed, excluded_people)
        for person in takers:
            added[item, person] = None
        if needed > len(takers):
            missing[item] = needed - len(takers)
    movable_pairs = [pair for pair in sorted(movable) if pair[1] in load]
    removed = _even_out(load, added, movable_pairs, excluded)
    return AssignmentPlan(_in_personal_order(added, seed), tuple(removed), missing)


class _Queue:
    """People in the order of what they have to do; who has equally much is in a drawn order.

    A heap, since to shuffle and sort everybody for each item took most of a large hand-out.
    """

    def __init__(self, load: dict[str, int], draw: random.Random) -> None:
        self._load = load
        self._draw = draw
        self._heap = [(count, draw.random(), person) for person, count in sorted(load.items())]
        heapq.heapify(self._heap)

    def take(self, count: int, excluded: Collection[str]) -> list[str]:
        """The next people who are not excluded, up to a count; each then has one more to do."""
        takers: list[str] = []
        passed_over: list[tuple[int, float, str]] = []
        while self._heap and len(takers) < count:
            entry = heapq.heappop(self._heap)
            person = entry[2]
            if person in excluded:
                passed_over.append(entry)
            else:
                takers.append(person)
        for person in takers:
            self._load[person] += 1
            heapq.heappush(self._heap, (self._load[person], self._draw.random(), person))
        for entry in passed_over:
            heapq.heappush(self._heap, entry)
        return takers


def _even_out(
    load: dict[str, int], added: dict[Pair, None], movable: list[Pair], excluded: Collection[Pair]
) -> list[Pair]:
    """Move pairs from those with most to those with least; the pairs that are taken back.

    A giver's items are tried in order for each taker. One that a taker cannot get once, they can
    never get later, so nothing is tried twice.
    """
    items: dict[str, list[str]] = {}
    for item, person in movable:
        items.setdefault(person, []).append(item)
    moved: set[Pair] = set()
    tried: dict[Pair, int] = {}
    """For a giver and a taker, how many of the giver's items have been tried."""

    def next_item(giver: str, taker: str) -> str | None:
        givers_items = items.get(giver, [])
        for index in range(tried.get((giver, taker), 0), len(givers_items)):
            item = givers_items[index]
            pair = (item, taker)
            if (item, giver) not in moved and pair not in excluded and pair not in added:
                tried[giver, taker] = index
                return item
        tried[giver, taker] = len(givers_items)
        return None

    def next_move() -> tuple[str, str, str] | None:
        busiest_first = sorted(load, key=lambda person: (-load[person], person))
        for giver in busiest_first:
            for taker in reversed(busiest_first):
                if load[giver] - load[taker] < 2:
                    break
                if (item := next_item(giver, taker)) is not None:
                    return item, giver, taker
        return None

    removed: list[Pair] = []
    while items and (move := next_move()) is not None:
        item, giver, taker = move
        moved.add((item, giver))
        removed.append((item, giver))
        added[item, taker] = None
        load[giver] -= 1
        load[taker] += 1
    return removed


def _in_personal_order(added: Collection[Pair], seed: int) -> tuple[Pair, ...]:
    """Everybody's items in an order of their own."""
    items: dict[str, list[str]] = {}
    for item, person in added:
        items.setdefault(person, []).append(item)
    pairs: list[Pair] = []
    for person, persons_items in sorted(items.items()):
        # Sorted first: the order then depends on the seed and the person's items alone.
        persons_items.sort()
        random.Random(f"{seed}:{person}").shuffle(persons_items)
        pairs += [(item, person) for item in persons_items]
    return tuple(pairs)
