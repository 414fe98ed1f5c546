"""The best one-to-one assignment of rows to columns: the Hungarian algorithm.

After "The Hungarian Method for the Assignment Problem", as shortest augmenting paths with
potentials; a row at a time is assigned, a column at a time is reached.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def best_assignment(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pairs (row, column) of the greatest total weight; the shorter side is assigned whole."""
    table = np.array(weights, dtype=np.float64)
    if table.size == 0:
        return []
    if not np.isfinite(table).all():
        raise ValueError("weights are finite numbers")
    if table.shape[0] > table.shape[1]:
        return sorted((row, column) for column, row in best_assignment(table.T.tolist()))
    return sorted(_cheapest(-table))


def _cheapest(costs: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The cheapest assignment of every row; there are at least as many columns."""
    rows, columns = costs.shape
    of_row, of_column = np.zeros(rows), np.zeros(columns)
    taken_by = np.full(columns, -1)
    for row in range(rows):
        slack = np.full(columns, np.inf)
        came_from = np.full(columns, -1)  # the column reached before, -1 for the new row itself
        reached = np.zeros(columns, dtype=bool)
        index, last = -1, row  # the column and the row that the path has come to
        while True:
            reduced = costs[last] - of_row[last] - of_column
            nearer = ~reached & (reduced < slack)
            slack[nearer] = reduced[nearer]
            came_from[nearer] = index
            index = int(np.where(reached, np.inf, slack).argmin())
            step = slack[index]
            # Potentials move by the step, so that the column reached costs nothing more.
            of_row[row] += step
            of_row[taken_by[reached]] += step
            of_column[reached] -= step
            slack[~reached] -= step
            reached[index] = True
            if taken_by[index] < 0:
                break
            last = int(taken_by[index])
        while index >= 0:
            before = int(came_from[index])
            taken_by[index] = row if before < 0 else taken_by[before]
            index = before
    return [(int(row), column) for column, row in enumerate(taken_by) if row >= 0]
