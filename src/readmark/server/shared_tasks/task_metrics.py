"""The metrics that a shared task is marked by, and the one that orders its board."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.test import Test

MEAN = ("em", "f1")
"""The metrics of which the board's order is the mean, where a test is marked by both."""
AVERAGE = "average"


def metric_columns(test: Test, configured: Sequence[str] = ()) -> tuple[str, ...]:
    """The metrics that a task is marked by: the configured ones, else those of its kind."""
    return tuple(configured) or tuple(test.kind.metrics(test.header, test.facts))


def order_metric(metrics: Sequence[str], main: str, configured: str = "") -> str:
    """The metric that orders a board: the mean of EM and F1 where both are columns."""
    if configured:
        return configured
    if all(name in metrics for name in MEAN):
        return AVERAGE
    return main if main in metrics else metrics[0]
