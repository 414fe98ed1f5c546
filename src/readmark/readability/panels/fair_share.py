"""A share of passages that is fair to every genre, every topic, and every pair of them."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from readmark.readability.panels.lots import by_lot

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
    def is_whole(self) -> bool:
        return self.value.denominator == 1


def share_of(cells: Mapping[str, Cell], share: Fraction, *, seed: int = 1) -> set[str]:
    """The passages of a share; ``cells`` has the genre and topic of each.

    For the whole, for each genre, each topic and each pair of them, what is taken is the share's
    floor or ceiling.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share is between 0 and 1, not {share}")
    counts = Counter(cells.values())
    numbers = _rounded({cell: share * counts[cell] for cell in sorted(counts)}, seed)
    ids: set[str] = set()
    for cell, number in numbers.items():
        members = by_lot((id for id in cells if cells[id] == cell), seed, "share")
        ids.update(members[:number])
    return ids


def whole_articles(
    testing: set[str],
    cells: Mapping[str, Cell],
    articles: Mapping[str, str],
    share: Fraction,
    *,
    seed: int = 1,
) -> set[str]:
    """A share in which no article is divided; ``articles`` has the article of a passage, if any.

    Each divided article goes to the side with most of it. Articles and single passages then
    change sides, or places, as long as that brings genres, topics and pairs nearer the share.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for id in by_lot(cells, seed, "article"):
        key = ("article", articles[id]) if id in articles else ("passage", id)
        groups.setdefault(key, []).append(id)
    if all(len({id in testing for id in ids}) == 1 for ids in groups.values()):
        return testing
    labels: dict[object, int] = {}
    rows = [
        Counter(
            labels.setdefault(label, len(labels))
            for id in ids
            for label in (None, ("genre", cells[id][0]), ("topic", cells[id][1]), cells[id])
        )
        for ids in groups.values()
    ]
    counts = np.array([[row[label] for label in range(len(labels))] for row in rows])
    chosen = np.array([2 * sum(id in testing for id in ids) > len(ids) for ids in groups.values()])
    # In whole numbers, so that every machine takes the same way: nothing of it is rounded.
    away = share.denominator * (counts * chosen[:, None]).sum(0) - share.numerator * counts.sum(0)
    weights = share.denominator * counts
    while (step := _better_step(weights, chosen, away)) is not None:
        for group in step:
            away += -weights[group] if chosen[group] else weights[group]
            chosen[group] = not chosen[group]
    together = zip(groups.values(), chosen.tolist(), strict=True)
    return {id for ids, is_test in together if is_test for id in ids}


MOST_EXCHANGED = 2000
"""With more articles and passages than this there are enough to move, and none are exchanged."""


def _better_step(
    weights: NDArray[np.int64], chosen: NDArray[np.bool_], away: NDArray[np.int64]
) -> tuple[int, ...] | None:
    """The group to move, or the two to exchange, that brings the shares nearest; None at last."""
    signed = np.where(chosen[:, None], -weights, weights)
    gains = 2 * (signed @ away) + (signed * signed).sum(axis=1)
    best = 0
    step: tuple[int, ...] | None = None
    if gains.min(initial=0) < best:
        best, step = int(gains.min()), (int(gains.argmin()),)
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    for group in inside.tolist() if len(chosen) <= MOST_EXCHANGED else ():
        both = gains[group] + gains[outside] + 2 * (signed[outside] @ signed[group])
        if both.min(initial=0) < best:
            best, step = int(both.min()), (group, int(outside[both.argmin()]))
    return step


def _rounded(shares: Mapping[Cell, Fraction], seed: int) -> dict[Cell, int]:
    """Every share rounded up or down so that the sums of genres, topics and all are, too."""
    draw = random.Random(seed)
    genres: dict[str, Fraction] = {}
    topics: dict[str, Fraction] = {}
    for (genre, topic), value in shares.items():
        genres[genre] = genres.get(genre, Fraction()) + value
        topics[topic] = topics.get(topic, Fraction()) + value
    inner = [
        _Arc(("genre", genre), ("topic", topic), value) for (genre, topic), value in shares.items()
    ]
    arcs = [
        *(_Arc(_ALL, ("genre", name), value) for name, value in genres.items()),
        *inner,
        *(_Arc(("topic", name), _BACK, value) for name, value in topics.items()),
        _Arc(_BACK, _ALL, sum(shares.values(), Fraction())),
    ]
    while (cycle := _cycle(arcs)) is not None:
        _shift(cycle, draw)
    return {cell: int(arc.value) for cell, arc in zip(shares, inner, strict=True)}


def _cycle(arcs: list[_Arc]) -> list[tuple[_Arc, int]] | None:
    """A cycle of arcs whose numbers are not whole, each with its direction.

    What flows into a place flows out of it, so no place has only one such arc: a walk that does not
    turn back comes to a place where it has been.
    """
    open_: dict[_Node, list[_Arc]] = {}
    for arc in arcs:
        if not arc.is_whole:
            open_.setdefault(arc.start, []).append(arc)
            open_.setdefault(arc.end, []).append(arc)
    if not open_:
        return None
    at = next(iter(open_))
    been = {at: 0}
    walk: list[tuple[_Arc, int]] = []
    while True:
        arc = next(arc for arc in open_[at] if not walk or arc is not walk[-1][0])
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
