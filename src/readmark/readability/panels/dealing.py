"""Passages dealt into rounds, each round balanced for genre and topic.

Dealing is the colouring of a graph: a passage is an edge from its genre to its topic, a round is a
colour. Genres and topics are cut into vertices of at most as many edges as there are colours, and
no two edges at a vertex get the same colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from readmark.core.errors import UsageError
from readmark.readability.panels.fair_share import GenreTopic, share_of
from readmark.readability.panels.lots import by_lot

_Vertex = tuple[str, str, int]
"""A genre or a topic, by its name, and which part of it."""


def deal_rounds(
    cells: Mapping[str, GenreTopic], size: int, *, even: bool = False, seed: int = 1
) -> list[list[str]]:
    """Rounds of ``size``; the last has what is left over, or with ``even`` sizes differ by one.

    When all rounds are of one size, each has every genre's and topic's share, rounded up or down.
    Else a genre or topic is less than two passages from its share of the round.
    """
    if size < 2:
        raise UsageError(
            f"a round has two passages or more, not {size}: judges put its passages in order"
        )
    if not cells:
        return []
    whole_rounds, left_over = divmod(len(cells), size)
    if even or not left_over or not whole_rounds:
        return _deal(cells, whole_rounds + bool(left_over), seed)
    last = share_of(cells, Fraction(left_over, len(cells)), seed=seed)
    others = {id: cell for id, cell in cells.items() if id not in last}
    return [*_deal(others, whole_rounds, seed), by_lot(last, seed, "round")]


def bound(rounds: Sequence[Sequence[str]]) -> int:
    """The distance from its share that a genre or topic never reaches, in passages of a round."""
    return 1 if len(set(map(len, rounds))) < 2 else 2


def largest_deviation(rounds: Sequence[Sequence[str]], labels: Mapping[str, str]) -> float:
    """The largest distance of a label in a round from its share of that round, in passages."""
    totals = Counter(labels[id] for round_ in rounds for id in round_)
    passages = totals.total()
    largest = Fraction()
    for round_ in rounds:
        counts = Counter(labels[id] for id in round_)
        for label, total in totals.items():
            share = Fraction(total * len(round_), passages)
            largest = max(largest, abs(counts[label] - share))
    return float(largest)


def _deal(cells: Mapping[str, GenreTopic], rounds: int, seed: int) -> list[list[str]]:
    """So many rounds, whose sizes differ by at most one."""
    # Drawn by lot within a genre and topic; those of one pair are adjacent, so that they fill
    # whole vertices and pairs are spread as well.
    order = sorted(by_lot(cells, seed, "deal"), key=lambda id: cells[id])
    graph = _Graph(rounds)
    edges_of: Counter[tuple[str, str]] = Counter()
    for id in order:
        genre, topic = ("genre", cells[id][0]), ("topic", cells[id][1])
        # The first edges of a genre, as many as there are rounds, meet at one vertex, and so on.
        graph.colour(id, (*genre, edges_of[genre] // rounds), (*topic, edges_of[topic] // rounds))
        edges_of.update((genre, topic))
    graph.even_out()
    dealt: list[list[str]] = [[] for _ in range(rounds)]
    for id in order:
        dealt[graph.colour_of[id]].append(id)
    # Which round is which is drawn as well; smaller ones come last.
    lots = by_lot(map(str, range(rounds)), seed, "rounds")
    by_size = sorted((dealt[int(colour)] for colour in lots), key=lambda round_: -len(round_))
    return [by_lot(round_, seed, "round") for round_ in by_size]


class _Graph:
    """A bipartite graph whose edges get colours; no two edges at a vertex have the same."""

    def __init__(self, colours: int) -> None:
        self.colours = colours
        self.colour_of: dict[str, int] = {}
        self._ends: dict[str, tuple[_Vertex, _Vertex]] = {}
        self._edges_at: dict[_Vertex, dict[int, str]] = {}
        self._sizes = [0] * colours

    def colour(self, edge: str, vertex: _Vertex, other: _Vertex) -> None:
        """Add an edge; where no colour is free at both ends, a path of two colours is turned."""
        self._ends[edge] = vertex, other
        free, free_at_other = self._free(vertex), self._free(other)
        if free & free_at_other:
            # The round with the fewest passages so far.
            fewest = min(free & free_at_other, key=lambda colour: (self._sizes[colour], colour))
            self._give(edge, fewest)
            return
        a, b = min(free), min(free_at_other)
        # Starting at ``other``, which has an edge of colour a, the path never comes to ``vertex``:
        # the graph is bipartite.
        self._turn(self._path(other, a, b), a, b)
        self._give(edge, a)

    def even_out(self) -> None:
        """Make sizes of colours differ by at most one; every vertex keeps its number of edges."""
        while True:
            most = self._sizes.index(max(self._sizes))
            least = self._sizes.index(min(self._sizes))
            if self._sizes[most] - self._sizes[least] <= 1:
                return
            self._turn(self._excess(most, least), most, least)

    def _free(self, vertex: _Vertex) -> set[int]:
        return set(range(self.colours)) - set(self._edges_at.get(vertex, ()))

    def _give(self, edge: str, colour: int) -> None:
        self.colour_of[edge] = colour
        self._sizes[colour] += 1
        for vertex in self._ends[edge]:
            self._edges_at.setdefault(vertex, {})[colour] = edge

    def _path(self, start: _Vertex, a: int, b: int) -> list[str]:
        """The edges of two colours from a vertex that has one of ``a`` and none of ``b``."""
        edges: list[str] = []
        vertex, colour = start, a
        while (edge := self._edges_at.get(vertex, {}).get(colour)) is not None:
            edges.append(edge)
            first, second = self._ends[edge]
            vertex = second if vertex == first else first
            colour = b if colour == a else a
        return edges

    def _excess(self, most: int, least: int) -> list[str]:
        """A path that has one edge more of the first colour: where sizes differ there is one."""
        starts = (
            vertex
            for vertex, edges in self._edges_at.items()
            if most in edges and least not in edges
        )
        paths = (self._path(start, most, least) for start in starts)
        return next(path for path in paths if len(path) % 2)

    def _turn(self, path: list[str], a: int, b: int) -> None:
        """Exchange the two colours of a path."""
        for edge in path:
            before = self.colour_of[edge]
            self._sizes[before] -= 1
            for vertex in self._ends[edge]:
                del self._edges_at[vertex][before]
        for edge in path:
            self._give(edge, b if self.colour_of[edge] == a else a)
