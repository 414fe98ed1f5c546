"""Agreement of people who labelled the same things.

Items are panels: a row for each unit, a label for each annotator, None where there is none.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from processes import Step, Task, Tool, Work

UNITS, RATERS, LABELS, THINGS = 5000, 5, 5, 2000
Panel = list[list[int | None]]
Measure = Callable[[Panel], float | None]
SCALES = ("nominal", "ordinal", "interval", "ratio")
MEASURES = (
    "kappa",
    "kappa(linear)",
    "kappa(quadratic)",
    "fleiss",
    *(f"alpha({scale})" for scale in SCALES),
    "kendall_w",
)


def tasks(data: Path | None) -> list[Task]:
    """Five annotators who agree on two units of three; some labels missing; judges who rank."""
    whole, some = panel(UNITS, missing=0.0), panel(UNITS, missing=0.1)
    draw = random.Random(1)
    ranked = [[draw.randrange(THINGS // 2) for _ in range(RATERS)] for _ in range(THINGS)]
    first = panel(20, missing=0.0)
    return [
        {"name": "all labelled", "items": [whole], "only": MEASURES[:-1], "warm": [first]},
        {"name": "a tenth missing", "items": [some], "only": MEASURES[4:-1]},
        {"name": f"{THINGS:,} things ranked", "items": [ranked], "only": ["kendall_w"]},
    ]


def panel(units: int, *, missing: float, seed: int = 1) -> Panel:
    """Labels of annotators, the same for the same seed."""
    draw = random.Random(seed)
    rows: Panel = []
    for _ in range(units):
        true = draw.randint(1, LABELS)
        row = [true if draw.random() < 2 / 3 else draw.randint(1, LABELS) for _ in range(RATERS)]
        rows.append([None if draw.random() < missing else label for label in row])
    return rows


def case_task(case: dict[str, Any]) -> Task:
    """The example of a case; 0 is a missing label, which TOML cannot write."""
    rows = [[label or None for label in row] for row in case["panel"]]
    return {"items": [rows], "only": [case["measure"]]}


def text_of(item: Any) -> str:
    """Nothing that a pattern could find."""
    return ""


def _each(measures: Mapping[str, Measure]) -> Work:
    def run(task: Task) -> Iterator[Step]:
        for name, measure in measures.items():
            if name in task["only"]:
                yield name, {name: [measure(item) for item in task["items"]]}

    return run


def _pair(rows: Panel) -> tuple[list[int], list[int]]:
    """The first two annotators, on what both labelled."""
    both = [(row[0], row[1]) for row in rows if row[0] is not None and row[1] is not None]
    return [a for a, _ in both], [b for _, b in both]


def readmark() -> Work:
    """``readmark.statistics.agreement``; an undefined measure is None."""
    from readmark.statistics.agreement.alpha import krippendorff_alpha
    from readmark.statistics.agreement.cohen import cohen_kappa
    from readmark.statistics.agreement.fleiss import fleiss_kappa
    from readmark.statistics.agreement.judges import kendall_w

    def alpha(scale: Any) -> Measure:
        return lambda rows: krippendorff_alpha(rows, scale=scale).value

    def kappa(weights: Any) -> Measure:
        return lambda rows: cohen_kappa(*_pair(rows), weights=weights).value

    return _each(
        {
            "kappa": kappa(None),
            "kappa(linear)": kappa("linear"),
            "kappa(quadratic)": kappa("quadratic"),
            "fleiss": lambda rows: fleiss_kappa(rows).value,
            **{f"alpha({scale})": alpha(scale) for scale in SCALES},
            # Names that NLTK has; what a reader may take them for.
            "weighted_kappa(max_distance)": kappa("linear"),
            "multi_kappa": lambda rows: fleiss_kappa(rows).value,
            "kendall_w": lambda rows: kendall_w(list(zip(*rows, strict=True))).value,  # type: ignore[arg-type]
        }
    )


def nltk() -> Work:
    """``AnnotationTask``; its ``pi`` is Fleiss' kappa."""
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import binary_distance

    def squared(a: float, b: float) -> float:
        return (a - b) ** 2

    def given(rows: Panel, distance: Any, raters: int = RATERS) -> Any:
        triples = [
            (rater, unit, label)
            for unit, row in enumerate(rows)
            for rater, label in enumerate(row[:raters])
            if label is not None
        ]
        return AnnotationTask(triples, distance=distance)

    def steps(a: float, b: float) -> float:
        return abs(a - b)

    return _each(
        {
            "kappa": lambda rows: given(rows, binary_distance, 2).kappa(),
            "kappa(linear)": lambda rows: given(rows, steps, 2).weighted_kappa(),
            "kappa(quadratic)": lambda rows: given(rows, squared, 2).weighted_kappa(),
            "weighted_kappa(max_distance)": lambda rows: given(rows, steps, 2).weighted_kappa(
                max_distance=LABELS - 1
            ),
            "fleiss": lambda rows: given(rows, binary_distance).pi(),
            "multi_kappa": lambda rows: given(rows, binary_distance).multi_kappa(),
            "alpha(nominal)": lambda rows: given(rows, binary_distance).alpha(),
            "alpha(interval)": lambda rows: given(rows, squared).alpha(),
        }
    )


