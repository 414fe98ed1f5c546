"""Coreference of two annotators: MUC, B³, CEAF-e and LEA, and the mean of the first three.

An entity is a set of mentions; mentions are the same when their spans are equal, and a mention that
only one marked counts against both measures' shares, as in "Scoring Coreference Partitions of
Predicted Mentions: A Reference Implementation". Counts are added up over records.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from readmark.measures.agreement.coreference.b_cubed import b_cubed
from readmark.measures.agreement.coreference.ceaf import ceaf_e
from readmark.measures.agreement.coreference.lea import lea
from readmark.measures.agreement.coreference.muc import muc
from readmark.measures.agreement.f_measure import Shares, f_measure, f_of
from readmark.measures.agreement.value import Agreement, Resampling, figure, vector_sums
from readmark.measures.resampling import Floats

Entity = frozenset[Hashable]
Chains = Sequence[Entity]
Pair = tuple[Chains, Chains]

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
            sum(f_of(sums[..., 4 * at : 4 * at + 4]) for at in range(len(CONLL))) / len(CONLL)
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


def without_singletons(chains: Chains) -> list[Entity]:
    """The entities that have at least two mentions."""
    return [entity for entity in chains if len(entity) > 1]


def _vectors(pairs: Sequence[Pair], metric: str) -> list[Shares]:
    for pair in pairs:
        for chains in pair:
            if sum(map(len, chains)) != len(frozenset[Hashable]().union(*chains)):
                raise ValueError("a mention stands in two entities")
    return [METRICS[metric](*pair) for pair in pairs]
