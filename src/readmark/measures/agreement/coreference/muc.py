"""MUC: links ("A Model-Theoretic Coreference Scoring Scheme")."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from readmark.measures.agreement.f_measure import Shares

Chains = Sequence[frozenset[Hashable]]


def muc(a: Chains, b: Chains) -> Shares:
    """Links of each side that the other keeps: an entity of n mentions has n − 1.

    An entity that the other side cuts into p parts keeps n − p. A single mention has no link, so
    MUC does not see it.
    """
    return (*_kept(a, b), *_kept(b, a))


def _kept(mine: Chains, theirs: Chains) -> tuple[int, int]:
    whose = {mention: at for at, entity in enumerate(theirs) for mention in entity}
    kept = 0
    for entity in mine:
        found = [whose[mention] for mention in entity if mention in whose]
        kept += len(found) - len(set(found))  # whoever the other lacks is a part of its own
    return kept, sum(len(entity) - 1 for entity in mine)
