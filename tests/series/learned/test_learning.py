"""Learning a ranker: the same on any number of threads."""

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from readmark.series.learned.features import FEATURES
from readmark.series.learned.ranker import RankerPlan, RewriteLesson, learn, to_json


def lessons() -> list[RewriteLesson]:
    draw = np.random.Generator(np.random.PCG64(1))
    return [
        RewriteLesson(
            draw.random((size, len(FEATURES))).astype(np.float32),
            draw.random(size).astype(np.float32),
        )
        for size in draw.integers(2, 67, 64).tolist()
    ]


def test_threads_decide_nothing() -> None:
    plan = RankerPlan(seeds=(1,), epochs=3)
    found = []
    for threads in (1, 2, 4):
        with threadpool_limits(threads, user_api="blas"):
            found.append(to_json(learn(lessons(), plan)))
    assert found[0] == found[1] == found[2]


def test_threads_are_given_back() -> None:
    before = threadpool_info()
    learn(lessons()[:2], RankerPlan(seeds=(1,), epochs=1))
    assert threadpool_info() == before
