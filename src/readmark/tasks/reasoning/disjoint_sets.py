"""Things that belong together, directly or through others: a union-find forest."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


class DisjointSets:
    """Sets that grow together as their members are joined; a thing starts in a set of its own."""

    def __init__(self) -> None:
        self._parents: dict[Hashable, Hashable] = {}

    def root(self, thing: Hashable) -> Hashable:
        """The member that stands for the whole set of a thing."""
        parent = self._parents.setdefault(thing, thing)
        while parent != self._parents[parent]:
            self._parents[parent] = self._parents[self._parents[parent]]  # halves the path
            parent = self._parents[parent]
        self._parents[thing] = parent
        return parent

    def join(self, things: Sequence[Hashable]) -> None:
        """Makes one set of the sets of these things."""
        first = self.root(things[0])
        for thing in things[1:]:
            self._parents[self.root(thing)] = first
