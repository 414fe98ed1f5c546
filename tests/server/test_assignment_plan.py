"""Plans of who gets what, worked by hand and by an independent implementation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.server.assignment_plan import plan_assignments

ITEMS = [f"i{number}" for number in range(6)]


def loads(pairs: Any) -> dict[str, int]:
    return dict(Counter(person for _, person in pairs))


def test_each_item_goes_to_as_many_people_as_wanted_with_even_loads() -> None:
    # 6 items by 2 of 3 people are 12 assignments: 4 each.
    plan = plan_assignments(ITEMS, ["ann", "bob", "cai"], overlap=2)
    assert Counter(item for item, _ in plan.added) == dict.fromkeys(ITEMS, 2)
    assert loads(plan.added) == {"ann": 4, "bob": 4, "cai": 4}
    assert len(set(plan.added)) == 12
    assert not plan.missing


@pytest.mark.parametrize(
    ("people", "overlap", "active", "barred", "expected", "missing"),
    [
        # Two people for an overlap of three: both get all six, and each item lacks one.
        (["ann", "bob"], 3, [], [], {"ann": 6, "bob": 6}, dict.fromkeys(ITEMS, 1)),
        # Ann has three already; the other three go to Bob, who has none.
        (["ann", "bob"], 1, [(i, "ann") for i in ITEMS[:3]], [], {"bob": 3}, {}),
        # Nobody gets what they know or gave back: i0 must go to Bob.
        (["ann", "bob"], 1, [], [(i, "ann") for i in ITEMS], {"bob": 6}, {}),
        # Somebody who is not asked any more keeps what they have, and it counts.
        (["bob"], 1, [(i, "gone") for i in ITEMS[:4]], [], {"bob": 2}, {}),
        ([], 1, [], [], {}, dict.fromkeys(ITEMS, 1)),
    ],
)
def test_plans_worked_by_hand(
    people: list[str],
    overlap: int,
    active: Any,
    barred: Any,
    expected: dict[str, int],
    missing: dict[str, int],
) -> None:
    plan = plan_assignments(ITEMS, people, overlap=overlap, active=active, barred=barred)
    assert loads(plan.added) == expected
    assert plan.missing == missing
    assert not set(plan.added) & {*active, *barred}


def evened_out_slowly(
    load: dict[str, int], added: set[tuple[str, str]], movable: list[tuple[str, str]], known: Any
) -> list[tuple[str, str]]:
    """Every move looks at everything again: the giver's first pair that the taker can have."""
    removed: list[tuple[str, str]] = []
    while True:
        people = sorted(load, key=lambda person: (-load[person], person))
        moves = (
            (item, giver, taker)
            for giver in people
            for taker in reversed(people)
            if load[giver] - load[taker] >= 2
            for item, person in movable
            if person == giver and (item, taker) not in known and (item, taker) not in added
        )
        if (move := next(moves, None)) is None:
            return removed
        item, giver, taker = move
        movable.remove((item, giver))
        removed.append((item, giver))
        added.add((item, taker))
        load[giver] -= 1
        load[taker] += 1


PAIRS = st.sets(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("PQRST")))


@given(active=PAIRS, barred=PAIRS, begun=PAIRS)
def test_loads_are_evened_out_as_if_every_move_looked_at_everything(
    active: set[tuple[str, str]], barred: set[tuple[str, str]], begun: set[tuple[str, str]]
) -> None:
    """With no new people to find (overlap 0), the plan is the moves alone."""
    movable = sorted(active - begun)
    plan = plan_assignments(
        "abcdefgh", "PQRST", overlap=0, active=active, barred=barred, movable=movable
    )
    load = {person: sum(holder == person for _, holder in active) for person in "PQRST"}
    added: set[tuple[str, str]] = set()
    removed = evened_out_slowly(load, added, movable, active | barred)
    assert (list(plan.removed), set(plan.added)) == (removed, added)


def test_a_newcomer_takes_over_what_nobody_has_begun() -> None:
    # Ann has six, two of them begun. Three of the other four go to Bob: 3 and 3.
    active = [(item, "ann") for item in ITEMS]
    plan = plan_assignments(ITEMS, ["ann", "bob"], active=active, movable=active[2:])
    assert loads(plan.removed) == {"ann": 3}
    assert {item for item, _ in plan.removed} <= set(ITEMS[2:])
    assert sorted(item for item, _ in plan.added) == sorted(item for item, _ in plan.removed)
    assert loads(plan.added) == {"bob": 3}
    # With five begun only one can move, and without a gap of two nothing does.
    assert (
        len(plan_assignments(ITEMS, ["ann", "bob"], active=active, movable=active[5:]).removed) == 1
    )
    even = [(item, "ann" if index % 2 else "bob") for index, item in enumerate(ITEMS)]
    assert not plan_assignments(ITEMS, ["ann", "bob"], active=even, movable=even).removed


def test_the_seed_decides_and_the_order_of_the_input_does_not() -> None:
    plan = plan_assignments(ITEMS, ["ann", "bob"], overlap=2, seed=7)
    assert plan == plan_assignments(ITEMS[::-1], ["bob", "ann"], overlap=2, seed=7)
    assert plan.added != plan_assignments(ITEMS, ["ann", "bob"], overlap=2, seed=8).added
    orders = {
        person: [item for item, someone in plan.added if someone == person]
        for person in ("ann", "bob")
    }
    assert orders["ann"] != orders["bob"]  # everybody has an order of their own
    # The same on any machine: Python's generator is specified, and so is the seeding by text.
    assert orders["ann"] == ["i5", "i1", "i2", "i0", "i4", "i3"]
