"""Strongly connected components of a small directed graph, and the shortest path between nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(arrows: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The components, each before those its arrows lead to.

    Tarjan's algorithm, with a stack in place of recursion: chains of statements are longer than
    Python's stack.
    """
    index: dict[Node, int] = {}
    # The lowest index that a node reaches; where that is its own, a component is complete.
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    complete: list[list[Node]] = []
    for root in arrows:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        path.append(root)
        on_path.add(root)
        calls = [(root, iter(arrows[root]))]
        while calls:
            node, targets = calls[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    path.append(target)
                    on_path.add(target)
                    calls.append((target, iter(arrows.get(target, ()))))
                    break
                if target in on_path:
                    low[node] = min(low[node], index[target])
            else:
                calls.pop()
                if calls:
                    caller = calls[-1][0]
                    low[caller] = min(low[caller], low[node])
                if low[node] == index[node]:
                    start = path.index(node)
                    complete.append(path[start:])
                    on_path.difference_update(path[start:])
                    del path[start:]
    return complete[::-1]  # A component is complete after those that it leads to.


def shortest_path(arrows: Mapping[Node, Sequence[Node]], start: Node, end: Node) -> list[Node]:
    """A shortest way from start to end, both included; empty when there is none."""
    before: dict[Node, Node] = {}
    queue = deque([start])
    seen = {start}
    while queue:
        node = queue.popleft()
        if node == end:
            path = [node]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1]
        for target in arrows.get(node, ()):
            if target not in seen:
                seen.add(target)
                before[target] = node
                queue.append(target)
    return []
