"""Passages dealt into rounds, each round balanced for genre and topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from readmark.core.errors import UsageError
from readmark.readability.panels.fair_share import Cell, share_of
from readmark.readability.panels.lots import by_lot

_Vertex = tuple[Hashable, ...]


def deal_rounds(
    cells: Mapping[str, Cell], size: int, *, even: bool = False, seed: int = 1
) -> list[list[str]]:
    """Rounds of ``size``; the last has what is left over, or with ``even`` sizes differ by one.

    When all rounds are of one size, each has the floor or ceiling of every genre's and topic's
    share. Else a genre or topic is less than two passages from its share of the round.
    """
    if size < 2:
        raise UsageError(f"a round has two passages or more, not {size}: it is put in order")
    if not cells:
        return []
    over = len(cells) % size
    if even or not over or len(cells) < size:
        return _coloured(cells, -(-len(cells) // size), seed)
    last = share_of(cells, Fraction(over, len(cells)), seed=seed)
    others = {id: cell for id, cell in cells.items() if id not in last}
    return [*_coloured(others, len(cells) // size, seed), by_lot(last, seed, "round")]


def bound(rounds: Sequence[Sequence[str]]) -> int:
    """What the distance of a genre or topic from its share stays below, in every round."""
    return 1 if len(set(map(len, rounds))) < 2 else 2


def largest_deviation(rounds: Sequence[Sequence[str]], label: Mapping[str, str]) -> float:
    """The largest distance, in passages, of a label in a round from its share of that round."""
    total = Counter(label[id] for round_ in rounds for id in round_)
    passages = sum(total.values())
    worst = Fraction()
    for round_ in rounds:
        got = Counter(label[id] for id in round_)
        for name, whole in total.items():
            worst = max(worst, abs(got[name] - Fraction(whole * len(round_), passages)))
    return float(worst)


def _coloured(cells: Mapping[str, Cell], rounds: int, seed: int) -> list[list[str]]:
    # Drawn by lot within a genre and topic; those of one pair are adjacent, so that they fill
    # whole places and pairs are spread as well.
    order = sorted(by_lot(cells, seed, "deal"), key=lambda id: cells[id])
    graph = _Graph(rounds)
    seen: dict[_Vertex, int] = {}
    for id in order:
        ends = []
        for side, name in enumerate(cells[id]):
            number = seen.get((side, name), 0)
            seen[side, name] = number + 1
            ends.append((side, name, number // rounds))
        graph.colour(id, ends[0], ends[1])
    graph.even_out()
    dealt: list[list[str]] = [[] for _ in range(rounds)]
    for id in order:
        dealt[graph.colour_of[id]].append(id)
    turns = by_lot(map(str, range(rounds)), seed, "rounds")
    full = sorted((dealt[int(turn)] for turn in turns), key=lambda round_: -len(round_))
    return [by_lot(round_, seed, "round") for round_ in full]


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
        mine, theirs = self._free(vertex), self._free(other)
        both = mine & theirs
        if both:
            # The round with the fewest passages so far.
            self._give(edge, min(both, key=lambda each: (self._sizes[each], each)))
            return
        a, b = min(mine), min(theirs)
        # Starting at ``other``, which has an edge of colour a, the path never comes to ``vertex``:
        # the graph is bipartite.
        self._turn(self._path(other, a, b), a, b)
        self._give(edge, a)

    def even_out(self) -> None:
        """Make sizes of colours differ by at most one; what each vertex has changes by none."""
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
        begins = (at for at, has in self._edges_at.items() if most in has and least not in has)
        paths = (self._path(begin, most, least) for begin in begins)
        return next(path for path in paths if len(path) % 2)

    def _turn(self, path: list[str], a: int, b: int) -> None:
        """Change the two colours of a path for each other."""
        for edge in path:
            before = self.colour_of[edge]
            self._sizes[before] -= 1
            for vertex in self._ends[edge]:
                del self._edges_at[vertex][before]
        for edge in path:
            self._give(edge, b if self.colour_of[edge] == a else a)
