"""What all correlations of ratings share: when they are undefined, and repeated sittings."""

import math
from typing import Any

import numpy as np
import pytest

import readmark
from installed import Lazy
from rated_tests import FEW, rated_test, statistics
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.marking.metrics import is_additive
from readmark.readability.metrics.kendall import Kendall
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.metrics.spearman import Spearman

stats = Lazy("scipy.stats")


@pytest.mark.parametrize("metric", [Pearson(), Spearman(), Kendall()])
@pytest.mark.parametrize(
    ("pairs", "remark"),
    [
        ([(1, 1), (3, 2), (5, 5)], None),
        ([(1, 3), (4, 3), (5, 3)], "undefined: the ratings are all the same"),
        ([(2, 1), (2, 3), (2, 5)], "undefined: the gold ratings are all the same"),
        ([(1, 1), (3, None), (5, 5)], "undefined: 1 passage is unanswered"),
        ([(1, 1)], "undefined: a correlation takes two passages or more"),
    ],
)
def test_an_undefined_correlation_has_a_reason(
    metric: Any, pairs: list[tuple[float, float | None]], remark: str | None
) -> None:
    rows = np.array([statistics(metric, (gold,), rating) for gold, rating in pairs])
    score = metric.aggregate(rows.sum(axis=0)) if is_additive(metric) else metric.score(rows)
    if remark is None:
        assert score > 0.9
        assert list(metric.report(rows).remarks) == []
    else:
        assert math.isnan(score)
        assert list(metric.report(rows).remarks) == [remark]


def test_repeated_ratings_are_correlated_by_their_mean() -> None:
    test = rated_test((1, 2), (3, 3), (4, 5), (2, 2))
    ratings = [(1.0, 3.0), (2.0, 5.0), (5.0, 4.0), (1.0, 1.0)]
    rows = PackedRows()
    for index, repeats in enumerate(ratings):
        id = f"p{index}"
        rows[id] = tuple(
            Row(id=id, answer=rating, repeat=repeat) for repeat, rating in enumerate(repeats)
        )
    header = SittingHeader(kind="readability", candidate="again", repeats=2)
    marks = readmark.mark(test, Sitting(header, rows), settings=FEW)
    gold, means = [1.5, 3, 4.5, 2], [sum(repeats) / 2 for repeats in ratings]
    assert marks["pearson"].score == pytest.approx(np.corrcoef(gold, means)[0, 1], abs=1e-9)
    assert marks["spearman"].score == pytest.approx(stats.spearmanr(gold, means)[0])
    for name in ("pearson", "spearman", "kendall"):
        assert "|repeats:mean rating|" in marks[name].signature
