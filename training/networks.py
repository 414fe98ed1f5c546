"""What small networks in NumPy share: the softmax over groups, and the Adam optimiser."""

from __future__ import annotations

import numpy as np

from readmark.core.arrays import AnyFloats, AnyInts

Weights = dict[str, AnyFloats]


def softmax(scores: AnyFloats, starts: AnyInts, sizes: AnyInts) -> AnyFloats:
    """Probabilities within each group of scores, given where it starts and its size."""
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    shares: AnyFloats = raised / np.repeat(np.add.reduceat(raised, starts), sizes)
    return shares


class Adam:
    """Adam with decoupled weight decay (Loshchilov and Hutter) on the matrices."""

    def __init__(self, weights: Weights, *, decay: float) -> None:
        self._first = {name: np.zeros_like(one) for name, one in weights.items()}
        self._second = {name: np.zeros_like(one) for name, one in weights.items()}
        self._decay = decay
        self._steps = 0

    def step(self, weights: Weights, gradient: Weights, rate: float) -> None:
        """Move the weights in place."""
        self._steps += 1
        for name, slope in gradient.items():
            first, second = self._first[name], self._second[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            move = first / (1 - 0.9**self._steps)
            move = move / (np.sqrt(second / (1 - 0.999**self._steps)) + 1e-8)
            if weights[name].ndim == 2:
                move = move + self._decay * weights[name]
            weights[name] -= np.float32(rate) * move.astype(np.float32)
