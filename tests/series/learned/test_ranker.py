"""The model's file: there and back, and what is refused."""

import json
import math

import numpy as np
import pytest

from readmark.core.errors import DataError
from readmark.series.learned.features import FEATURES
from readmark.series.learned.ranker import (
    RewriteRanker,
    fingerprint,
    forward,
    from_json,
    initial,
    load_ranker,
    to_json,
)

WIDTH = len(FEATURES)


def ranker() -> RewriteRanker:
    draw = np.random.Generator(np.random.PCG64(1))
    mean = draw.random(WIDTH).astype(np.float32)
    spread = (draw.random(WIDTH) + 0.5).astype(np.float32)
    return RewriteRanker(mean, spread, [initial(WIDTH, 4, seed) for seed in (1, 2)], {"seed": 1})


def test_there_and_back() -> None:
    once = from_json(to_json(ranker()), file="model.json")
    assert to_json(once) == to_json(ranker())
    assert fingerprint(once) == fingerprint(ranker())


def test_one_network_for_all_gives_their_mean() -> None:
    one = ranker()
    numbers = np.random.Generator(np.random.PCG64(2)).random((7, WIDTH)).astype(np.float32)
    ready = (numbers - one.mean) / one.spread
    apart = np.mean([forward(each, ready)[0] for each in one.networks], axis=0)
    assert one.scores(numbers) == pytest.approx(apart, abs=1e-3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model": "evidence"}, "no rewriter model"),
        ({"readmark": 2}, "no rewriter model"),
        ({"scaling": {"keep": [0, 1]}}, "other features"),
        ({"networks": []}, "no network"),
        ({"networks": [{}]}, "lacks 'hidden_bias'"),
        ({"networks": 5}, "networks is no list"),
        ({"networks": [5]}, "a network has no members"),
        ({"scaling": [1.0]}, "scaling has no members"),
        ({"scaling": dict.fromkeys(FEATURES, 1.0)}, "scaling has the shape"),
        ({"scaling": {one: [0.0, 1.0, 2.0] for one in FEATURES}}, "scaling has the shape"),
        ({"scaling": {one: [0.0, 0.0] for one in FEATURES}}, "spread"),
        ({"scaling": {one: [0.0, -1.0] for one in FEATURES}}, "spread"),
        ({"scaling": {one: [math.nan, 1.0] for one in FEATURES}}, "not finite"),
        ({"scaling": {one: [0.0, math.inf] for one in FEATURES}}, "not finite"),
        ({"note": 5}, "note"),
    ],
)
def test_other_files_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        from_json(json.dumps(json.loads(to_json(ranker())) | change), file="model.json")


def test_a_network_of_another_shape_is_refused() -> None:
    document = json.loads(to_json(ranker()))
    document["networks"][0]["out"].pop()
    with pytest.raises(DataError, match="shape"):
        from_json(json.dumps(document), file="model.json")


@pytest.mark.parametrize("name", ["hidden", "hidden_bias", "out", "straight"])
@pytest.mark.parametrize("weight", [math.nan, math.inf, 1e39])
def test_weights_that_are_no_numbers_are_refused(name: str, weight: float) -> None:
    document = json.loads(to_json(ranker()))
    document["networks"][1][name][0][0] = weight
    with pytest.raises(DataError, match="not finite"):
        from_json(json.dumps(document), file="model.json")


@pytest.mark.parametrize("text", ["", "5", "[]", "{", "null"])
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"cannot be read: (it has no members|Expecting)"):
        from_json(text, file="model.json")


def test_no_file() -> None:
    with pytest.raises(DataError, match="no such file"):
        load_ranker("nowhere.json")


def test_the_one_that_ships_can_be_read() -> None:
    assert load_ranker().note["seed"] == 1
