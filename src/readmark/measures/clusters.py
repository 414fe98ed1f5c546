"""Units summed by cluster (passage, series, document): what resampling works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cluster_sums(
    vectors: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int
) -> NDArray[np.float64]:
    """Sums (n_clusters, width) of the units' vectors; ``codes`` says each unit's cluster.

    Exact, and so in any order, when the vectors lie on the grid.
    """
    sums = np.empty((n_clusters, vectors.shape[1]))
    for column in range(vectors.shape[1]):
        sums[:, column] = np.bincount(codes, weights=vectors[:, column], minlength=n_clusters)
    return sums
