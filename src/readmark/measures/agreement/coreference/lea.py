"""LEA: links of entities by their size ("Which Coreference Evaluation Metric Do You Trust?")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from readmark.measures.agreement.f_measure import Shares

Chains = Sequence[frozenset[Hashable]]


def lea(a: Chains, b: Chains) -> Shares:
    """The share of its links that the other side resolves, an entity weighing as many as mentions.

    A single mention has one link, to itself, which the other side has when it is single there too.
    """
    return (*_resolved(a, b), *_resolved(b, a))


def _resolved(mine: Chains, theirs: Chains) -> tuple[float, int]:
    whose = {mention: at for at, entity in enumerate(theirs) for mention in entity}
    total = 0.0
    for entity in mine:
        parts = Counter(whose[mention] for mention in entity if mention in whose)
        if len(entity) == 1:
            total += sum(len(theirs[at]) == 1 for at in parts)
        else:
            resolved = sum(size * (size - 1) for size in parts.values())
            total += resolved / (len(entity) - 1)
    return total, sum(map(len, mine))
