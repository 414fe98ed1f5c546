"""The running mean of a network's weights, which reads better than the last step's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class WeightAverage:
    """Weights that follow a network's slowly; the mean of the steps so far at the beginning."""

    def __init__(self, torch: Any, network: Any, keep: float) -> None:
        self._torch = torch
        self._keep = keep
        self._steps = 0
        self._parameters = [
            parameter for parameter in network.parameters() if parameter.requires_grad
        ]
        self._mean = [parameter.detach().clone() for parameter in self._parameters]

    def follow(self) -> None:
        """Take a step towards where the network is now."""
        self._steps += 1
        share = max(1 - self._keep, 1 / self._steps)
        with self._torch.no_grad():
            self._torch._foreach_lerp_(self._mean, self._parameters, share)

    @contextmanager
    def in_network(self) -> Iterator[None]:
        """The network with the mean for its weights, as long as this lasts."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def settle(self) -> None:
        """Leave the mean in the network for good."""
        self._swap()

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"steps": self._steps, "mean": self._mean}

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from the state in a checkpoint."""
        self._steps = state["steps"]
        with self._torch.no_grad():
            for mean, stored in zip(self._mean, state["mean"], strict=True):
                mean.copy_(stored)

    def _swap(self) -> None:
        for parameter, mean in zip(self._parameters, self._mean, strict=True):
            parameter.data, mean.data = mean.data, parameter.data
