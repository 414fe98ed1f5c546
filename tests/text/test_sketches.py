"""Sketches of texts: which pairs they make candidates, against the chances that are stated."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.text.folding import folded
from readmark.text.shingles import resemblance, shingles
from readmark.text.sketches import (
    BANDS,
    MISSED,
    MOST_PARTNERS,
    Sketcher,
    Sketches,
    bucket_pairs,
)
from text_families import HAN, changed


def recall(sketcher: Sketcher, resemblance: float) -> float:
    """The chance that a pair of that resemblance is compared at all."""
    return 1 - (1 - resemblance**sketcher.rows) ** BANDS - MISSED


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.9, 0.95])
def test_bands_keep_the_recall_that_is_stated(threshold: float) -> None:
    assert recall(Sketcher(threshold), threshold) >= 0.999


def test_pairs_far_below_the_threshold_are_seldom_compared() -> None:
    assert recall(Sketcher(0.8), 0.2) < 0.01


def test_sketches_keep_that_recall() -> None:
    """Of pairs just over the threshold, as many share a band as the formula says."""
    draw = random.Random(11)
    sketcher = Sketcher(0.8)
    close = missed = 0
    while close < 400:
        text = "".join(draw.choices(HAN, k=400))
        copy = changed(text, 0.018, draw)
        if 0.8 <= resemblance(shingles(text), shingles(copy)) <= 0.88:
            close += 1
            first, second = sketcher.sketch(text), sketcher.sketch(copy)
            shares_band = any(first[at : at + 8] == second[at : at + 8] for at in range(8, 200, 8))
            missed += not shares_band
    assert missed <= 3


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.9, 0.95, 1.0])
def test_pair_at_the_threshold_agrees_often_enough(threshold: float) -> None:
    """The chance of fewer agreements, summed otherwise: by drawing one hash after the other."""
    sketcher = Sketcher(threshold)
    chances = [1.0]
    for _ in range(24 * sketcher.rows):
        agreed = [0.0, *(threshold * chance for chance in chances)]
        differed = [(1 - threshold) * chance for chance in (*chances, 0.0)]
        chances = [a + b for a, b in zip(agreed, differed, strict=True)]
    assert sum(chances[: sketcher.agreeing]) <= 0.0001
    assert sum(chances[: sketcher.agreeing + 1]) > 0.0001


def test_large_bucket_is_not_compared_all_with_all() -> None:
    draw = random.Random(2)
    base = "".join(draw.choices(HAN, k=400))
    sketcher = Sketcher()
    with Sketches(sketcher) as sketches:
        count = 4 * MOST_PARTNERS
        for index in range(count):
            sketches.add(sketcher.sketch(base + HAN[index] * 2))
        candidates = sketches.candidates()
    assert len(candidates) < count * count / 4
    assert set(candidates[:, 1].tolist()) == set(range(1, count))  # each is compared with some


@given(st.lists(st.integers(0, 3), max_size=6 * MOST_PARTNERS))
def test_text_meets_the_first_and_the_nearest_of_its_bucket(values: list[int]) -> None:
    expected = set()
    for later, value in enumerate(values):
        bucket = [earlier for earlier in range(later) if values[earlier] == value]
        if len(bucket) > MOST_PARTNERS:
            half = MOST_PARTNERS // 2
            bucket = bucket[:half] + bucket[-half:]
        expected |= {(earlier, later) for earlier in bucket}
    blocks = [block.tolist() for block in bucket_pairs(np.array(values, np.uint64))]
    pairs = [tuple(pair) for block in blocks for pair in block]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


def test_sketches_may_come_one_by_one_or_many_at_a_time() -> None:
    draw = random.Random(4)
    texts = ["".join(draw.choices(HAN, k=90)) for _ in range(9)]
    rows = Sketcher().sketches([*texts, *(text + "某" for text in texts)])
    with Sketches(Sketcher()) as single, Sketches(Sketcher()) as batches:
        for row in rows:
            single.add(row)
        batches.extend(rows[:7])
        batches.extend([])
        batches.extend(iter(rows[7:]))
        assert batches.count == single.count == 18
        assert batches.candidates().tolist() == [[index, index + 9] for index in range(9)]
        assert single.candidates().tolist() == batches.candidates().tolist()


@given(st.lists(st.text(max_size=30), max_size=6), st.integers(1, 6))
def test_texts_are_sketched_together_as_alone(texts: list[str], size: int) -> None:
    sketcher = Sketcher(shingle=size)
    assert sketcher.sketches(texts) == [sketcher.sketch(text) for text in texts]


@given(st.text(max_size=80), st.integers(1, 7))
def test_texts_with_equal_shingles_have_equal_sketches(text: str, size: int) -> None:
    sketcher = Sketcher(shingle=size)
    assert len(sketcher.sketch(text)) == 200 + 24 * sketcher.rows
    spaced = text.replace("\n", "  ")
    if folded(text):
        assert shingles(text, size) == shingles(spaced, size)
        assert sketcher.sketch(text) == sketcher.sketch(spaced)


def test_seed_decides_the_sketch() -> None:
    assert Sketcher(seed=1).sketch("风筝飞") == Sketcher(seed=1).sketch("风筝飞")
    assert Sketcher(seed=1).sketch("风筝飞") != Sketcher(seed=2).sketch("风筝飞")


@pytest.mark.parametrize("options", [{"threshold": 0.0}, {"threshold": 1.5}, {"shingle": 0}])
def test_impossible_settings_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="expected"):
        Sketcher(**options)  # type: ignore[arg-type]
