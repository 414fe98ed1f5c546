"""B³: mentions ("Algorithms for Scoring Coreference Chains")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from readmark.measures.agreement.f_measure import Shares

Chains = Sequence[frozenset[Hashable]]


def b_cubed(a: Chains, b: Chains) -> Shares:
    """For each mention the share of its entity that the other's entity has too.

    A mention that only one side has shares nothing. A single mention that both have shares all.
    """
    return (*_shared(a, b), *_shared(b, a))


def _shared(mine: Chains, theirs: Chains) -> tuple[float, int]:
    whose = {mention: at for at, entity in enumerate(theirs) for mention in entity}
    shared = 0.0
    for entity in mine:
        parts = Counter(whose[mention] for mention in entity if mention in whose)
        shared += sum(size * size for size in parts.values()) / len(entity)
    return shared, sum(map(len, mine))
