"""A share of passages that is fair to every genre, every topic, and every pair of them.

The numbers that the share asks for form a circulation (all to genres, genres to topics, topics
back to all). Where some are not whole, a cycle of such numbers is shifted until one is, as in
"Dependent Rounding and its Applications to Approximation Algorithms": nothing is ever rounded past
its floor or ceiling, so all, genres, topics and pairs get less than one passage too many or few.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from readmark.setting.panels.lots import by_lot

Cell = tuple[str, str]
"""A genre and a topic."""
_Node = tuple[str, str]
_ALL, _BACK = ("all", ""), ("back", "")


@dataclass(slots=True)
class _Arc:
    start: _Node
    end: _Node
    value: Fraction

    @property
    def whole(self) -> bool:
        return self.value.denominator == 1


def share_of(cells: Mapping[str, Cell], share: Fraction, *, seed: int = 1) -> set[str]:
    """The passages of a share; ``cells`` has the genre and topic of each.

    For the whole, for each genre, each topic and each pair of them, what is taken is the share's
    floor or ceiling.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1, not at {share}")
    counts = Counter(cells.values())
    taken = _rounded({cell: share * counts[cell] for cell in sorted(counts)}, seed)
    found: set[str] = set()
    for cell, number in taken.items():
        members = by_lot((id for id, one in cells.items() if one == cell), seed, "share")
        found.update(members[:number])
    return found


def _rounded(wanted: Mapping[Cell, Fraction], seed: int) -> dict[Cell, int]:
    draw = random.Random(seed)
    genres: dict[str, Fraction] = {}
    topics: dict[str, Fraction] = {}
    for (genre, topic), value in wanted.items():
        genres[genre] = genres.get(genre, Fraction()) + value
        topics[topic] = topics.get(topic, Fraction()) + value
    inner = [_Arc(("genre", one[0]), ("topic", one[1]), value) for one, value in wanted.items()]
    arcs = [
        *(_Arc(_ALL, ("genre", name), value) for name, value in genres.items()),
        *inner,
        *(_Arc(("topic", name), _BACK, value) for name, value in topics.items()),
        _Arc(_BACK, _ALL, sum(wanted.values(), Fraction())),
    ]
    while (cycle := _cycle(arcs)) is not None:
        _shift(cycle, draw)
    return {cell: int(arc.value) for cell, arc in zip(wanted, inner, strict=True)}


def _cycle(arcs: list[_Arc]) -> list[tuple[_Arc, int]] | None:
    """A cycle of arcs whose numbers are not whole, each with the way that it is gone.

    What flows into a place flows out of it, so no place has only one such arc: a walk that does not
    turn back comes to a place where it has been.
    """
    open_: dict[_Node, list[_Arc]] = {}
    for arc in arcs:
        if not arc.whole:
            open_.setdefault(arc.start, []).append(arc)
            open_.setdefault(arc.end, []).append(arc)
    if not open_:
        return None
    at = next(iter(open_))
    been = {at: 0}
    walk: list[tuple[_Arc, int]] = []
    while True:
        arc = next(one for one in open_[at] if not walk or one is not walk[-1][0])
        forward = arc.start == at
        walk.append((arc, 1 if forward else -1))
        at = arc.end if forward else arc.start
        if at in been:
            return walk[been[at] :]
        been[at] = len(walk)


def _shift(cycle: list[tuple[_Arc, int]], draw: random.Random) -> None:
    """Shift a cycle up or down, as far as its first whole number, means unchanged."""
    up = min(_room(arc, way) for arc, way in cycle)
    down = min(_room(arc, -way) for arc, way in cycle)
    step = up if draw.random() < down / (up + down) else -down
    for arc, way in cycle:
        arc.value += way * step


def _room(arc: _Arc, way: int) -> Fraction:
    if way > 0:
        return math.ceil(arc.value) - arc.value
    return arc.value - math.floor(arc.value)
