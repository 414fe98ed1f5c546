"""Learning a ranker from lessons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from readmark.models.rewriting.learned.lessons import Lesson
from readmark.models.rewriting.learned.network import Plan, trained
from readmark.models.rewriting.learned.ranker import Ranker

Tell = Callable[[str], None]


def learn(lessons: Sequence[Lesson], plan: Plan, tell: Tell = lambda _: None) -> Ranker:
    """Standardise the features and train a network a seed; how many cores there are is no matter.

    One thread multiplies: several sum in another order, and cost more than they save.
    """
    from threadpoolctl import threadpool_limits

    every = np.concatenate([one.numbers for one in lessons])
    mean = every.mean(axis=0)
    spread = every.std(axis=0)
    spread = np.where(spread < 1e-4, 1.0, np.maximum(spread, 0.05)).astype(np.float32)
    ready = [Lesson((one.numbers - mean) / spread, one.scores) for one in lessons]
    networks = []
    with threadpool_limits(limits=1, user_api="blas"):
        for seed in plan.seeds:
            networks.append(trained(ready, seed, plan))
            tell(f"network {len(networks)} of {len(plan.seeds)} (seed {seed})")
    return Ranker(mean.astype(np.float32), spread, networks, {})
