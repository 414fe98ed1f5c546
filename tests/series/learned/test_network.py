"""The network's gradient against differences, and that it learns what decides."""

from dataclasses import replace

import numpy as np
import pytest

from readmark.series.learned import ranker as network
from readmark.series.learned.ranker import RankerPlan, RewriteLesson, forward, initial, trained
from readmark.stats.networks import Weights, softmax

PLAN = replace(RankerPlan(), hidden=4, epochs=30, dropout=0.0)


def lessons(count: int, width: int = 6) -> list[RewriteLesson]:
    draw = np.random.Generator(np.random.PCG64(3))
    found = []
    for _ in range(count):
        numbers = draw.standard_normal((5, width)).astype(np.float32)
        found.append(RewriteLesson(numbers, (numbers[:, 0] > 0.5).astype(np.float32)))
    return found


def loss(weights: Weights, data: network.LessonBatch) -> float:
    shares = softmax(forward(weights, data.numbers)[0], data.starts, data.sizes)
    entropy = -(data.aims * np.log(shares)).sum()
    risk = -(shares * data.scores).sum()
    return float(entropy + PLAN.risk * risk) / len(data.sizes)


@pytest.mark.parametrize("name", ["hidden", "hidden_bias", "out", "straight"])
def test_gradient(name: str) -> None:
    data = network._batch(lessons(3), PLAN)
    data = data._replace(numbers=data.numbers.astype(np.float64))
    weights: Weights = {key: one.astype(np.float64) for key, one in initial(6, 4, 1).items()}
    weights["straight"] += 0.1
    slope = network._gradient(weights, data, np.ones(6), PLAN)[name]
    step = 1e-5
    for at in np.ndindex(weights[name].shape):
        up = {**weights, name: weights[name].copy()}
        down = {**weights, name: weights[name].copy()}
        up[name][at] += step
        down[name][at] -= step
        direct = (loss(up, data) - loss(down, data)) / (2 * step)
        assert slope[at] == pytest.approx(direct, rel=1e-3, abs=1e-4)


def test_it_learns_what_decides() -> None:
    weights = trained(lessons(200), 1, PLAN)
    held = lessons(260)[200:]
    right = [one.scores[int(np.argmax(forward(weights, one.numbers)[0]))] for one in held]
    best = [one.scores.max() for one in held]
    assert np.mean(right) > 0.85 * np.mean(best)  # a third by chance


def test_a_seed_decides_all() -> None:
    one, other = (trained(lessons(20), 1, PLAN) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)
    assert any((one[name] != trained(lessons(20), 2, PLAN)[name]).any() for name in one)
