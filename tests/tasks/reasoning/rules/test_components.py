"""Components and paths of small graphs, against reachability by brute force."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.reasoning.rules.components import components, shortest_path

GRAPHS = st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=4)).map(
    lambda arrows: {node: arrows.get(node, []) for node in range(7)}
)


def reach(arrows: dict[int, list[int]], start: int) -> set[int]:
    seen, todo = {start}, [start]
    while todo:
        for target in arrows[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


@given(GRAPHS)
def test_components(arrows: dict[int, list[int]]) -> None:
    ordered = components(arrows)
    place = {node: index for index, nodes in enumerate(ordered) for node in nodes}
    assert sorted(place) == list(range(7))
    for node in arrows:
        for other in arrows:
            together = other in reach(arrows, node) and node in reach(arrows, other)
            assert (place[node] == place[other]) == together
        assert all(place[node] <= place[target] for target in arrows[node])


@given(GRAPHS, st.integers(0, 6), st.integers(0, 6))
def test_paths(arrows: dict[int, list[int]], start: int, end: int) -> None:
    way = shortest_path(arrows, start, end)
    assert bool(way) == (end in reach(arrows, start))
    if way:
        assert (way[0], way[-1]) == (start, end)
        assert all(after in arrows[before] for before, after in pairwise(way))
        assert len(set(way)) == len(way)
