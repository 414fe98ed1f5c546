"""The order of labels of a field's values, as people expect it."""

from __future__ import annotations

import contextlib
import functools
import math
from typing import Any

ABSENT = "-"
"""The label of what has no value."""
_DIFFICULTIES = {"easy": 1.0, "medium": 2.0, "moderate": 2.0, "hard": 3.0, "difficult": 3.0}
"""Words that have an order of their own."""


def labels_of(value: Any) -> tuple[str, ...]:
    """The slices that a field's value puts a unit in: a list puts it in each."""
    if isinstance(value, (list, tuple)):
        return tuple(dict.fromkeys(_label(member)[0] for member in value))
    return _label(value)


@functools.lru_cache(maxsize=4096, typed=True)
def _label(value: Any) -> tuple[str]:
    # Cached, so that a million units of one slice share one tuple.
    if value is None:
        return (ABSENT,)
    if isinstance(value, bool):
        return ("true" if value else "false",)
    return (str(value),)


def in_order(label: str) -> tuple[int, float, str]:
    """A sort key: numbers by size, then words (easy before difficult), then what has no value.

    A range such as ``3 to 5`` goes by its lower end.
    """
    with contextlib.suppress(ValueError):
        number = float(label.partition(" to ")[0])
        if math.isfinite(number):
            return 0, number, label
    return (2 if label == ABSENT else 1), _DIFFICULTIES.get(label.lower(), 0.0), label
