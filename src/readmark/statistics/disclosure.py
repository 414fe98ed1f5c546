"""Which slices may be shown together without giving away the sum of a few units.

A slice is withheld if it has too few units, or if others, subtracted from each other or from the
whole, would give the sum of too few: with three slices and the whole, the third slice follows from
the other two.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SliceName = tuple[str, str]
"""A field and its value."""
MOST_SLICES = 60
"""Slices that are looked at, the largest first; the others are withheld."""
_MOST_SUMMED, _MOST_SIGNED = 12, 7  # rows: 2**12 sums, or 3**7 with signs, take milliseconds
_ZERO = 1e-9
"""Rows of zeros and ones are reduced by few divisions, so roundings stay far below this."""


def safe_slices(
    members: Mapping[SliceName, Iterable[str]], units: Iterable[str], *, fewest: int
) -> list[SliceName]:
    """The slices that may be shown together, from the units that are in each."""
    everything = frozenset(units)
    slices = {name: frozenset(ids) & everything for name, ids in members.items()}
    large = [
        name
        for name, ids in slices.items()
        if len(ids) >= fewest and not 0 < len(everything) - len(ids) < fewest
    ]
    fields = list(dict.fromkeys(field for field, _ in slices))
    large = sorted(large, key=lambda name: -len(slices[name]))[:MOST_SLICES]
    large.sort(key=lambda name: fields.index(name[0]))
    if not _discloses([slices[name] for name in large], everything, fewest):
        return large
    safe: list[SliceName] = []
    for name in large:
        if not _discloses([slices[each] for each in (*safe, name)], everything, fewest):
            safe.append(name)
    return safe


def _discloses(slices: Sequence[frozenset[str]], units: frozenset[str], fewest: int) -> bool:
    """Whether sums over the slices and the whole give the sum of fewer units than allowed.

    Units in the same slices are one cell. What an outsider can work out are the linear
    combinations of the rows of slices by cells. Those that vanish on every cell that is large
    enough are about the small cells alone. In reduced form, a combination that is 0 or 1 on every
    cell is a sum of some of these rows, so trying all sums finds every sum of few units; signs
    find differences too. Where there are too many rows to try, the answer is yes.
    """
    patterns = Counter(tuple(unit in members for members in slices) for unit in units)
    cells = sorted(patterns, key=lambda pattern: patterns[pattern] < fewest)  # large ones first
    large = sum(patterns[pattern] >= fewest for pattern in cells)
    sizes = np.array([patterns[pattern] for pattern in cells])
    rows = _reduced(np.array([[1.0] * len(cells), *zip(*cells, strict=True)], dtype=np.float64))
    rows = rows[(np.abs(rows[:, :large]) <= _ZERO).all(axis=1)]
    if not 0 < len(rows) <= _MOST_SUMMED:
        return len(rows) > 0
    factors = (0, 1, -1) if len(rows) <= _MOST_SIGNED else (0, 1)
    chosen = np.array(list(itertools.product(factors, repeat=len(rows)))[1:])
    support = np.abs(chosen @ rows) > _ZERO
    return bool((support @ sizes < fewest).any())


def _reduced(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows of the reduced echelon form."""
    rows, rank = matrix.copy(), 0
    for column in range(rows.shape[1]):
        if rank == len(rows):
            break
        pivot = rank + int(np.argmax(np.abs(rows[rank:, column])))
        if abs(rows[pivot, column]) <= _ZERO:
            continue
        rows[[rank, pivot]] = rows[[pivot, rank]]
        rows[rank] /= rows[rank, column]
        others = np.arange(len(rows)) != rank
        rows[others] -= np.outer(rows[others, column], rows[rank])
        rank += 1
    return rows[:rank]
