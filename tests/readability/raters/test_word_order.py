"""The model of word order: counts by hand, probabilities that add up, packing."""

import numpy as np
import pytest

from rating_passages import DOG, by_hand
from readmark.readability.raters.features.word_order import (
    BREAK,
    OTHER,
    WordOrder,
    unpacked,
    word_order,
)
from readmark.readability.raters.parses import parse_all
from training.rater import learn, packed

SYMBOLS = {BREAK: 0, OTHER: 1, "DT": 2, "NN": 3, "the": 4}
RUNS = [np.array(run, np.int64) for run in ([0, 0], [4, 3], [0, 0], [4, 3], [0, 0], [2, 3])]


def small() -> WordOrder:
    return learn(SYMBOLS, RUNS, least=1)


def test_counts_leave_breaks_out() -> None:
    model = small()
    assert model.singles.tolist() == [0, 0, 1, 3, 2]
    assert model.pair_keys.tolist() == [0 * 5 + 2, 0 * 5 + 4, 2 * 5 + 3, 4 * 5 + 3]
    assert model.pair_counts.tolist() == [1, 2, 1, 2]


def test_surprise_by_hand() -> None:
    # "the" begins two of three sentences: the run of three, the pair and the word, mixed.
    sentence = [("the", "the", "DET", "DT", 0, "det"), ("dog", "dog", "NOUN", "NN", 0, "ROOT")]
    first, second = np.exp(-small().surprise(by_hand(sentence)))
    left = 0.75 * 2 / 3
    pair = 1.25 / 3 + left * (3 / 11)
    assert first == pytest.approx(1.25 / 3 + left * pair)
    after = 1.25 / 2 + (0.75 / 2) * (4 / 11)
    assert second == pytest.approx(1.25 / 2 + (0.75 / 2) * after)


def test_packing_keeps_everything() -> None:
    model, again = small(), unpacked(packed(small()))
    assert again.symbols == model.symbols
    for name in ("singles", "pair_keys", "pair_counts", "triple_keys", "triple_counts"):
        assert getattr(again, name).tolist() == getattr(model, name).tolist()


def test_the_model_that_ships_knows_order() -> None:
    sentence, shuffled = parse_all(
        ["The dog ran to the end of the road.", "Road the of end the to ran dog the."]
    )
    model = word_order()
    assert model.surprise(sentence).mean() + 1 < model.surprise(shuffled).mean()
    assert len(model.surprise(by_hand(DOG))) == len(DOG)
    assert len(model.surprise(by_hand())) == 0
