"""Measures of words: worked numbers, the slow definitions, and what must always hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import similarity as oracle
from readmark.core.errors import UsageError
from readmark.series.words import words
from readmark.statistics.similarity import simmetrics
from readmark.statistics.similarity.monge_elkan import monge_elkan
from readmark.statistics.similarity.ngrams import (
    TextGrams,
    block,
    cosine,
    dice,
    euclidean,
    jaccard,
)
from readmark.statistics.similarity.order_weights import OrderWeights, check_weights, weighted

MEASURES: dict[str, tuple[Callable[[Any], Any], Callable[..., float]]] = {
    "jaccard": (jaccard, oracle.jaccard),
    "dice": (dice, oracle.dice),
    "cosine": (cosine, oracle.cosine),
    "block": (block, oracle.block),
    "euclidean": (euclidean, oracle.euclidean),
    "cosine-simmetrics": (simmetrics.cosine, oracle.cosine_simmetrics),
    "euclidean-simmetrics": (simmetrics.euclidean, oracle.euclidean_simmetrics),
}
WEIGHTS: list[OrderWeights] = [
    (1, 0, 0),
    (2, 1, 0),
    (1, 1, 1),
    (1, 2, 0),
    (0, 0, 1),
    (0.5, 0.25, 3),
]

# Printed in the document; the metric's default gives 0.4909 there.
SYSTEM = "How many of Hindenburg disaster were killed"
GOLD = "How many people were killed during the Hindenburg disaster"

texts_of_few_words = st.lists(
    st.sampled_from(["who", "was", "the", "Jay-Z", "PREVIOUS_ANSWER", "it's", "Émile", "?", "--"]),
    max_size=9,
).map(" ".join)


def one(measure: Callable[[Any], Any], weights: OrderWeights, a: str, b: str) -> float:
    return weighted(measure, weights, TextGrams(words(a)), TextGrams(words(b)))


@pytest.mark.parametrize(
    ("name", "weights", "expected"),
    [
        ("jaccard", (1, 0, 0), 6 / 10),
        ("jaccard", (0, 1, 0), 3 / 11),
        ("jaccard", (2, 1, 0), (2 * 6 / 10 + 3 / 11) / 3),
        ("jaccard", (0, 0, 1), 0),
        ("dice", (1, 0, 0), 12 / 16),
        ("dice", (2, 1, 0), (2 * 12 / 16 + 6 / 14) / 3),
        ("cosine", (1, 0, 0), 6 / (7 * 9) ** 0.5),
        ("block", (2, 1, 0), (2 * 12 / 16 + 6 / 14) / 3),
        ("euclidean", (1, 0, 0), 1 - (4 / 16) ** 0.5),
        ("euclidean-simmetrics", (1, 0, 0), 1 - (4 / (49 + 81)) ** 0.5),
    ],
)
def test_the_printed_pair(name: str, weights: OrderWeights, expected: float) -> None:
    measure, _ = MEASURES[name]
    assert one(measure, weights, SYSTEM, GOLD) == pytest.approx(expected, abs=1e-12)


def test_the_printed_pair_by_the_default() -> None:
    assert round(one(jaccard, (2, 1, 0), SYSTEM, GOLD), 4) == 0.4909


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("jaccard", "who who was", "who was was", 1),  # sets do not count
        ("cosine", "who who was", "who was was", 4 / 5),
        ("cosine-simmetrics", "who who was", "who was was", 1),
        ("block", "who who was", "who was was", 4 / 6),
        ("euclidean", "a a a", "b", 0),  # nothing shared
        ("euclidean-simmetrics", "a a a", "b", 0),
        ("euclidean-simmetrics", "a b", "c", 1 - (3 / 5) ** 0.5),  # nothing shared, and not 0
        ("euclidean-simmetrics", "a a", "a", 1 - 1 / 5**0.5),
        ("cosine", "?", "who", 0),
        ("cosine-simmetrics", "?", "who", 0),
        ("cosine", "?", "!", 1),
    ],
)
def test_repeated_and_missing_words(name: str, a: str, b: str, expected: float) -> None:
    assert one(MEASURES[name][0], (1, 0, 0), a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["jaccard", "dice", "cosine", "block", "cosine-simmetrics"])
@pytest.mark.parametrize(
    ("weights", "a", "b", "expected"),
    [
        ((2, 1, 0), "cat", "dog", 0),  # neither has a pair: words alone are left
        ((2, 1, 0), "cat", "Cat!", 1),
        ((1, 1, 1), "cat dog", "dog cat", 1 / 2),  # words 1, pairs 0, no triples
        ((1, 1, 1), "cat dog", "cat dog", 1),
        ((0, 1, 0), "cat", "cat dog", 0),  # only one has a pair
        ((0, 1, 0), "cat", "CAT", 1),  # no order is left, and the texts are equal
        ((0, 1, 0), "cat", "dog", 0),
        ((0, 0, 1), "cat dog", "cat", 0),
        ((0, 0, 1), "cat dog", "dog cat", 0),
        ((2, 1, 0), "", "", 1),
        ((2, 1, 0), "?", "", 1),
        ((2, 1, 0), "", "a", 0),
        ((2, 1, 0), "a", "", 0),
        ((0, 1, 1), "", "", 1),
        ((0, 1, 1), "", "a", 0),
    ],
)
def test_an_order_that_neither_text_has_leaves_the_weighting(
    name: str, weights: OrderWeights, a: str, b: str, expected: float
) -> None:
    measure, _ = MEASURES[name]
    assert one(measure, weights, a, b) == pytest.approx(expected, abs=1e-12)


def test_an_order_that_one_text_has_counts_zero() -> None:
    assert one(jaccard, (2, 1, 0), "who", "who was") == pytest.approx((2 * 1 / 2 + 0) / 3)


@pytest.mark.parametrize("name", MEASURES)
@given(a=texts_of_few_words, b=texts_of_few_words, weights=st.sampled_from(WEIGHTS))
def test_measures_are_the_definition(name: str, a: str, b: str, weights: OrderWeights) -> None:
    measure, slow = MEASURES[name]
    expected = oracle.weighted(slow, weights, a, b)
    assert one(measure, weights, a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
@given(a=texts_of_few_words, b=texts_of_few_words, weights=st.sampled_from(WEIGHTS))
def test_bounds_symmetry_and_identity(name: str, a: str, b: str, weights: OrderWeights) -> None:
    measure, _ = MEASURES[name]
    assert 0 <= one(measure, weights, a, b) <= 1 + 1e-15
    assert one(measure, weights, a, b) == pytest.approx(one(measure, weights, b, a), abs=1e-15)
    assert one(measure, weights, a, a) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("name", MEASURES)
def test_long_texts(name: str) -> None:
    measure, slow = MEASURES[name]
    long = " ".join(f"w{at % 37}" for at in range(90))
    words_of_own = " ".join(f"x{at}" for at in range(40_000))
    for a, b in ((long, long[:200]), (long[:150], long[:160]), ("", long), (words_of_own, "x7 x8")):
        expected = oracle.weighted(slow, (2, 1, 1), a, b)
        assert one(measure, (2, 1, 1), a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "weights", [(0, 0, 0), (-1, 2, 0), (float("nan"), 1, 0), (1e308, 1e308, 0)]
)
def test_weights_that_make_no_mean(weights: OrderWeights) -> None:
    with pytest.raises(UsageError, match="weights u, b and t"):
        check_weights(weights, of="metric jaccard")


lists_of_words = st.lists(st.sampled_from(["born", "bored", "dog", "toga", "a", "zz"]), max_size=5)


@given(a=lists_of_words, b=lists_of_words)
def test_monge_elkan_is_the_definition(a: Sequence[str], b: Sequence[str]) -> None:
    assert monge_elkan(a, b) == pytest.approx(oracle.monge_elkan(a, b))
    assert simmetrics.monge_elkan(a, b) == pytest.approx(oracle.monge_elkan_simmetrics(a, b))


@given(a=lists_of_words, b=lists_of_words)
def test_monge_elkan_bounds_and_identity(a: Sequence[str], b: Sequence[str]) -> None:
    assert 0 <= monge_elkan(a, b) <= 1
    assert monge_elkan(a, b) == pytest.approx(monge_elkan(b, a))
    assert monge_elkan(a, a) == simmetrics.monge_elkan(a, a) == 1


def test_simmetrics_monge_elkan_looks_one_way() -> None:
    short, long = ["who", "was", "born"], ["who", "was", "born", "in", "zurich"]
    assert simmetrics.monge_elkan(short, long) == 1
    assert simmetrics.monge_elkan(long, short) < 1
