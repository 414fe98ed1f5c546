"""A share of passages that is fair to every genre, every topic, and every pair of them.

The share of each pair is rounded up or down so that the sums of genres, of topics and of all are
rounded up or down too. This is a flow in a network, from genres through pairs to topics and back:
flow is moved around cycles of numbers that are not whole until all are.
"""

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

GenreTopic = tuple[str, str]
"""A genre and a topic."""
MOST_EXCHANGED = 2000
"""With more articles and passages than this there are enough to move, and none are exchanged."""

_Node = tuple[str, str]
_SOURCE, _SINK = ("source", ""), ("sink", "")


@dataclass(slots=True)
class _Arc:
    """A genre, a pair, a topic, or the whole, and how many passages of it are taken."""

    start: _Node
    end: _Node
    value: Fraction

    @property
    def is_whole(self) -> bool:
        return self.value.denominator == 1


def share_of(cells: Mapping[str, GenreTopic], share: Fraction, *, seed: int = 1) -> set[str]:
    """The passages of a share; ``cells`` has the genre and topic of each.

    Of the whole, each genre, each topic and each pair of them, as many passages are taken as the
    share is, rounded up or down.
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
    cells: Mapping[str, GenreTopic],
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
    # How many passages of each label a group has, (groups, labels).
    labels: dict[object, int] = {}
    rows = [
        Counter(
            labels.setdefault(label, len(labels)) for id in ids for label in _labels(*cells[id])
        )
        for ids in groups.values()
    ]
    counts = np.array([[row[label] for label in range(len(labels))] for row in rows])
    chosen = np.array([2 * sum(id in testing for id in ids) > len(ids) for ids in groups.values()])
    # How far the chosen groups are from the share of each label, times the share's denominator:
    # whole numbers are not rounded, so that every machine takes the same steps.
    weights = share.denominator * counts
    distances = (weights * chosen[:, None]).sum(0) - share.numerator * counts.sum(0)
    while step := _better_step(weights, chosen, distances):
        for group in step:
            distances += -weights[group] if chosen[group] else weights[group]
            chosen[group] = not chosen[group]
    chosen_groups = zip(groups.values(), chosen.tolist(), strict=True)
    return {id for ids, is_chosen in chosen_groups if is_chosen for id in ids}


def _labels(genre: str, topic: str) -> tuple[object, ...]:
    """What a passage counts for."""
    return "all", ("genre", genre), ("topic", topic), ("pair", genre, topic)


def _better_step(
    weights: NDArray[np.int64], chosen: NDArray[np.bool_], distances: NDArray[np.int64]
) -> tuple[int, ...]:
    """The group to move, or the two to exchange, that brings the shares nearest; none at last.

    What a step gains is the change of the squared distances, summed over labels: below 0 it is for
    the better.
    """
    signed = np.where(chosen[:, None], -weights, weights)
    gains = 2 * (signed @ distances) + (signed * signed).sum(axis=1)
    best = 0
    step: tuple[int, ...] = ()
    if gains.min(initial=0) < best:
        best, step = int(gains.min()), (int(gains.argmin()),)
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    if len(chosen) > MOST_EXCHANGED:
        return step
    for group in inside.tolist():
        exchanges = gains[group] + gains[outside] + 2 * (signed[outside] @ signed[group])
        if exchanges.min(initial=0) < best:
            best, step = int(exchanges.min()), (group, int(outside[exchanges.argmin()]))
    return step


def _rounded(shares: Mapping[GenreTopic, Fraction], seed: int) -> dict[GenreTopic, int]:
    """Every share rounded up or down, and with it the sums of genres, topics and all."""
    draw = random.Random(seed)
    genres: dict[str, Fraction] = {}
    topics: dict[str, Fraction] = {}
    for (genre, topic), value in shares.items():
        genres[genre] = genres.get(genre, Fraction()) + value
        topics[topic] = topics.get(topic, Fraction()) + value
    pairs = [
        _Arc(("genre", genre), ("topic", topic), value) for (genre, topic), value in shares.items()
    ]
    arcs = [
        *(_Arc(_SOURCE, ("genre", name), value) for name, value in genres.items()),
        *pairs,
        *(_Arc(("topic", name), _SINK, value) for name, value in topics.items()),
        _Arc(_SINK, _SOURCE, sum(shares.values(), Fraction())),
    ]
    while (cycle := _cycle(arcs)) is not None:
        _shift(cycle, draw)
    return {cell: int(arc.value) for cell, arc in zip(shares, pairs, strict=True)}


def _cycle(arcs: list[_Arc]) -> list[tuple[_Arc, int]] | None:
    """A cycle of arcs whose values are not whole, each with its direction, 1 or -1.

    What flows into a node flows out of it, so no node has only one such arc: a walk that does not
    turn back comes to a node where it has been.
    """
    arcs_at: dict[_Node, list[_Arc]] = {}
    for arc in arcs:
        if not arc.is_whole:
            arcs_at.setdefault(arc.start, []).append(arc)
            arcs_at.setdefault(arc.end, []).append(arc)
    if not arcs_at:
        return None
    node = next(iter(arcs_at))
    steps_to = {node: 0}
    walk: list[tuple[_Arc, int]] = []
    while True:
        arc = next(arc for arc in arcs_at[node] if not walk or arc is not walk[-1][0])
        is_forward = arc.start == node
        walk.append((arc, 1 if is_forward else -1))
        node = arc.end if is_forward else arc.start
        if node in steps_to:
            return walk[steps_to[node] :]
        steps_to[node] = len(walk)


def _shift(cycle: list[tuple[_Arc, int]], draw: random.Random) -> None:
    """Move flow around a cycle, either way, until the first value is whole.

    The odds are such that the expected value of every arc stays as it is: no pair is favoured.
    """
    up = min(_room(arc, direction) for arc, direction in cycle)
    down = min(_room(arc, -direction) for arc, direction in cycle)
    step = up if draw.random() < down / (up + down) else -down
    for arc, direction in cycle:
        arc.value += direction * step


def _room(arc: _Arc, direction: int) -> Fraction:
    """How far a value may go until it is whole."""
    if direction > 0:
        return math.ceil(arc.value) - arc.value
    return arc.value - math.floor(arc.value)
