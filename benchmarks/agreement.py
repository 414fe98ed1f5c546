"""How fast measures of agreement are, as ratios to other implementations in the same run.

Krippendorff's alpha against the package krippendorff, Fleiss' kappa against statsmodels, both from
the same lists of labels; Kendall's W of 20,000 things against the definition with scipy's ranks.
Values must be equal to ten digits. A package that is not installed is left out and named.

Run: python benchmarks/agreement.py [--units 5000]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from figures import Figure

from readmark.stats.agreement.alpha import SCALES, krippendorff_alpha
from readmark.stats.agreement.kappa import fleiss_kappa
from readmark.stats.correlation import kendall_w

ROUNDS = 15
RATERS, LABELS = 5, 5
THINGS = 20_000


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long the work took, in seconds, and what it gave."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def ratio(name: str, ours: Callable[[], float | None], theirs: Callable[[], float]) -> Figure:
    """Their time over ours; the values must be the same."""
    rounds = [(timed(ours), timed(theirs)) for _ in range(ROUNDS)]  # by turns: equal disturbance
    own, other = (min(turn[side][0] for turn in rounds) for side in (0, 1))
    (_, value), (_, wanted) = rounds[0]
    if value is None or abs(value - wanted) > 1e-10:
        raise SystemExit(f"{name}: {value} here, {wanted} there")
    print(f"{name}: {1000 * own:.1f} ms, theirs {1000 * other:.1f} ms, value {value:.6f}")
    return Figure(f"{name}, times as fast", other / own, "", least=1.0)


def labels(units: int, *, missing: float, seed: int = 1) -> list[list[int | None]]:
    """Labels of several annotators who agree on two units of three, some left out."""
    draw = random.Random(seed)
    panel: list[list[int | None]] = []
    for _ in range(units):
        true = draw.randint(1, LABELS)
        row = [true if draw.random() < 2 / 3 else draw.randint(1, LABELS) for _ in range(RATERS)]
        panel.append([None if draw.random() < missing else label for label in row])
    return panel


def measure(units: int = 5000) -> list[Figure]:
    """Every ratio, of the packages that are installed."""
    figures = []
    some, whole = labels(units, missing=0.1), labels(units, missing=0.0)
    try:
        import krippendorff
    except ImportError:
        print("krippendorff is not installed: alpha is left out")
    else:
        for scale in SCALES:

            def theirs(scale: str = scale) -> float:
                rows = [[np.nan if label is None else label for label in row] for row in some]
                return float(krippendorff.alpha(np.array(rows).T, level_of_measurement=scale))

            figures.append(
                ratio(
                    f"alpha ({scale})",
                    lambda scale=scale: krippendorff_alpha(some, scale=scale).value,  # type: ignore[misc]
                    theirs,
                )
            )
    try:
        from statsmodels.stats.inter_rater import aggregate_raters
        from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss
    except ImportError:
        print("statsmodels is not installed: Fleiss' kappa is left out")
    else:
        figures.append(
            ratio(
                "Fleiss' kappa",
                lambda: fleiss_kappa(whole).value,
                lambda: float(their_fleiss(aggregate_raters(np.array(whole))[0])),
            )
        )
    return [*figures, _many_things()]


def _many_things() -> Figure:
    """Kendall's W of many things, by judges who tie some."""
    from scipy.stats import rankdata

    draw = np.random.default_rng(1)
    ranks = [draw.integers(0, THINGS // 2, THINGS).tolist() for _ in range(RATERS)]

    def by_definition() -> float:
        ranked = np.array([rankdata(row) for row in ranks])
        apart = ((ranked.sum(axis=0) - RATERS * (THINGS + 1) / 2) ** 2).sum()
        counts = [np.unique(row, return_counts=True)[1].astype(float) for row in ranks]
        ties = sum(float((count**3 - count).sum()) for count in counts)
        return float(12 * apart / (RATERS**2 * (THINGS**3 - THINGS) - RATERS * ties))

    return ratio(f"Kendall's W, {THINGS:,} things", lambda: kendall_w(ranks).value, by_definition)


def main() -> int:
    """Print the ratios; status 1 if one is below 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=5000, help="units that are labelled")
    figures = measure(parser.parse_args().units)
    print(*figures, sep="\n")
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
