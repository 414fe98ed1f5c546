"""CEAF-e: entities ("On Coreference Resolution Performance Metrics", with its similarity φ4)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from readmark.measures.agreement.f_measure import Shares
from readmark.measures.assignment import best_assignment

Chains = Sequence[frozenset[Hashable]]


def ceaf_e(a: Chains, b: Chains) -> Shares:
    """Entities assigned to one another so that their similarity is greatest.

    The similarity of two is 2 |A ∩ B| / (|A| + |B|). An entity of a single mention counts as much
    as any other.
    """
    total = 0.0
    for some, others in _islands(a, b):
        alike = [
            [2 * len(a[one] & b[other]) / (len(a[one]) + len(b[other])) for other in others]
            for one in some
        ]
        total += sum(alike[row][column] for row, column in best_assignment(alike))
    return total, len(a), total, len(b)


def _islands(a: Chains, b: Chains) -> Iterator[tuple[list[int], list[int]]]:
    """Entities that mentions connect, island by island: the assignment is small in each."""
    places = {mention: at for at, entity in enumerate(b) for mention in entity}
    across = [{places[mention] for mention in entity if mention in places} for entity in a]
    back: dict[int, list[int]] = {}
    for one, others in enumerate(across):
        for other in others:
            back.setdefault(other, []).append(one)
    seen: set[int] = set()
    for start, others in enumerate(across):
        if start in seen or not others:
            continue
        island, beyond, todo = [start], set[int](), [start]
        seen.add(start)
        while todo:
            for other in across[todo.pop()] - beyond:
                beyond.add(other)
                fresh = [one for one in back[other] if one not in seen]
                seen.update(fresh)
                island += fresh
                todo += fresh
        yield island, sorted(beyond)
