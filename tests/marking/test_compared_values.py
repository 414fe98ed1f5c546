"""Paired comparison of metrics that are no sums, and of units that one side has no value on."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from statistics import median
from typing import Any

import numpy as np
import pytest

from made import Middle
from paired import FEW, TEST, A, B
from readmark.marking import Ratio
from readmark.marking.settings import MarkSettings
from readmark.marking.significance import Paired, compare_pair
from readmark.statistics.randomisation import paired_p
from readmark.tasks.metrics.answers import Answers


def test_a_metric_that_is_no_function_of_sums() -> None:
    """Whole passages' rows are swapped, and p is what enumerating every swap gives."""
    rows_a, rows_b, groups = [], [], []
    for at, name in enumerate(A):
        rows_a += [[value + 0.1 * n] for n, value in enumerate(A[name])]
        rows_b += [[value + 0.1 * n] for n, value in enumerate(B[name])]
        groups += [at] * len(A[name])
    names = [f"q{at}" for at in range(8)]
    codes = np.array(groups)
    one, other = (
        Paired(name, names, codes, np.array(rows)) for name, rows in (("a", rows_a), ("b", rows_b))
    )
    chosen = MarkSettings(trials=2000, draws=50, interval="bca")
    found = compare_pair("middle", Middle(), one, other, TEST.kind, chosen)
    assert found.difference == pytest.approx(
        median(v for (v,) in rows_b) - median(v for (v,) in rows_a)
    )
    ways = []
    for swaps in product((False, True), repeat=4):
        left = [b if swaps[g] else a for a, b, g in zip(rows_a, rows_b, groups, strict=True)]
        right = [a if swaps[g] else b for a, b, g in zip(rows_a, rows_b, groups, strict=True)]
        ways.append(abs(median(v for (v,) in right) - median(v for (v,) in left)))
    exact = sum(way >= abs(found.difference or 0) - 1e-12 for way in ways) / len(ways)
    assert found.p == pytest.approx(exact, abs=0.04)
    assert "interval:percentile" in found.signature


class Share(Ratio):
    """A ratio whose units may not count; a third number is what became of those."""

    facts = replace(Ratio.facts, width=3, uncounted="nobody looked")

    def statistics(self, *_: Any) -> Sequence[float]:
        raise NotImplementedError

    def signature(self) -> dict[str, str]:
        return {"units": "mean"}


NOT_SEEN = (0.0, 0.0, 1.0)
SEEN = {1: (1.0, 1.0, 0.0), 0: (0.0, 1.0, 0.0), None: NOT_SEEN}


def seen(name: str, values: Sequence[int | None], groups: Sequence[int]) -> Paired:
    vectors = np.array([SEEN[one] for one in values])
    return Paired(name, [f"u{at}" for at in range(len(values))], np.array(groups), vectors)


def test_a_unit_without_a_value_counts_for_neither() -> None:
    """By hand: units 1, 2 and 6 have a value on both sides, of the passages 0, 1 and 3."""
    groups = [0, 0, 1, 1, 2, 2, 3]
    a = seen("a", [None, 1, 1, 1, None, 0, 0], groups)
    b = seen("b", [1, 0, 1, None, None, None, 0], groups)
    one = compare_pair("share", Share(), a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.clusters, one.discordant) == (3, 4, 3, 1)
    assert one.score_a == pytest.approx(200 / 3)
    assert one.score_b == pytest.approx(100 / 3)
    assert one.difference == pytest.approx(-100 / 3)
    assert one.p == 1  # one passage differs, and it may as well be the other way round


def test_units_that_count_for_nobody_change_nothing() -> None:
    groups = [0, 0, 1, 1, 2]
    a, b = [1, None, 0, 0, 1], [0, None, 1, 1, 1]
    one = compare_pair("share", Share(), seen("a", a, groups), seen("b", b, groups), TEST.kind, FEW)
    assert (one.units, one.left_out, one.discordant) == (4, 1, 3)
    bare = [[0.0 if v is None else float(v), float(v is not None)] for v in a]
    other = [[0.0 if v is None else float(v), float(v is not None)] for v in b]
    sums = [
        np.array([[sum(c) for c in zip(*rows, strict=True)] for rows in _by(groups, side)])
        for side in (bare, other)
    ]
    assert one.p == paired_p(*sums, Share().aggregate, seed=FEW.seed, trials=FEW.trials)


def test_without_a_unit_that_both_have_a_value_on() -> None:
    a, b = seen("a", [1, None], [0, 1]), seen("b", [None, 1], [0, 1])
    one = compare_pair("share", Share(), a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.clusters, one.discordant) == (0, 2, 0, 0)
    assert (one.score_a, one.score_b, one.difference, one.p) == (None, None, None, None)
    assert not one.worse(0.05)


def test_what_a_unit_of_zeros_adds_to_is_still_counted() -> None:
    """F over all answers: who says nothing where nothing is wanted leaves the other's error."""
    groups, f = np.array([0, 1]), Answers()
    a = Paired("a", ["u", "v"], groups, np.array([[1.0, 1, 1, 0], [0, 0, 0, 0]]))
    b = Paired("b", ["u", "v"], groups, np.array([[1.0, 1, 1, 0], [0, 2, 0, 0]]))
    one = compare_pair("answers", f, a, b, TEST.kind, FEW)
    assert (one.units, one.left_out, one.score_a, one.score_b) == (2, 0, 100, 50)


def _by(groups: Sequence[int], rows: Sequence[Sequence[float]]) -> list[list[Sequence[float]]]:
    known = sorted(set(groups))
    return [[row for row, at in zip(rows, groups, strict=True) if at == one] for one in known]
