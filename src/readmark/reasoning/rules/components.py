"""Strongly connected components of a small directed graph, in the order of its arrows."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(arrows: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The components, each before those its arrows lead to (Tarjan's algorithm, unrolled)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    waiting: set[Node] = set()
    found: list[list[Node]] = []
    for root in arrows:
        if root in index:
            continue
        work = [(root, iter(arrows[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    waiting.add(target)
                    work.append((target, iter(arrows.get(target, ()))))
                    break
                if target in waiting:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found.append(stack[at:])
                    waiting.difference_update(stack[at:])
                    del stack[at:]
    return found[::-1]


def path(arrows: Mapping[Node, Sequence[Node]], start: Node, end: Node) -> list[Node]:
    """A shortest way from start to end, both included; empty when there is none."""
    before: dict[Node, Node] = {}
    queue = deque([start])
    seen = {start}
    while queue:
        node = queue.popleft()
        if node == end:
            way = [node]
            while way[-1] != start:
                way.append(before[way[-1]])
            return way[::-1]
        for target in arrows.get(node, ()):
            if target not in seen:
                seen.add(target)
                before[target] = node
                queue.append(target)
    return []
