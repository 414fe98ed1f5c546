"""The values of a field as labels, and the order that people expect of them."""

from __future__ import annotations

import contextlib
import math

ABSENT = "-"
"""The label of what has no value."""


def in_order(label: str) -> tuple[int, float, str]:
    """A sort key: numbers by size, then words, then what has no value."""
    with contextlib.suppress(ValueError):
        number = float(label)
        if math.isfinite(number):
            return 0, number, label
    return (2 if label == ABSENT else 1), 0.0, label
