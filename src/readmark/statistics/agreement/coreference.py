"""Coreference of two annotators: MUC, B³, CEAF-e and LEA, and the mean of the first three.

An entity is a set of mentions; mentions are the same when their spans are equal, and a mention that
only one marked counts against both measures' shares, as in "Scoring Coreference Partitions of
Predicted Mentions: A Reference Implementation". Counts are added up over records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.agreement.spans import Shares, f_measure, f_of
from readmark.statistics.agreement.value import Agreement, Resampling, figure, vector_sums
from readmark.statistics.assignment import best_assignment

# B³: mentions ("Algorithms for Scoring Coreference Chains").


Chains = Sequence[frozenset[Hashable]]


def b_cubed(a: Chains, b: Chains) -> Shares:
    """For each mention the share of its entity that the other's entity has too.

    A mention that only one side has shares nothing. A single mention that both have shares all.
    """
    return (*_shared(a, b), *_shared(b, a))


def _shared(mine: Chains, theirs: Chains) -> tuple[float, int]:
    whose = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    shared = 0.0
    for entity in mine:
        parts = Counter(whose[mention] for mention in entity if mention in whose)
        shared += sum(size * size for size in parts.values()) / len(entity)
    return shared, sum(map(len, mine))


# CEAF-e: entities ("On Coreference Resolution Performance Metrics", with its similarity φ4).


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
    places = {mention: index for index, entity in enumerate(b) for mention in entity}
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


# LEA: links of entities by their size ("Which Coreference Evaluation Metric Do You Trust?").


def lea(a: Chains, b: Chains) -> Shares:
    """The share of its links that the other side resolves, an entity weighing as many as mentions.

    A single mention has one link, to itself, which the other side has when it is single there too.
    """
    return (*_resolved(a, b), *_resolved(b, a))


def _resolved(mine: Chains, theirs: Chains) -> tuple[float, int]:
    whose = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    total = 0.0
    for entity in mine:
        parts = Counter(whose[mention] for mention in entity if mention in whose)
        if len(entity) == 1:
            total += sum(len(theirs[part]) == 1 for part in parts)
        else:
            resolved = sum(size * (size - 1) for size in parts.values())
            total += resolved / (len(entity) - 1)
    return total, sum(map(len, mine))


# MUC: links ("A Model-Theoretic Coreference Scoring Scheme").


def muc(a: Chains, b: Chains) -> Shares:
    """Links of each side that the other keeps: an entity of n mentions has n − 1.

    An entity that the other side cuts into p parts keeps n − p. A single mention has no link, so
    MUC does not see it.
    """
    return (*_shared_links(a, b), *_shared_links(b, a))


def _shared_links(mine: Chains, theirs: Chains) -> tuple[int, int]:
    whose = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    count = 0
    for entity in mine:
        found = [whose[mention] for mention in entity if mention in whose]
        count += len(found) - len(set(found))  # whoever the other lacks is a part of its own
    return count, sum(len(entity) - 1 for entity in mine)


Entity = frozenset[Hashable]
CoreferenceChains = Sequence[Entity]
Pair = tuple[CoreferenceChains, CoreferenceChains]

METRICS = {"muc": muc, "b3": b_cubed, "ceaf_e": ceaf_e, "lea": lea}
CONLL = ("muc", "b3", "ceaf_e")
REASONS = {"muc": "neither linked two mentions"}
NOTHING = "neither marked any mention"


def coreference_f1(
    pairs: Sequence[Pair], metric: str, *, resampling: Resampling | None = None
) -> Agreement:
    """F1 by a metric: muc, b3, ceaf_e or lea."""
    return f_measure(
        metric,
        _vectors(pairs, metric),
        reason=REASONS.get(metric, NOTHING),
        resampling=resampling,
    )


def conll_mean(pairs: Sequence[Pair], *, resampling: Resampling | None = None) -> Agreement:
    """The mean of MUC, B³ and CEAF-e ("CoNLL-2012 Shared Task"); undefined where one of them is."""
    vectors = np.hstack([vector_sums(_vectors(pairs, metric), 4) for metric in CONLL])

    def mean(sums: Floats) -> Floats:
        return np.asarray(
            sum(f_of(sums[..., 4 * index : 4 * index + 4]) for index in range(len(CONLL)))
            / len(CONLL)
        )

    mentions = sum(len(entity) for pair in pairs for chains in pair for entity in chains)
    return figure(
        "conll",
        vectors,
        mean,
        n=mentions,
        reason=NOTHING if not mentions else f"muc: {REASONS['muc']}",
        resampling=resampling,
    )


def without_singletons(chains: CoreferenceChains) -> list[Entity]:
    """The entities that have at least two mentions."""
    return [entity for entity in chains if len(entity) > 1]


def _vectors(pairs: Sequence[Pair], metric: str) -> list[Shares]:
    for pair in pairs:
        for chains in pair:
            if sum(map(len, chains)) != len(frozenset[Hashable]().union(*chains)):
                raise ValueError("a mention is in two entities")
    return [METRICS[metric](*pair) for pair in pairs]