def krippendorff() -> Work:
    """The package of that name."""
    import krippendorff as peer
    import numpy as np

    def alpha(scale: str) -> Measure:
        def measure(rows: Panel) -> float | None:
            table = [[np.nan if label is None else label for label in row] for row in rows]
            try:
                return float(peer.alpha(np.array(table).T, level_of_measurement=scale))
            except ValueError:
                return None

        return measure

    return _each({f"alpha({scale})": alpha(scale) for scale in SCALES})


def scikit_learn() -> Work:
    """``cohen_kappa_score``."""
    from sklearn.metrics import cohen_kappa_score

    warnings.simplefilter("ignore")

    def kappa(weights: str | None) -> Measure:
        return lambda rows: _defined(cohen_kappa_score(*_pair(rows), weights=weights))

    return _each(
        {
            "kappa": kappa(None),
            "kappa(linear)": kappa("linear"),
            "kappa(quadratic)": kappa("quadratic"),
        }
    )


def statsmodels() -> Work:
    """``inter_rater``."""
    import numpy as np
    from statsmodels.stats.inter_rater import (
        aggregate_raters,
        cohens_kappa,
        fleiss_kappa,
        to_table,
    )

    warnings.simplefilter("ignore")

    def kappa(rows: Panel) -> float | None:
        table = to_table(np.array(list(zip(*_pair(rows), strict=True))))[0]
        return _defined(cohens_kappa(table, return_results=False))

    def weighted(power: str) -> Measure:
        def measure(rows: Panel) -> float | None:
            table = to_table(np.array(list(zip(*_pair(rows), strict=True))))[0]
            return _defined(cohens_kappa(table, wt=power, return_results=False))

        return measure

    return _each(
        {
            "kappa": kappa,
            "kappa(linear)": weighted("linear"),
            "kappa(quadratic)": weighted("quadratic"),
            "fleiss": lambda rows: _defined(fleiss_kappa(aggregate_raters(np.array(rows))[0])),
        }
    )


def scipy() -> Work:
    """Kendall's W from Friedman's test, which is the same up to a factor."""
    from scipy.stats import friedmanchisquare

    def kendall_w(rows: Panel) -> float:
        return float(friedmanchisquare(*rows).statistic) / (len(rows[0]) * (len(rows) - 1))

    return _each({"kendall_w": kendall_w})


def _defined(value: float) -> float | None:
    return None if value != value else float(value)


TOOLS = {
    "readmark": Tool("Readmark", "readmark", readmark),
    "nltk": Tool("NLTK, `AnnotationTask`", "nltk", nltk),
    "krippendorff": Tool("krippendorff", "krippendorff", krippendorff),
    "scikit_learn": Tool("scikit-learn", "scikit-learn", scikit_learn),
    "statsmodels": Tool("statsmodels", "statsmodels", statsmodels),
    "scipy": Tool("SciPy, Friedman's test", "scipy", scipy),
}
