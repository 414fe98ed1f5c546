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
from readmark.statistics.agreement.f_measure import Shares, f_measure, f_of
from readmark.statistics.agreement.sums import vector_sums
from readmark.statistics.agreement.value import Agreement, Resampling, figure
from readmark.statistics.assignment import best_assignment

Entity = frozenset[Hashable]
CoreferenceChains = Sequence[Entity]
ChainsPair = tuple[CoreferenceChains, CoreferenceChains]


def b_cubed(a: CoreferenceChains, b: CoreferenceChains) -> Shares:
    """B³, which counts mentions ("Algorithms for Scoring Coreference Chains").

    For each mention the share of its entity that the other's entity has too. A mention that only
    one side has shares nothing. A single mention that both have shares all.
    """
    return (*_shared(a, b), *_shared(b, a))


def _shared(mine: CoreferenceChains, theirs: CoreferenceChains) -> tuple[float, int]:
    entity_of = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    shared = 0.0
    for entity in mine:
        parts = Counter(entity_of[mention] for mention in entity if mention in entity_of)
        shared += sum(size * size for size in parts.values()) / len(entity)
    return shared, sum(map(len, mine))


def ceaf_e(a: CoreferenceChains, b: CoreferenceChains) -> Shares:
    """CEAF-e, which counts entities ("On Coreference Resolution Performance Metrics", with its φ4).

    Entities are assigned to one another so that their similarity is greatest. The similarity of
    two is 2 |A ∩ B| / (|A| + |B|). An entity of a single mention counts as much as any other.
    """
    total = 0.0
    for rows, columns in _islands(a, b):
        similarity = [
            [2 * len(a[i] & b[j]) / (len(a[i]) + len(b[j])) for j in columns] for i in rows
        ]
        total += sum(similarity[row][column] for row, column in best_assignment(similarity))
    return total, len(a), total, len(b)


def _islands(a: CoreferenceChains, b: CoreferenceChains) -> Iterator[tuple[list[int], list[int]]]:
    """Entities that mentions connect, island by island: the assignment is small in each."""
    entity_of = {mention: index for index, entity in enumerate(b) for mention in entity}
    neighbours_in_b = [
        {entity_of[mention] for mention in entity if mention in entity_of} for entity in a
    ]
    neighbours_in_a: dict[int, list[int]] = {}
    for i, neighbours in enumerate(neighbours_in_b):
        for j in neighbours:
            neighbours_in_a.setdefault(j, []).append(i)
    seen: set[int] = set()
    for start, neighbours in enumerate(neighbours_in_b):
        if start in seen or not neighbours:
            continue
        island_in_a, island_in_b, todo = [start], set[int](), [start]
        seen.add(start)
        while todo:
            for j in neighbours_in_b[todo.pop()] - island_in_b:
                island_in_b.add(j)
                unseen = [i for i in neighbours_in_a[j] if i not in seen]
                seen.update(unseen)
                island_in_a += unseen
                todo += unseen
        yield island_in_a, sorted(island_in_b)


def lea(a: CoreferenceChains, b: CoreferenceChains) -> Shares:
    """LEA, links by the size of entities ("Which Coreference Evaluation Metric Do You Trust?").

    For each entity the share of its links that the other side resolves, weighed by its mentions.
    A single mention has one link, to itself, which the other side has when it is single there too.
    """
    return (*_resolved(a, b), *_resolved(b, a))


def _resolved(mine: CoreferenceChains, theirs: CoreferenceChains) -> tuple[float, int]:
    entity_of = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    total = 0.0
    for entity in mine:
        parts = Counter(entity_of[mention] for mention in entity if mention in entity_of)
        if len(entity) == 1:
            total += sum(len(theirs[part]) == 1 for part in parts)
        else:
            resolved = sum(size * (size - 1) for size in parts.values())
            total += resolved / (len(entity) - 1)
    return total, sum(map(len, mine))


def muc(a: CoreferenceChains, b: CoreferenceChains) -> Shares:
    """MUC, which counts links ("A Model-Theoretic Coreference Scoring Scheme").

    An entity of n mentions has n − 1 links. One that the other side cuts into p parts keeps n − p.
    A single mention has no link, so MUC does not see it.
    """
    return (*_shared_links(a, b), *_shared_links(b, a))


def _shared_links(mine: CoreferenceChains, theirs: CoreferenceChains) -> tuple[int, int]:
    entity_of = {mention: index for index, entity in enumerate(theirs) for mention in entity}
    count = 0
    for entity in mine:
        parts = [entity_of[mention] for mention in entity if mention in entity_of]
        count += len(parts) - len(set(parts))  # a mention that the other lacks is a part by itself
    return count, sum(len(entity) - 1 for entity in mine)


METRICS = {"muc": muc, "b3": b_cubed, "ceaf_e": ceaf_e, "lea": lea}
CONLL = ("muc", "b3", "ceaf_e")
REASONS = {"muc": "neither linked two mentions"}
NOTHING = "neither marked any mention"


def coreference_f1(
    pairs: Sequence[ChainsPair], metric: str, *, resampling: Resampling | None = None
) -> Agreement:
    """F1 by a metric: muc, b3, ceaf_e or lea."""
    return f_measure(
        metric,
        _vectors(pairs, metric),
        reason=REASONS.get(metric, NOTHING),
        resampling=resampling,
    )


def conll_mean(pairs: Sequence[ChainsPair], *, resampling: Resampling | None = None) -> Agreement:
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


def _vectors(pairs: Sequence[ChainsPair], metric: str) -> list[Shares]:
    for pair in pairs:
        for chains in pair:
            if sum(map(len, chains)) != len(frozenset[Hashable]().union(*chains)):
                raise ValueError("a mention is in two entities")
    return [METRICS[metric](*pair) for pair in pairs]
