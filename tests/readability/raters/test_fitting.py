"""Fitting: a planted rule is found, and the shortcut for leaving out one by one is right."""

import numpy as np
import pytest

from rater_lessons import NAMES, lessons
from readmark.readability.raters.features.families import features_of
from readmark.readability.raters.fit import (
    PENALTIES,
    best_penalty,
    fit,
    measure_lessons,
    predict,
)
from readmark.readability.raters.parses import parse_all


def test_a_planted_rule_is_found_with_its_bend() -> None:
    passages = lessons(400)
    rater = fit(passages.subset(np.arange(300)), NAMES, words=False)
    unseen = passages.subset(np.arange(300, 400))
    assert np.corrcoef(predict(rater, unseen), unseen.ratings)[0, 1] > 0.99


def test_words_are_learnt_where_they_matter() -> None:
    passages = lessons(500, words=True)
    seen, unseen = passages.subset(np.arange(400)), passages.subset(np.arange(400, 500))
    without, with_words = (
        np.corrcoef(predict(fit(seen, NAMES, words=words), unseen), unseen.ratings)[0, 1]
        for words in (False, True)
    )
    assert with_words > without + 0.02


def test_predictions_are_what_the_rater_rates() -> None:
    texts = [
        f"The {noun} ran {times} times round the old house."
        for noun in ("dog", "cat", "man")
        for times in ("two", "many", "seventeen")
    ]
    parsed = list(parse_all(texts))
    names = [feature.name for feature in features_of()]
    passages = measure_lessons(parsed, names, np.linspace(2, 4, len(texts)).tolist(), embed=False)
    rater = fit(passages, names, words=True)
    ratings = [rater.rate(passage).rating for passage in parsed]
    assert ratings == pytest.approx(predict(rater, passages).tolist(), abs=1e-6)


def test_the_penalty_is_the_one_that_leaving_out_one_by_one_chooses() -> None:
    chance = np.random.default_rng(2)
    rows = chance.normal(size=(30, 5))
    ratings = rows @ chance.normal(size=5) + chance.normal(size=30)
    kernel = rows @ rows.T / 5

    def left_out(penalty: float) -> float:
        total = 0.0
        for index in range(30):
            kept = np.arange(30) != index
            dual = np.linalg.solve(kernel[kept][:, kept] + penalty * np.eye(29), ratings[kept])
            total += (ratings[index] - kernel[index, kept] @ dual) ** 2
        return float(total)

    assert best_penalty(kernel, ratings) == min(PENALTIES, key=left_out)
